// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace rankscope::ui {

/// One member of a JSON object, as written in the file.
struct RawMember {
    std::string key;    ///< without quotes and escapes
    std::string value;  ///< unchanged: strings with their quotes, numbers with all their digits
};

/// The members of a JSON object in order, with their values unchanged. Reads as far as the text is valid; empty if it
/// is not an object.
[[nodiscard]] std::vector<RawMember> rawMembers(std::string_view object);

/// The members of the "args" of an event. Empty if it has none.
[[nodiscard]] std::vector<RawMember> rawArgs(std::string_view event);

/// Why an event cannot be read back, for people; if its trace is elsewhere, also how the window can find it.
[[nodiscard]] QString whyUnread(const Error& error);

}  // namespace rankscope::ui
