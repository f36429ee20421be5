// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/experts/experts.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace rankscope {

std::string_view expertOperationName(ExpertOperation operation) {
    switch (operation) {
        case ExpertOperation::Dispatch: return "dispatch";
        case ExpertOperation::Combine: return "combine";
        case ExpertOperation::Other: return "other";
    }
    return {};
}

ExpertOperation expertOperationOf(std::string_view name) {
    std::string word(name.substr(0, name.find('(')));
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto says = [&](std::string_view part) { return word.find(part) != std::string::npos; };
    if (says("notify")) {
        return ExpertOperation::Other;
    }
    // "TokenDispatcher.token_unpermutation", "dispatcher.combine": the operation comes after the object.
    if (says("combine") || says("unpermut")) {
        return ExpertOperation::Combine;
    }
    return says("dispatch") || says("permut") ? ExpertOperation::Dispatch : ExpertOperation::Other;
}

std::optional<double> ExpertFacts::imbalance() const {
    DurationNs longest_ns = 0;
    DurationNs mean_ns = 0;
    for (const ExpertLayer& layer : layers) {
        longest_ns += layer.longest_ns;
        mean_ns += layer.mean_ns;
    }
    return mean_ns > 0 ? std::optional(static_cast<double>(longest_ns) / static_cast<double>(mean_ns)) : std::nullopt;
}

}  // namespace rankscope
