// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/find_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/analysis/steps/step_bounds.h"
#include "core/base/format.h"

namespace rankscope {
namespace {

/// What a step of a rank launched.
struct Launched {
    std::size_t kernels = 0;
    std::size_t graph_launches = 0;
    std::size_t graph_kernels = 0;
    DurationNs kernels_ns = 0;
    DurationNs graph_kernels_ns = 0;
};

std::vector<Launched> launchedOf(const RankContext& work, std::size_t steps) {
    std::vector<Launched> launched(steps);
    std::map<StringId, bool> graphs;  // by the name of the call
    std::set<SliceRef> seen;
    for (const DeviceEvent& event : work.device.events) {
        const std::optional<RankStepPosition> step = slotOf(work.marks.marks, event.launched_ns).step();
        if (!step) {
            continue;
        }
        Launched& own = launched[*step];
        ++own.kernels;
        own.kernels_ns += event.span.length();
        if (!event.launch.valid()) {
            continue;
        }
        const StringId name = work.trace->track(event.launch).slices.name[event.launch.slice];
        const auto [graph, is_new] = graphs.try_emplace(name, false);
        if (is_new) {
            graph->second = work.trace->strings.view(name).find("GraphLaunch") != std::string_view::npos;
        }
        if (graph->second) {
            ++own.graph_kernels;
            own.graph_kernels_ns += event.span.length();
            own.graph_launches += seen.insert(event.launch).second ? 1U : 0U;
        }
    }
    return launched;
}

/// Ranks of a group that divides the layers count the same tokens; replicas have other tokens.
class Replicas {
  public:
    Replicas(const JobGrid& grid, std::size_t ranks) : grid_(grid), known_(ranks == 1 || grid.complete) {
        for (std::size_t d = 0; d < grid.dimensions.size(); ++d) {
            if (grid.dimensions[d].role == Role::Data) {
                data_ = d;
            }
        }
    }
    /// Whether replicas can be distinguished from parts of one.
    [[nodiscard]] bool known() const { return known_; }
    [[nodiscard]] std::int32_t of(RankPosition rank) const {
        return data_ && rank < grid_.places.size() ? grid_.places[rank][*data_].value_or(0) : 0;
    }

  private:
    const JobGrid& grid_;
    bool known_;
    std::optional<std::size_t> data_;
};

/// The tokens of one step of the run; nothing if a rank does not have them.
std::optional<std::int64_t> tokensOf(const RunFacts& facts, const Replicas& replicas, const RunStep& step,
                                     std::optional<std::int64_t> StepIteration::*tokens) {
    if (!replicas.known()) {
        return std::nullopt;
    }
    std::map<std::int32_t, std::int64_t> of_replica;
    for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
        const RankStep* const own = facts.stepOf(step, r);
        if (own == nullptr) {
            continue;
        }
        if (!own->iteration || !((*own->iteration).*tokens)) {
            return std::nullopt;
        }
        std::int64_t& most = of_replica[replicas.of(r)];
        most = std::max(most, *((*own->iteration).*tokens));
    }
    std::int64_t sum = 0;
    for (const auto& [replica, of_it] : of_replica) {
        sum += of_it;
    }
    return sum;
}

class Summer {
  public:
    Summer(const RunFacts& facts, const std::vector<RankContext>& work)
        : facts_(facts), replicas_(facts.parallelism.grid, facts.ranks.size()) {
        for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
            launched_.push_back(launchedOf(work[r], facts.ranks[r].steps.size()));
        }
    }

    [[nodiscard]] IterationSums of(std::optional<IterationKind> kind) const {
        IterationSums sums;
        sums.kind = kind;
        sums.prompt_tokens = 0;
        sums.new_tokens = 0;
        std::vector<DurationNs> lengths;
        for (const RunStep& step : facts_.steps) {
            if (indexOf(step.kind) != indexOf(kind)) {
                continue;
            }
            ++sums.steps;
            sums.priced = sums.priced || (step.complete && !step.other_kind);
            if (step.complete) {
                lengths.push_back(step.duration_ns);
                addTokens(sums, step);
                addRanks(sums, step);
            }
        }
        putLengths(sums, std::move(lengths));
        if (sums.complete == 0) {
            sums.prompt_tokens.reset();
            sums.new_tokens.reset();
        }
        return sums;
    }

  private:
    void addTokens(IterationSums& sums, const RunStep& step) const {
        const auto add = [](std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& more) {
            sum = sum && more ? std::optional(*sum + *more) : std::nullopt;
        };
        add(sums.prompt_tokens, tokensOf(facts_, replicas_, step, &StepIteration::prompt_tokens));
        add(sums.new_tokens, tokensOf(facts_, replicas_, step, &StepIteration::new_tokens));
    }

