// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/memory_formula.h"

#include <algorithm>

namespace rankscope {
namespace {

/// Bytes per parameter.
struct BytesEach {
    double parameter = 0;
    double gradient = 0;
    double state = 0;
};

BytesEach bytesEach(StateTypes types) {
    switch (types) {
        case StateTypes::Mixed: return {2, 2, 12};
        case StateTypes::Float32: return {4, 4, 8};
        case StateTypes::Bits16: return {2, 2, 4};
    }
    return {};
}

}  // namespace

std::string_view stateTypesName(StateTypes types) {
    switch (types) {
        case StateTypes::Mixed: return "mixed";
        case StateTypes::Float32: return "float32";
        case StateTypes::Bits16: return "16-bit";
    }
    return "mixed";
}

std::string_view stateTypesTitle(StateTypes types) {
    switch (types) {
        case StateTypes::Mixed: return "mixed precision";
        case StateTypes::Float32: return "all in 32 bit";
        case StateTypes::Bits16: return "all in 16 bit";
    }
    return "mixed precision";
}

StateMemory stateMemory(std::int64_t parameters, StateTypes types, int zero_stage, std::int64_t ranks) {
    const BytesEach each = bytesEach(types);
    const auto count = static_cast<double>(parameters);
    const auto divided = [&](int from_stage) {
        return zero_stage >= from_stage ? static_cast<double>(std::max<std::int64_t>(1, ranks)) : 1.0;
    };
    return {count * each.parameter / divided(3), count * each.gradient / divided(2), count * each.state / divided(1)};
}

std::optional<ActivationMemory> activationMemory(const ModelSize& model, std::int32_t stages) {
    if (!model.layers || !model.hidden || !model.sequence || !model.micro_batch || *model.hidden <= 0) {
        return std::nullopt;
    }
    const auto hidden = static_cast<double>(*model.hidden);
    const auto sequence = static_cast<double>(*model.sequence);
    const double unit =
        static_cast<double>(*model.layers) / stages * sequence * static_cast<double>(*model.micro_batch) * hidden;
    ActivationMemory memory{2 * unit, 34 * unit, std::nullopt};
    if (model.heads) {
        memory.all = (34 + 5 * static_cast<double>(*model.heads) * sequence / hidden) * unit;
    }
    return memory;
}

}  // namespace rankscope
