// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rankscope {

/// The type of the numbers that a product multiplies; its peak depends on it. The vocabulary is closed: it is in the
/// JSON schema.
enum class NumberType : std::uint8_t {
    Float64,
    Float32,
    Tf32,  ///< float32 rounded to ten bits of mantissa for the tensor cores
    Float16,
    BFloat16,
    Float8,
    Int8,
};
inline constexpr std::size_t kNumberTypes = 7;

/// The type as in the JSON and in device_peaks.json: "bfloat16".
[[nodiscard]] std::string_view numberTypeName(NumberType type);
/// The type of that name; nothing for any other text.
[[nodiscard]] std::optional<NumberType> numberTypeNamed(std::string_view name);
/// The type in an `Input type`: BFloat16 for "c10::BFloat16". Nothing for types that products do not use.
[[nodiscard]] std::optional<NumberType> numberTypeOf(std::string_view input_type);
/// Bytes per number in memory.
[[nodiscard]] std::int64_t bytesOf(NumberType type);

/// One value per type.
template <class T>
struct ByNumberType {
    std::array<T, kNumberTypes> of{};
    [[nodiscard]] T& operator[](NumberType type) { return of[static_cast<std::size_t>(type)]; }
    [[nodiscard]] const T& operator[](NumberType type) const { return of[static_cast<std::size_t>(type)]; }
};

}  // namespace rankscope
