// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankscope {

// Finding one's way in JSON text that may be cut, minified or invalid, without parsing it.

inline constexpr std::size_t kNowhere = std::string_view::npos;

/// The first place at or after `at` that is no white space.
[[nodiscard]] std::size_t skipSpace(std::string_view text, std::size_t at);

/// One past the end of the value that starts at `at` (an object, array, string or bare word), strictly by JSON's rules
/// for strings and brackets; kNowhere where the text ends before it.
[[nodiscard]] std::size_t endOfValue(std::string_view text, std::size_t at);

/// The last place where `text`, a piece of an event array, can be cut: the offset of a `{` that starts an event after a
/// comma. It is a guess by the look of the text; the parser proves it. kNowhere where there is none.
[[nodiscard]] std::size_t lastEventStart(std::string_view text);

/// Finds the next place of a fixed text in another one repeatedly. It remembers the last result, so that any number of
/// queries from places that move forward costs one pass over the text.
class ForwardSearch {
  public:
    ForwardSearch(std::string_view text, std::string_view what) : text_(text), what_(what) {}

    /// The first place at or after `at`; kNowhere where there is none.
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

/// Where events and arrays of events begin in a text, asked from places that move forward: one pass over the text in
/// all.
class EventSearch {
  public:
    explicit EventSearch(std::string_view text);

    /// The first `{` at or after `at` that looks like the start of an event, with its `"ph"` before its first `}`:
    /// where to go on behind broken text. kNowhere where there is none.
    [[nodiscard]] std::size_t nextEvent(std::size_t at);
    /// The place behind `"traceEvents": [`, at or after `at`; kNowhere where there is none.
    [[nodiscard]] std::size_t nextArray(std::size_t at);

  private:
    std::string_view text_;
    ForwardSearch object_;
    ForwardSearch end_;
    ForwardSearch phase_;
    ForwardSearch array_;
    /// An answer, valid for all places from `asked` to `found`.
    struct Answer {
        std::size_t asked = 0;
        std::size_t found = 0;
        bool known = false;
        [[nodiscard]] bool holdsAt(std::size_t at) const {
            return known && at >= asked && (found == kNowhere || at <= found);
        }
    };
    Answer event_;
    Answer key_;                      // of the array's name
    std::size_t bracket_ = kNowhere;  // behind that of key_
};

/// The first `{` at or after `at` that looks like the start of an event: EventSearch for one question. O(n).
[[nodiscard]] std::size_t nextEventStart(std::string_view text, std::size_t at);

/// The place behind `"traceEvents": [`, at or after `at`; kNowhere where there is none.
[[nodiscard]] std::size_t behindTraceEvents(std::string_view text, std::size_t at);

/// The keys of a piece of a JSON object with the text of their values, the first kTopLevelKeys of them; values that are
/// broken or cut are left out. One is looked for inside of a broken value, but not behind kBrokenValues of them: each
/// costs a pass over the rest of the text.
inline constexpr std::size_t kTopLevelKeys = 4096;
inline constexpr std::size_t kBrokenValues = 16;
[[nodiscard]] std::vector<std::pair<std::string, std::string>> topLevelKeys(std::string_view text);

}  // namespace rankscope
