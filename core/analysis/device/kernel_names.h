// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace rankscope {

/// The name of a kernel up to its arguments, those of the template and of the function, which name types and not what
/// it does: "void (anonymous namespace)::two_shot<float, 4>(float*)" is "void (anonymous namespace)::two_shot".
[[nodiscard]] constexpr std::string_view kernelNameWithoutArguments(std::string_view name) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)";
    std::size_t end = 0;
    while (end < name.size() && name[end] != '<' && (name[end] != '(' || name.substr(end).starts_with(kAnonymous))) {
        end += name[end] == '(' ? kAnonymous.size() : 1;
    }
    return name.substr(0, end);
}

}  // namespace rankscope
