// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tensor/tensor.h"

#include <cctype>

namespace rankscope {

std::string_view transferBoundName(TransferBound bound) {
    return bound == TransferBound::Latency ? "latency" : "bandwidth";
}

TensorTimes TensorFacts::total() const {
    TensorTimes total;
    for (const TensorOperation& operation : operations) {
        total.count += operation.times.count;
        total.time_ns += operation.times.time_ns;
        total.transfer_ns += operation.times.transfer_ns;
        total.exposed_ns += operation.times.exposed_ns;
    }
    return total;
}

std::string_view layerOf(std::string_view name) {
    constexpr std::string_view kModule = "nn.Module: ";
    const auto digits_from = [&](std::size_t at) {
        std::size_t end = at;
        while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) {
            ++end;
        }
        return end;
    };
    if (name.starts_with(kModule)) {
        const std::string_view module = name.substr(kModule.size());
        const bool layer =
            module.find("Layer_") != std::string_view::npos || module.find("Block_") != std::string_view::npos;
        return layer ? module : std::string_view();
    }
    for (const std::string_view list : {"layers.", "blocks.", "layer.", "h."}) {
        const std::size_t at = name.find(list);
        const bool whole = at == 0 || (at != std::string_view::npos &&
                                       (name[at - 1] == '.' || name[at - 1] == ' ' || name[at - 1] == '('));
        const std::size_t end = whole ? digits_from(at + list.size()) : 0;
        if (whole && end > at + list.size()) {
            return name.substr(at, end - at);
        }
    }
    return {};
}

int wholeLayer(std::string_view layer) {
    const auto says = [&](std::string_view word) { return layer.find(word) != std::string_view::npos; };
    if (says(".") || says("DecoderLayer_") || says("EncoderLayer_") || says("TransformerLayer_")) {
        return 2;
    }
    return says("TransformerBlock_") || says("DecoderBlock_") || says("EncoderBlock_") ? 1 : 0;
}

}  // namespace rankscope
