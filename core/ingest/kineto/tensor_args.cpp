// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/tensor_args.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/bounded_json.h"
#include "core/ingest/bounds.h"

namespace rankscope {
namespace {

/// Longer ones belong to operators on thousands of tensors, not to collectives.
constexpr std::size_t kLongestArgument = std::size_t{64} * 1024;

using Spelling = std::pair<std::string_view, std::string_view>;
constexpr std::array<Spelling, 17> kTypes = {{
    {"float", "Float"},
    {"double", "Double"},
    {"c10::Half", "Half"},
    {"c10::BFloat16", "BFloat16"},
    {"int", "Int"},
    {"long", "Long"},
    {"long int", "Long"},
    {"short", "Short"},
    {"short int", "Short"},
    {"unsigned char", "Byte"},
    {"signed char", "Char"},
    {"bool", "Bool"},
    {"c10::Float8_e4m3fn", "Float8_e4m3fn"},
    {"c10::Float8_e5m2", "Float8_e5m2"},
    {"c10::complex<float>", "ComplexFloat"},
    {"c10::complex<double>", "ComplexDouble"},
    {"c10::complex<c10::Half>", "ComplexHalf"},
}};

nlohmann::json argument(std::string_view text, std::size_t position) {
    if (text.size() > kLongestArgument) {
        return nullptr;
    }
    Result<nlohmann::json> list = parseBoundedJson(std::string(text));
    return list.ok() && list.value().is_array() && position < list.value().size() ? list.value()[position]
                                                                                  : nlohmann::json(nullptr);
}

/// A tensor's elements; nothing for an empty list of sizes, which is also recorded where there are none.
std::optional<std::int64_t> product(const nlohmann::json& sizes) {
    std::int64_t elements = 1;
    for (const nlohmann::json& size : sizes) {
        if (!size.is_number_unsigned() || size.get<std::uint64_t>() > static_cast<std::uint64_t>(kMostElements)) {
            return std::nullopt;
        }
        const auto factor = size.get<std::int64_t>();
        if (factor > 0 && elements > kMostElements / factor) {
            return std::nullopt;
        }
        elements *= factor;
    }
    return sizes.empty() ? std::nullopt : std::optional(elements);
}

}  // namespace

std::size_t sentArgument(std::string_view name) {
    constexpr std::string_view kOfC10d = "c10d::";
    if (!name.starts_with(kOfC10d)) {
        return 0;
    }
    name.remove_prefix(kOfC10d.size());
    constexpr std::array<std::string_view, 5> kInPlace = {"allreduce", "broadcast", "reduce_", "send", "recv"};
    const bool in_place =
        std::ranges::any_of(kInPlace, [name](std::string_view begin) { return name.starts_with(begin); }) &&
        !name.starts_with("reduce_scatter");
    return in_place ? 0 : 1;
}

std::optional<std::int64_t> elementsOf(std::string_view dims, std::size_t position) {
    const nlohmann::json sent = argument(dims, position);
    if (!sent.is_array() || sent.empty()) {
        return std::nullopt;
    }
    if (!sent.front().is_array()) {
        return product(sent);
    }
    std::int64_t elements = 0;
    for (const nlohmann::json& tensor : sent) {
        const std::optional<std::int64_t> more = tensor.is_array() ? product(tensor) : std::nullopt;
        if (!more || elements > kMostElements - *more) {
            return std::nullopt;
        }
        elements += *more;
    }
    return elements;
}

std::string_view dtypeOf(std::string_view types, std::size_t position) {
    const nlohmann::json type = argument(types, position);
    if (!type.is_string()) {
        return {};
    }
    const auto* const at = std::ranges::find(kTypes, type.get_ref<const std::string&>(), &Spelling::first);
    return at != kTypes.end() ? at->second : std::string_view();
}

}  // namespace rankscope
