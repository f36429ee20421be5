// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "core/analysis/device/kernel_names.h"

namespace rankscope {
namespace {

/// Lower case without the underscores that the spellings differ in: "_all_gather_base" -> "allgatherbase".
std::string plain(std::string_view name) {
    std::string text;
    for (const char c : kernelNameWithoutArguments(name)) {
        if (c != '_') {
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return text;
}

using Spelling = std::pair<std::string_view, CollectiveKind>;

// The first one that a name contains decides: longer words come before words that they contain.
constexpr std::array<Spelling, 22> kSpellings = {{
    {"notify", CollectiveKind::Unknown},       // DeepEP's, before the dispatch that it announces
    {"internodell", CollectiveKind::Unknown},  // DeepEP's in parts: one sends and leaves, another receives
    {"allreduce", CollectiveKind::AllReduce},
    {"crossdevicereduce", CollectiveKind::AllReduce},
    {"allgather", CollectiveKind::AllGather},
    {"reducescatter", CollectiveKind::ReduceScatter},
    {"alltoall", CollectiveKind::AllToAll},
    {"all2all", CollectiveKind::AllToAll},
    {"moea2a", CollectiveKind::AllToAll},
    {"intranode::dispatch", CollectiveKind::AllToAll},
    {"intranode::combine", CollectiveKind::AllToAll},
    {"internode::dispatch", CollectiveKind::AllToAll},
    {"internode::combine", CollectiveKind::AllToAll},
    {"broadcast", CollectiveKind::Broadcast},
    {"barrier", CollectiveKind::Barrier},
    {"sendrecv", CollectiveKind::SendReceive},
    {"gather", CollectiveKind::Gather},
    {"scatter", CollectiveKind::Scatter},
    {"reduce", CollectiveKind::Reduce},
    {"send", CollectiveKind::SendReceive},
    {"recv", CollectiveKind::SendReceive},
    {"bcast", CollectiveKind::Broadcast},
}};

using Size = std::pair<std::string_view, std::int64_t>;
constexpr std::array<Size, 19> kElementBytes = {{
    {"Float", 4},       {"BFloat16", 2},     {"Half", 2},           {"Double", 8}, {"Int", 4},
    {"Long", 8},        {"Short", 2},        {"Byte", 1},           {"Char", 1},   {"Bool", 1},
    {"UInt16", 2},      {"UInt32", 4},       {"UInt64", 8},         {"QInt8", 1},  {"QUInt8", 1},
    {"ComplexHalf", 4}, {"ComplexFloat", 8}, {"ComplexDouble", 16}, {"QInt32", 4},
}};

}  // namespace

CollectiveKind collectiveKindOf(std::string_view name) {
    const std::string text = plain(name);
    for (const auto& [word, kind] : kSpellings) {
        if (text.find(word) != std::string::npos) {
            return kind;
        }
    }
    return CollectiveKind::Unknown;
}

std::optional<std::int64_t> elementBytes(std::string_view dtype) {
    if (dtype.starts_with("Float8")) {
        return 1;
    }
    const auto* const at = std::ranges::find(kElementBytes, dtype, &Size::first);
    return at != kElementBytes.end() ? std::optional(at->second) : std::nullopt;
}

std::string_view dtypeOfKernel(std::string_view name) {
    if (plain(name).find("reduce") == std::string::npos) {
        return {};
    }
    // Longer spellings come before those that they end with.
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kTypes = {{
        {"_bfloat16", "BFloat16"},
        {"_bf16", "BFloat16"},
        {"_float", "Float"},
        {"_f32", "Float"},
        {"_half", "Half"},
        {"_f16", "Half"},
        {"_double", "Double"},
        {"_f64", "Double"},
        {"_int64_t", "Long"},
        {"_i64", "Long"},
        {"_int32_t", "Int"},
        {"_i32", "Int"},
        {"_uint8_t", "Byte"},
        {"_u8", "Byte"},
    }};
    const std::string_view word = kernelNameWithoutArguments(name);
    const auto* const at = std::ranges::find_if(
        kTypes, [word](const auto& type) { return word.find(type.first) != std::string_view::npos; });
    return at != kTypes.end() ? at->second : std::string_view();
}

double busFactor(CollectiveKind kind, std::size_t members) {
    const auto n = static_cast<double>(members);
    switch (kind) {
        case CollectiveKind::AllReduce: return 2.0 * (n - 1.0) / n;
        case CollectiveKind::AllGather:
        case CollectiveKind::ReduceScatter:
        case CollectiveKind::AllToAll: return (n - 1.0) / n;
        default: return 1.0;
    }
}

}  // namespace rankscope
