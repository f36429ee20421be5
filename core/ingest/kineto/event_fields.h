// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/ingest/kineto/event_text.h"
#include "core/ingest/kineto/json_tokens.h"

namespace rankscope {

/// Takes the fields of one event out of its JSON object. The fields may come in any order: args that come before it is
/// known what they are for are read at the end.
class EventFields {
  public:
    /// `all_args`: of every event, since a merger wrote its rank there; else only if they contain what becomes a
    /// column: skipping the others makes reading fast.
    explicit EventFields(bool all_args = false) : all_args_(all_args) {}

    /// Reads the object that token `at` opens, and moves `at` behind it. False if it is broken: `event` is then half
    /// filled.
    [[nodiscard]] bool read(const JsonTokens& tokens, std::size_t& at, EventText& event);

  private:
    [[nodiscard]] Category categoryOfText(std::string_view text);

    /// The categories met last: a trace has few, and they alternate.
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
