// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/communication_suspects.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <utility>

#include "core/analysis/device/device_work.h"
#include "core/analysis/device/kernel_names.h"

namespace rankscope {
namespace {

constexpr std::array<std::string_view, 16> kWords = {
    "allreduce", "allgather", "reducescatter", "alltoall", "all2all",  "crossdevice", "nccl",   "rccl",
    "hccl",      "oneccl",    "mscclpp",       "nvshmem",  "rocshmem", "deepep",      "dpskep", "multimem"};

/// Words for reductions and gathers inside one kernel.
constexpr std::array<std::string_view, 7> kInside = {"block", "warp", "quad", "lane", "thread", "cta", "subgroup"};

/// Lower case letters and digits of a name up to its arguments: "void ns::All_Reduce<4>()" is "voidnsallreduce".
std::string plain(std::string_view name) {
    std::string text;
    for (const char c : kernelNameWithoutArguments(name)) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return text;
}

bool saysCommunication(std::string_view text) {
    return std::ranges::any_of(kWords, [text](std::string_view word) {
        for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
            const std::string_view before = text.substr(0, at);
            const bool inside =
                std::ranges::any_of(kInside, [before](std::string_view who) { return before.ends_with(who); });
            if (!inside) {
                return true;
            }
        }
        return false;
    });
}

/// `text` with its first `from` replaced; empty if it does not contain it.
std::string exchanged(const std::string& text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? std::string() : text.substr(0, at).append(to).append(text, at + from.size());
}

/// Experts receive tokens with a dispatch and return them with a combine: either word alone is not enough.
bool dispatchesAndCombines(const std::string& text, const std::set<std::string>& all) {
    // Without the word there is nothing to find, and no name is empty.
    return all.contains(exchanged(text, "dispatch", "combine")) || all.contains(exchanged(text, "combine", "dispatch"));
}

}  // namespace

bool looksLikeCommunication(std::string_view kernel_name) {
    return saysCommunication(plain(kernel_name));
}

std::vector<CommunicationSuspect> communicationSuspects(const RankTrace& rank, const DeviceWork& work,
                                                        const NameRules& rules) {
    std::vector<CommunicationSuspect> by_name(rank.strings.size());
    for (const DeviceEvent& event : work.events) {
        const StringId name = rank.track(event.ref).slices.name[event.ref.slice];
        if (event.work == WorkClass::Compute && rank.category(event.ref) == Category::Kernel && name.valid()) {
            CommunicationSuspect& kernel = by_name[name.value];
            ++kernel.calls;
            kernel.total_ns += event.span.length();
        }
    }
    std::vector<std::pair<std::string, CommunicationSuspect>> kernels;
    std::set<std::string> all;
    for (std::uint32_t name = 0; name < by_name.size(); ++name) {
        if (by_name[name].calls > 0) {
            by_name[name].name = rank.strings.view(StringId(name));
            all.insert(kernels.emplace_back(plain(by_name[name].name), by_name[name]).first);
        }
    }
    all.erase(std::string());
    std::vector<CommunicationSuspect> suspects;
    for (const auto& [text, kernel] : kernels) {
        const bool looks_like_it = saysCommunication(text) || dispatchesAndCombines(text, all);
        if (looks_like_it && rules.ruleOf(kernel.name) == nullptr) {
            suspects.push_back(kernel);
        }
    }
    std::ranges::stable_sort(suspects, std::ranges::greater(), &CommunicationSuspect::total_ns);
    suspects.resize(std::min(suspects.size(), kMostSuspects));
    return suspects;
}

}  // namespace rankscope
