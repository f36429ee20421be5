// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/natural_order.h"

#include <algorithm>
#include <cctype>

namespace rankscope {
namespace {

bool startsNumber(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Removes the digits at the start of `text`, and returns them without leading zeros.
std::string_view takeNumber(std::string_view& text) {
    const auto end = std::ranges::find_if_not(text, startsNumber);
    std::string_view number(text.begin(), end);
    text.remove_prefix(number.size());
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

}  // namespace

bool naturalLess(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (startsNumber(a.front()) && startsNumber(b.front())) {
            const std::string_view x = takeNumber(a);
            const std::string_view y = takeNumber(b);
            if (x != y) {
                return x.size() != y.size() ? x.size() < y.size() : x < y;
            }
        } else {
            if (a.front() != b.front()) {
                return a.front() < b.front();
            }
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.size() < b.size();
}

}  // namespace rankscope
