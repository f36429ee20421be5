// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/pair_names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/analysis/steps/steady_steps.h"
#include "core/compare/step_samples.h"

namespace rankscope {
namespace {

using Key = std::pair<std::string_view, WorkClass>;
using Calls = std::map<Key, std::uint64_t>;

/// The summed tables of all ranks: they count the steps of all of them.
struct Tables {
    std::map<Key, NameTimes> names;
    std::size_t steps = 0;

    void finish() {
        for (auto& [key, times] : names) {
            times.step_calls = steps == 0 ? 0 : static_cast<double>(times.calls) / static_cast<double>(steps);
            times.step_ns = steps == 0 ? 0 : times.sum_ns / static_cast<DurationNs>(steps);
        }
    }
};

/// Whether the call that launched device work is in a steady-state step of the host. Work without a call counts by its
/// own time.
class LaunchedIn {
  public:
    LaunchedIn(const AnalysedRun& run, RankPosition rank) : rank_(*run.run->ranks[rank]), spans_(run.facts, rank) {
        for (const RankStep* step : spans_.steps()) {
            hosts_.push_back(step->host);
        }
    }
    [[nodiscard]] bool steady(SliceRef device) const {
        const SliceRef call = rank_.launches.launchOf(device);
        if (!call.valid()) {
            return spans_.find(rank_.span(device).start_ns).has_value();
        }
        const TimeNs at_ns = rank_.span(call).start_ns;
        const auto after = std::ranges::upper_bound(hosts_, at_ns, {}, &TimeSpan::start_ns);
        return after != hosts_.begin() && std::prev(after)->contains(at_ns);
    }

  private:
    const RankTrace& rank_;
    SteadySpans spans_;
    std::vector<TimeSpan> hosts_;
};

void countKernelCalls(const AnalysedRun& run, RankPosition rank, Tables& tables) {
    const RankTrace& trace = *run.run->ranks[rank];
    const RankFacts& facts = run.facts.ranks[rank];
    const LaunchedIn launched(run, rank);
    std::map<std::pair<StringId, WorkClass>, std::uint64_t> calls;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const std::vector<WorkClass>& classes = facts.work_classes[t];
        for (SliceIndex i = 0; trace.tracks[t].device == facts.device && i < classes.size(); ++i) {
            if (classes[i] != WorkClass::None && launched.steady({TrackId(t), i})) {
                ++calls[{trace.tracks[t].slices.name[i], classes[i]}];
            }
        }
    }
    for (const auto& [name, count] : calls) {
        tables.names[{trace.strings.view(name.first), name.second}].calls += count;
    }
}

Tables kernelTables(const AnalysedRun& run) {
    Tables tables;
    for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
        tables.steps += run.facts.ranks[r].kernels.steady_steps;
        countKernelCalls(run, r, tables);
        for (const KernelRow& row : run.facts.ranks[r].kernels.rows) {
            tables.names[{run.run->ranks[r]->strings.view(row.name), row.work}].sum_ns += row.steady_ns;
        }
    }
    tables.finish();
    return tables;
}

bool isCounted(Category category) {
    return category == Category::CpuOp || category == Category::UserAnnotation || isLaunchCall(category);
}

void countOperatorCalls(const RankTrace& rank, const RankFacts& facts, Tables& tables) {
    const SteadySteps steps(facts);
    std::map<StringId, std::uint64_t> calls;
    for (const Track& track : rank.tracks) {
        SteadySteps::Cursor in_step = steps.cursor();
        for (SliceIndex i = 0; track.kind == TrackKind::CpuThread && i < track.slices.size(); ++i) {
            if (isCounted(track.slices.category[i]) && in_step.contains(track.slices.start_ns[i])) {
                ++calls[track.slices.name[i]];
            }
        }
    }
    for (const auto& [name, count] : calls) {
        const auto at = tables.names.find({rank.strings.view(name), WorkClass::None});
        if (at != tables.names.end()) {
            at->second.calls += count;
        }
    }
}

Tables operatorTables(const AnalysedRun& run) {
    Tables tables;
    for (const RunOperator& one : operatorsOverRanks(*run.run, run.facts.ranks)) {
        // All steps share one row, under the name of the first step; that name is no operator.
        if (!one.name.starts_with("ProfilerStep")) {
            tables.names[{one.name, WorkClass::None}].sum_ns = one.all.steady_self_ns;
        }
    }
    for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
        tables.steps += run.facts.ranks[r].operators.steady_steps;
        countOperatorCalls(*run.run->ranks[r], run.facts.ranks[r], tables);
    }
    tables.finish();
    return tables;
}

std::vector<NamePair> paired(const Tables& a, const Tables& b) {
    std::map<Key, NamePair> pairs;
    for (const auto& [key, times] : a.names) {
        pairs[key].a = times;
    }
    for (const auto& [key, times] : b.names) {
        pairs[key].b = times;
    }
    std::vector<NamePair> out;
    for (auto& [key, pair] : pairs) {
        if (!pair.a.none() || !pair.b.none()) {
            pair.name = key.first;
            pair.work = key.second;
            out.push_back(pair);
        }
    }
    std::ranges::stable_sort(out, std::ranges::greater(),
                             [](const NamePair& pair) { return std::abs(pair.differenceNs()); });
    return out;
}

}  // namespace

std::vector<NamePair> pairKernels(const AnalysedRun& a, const AnalysedRun& b) {
    return paired(kernelTables(a), kernelTables(b));
}

std::vector<NamePair> pairOperators(const AnalysedRun& a, const AnalysedRun& b) {
    return paired(operatorTables(a), operatorTables(b));
}

}  // namespace rankscope
