// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_spans.h"

#include <algorithm>

namespace rankscope {

NumberSpans spansOf(std::vector<std::int64_t> numbers) {
    std::ranges::sort(numbers);
    const auto repeated = std::ranges::unique(numbers);
    numbers.erase(repeated.begin(), repeated.end());
    NumberSpans out;
    out.numbers = numbers.size();
    for (const std::int64_t number : numbers) {
        if (out.spans.empty() || number != out.spans.back().last + 1) {
            out.spans.push_back({number, number});
        } else {
            out.spans.back().last = number;
        }
    }
    return out;
}

}  // namespace rankscope
