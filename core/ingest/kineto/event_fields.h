// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/ingest/kineto/event_text.h"
#include "core/ingest/kineto/json_tokens.h"

namespace rankscope {

/// The arg that a key of an event's args means; Arg::Count if it is not read.
[[nodiscard]] Arg argNamed(std::string_view key);

/// Reads the fields of one event from its JSON object. The fields may come in any order: args that come before the
/// event's kind is known are read at the end.
class EventFields {
  public:
    /// `all_args`: read the args of every event, since a merger wrote its rank there; else only args that become a
    /// column. Skipping the others makes reading fast.
    explicit EventFields(bool all_args = false) : all_args_(all_args) {}

    /// Reads the object that token `at` opens, and moves `at` after it. False if it is broken: `event` is then half
    /// filled.
    [[nodiscard]] bool read(const JsonTokens& tokens, std::size_t& at, EventText& event);

  private:
    [[nodiscard]] Category categoryOfText(std::string_view text);

    /// The last categories used: a trace has few, and they alternate.
    struct KnownCategory {
        std::array<char, 32> text{};
        std::size_t size = 0;
        Category category = Category::Other;
    };
    std::array<KnownCategory, 8> known_;
    std::size_t next_known_ = 0;
    bool all_args_;
};

}  // namespace rankscope
