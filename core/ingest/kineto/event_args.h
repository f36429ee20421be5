// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// The arguments of an event, read back from its file for people: each value as the file has it, whatever it is.
namespace rankscope {

/// One member of a JSON object, as written in the file.
struct RawMember {
    std::string key;    ///< without quotes and escapes
    std::string value;  ///< unchanged: strings with their quotes, numbers with all their digits
};

/// The members of a JSON object in order, with their values unchanged. Reads as far as the text is valid; empty if it
/// is not an object.
[[nodiscard]] std::vector<RawMember> rawMembers(std::string_view object);

/// The members of the "args" of an event, in order: for {"ph": "X", "args": {"stream": 7}} one with the key `stream`
/// and the value `7`. Empty if it has none.
[[nodiscard]] std::vector<RawMember> rawArgs(std::string_view event);

}  // namespace rankscope
