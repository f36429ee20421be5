// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/number_type.h"

#include <algorithm>
#include <utility>

namespace rankscope {
namespace {

constexpr std::array<std::string_view, kNumberTypes> kNames = {"float64",  "float32", "tf32", "float16",
                                                               "bfloat16", "float8",  "int8"};

using Spelling = std::pair<std::string_view, NumberType>;
constexpr std::array kInputTypes = {
    Spelling{"double", NumberType::Float64},
    Spelling{"float", NumberType::Float32},
    Spelling{"c10::Half", NumberType::Float16},
    Spelling{"c10::BFloat16", NumberType::BFloat16},
    Spelling{"c10::Float8_e4m3fn", NumberType::Float8},
    Spelling{"c10::Float8_e5m2", NumberType::Float8},
    Spelling{"c10::Float8_e4m3fnuz", NumberType::Float8},
    Spelling{"c10::Float8_e5m2fnuz", NumberType::Float8},
    Spelling{"signed char", NumberType::Int8},
    Spelling{"unsigned char", NumberType::Int8},
};

}  // namespace

std::string_view numberTypeName(NumberType type) {
    return kNames.at(static_cast<std::size_t>(type));
}

std::optional<NumberType> numberTypeNamed(std::string_view name) {
    const auto* const at = std::ranges::find(kNames, name);
    return at != kNames.end() ? std::optional(static_cast<NumberType>(at - kNames.begin())) : std::nullopt;
}

std::optional<NumberType> numberTypeOf(std::string_view input_type) {
    const auto* const at = std::ranges::find(kInputTypes, input_type, &Spelling::first);
    return at != kInputTypes.end() ? std::optional(at->second) : std::nullopt;
}

std::int64_t bytesOf(NumberType type) {
    switch (type) {
        case NumberType::Float64: return 8;
        case NumberType::Float32:
        case NumberType::Tf32: return 4;
        case NumberType::Float16:
        case NumberType::BFloat16: return 2;
        default: return 1;
    }
}

}  // namespace rankscope
