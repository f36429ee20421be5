// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/kernels.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {
namespace {

/// Fills the table of one rank.
class KernelTabulator {
  public:
    explicit KernelTabulator(const RankTrace& rank) : row_of_name_((rank.strings.size() + 1) * kClasses, kNoRow) {}

    void count(StringId name, WorkClass work, DurationNs length_ns) {
        std::uint32_t& place = placeOf(name, work);
        if (place == kNoRow) {
            place = static_cast<std::uint32_t>(rows_.size());
            rows_.push_back({.name = name, .work = work, .min_ns = length_ns});
            busy_until_ns_.push_back(std::numeric_limits<TimeNs>::min());
        }
        KernelRow& row = rows_[place];
        ++row.calls;
        row.total_ns += length_ns;
        row.min_ns = std::min(row.min_ns, length_ns);
        row.max_ns = std::max(row.max_ns, length_ns);
    }

    /// Extends the union of an existing row. Work must come by start.
    void cover(StringId name, WorkClass work, const TimeSpan& span, bool steady) {
        const std::uint32_t place = placeOf(name, work);
        TimeNs& until_ns = busy_until_ns_[place];
        rows_[place].busy_ns += std::max<DurationNs>(0, span.end_ns - std::max(span.start_ns, until_ns));
        rows_[place].steady_ns += steady ? span.length() : 0;
        until_ns = std::max(until_ns, span.end_ns);
    }

    [[nodiscard]] std::vector<KernelRow> finish() {
        std::ranges::stable_sort(rows_, std::ranges::greater(), &KernelRow::total_ns);
        return std::move(rows_);
    }

  private:
    static constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t kClasses = 4;

    /// Unnamed work has the index after all names.
    std::uint32_t& placeOf(StringId name, WorkClass work) {
        const std::size_t last = row_of_name_.size() / kClasses - 1;
        return row_of_name_[(name.valid() ? name.value : last) * kClasses + static_cast<std::size_t>(work)];
    }

    std::vector<std::uint32_t> row_of_name_;
    std::vector<KernelRow> rows_;
    std::vector<TimeNs> busy_until_ns_;  // as rows_
};

void countTracks(const RankTrace& rank, const ExplainedRank& facts, KernelTabulator& tabulator) {
    for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].device != facts.device) {
            continue;
        }
        const SliceTable& slices = rank.tracks[t].slices;
        const std::vector<WorkClass>& classes = facts.work_classes[t];
        for (std::size_t i = 0; i < classes.size(); ++i) {
            if (classes[i] != WorkClass::None) {
                tabulator.count(slices.name[i], classes[i], slices.end_ns[i] - slices.start_ns[i]);
            }
        }
    }
}

void addTo(KernelRow& sum, const KernelRow& row) {
    sum.min_ns = sum.calls == 0 ? row.min_ns : std::min(sum.min_ns, row.min_ns);
    sum.max_ns = std::max(sum.max_ns, row.max_ns);
    sum.calls += row.calls;
    sum.total_ns += row.total_ns;
    sum.busy_ns += row.busy_ns;
    sum.steady_ns += row.steady_ns;
}

}  // namespace

KernelTable tabulateKernels(const RankContext& work, const ExplainedRank& facts) {
    const RankTrace& rank = *work.trace;
    KernelTable table;
    std::vector<bool> steady;
    for (const RankStep& step : facts.steps) {
        steady.push_back(step.complete && !step.outlier);
        table.steady_steps += steady.back() ? 1U : 0U;
    }
    KernelTabulator tabulator(rank);
    countTracks(rank, facts, tabulator);
    for (const DeviceEvent& event : work.device.events) {
        const std::optional<RankStepPosition> step = slotOf(work.marks.marks, event.launched_ns).step();
        tabulator.cover(rank.track(event.ref).slices.name[event.ref.slice], event.work, event.span,
                        step && steady[*step]);
    }
    table.rows = tabulator.finish();
    table.device_busy_ns = work.device.busy.length();
    return table;
}

std::vector<RunKernel> kernelsOverRanks(const Run& run, std::span<const RankFacts> ranks) {
    std::vector<RunKernel> merged;
    std::map<std::pair<std::string_view, WorkClass>, std::size_t> places;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        const std::vector<KernelRow>& rows = ranks[r].kernels.rows;
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            const std::string_view name = run.ranks[r]->strings.view(rows[i].name);
            const auto [place, added] = places.emplace(std::pair(name, rows[i].work), merged.size());
            if (added) {
                merged.push_back({.name = name, .all = {.name = {}, .work = rows[i].work}, .ranks = {}});
            }
            addTo(merged[place->second].all, rows[i]);
            merged[place->second].ranks.push_back({r, i});
        }
    }
    std::ranges::stable_sort(merged, std::ranges::greater(), [](const RunKernel& k) { return k.all.total_ns; });
    return merged;
}

}  // namespace rankscope
