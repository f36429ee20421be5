// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/rank_layers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace rankscope {
namespace {

constexpr std::string_view kModule = "nn.Module: ";

/// Class and instance: "TransformerLayer" and "TransformerLayer_3" in "nn.Module: TransformerLayer_3".
std::optional<std::pair<std::string_view, std::string_view>> moduleOf(std::string_view name) {
    if (!name.starts_with(kModule)) {
        return std::nullopt;
    }
    name.remove_prefix(kModule.size());
    const std::size_t at = name.find_last_not_of("0123456789");
    const bool numbered = at != std::string_view::npos && name[at] == '_' && at > 0 && at + 1 < name.size();
    return numbered ? std::optional(std::pair(name.substr(0, at), name)) : std::nullopt;
}

/// The modules of one class on one rank.
struct ModuleClass {
    std::set<std::string_view> instances;
    std::size_t depth = std::numeric_limits<std::size_t>::max();  ///< the smallest number of modules around it
};
using ModuleClasses = std::map<std::string_view, ModuleClass>;

void addModulesOf(const RankTrace& rank, const SliceTable& slices, ModuleClasses& classes) {
    std::map<StringId, std::optional<std::pair<std::string_view, std::string_view>>> known;
    std::vector<std::size_t> around(slices.size(), 0);  // by slice: the number of modules among it and its parents
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const std::size_t outside = slices.parent[i] == kNoSlice ? 0 : around[slices.parent[i]];
        around[i] = outside;
        if (slices.category[i] != Category::PythonFunction || !slices.name[i].valid()) {
            continue;
        }
        const auto [at, is_new] = known.try_emplace(slices.name[i]);
        if (is_new) {
            at->second = moduleOf(rank.strings.view(slices.name[i]));
        }
        if (at->second) {
            ModuleClass& of_name = classes[at->second->first];
            of_name.instances.insert(at->second->second);
            of_name.depth = std::min(of_name.depth, outside);
            around[i] = outside + 1;
        }
    }
}

ModuleClasses modulesOf(const RankTrace& rank) {
    ModuleClasses classes;
    for (const Track& track : rank.tracks) {
        if (track.kind == TrackKind::CpuThread) {
            addModulesOf(rank, track.slices, classes);
        }
    }
    return classes;
}

/// The class that repeats nearest to the root, and of several the one that repeats most; empty if there is none.
std::string_view repeatedClass(const ModuleClasses& classes) {
    std::string_view found;
    std::pair<std::size_t, std::size_t> best;  // depth, and a value that is smaller for more instances
    for (const auto& [name, of_name] : classes) {
        const std::pair key(of_name.depth, std::numeric_limits<std::size_t>::max() - of_name.instances.size());
        if (of_name.instances.size() > 1 && (found.empty() || key < best)) {
            found = name;
            best = key;
        }
    }
    return found;
}

}  // namespace

PipelineLayers layersOf(const Run& run, const std::vector<RankPosition>& ranks) {
    std::vector<ModuleClasses> of_ranks;
    std::map<std::string_view, std::size_t> votes;
    for (const RankPosition rank : ranks) {
        of_ranks.push_back(modulesOf(*run.ranks[rank]));
        if (const std::string_view name = repeatedClass(of_ranks.back()); !name.empty()) {
            ++votes[name];
        }
    }
    const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    if (most == votes.end() || 2 * most->second <= ranks.size()) {
        return {};
    }
    PipelineLayers layers;
    layers.name = most->first;
    for (const ModuleClasses& classes : of_ranks) {
        const auto own = classes.find(most->first);
        if (own == classes.end()) {
            return {};
        }
        layers.of_ranks.push_back(own->second.instances.size());
    }
    return layers;
}

}  // namespace rankscope
