// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hang/parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/format.h"
#include "core/hang/same_call.h"

namespace rankscope::hang {
namespace {

using Calls = Progress::CallsOfNumber::mapped_type;

bool isOneOf(std::string_view kind, std::span<const std::string_view> kinds) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

/// The elements that must be the same on all ranks; nothing if ranks may differ.
std::optional<std::int64_t> sharedElements(const FlightCall& call) {
    constexpr std::array<std::string_view, 7> kByInput = {"all_reduce",         "allreduce",
                                                          "broadcast",          "reduce",
                                                          "_all_gather_base",   "all_gather_into_tensor_coalesced",
                                                          "allreduce_coalesced"};
    constexpr std::array<std::string_view, 2> kByOutput = {"_reduce_scatter_base", "reduce_scatter_tensor_coalesced"};
    if (isOneOf(call.kind, kByInput) && !call.inputs.empty()) {
        return elementsOf(call.inputs);
    }
    if (isOneOf(call.kind, kByOutput) && !call.outputs.empty()) {
        return elementsOf(call.outputs);
    }
    return std::nullopt;
}

/// "all_reduce of 32 elements (Float)".
std::string callWords(const FlightCall& call) {
    std::string words = call.kind;
    if (const std::optional<std::int64_t> elements = sharedElements(call)) {
        words += " of " + formatCount(static_cast<std::uint64_t>(*elements));
        words += *elements == 1 ? " element" : " elements";
        words += call.types.empty() || call.types.front().empty() ? "" : " (" + call.types.front() + ")";
    }
    return words;
}

/// The calls of each rank under one number, in words: several if they were coalesced.
std::map<std::size_t, std::string> wordsByDump(const Progress& progress, const Calls& calls) {
    std::map<std::size_t, std::string> words;
    for (const auto& [dump, index] : calls) {
        std::string& of = words[dump];
        of += of.empty() ? "" : ", ";
        of += callWords(progress.dumps()[dump].calls[index]);
    }
    return words;
}

/// Whether some dump may have lost a part of a coalesced call, because it is the first one there. Adds the dumps to
/// those that were `seen` with earlier calls.
bool isCutOff(const Calls& calls, std::set<std::size_t>& seen) {
    std::set<std::size_t> here;
    bool is_coalesced = false;
    bool is_first = false;
    for (const auto& [dump, index] : calls) {
        is_coalesced = !here.insert(dump).second || is_coalesced;
        is_first = !seen.contains(dump) || is_first;
    }
    seen.merge(here);
    return is_coalesced && is_first;
}

std::optional<Mismatch> mismatchAt(const Progress& progress, std::size_t group, std::int64_t number,
                                   const Calls& calls) {
    std::map<std::string, std::vector<std::int64_t>> ranks_of;
    const std::map<std::size_t, std::string> words = wordsByDump(progress, calls);
    for (const auto& [dump, call] : words) {
        ranks_of[call].push_back(progress.dumps()[dump].rank);
    }
    if (ranks_of.size() < 2) {
        return std::nullopt;
    }
    Mismatch mismatch;
    mismatch.at = progress.placeOf(group, number);
    mismatch.is_complete =
        std::ranges::all_of(words, [&](const auto& of) { return progress.completed(of.first, group, number); });
    for (auto& [call, ranks] : ranks_of) {
        std::ranges::sort(ranks);
        mismatch.variants.push_back({call, std::move(ranks)});
    }
    std::ranges::stable_sort(mismatch.variants, std::greater(),
                             [](const Mismatch::Variant& variant) { return variant.ranks.size(); });
    return mismatch;
}

}  // namespace

std::vector<Mismatch> mismatchesOf(const Progress& progress) {
    std::vector<Mismatch> found;
    for (std::size_t group = 0; group < progress.groups().size(); ++group) {
        std::set<std::size_t> seen;
        for (const auto& [number, calls] : progress.collectives(group)) {
            std::optional<Mismatch> mismatch =
                isCutOff(calls, seen) ? std::nullopt : mismatchAt(progress, group, number, calls);
            if (mismatch) {
                found.push_back(std::move(*mismatch));
                break;
            }
        }
    }
    return found;
}

}  // namespace rankscope::hang
