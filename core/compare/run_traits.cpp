// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/run_traits.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "core/compare/step_samples.h"
#include "core/diagnosis/evidence/evidence.h"

namespace rankscope {
namespace {

using Words = std::set<std::string>;

std::string listed(const Words& words) {
    std::string out;
    for (const std::string& word : words) {
        out += word.empty() ? "" : (out.empty() ? "" : ", ") + word;
    }
    return out;
}

/// The values of `text(rank, facts)` over all ranks, each once.
template <class Text>
std::string ofRanks(const AnalysedRun& run, const Text& text) {
    Words words;
    for (RankPosition r{0}; r < run.run->ranks.size(); ++r) {
        words.insert(text(*run.run->ranks[r], run.facts.ranks[r]));
    }
    return listed(words);
}

template <class Predicate>
bool anyRank(const AnalysedRun& run, const Predicate& holds) {
    return std::ranges::any_of(run.run->ranks, [&](const auto& rank) { return holds(*rank); });
}

std::string rankText(const Run& run) {
    if (run.ranks.size() == 1 && run.ranks.front()->rank) {
        return fmt::format("rank {}", run.ranks.front()->rank->value);
    }
    return fmt::format("{} {}", run.ranks.size(), run.ranks.size() == 1 ? "rank" : "ranks");
}

/// The device with work; if the file does not describe it, the devices that it describes.
std::string deviceOf(const RankTrace& rank, const RankFacts& facts) {
    Words words;
    for (const DeviceProperties& device : rank.devices) {
        if (device.id == facts.device) {
            return device.name;
        }
        words.insert(device.name);
    }
    return listed(words);
}

/// From the runtime's calls, which each file with device work has. Without them, from what the file says of its
/// runtime.
std::string vendorOf(const RankTrace& rank) {
    const auto called = [&](std::string_view name) { return rank.strings.find(name).valid(); };
    if (called("hipLaunchKernel") || called("hipExtModuleLaunchKernel") || called("hipModuleLaunchKernel") ||
        rank.metadata.contains("hip_runtime_version")) {
        return "ROCm";
    }
    return called("cudaLaunchKernel") || called("cudaLaunchKernelExC") || called("cuLaunchKernel") ||
                   rank.metadata.contains("cuda_runtime_version")
               ? "CUDA"
               : "";
}

std::string metadataOf(const RankTrace& rank, const std::string& cuda, const std::string& hip) {
    const auto at = rank.metadata.contains(cuda) ? rank.metadata.find(cuda) : rank.metadata.find(hip);
    return at == rank.metadata.end() ? std::string() : at->second;
}

/// A switch of the profiler. Files name only switches that are on; a file that names none may be too old to do so.
std::optional<bool> switchOf(const AnalysedRun& run, const std::string& key) {
    static constexpr std::array kSwitches = {"record_shapes", "with_stack", "profile_memory", "with_flops",
                                             "with_modules"};
    const bool says = anyRank(run, [](const RankTrace& rank) {
        return std::ranges::any_of(kSwitches, [&](const auto& name) { return rank.metadata.contains(name); });
    });
    return says ? std::optional(anyRank(run, [&](const RankTrace& rank) { return rank.metadata.contains(key); }))
                : std::nullopt;
}

/// Bytes copied to the device, the mean per steady-state step and rank.
std::optional<std::int64_t> inputBytes(const AnalysedRun& run) {
    std::int64_t bytes = 0;
    std::size_t steps = 0;
    bool recorded = false;
    for (RankPosition r{0}; r < run.run->ranks.size(); ++r) {
        const SteadySpans steady(run.facts, r);
        steps += steady.count();
        for (const Track& track : run.run->ranks[r]->tracks) {
            for (std::size_t i = 0; i < track.bytes.size(); ++i) {
                const SliceIndex slice = track.bytes.slice[i];
                const std::string_view name = run.run->ranks[r]->strings.view(track.slices.name[slice]);
                if (name.find("HtoD") != std::string_view::npos && steady.find(track.slices.start_ns[slice])) {
                    bytes += track.bytes.value[i];
                    recorded = true;
                }
            }
        }
    }
    return recorded && steps > 0 ? std::optional(bytes / static_cast<std::int64_t>(steps)) : std::nullopt;
}

/// Bytes of the collectives that begin in a steady-state step, the mean per step and rank.
std::optional<std::int64_t> collectiveBytes(const AnalysedRun& run) {
    std::vector<SteadySpans> steady;
    std::size_t steps = 0;
    for (RankPosition r{0}; r < run.run->ranks.size(); ++r) {
        steady.emplace_back(run.facts, r);
        steps += steady.back().count();
    }
    std::int64_t bytes = 0;
    bool recorded = false;
    for (const Collective& collective : run.facts.collectives.collectives) {
        for (const CollectiveMember& member : collective.members) {
            if (collective.bytes && steady[member.rank].find(member.span.start_ns)) {
                bytes += *collective.bytes;
                recorded = true;
            }
        }
    }
    return recorded && steps > 0 ? std::optional(bytes / static_cast<std::int64_t>(steps)) : std::nullopt;
}

std::optional<bool> waitsOf(const RunFacts& facts) {
    bool communicates = false;
    for (const RankFacts& rank : facts.ranks) {
        for (const RankStep& step : rank.steps) {
            if (step.partition && step.partition->exposed_transfer_ns) {
                return true;
            }
            communicates = communicates || (step.partition && step.partition->comm_ns > 0);
        }
    }
    return communicates ? std::optional(false) : std::nullopt;
}

std::string iterationsOf(const RunFacts& facts) {
    const IterationSums* priced = facts.iterations.priced();
    return priced == nullptr || !priced->kind ? std::string() : std::string(iterationKindName(*priced->kind));
}

bool losesRecords(const RankTrace& rank) {
    return rank.health.truncated || rank.health.skipped > 0;
}

}  // namespace

RunTraits traitsOf(const AnalysedRun& run) {
    RunTraits traits;
    traits.ranks = rankText(*run.run);
    traits.world_size = ofRanks(run, [](const RankTrace& rank, const RankFacts&) {
        return rank.world_size ? std::to_string(*rank.world_size) : std::string();
    });
    traits.grid = run.facts.parallelism.grid.text();
    traits.iterations = iterationsOf(run.facts);
    traits.devices = ofRanks(run, deviceOf);
    traits.vendor = ofRanks(run, [](const RankTrace& rank, const RankFacts&) { return vendorOf(rank); });
    traits.runtime = ofRanks(run, [](const RankTrace& rank, const RankFacts&) {
        return metadataOf(rank, "cuda_runtime_version", "hip_runtime_version");
    });
    traits.driver = ofRanks(run, [](const RankTrace& rank, const RankFacts&) {
        return metadataOf(rank, "cuda_driver_version", "hip_driver_version");
    });
    traits.backend = ofRanks(run, [](const RankTrace& rank, const RankFacts&) { return rank.backend; });
    Words types;
    for (const Collective& collective : run.facts.collectives.collectives) {
        types.insert(collective.dtype);
    }
    traits.data_types = listed(types);
    for (const RankFacts& rank : run.facts.ranks) {
        traits.step_source = std::max(traits.step_source, rank.steps.empty() ? traits.step_source : rank.step_source);
        traits.device_work = traits.device_work || rank.device >= 0;
    }
    traits.stacks = anyRank(run, hasStacks);
    traits.memory_events = anyRank(run, [](const RankTrace& rank) { return rank.memory.size() > 0; });
    traits.shapes = switchOf(run, "record_shapes");
    traits.flops = switchOf(run, "with_flops");
    traits.modules = switchOf(run, "with_modules");
    traits.waits = waitsOf(run.facts);
    traits.lost_records = anyRank(run, losesRecords);
    traits.input_bytes = inputBytes(run);
    traits.collective_bytes = collectiveBytes(run);
    return traits;
}

}  // namespace rankscope
