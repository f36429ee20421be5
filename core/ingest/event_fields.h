// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <simdjson.h>

#include <array>
#include <string_view>

#include "core/ingest/event_text.h"

namespace rankscope {

/// Takes the fields of one event out of its JSON object. The fields may come in any order; Kineto's own order, with
/// category and name before the args, is the fast one.
class EventFields {
  public:
    /// False where the object is broken. `event` is then half filled.
    [[nodiscard]] bool read(simdjson::ondemand::object object, EventText& event);

  private:
    [[nodiscard]] bool readLateArgs(std::string_view json, EventText& event);

    simdjson::ondemand::parser late_parser_;  // for args that come before the category
    simdjson::padded_string late_args_;
    [[nodiscard]] Category categoryOfText(std::string_view text);

    /// The categories met last: a trace has few, and they alternate.
    struct KnownCategory {
        std::array<char, 32> text{};
        std::size_t size = 0;
        Category category = Category::Other;
    };
    std::array<KnownCategory, 8> known_;
    std::size_t next_known_ = 0;
};

}  // namespace rankscope