    void addRanks(IterationSums& sums, const RunStep& step) const {
        for (RankPosition r{0}; r < facts_.ranks.size(); ++r) {
            const RankStep* const own = facts_.stepOf(step, r);
            if (own == nullptr || !own->partition) {
                continue;
            }
            ++sums.rank_steps;
            sums.rank_steps_ns += own->span.length();
            sums.compute_ns += own->partition->compute_ns;
            sums.exposed_comm_ns += own->partition->exposed_comm_ns;
            sums.exposed_copy_ns += own->partition->exposed_copy_ns;
            sums.idle_ns += own->partition->idle_ns;
            const Launched& launched = launched_[r][*step.of(r)];
            sums.kernels += launched.kernels;
            sums.graph_launches += launched.graph_launches;
            sums.graph_kernels += launched.graph_kernels;
            sums.kernels_ns += launched.kernels_ns;
            sums.graph_kernels_ns += launched.graph_kernels_ns;
        }
    }

    static void putLengths(IterationSums& sums, std::vector<DurationNs> lengths) {
        sums.complete = lengths.size();
        if (lengths.empty()) {
            return;
        }
        std::ranges::sort(lengths);
        const auto at = [&](std::size_t quarters) { return lengths[(lengths.size() - 1) * quarters / 4]; };
        sums.lower_quartile_ns = at(1);
        sums.median_ns = at(2);
        sums.upper_quartile_ns = at(3);
        sums.longest_ns = lengths.back();
        for (const DurationNs ns : lengths) {
            sums.total_ns += ns;
        }
    }

    const RunFacts& facts_;
    Replicas replicas_;
    std::vector<std::vector<Launched>> launched_;  // by rank and step
};

/// What shows the kinds: by kind and sign the number of ranks' steps, and an example.
struct Telling {
    std::size_t steps = 0;
    StepIteration example;
};

std::string shortened(std::string_view name) {
    constexpr std::size_t kLongest = 80;
    return name.size() <= kLongest ? std::string(name) : std::string(name.substr(0, kLongest)) + "...";
}

void putEvidence(const RunFacts& facts, IterationFacts& found) {
    std::map<std::pair<std::size_t, IterationSign>, Telling> telling;
    for (const RankFacts& rank : facts.ranks) {
        for (const RankStep& step : rank.steps) {
            if (step.iteration && step.iteration->kind) {
                Telling& one = telling[{static_cast<std::size_t>(*step.iteration->kind), step.iteration->sign}];
                one.example = one.steps == 0 ? *step.iteration : one.example;
                ++one.steps;
            }
        }
    }
    for (const auto& [key, one] : telling) {
        const std::string name = shortened(one.example.told_by);
        const std::string_view kind = iterationTitle(one.example.kind);
        if (key.second == IterationSign::Range) {
            found.evidence.push_back(fmt::format("{} by the name of a range of {} in {} of ranks, like \"{}\".", kind,
                                                 one.example.server, formatCounted(one.steps, "step"), name));
        } else {
            found.evidence.push_back(fmt::format("{} by kernels made for it in {} of ranks, like \"{}\".", kind,
                                                 formatCounted(one.steps, "step"), name));
        }
    }
}

void putNotes(const RunFacts& facts, IterationFacts& found) {
    if (const IterationSums* const unknown = found.of(std::nullopt)) {
        found.notes.push_back(
            fmt::format("For {} it is unknown whether they prefill or decode: no range around them says so, ranks "
                        "differ, or both kinds of attention have the same kernels.",
                        formatCounted(unknown->steps, "step")));
    }
    if (facts.ranks.front().step_source == StepSource::WholeWindow) {
        found.notes.emplace_back("Nothing marks iterations: the window may contain several.");
    }
}

void countHeldUp(const RunFacts& facts, IterationFacts& found) {
    for (std::size_t i = 1; i < facts.steps.size(); ++i) {
        const bool decodes = indexOf(facts.steps[i].kind) == indexOf(IterationKind::Decode) && facts.steps[i].follows;
        const std::size_t before = indexOf(facts.steps[i - 1].kind);
        const bool behind_prompts =
            before == indexOf(IterationKind::Prefill) || before == indexOf(IterationKind::Mixed);
        found.decodes += decodes ? 1U : 0U;
        found.decodes_held_up += decodes && behind_prompts ? 1U : 0U;
    }
}

}  // namespace

IterationFacts findIterations(const RunFacts& facts, const std::vector<RankContext>& work) {
    const bool serves = std::ranges::any_of(facts.ranks, [](const RankFacts& rank) {
        return std::ranges::any_of(rank.steps, [](const RankStep& step) { return step.iteration.has_value(); });
    });
    if (!serves) {
        return {};
    }
    IterationFacts found;
    const Summer summer(facts, work);
    for (std::size_t k = 0; k < kKindsWithUnknown; ++k) {
        const IterationSums sums = summer.of(kindAt(k));
        if (sums.steps > 0) {
            found.kinds.push_back(sums);
        }
    }
    putEvidence(facts, found);
    putNotes(facts, found);
    countHeldUp(facts, found);
    return found;
}

}  // namespace rankscope
