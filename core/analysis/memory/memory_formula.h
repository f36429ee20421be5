// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/model_size.h"

namespace rankscope {

/// The number types of parameters, gradients and Adam's state.
enum class StateTypes : std::uint8_t {
    Mixed,    ///< 16 bit parameters and gradients; master copy and two moments in 32 bit: 2 + 2 + 12 bytes
    Float32,  ///< all in 32 bit: 4 + 4 + 8 bytes
    Bits16,   ///< all in 16 bit: 2 + 2 + 4 bytes
};
inline constexpr std::array kStateTypes = {StateTypes::Mixed, StateTypes::Float32, StateTypes::Bits16};
[[nodiscard]] std::string_view stateTypesName(StateTypes types);   ///< as in the JSON: "mixed"
[[nodiscard]] std::string_view stateTypesTitle(StateTypes types);  ///< for people: "mixed precision"

/// The memory of a model on one device by the formula, in bytes.
struct StateMemory {
    double parameters = 0;
    double gradients = 0;
    double optimizer_state = 0;
    [[nodiscard]] double total() const { return parameters + gradients + optimizer_state; }
};

/// Parameters, gradients and Adam's state of a model with this many parameters. ZeRO stage 1 divides the optimizer's
/// state by `ranks`, stage 2 the gradients too, stage 3 the parameters too, stage 0 nothing.
[[nodiscard]] StateMemory stateMemory(std::int64_t parameters, StateTypes types, int zero_stage, std::int64_t ranks);

/// What a transformer's layers keep for the backward according to Korthikanti et al. 2022, in 16 bit, in bytes; without
/// tensor parallelism.
struct ActivationMemory {
    double checkpointed = 0;    ///< only the inputs of layers are kept: 2 S B H per layer
    double without_scores = 0;  ///< 34 S B H per layer: attention's scores are recomputed or never written
    std::optional<double> all;  ///< with the scores: (34 + 5 a S / H) S B H per layer; nothing if the number of heads
                                ///< is unknown
};
/// Nothing if layers, width, sequence or micro-batch are not entered. The layers are divided among `stages` of a
/// pipeline; one micro-batch is counted.
[[nodiscard]] std::optional<ActivationMemory> activationMemory(const ModelSize& model, std::int32_t stages);

}  // namespace rankscope
