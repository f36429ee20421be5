// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankscope {

// Searches JSON text that may be cut, minified or invalid, without parsing it.

inline constexpr std::size_t kNowhere = std::string_view::npos;

/// The first position at or after `at` that is not white space.
[[nodiscard]] std::size_t skipSpace(std::string_view text, std::size_t at);

/// One past the end of the value that starts at `at` (an object, array, string or bare word), strictly by JSON's rules
/// for strings and brackets; kNowhere if the text ends before it.
[[nodiscard]] std::size_t endOfValue(std::string_view text, std::size_t at);

/// The last position at which `text`, a piece of an event array, can be cut: the offset of a `{` that starts an event
/// after a comma. It is a guess from the text's appearance; the parser verifies it. kNowhere if there is none.
[[nodiscard]] std::size_t lastEventStart(std::string_view text);

/// Finds the next occurrence of a fixed text repeatedly. It remembers the last result, so any number of queries from
/// ascending positions costs one pass over the text.
class ForwardSearch {
  public:
    ForwardSearch(std::string_view text, std::string_view what) : text_(text), what_(what) {}

    /// The first occurrence at or after `at`; kNowhere if there is none.
    [[nodiscard]] std::size_t from(std::size_t at) {
        if (at < asked_ || (found_ != kNowhere && at > found_) || !known_) {
            found_ = text_.find(what_, at);
            known_ = true;
        }
        asked_ = at;
        return found_;
    }

  private:
    std::string_view text_;
    std::string_view what_;
    std::size_t asked_ = 0;
    std::size_t found_ = kNowhere;
    bool known_ = false;
};

/// Finds where events and arrays of events begin in a text, for queries from ascending positions: one pass over the
/// text in total.
class EventSearch {
  public:
    explicit EventSearch(std::string_view text);

    /// The first `{` at or after `at` that looks like the start of an event, with its `"ph"` before its first `}`:
    /// where to continue after broken text. kNowhere if there is none.
    [[nodiscard]] std::size_t nextEvent(std::size_t at);
    /// The position after `"traceEvents": [`, at or after `at`; kNowhere if there is none.
    [[nodiscard]] std::size_t nextArray(std::size_t at);

  private:
    std::string_view text_;
    ForwardSearch object_;
    ForwardSearch end_;
    ForwardSearch phase_;
    ForwardSearch array_;
    /// An answer, valid for all positions from `asked` to `found`.
    struct Answer {
        std::size_t asked = 0;
        std::size_t found = 0;
        bool known = false;
        [[nodiscard]] bool holdsAt(std::size_t at) const {
            return known && at >= asked && (found == kNowhere || at <= found);
        }
    };
    Answer event_;
    Answer key_;                      // the answer about the array's name
    std::size_t bracket_ = kNowhere;  // after that of key_
};

/// The first `{` at or after `at` that looks like the start of an event: EventSearch for a single query. O(n).
[[nodiscard]] std::size_t nextEventStart(std::string_view text, std::size_t at);

/// The position after `"traceEvents": [`, at or after `at`; kNowhere if there is none.
[[nodiscard]] std::size_t behindTraceEvents(std::string_view text, std::size_t at);

/// The keys of a piece of a JSON object with the text of their values, up to kTopLevelKeys of them, without values that
/// are broken or cut. Keys are also searched inside a broken value, but no longer after kBrokenValues of them: each
/// costs a pass over the rest of the text.
inline constexpr std::size_t kTopLevelKeys = 4096;
inline constexpr std::size_t kBrokenValues = 16;
[[nodiscard]] std::vector<std::pair<std::string, std::string>> topLevelKeys(std::string_view text);

}  // namespace rankscope
