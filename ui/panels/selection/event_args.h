// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace rankscope::ui {

/// One member of a JSON object, as its text is in the file.
struct RawMember {
    std::string key;    ///< without quotes and escapes
    std::string value;  ///< word for word: strings with their quotes, numbers with all their digits
};

/// The members of a JSON object in their order, with their values word for word. Reads as far as the text makes sense;
/// empty where it is no object.
[[nodiscard]] std::vector<RawMember> rawMembers(std::string_view object);

/// The members of the "args" of an event. Empty where it has none.
[[nodiscard]] std::vector<RawMember> rawArgs(std::string_view event);

/// Why an event cannot be read back, for people; where its trace is elsewhere, with what finds that in the window.
[[nodiscard]] QString whyUnread(const Error& error);

}  // namespace rankscope::ui
