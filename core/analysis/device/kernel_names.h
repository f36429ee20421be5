// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace rankscope {

/// The name of a kernel without its template and function arguments, which name types and not its purpose: "void
/// (anonymous namespace)::two_shot<float, 4>(float*)" is "void (anonymous namespace)::two_shot".
[[nodiscard]] constexpr std::string_view kernelNameWithoutArguments(std::string_view name) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)";
    std::size_t end = 0;
    while (end < name.size() && name[end] != '<' && (name[end] != '(' || name.substr(end).starts_with(kAnonymous))) {
        end += name[end] == '(' ? kAnonymous.size() : 1;
    }
    return name.substr(0, end);
}

}  // namespace rankscope
