// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/operators.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/steps/steady_steps.h"
#include "core/base/interval_set.h"
#include "core/trace/rounded_times.h"
#include "core/trace/step_numbers.h"

namespace rankscope {
namespace {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

bool isCounted(Category category) {
    return category == Category::CpuOp || category == Category::UserAnnotation || isLaunchCall(category);
}

/// Fills the table of one rank, thread by thread.
class OperatorTabulator {
  public:
    OperatorTabulator(const RankContext& work, const ExplainedRank& facts)
        : rank_(*work.trace), names_(work.names), steps_(facts), row_of_name_(rank_.strings.size(), kNoRow) {}

    /// Threads must come in order of their tracks, as launches do.
    void addThread(std::uint32_t track) {
        const SliceTable& slices = rank_.tracks[track].slices;
        SteadySteps::Cursor in_step = steps_.cursor();
        at_ns_ = std::numeric_limits<TimeNs>::min();
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (!isCounted(slices.category[i])) {
                continue;
            }
            const TimeNs start_ns = slices.start_ns[i];
            closeUntil(start_ns);
            spendUntil(start_ns);
            at_ns_ = std::max(at_ns_, start_ns);
            // With rounded times a call can seem to extend into the one that follows it.
            const TimeNs followed_ns = endBefore(slices.span(i), rank_.health.time_slack_ns);
            while (!open_.empty() && open_.back().end_ns <= followed_ns) {
                close();
            }
            const std::uint32_t row = rowOf(slices.name[i], slices.category[i]);
            count(row, track, slices.span(i));
            const bool call = isLaunchCall(slices.category[i]);
            const DurationNs launched = call ? launchedBy({TrackId(track), i}) : 0;
            open_.push_back({.end_ns = slices.end_ns[i],
                             .row = row,
                             .call = call,
                             .steady = in_step.contains(start_ns),
                             .device_ns = launched,
                             .device_self_ns = launched});
        }
        closeUntil(std::numeric_limits<TimeNs>::max());
    }

    [[nodiscard]] OperatorTable finish() {
        std::ranges::stable_sort(rows_, std::ranges::greater(), &OperatorRow::self_ns);
        return {std::move(rows_), steps_.count()};
    }

  private:
    /// A call that has begun and not ended.
    struct Open {
        TimeNs end_ns = 0;
        std::uint32_t row = 0;
        bool call = false;
        bool steady = false;
        DurationNs device_ns = 0;
        DurationNs device_self_ns = 0;  ///< for a runtime call: passed on to the operator around it
    };

    std::uint32_t rowOf(StringId name, Category category) {
        if (!name.valid()) {
            return newRowOnce(nameless_row_, name);
        }
        if (names_.kind(name, category) == HostKind::StepMark) {
            return newRowOnce(step_row_, name);
        }
        return newRowOnce(row_of_name_[name.value], name);
    }

    std::uint32_t newRowOnce(std::uint32_t& row, StringId name) {
        if (row == kNoRow) {
            row = static_cast<std::uint32_t>(rows_.size());
            rows_.push_back({.name = name});
            open_calls_.push_back(0);
            outermost_.emplace_back();
        }
        return row;
    }

    void count(std::uint32_t index, std::uint32_t track, const TimeSpan& call) {
        const DurationNs length_ns = call.length();
        OperatorRow& row = rows_[index];
        row.min_ns = row.calls == 0 ? length_ns : std::min(row.min_ns, length_ns);
        row.max_ns = std::max(row.max_ns, length_ns);
        row.summed_ns += length_ns;
        ++row.calls;
        ++open_calls_[index];
        // If calls partly overlap because of rounded times, one that has ended is still below one that has not.
        Outermost& outermost = outermost_[index];
        if (outermost.track != track || call.end_ns > outermost.end_ns) {
            row.total_ns += length_ns;
            outermost = {track, call.end_ns};
        }
    }

    /// The device time that a call launched. Calls must come in order.
    DurationNs launchedBy(SliceRef call) {
        const std::span<const Launch> launches = rank_.launches.all();
        while (next_launch_ < launches.size() && launches[next_launch_].host < call) {
            ++next_launch_;
        }
        DurationNs sum_ns = 0;
        for (; next_launch_ < launches.size() && launches[next_launch_].host == call; ++next_launch_) {
            const SliceRef device = launches[next_launch_].device;
            sum_ns += isDeviceWork(rank_.category(device)) ? rank_.span(device).length() : 0;
        }
        return sum_ns;
    }

    /// The time up to `until_ns` is the innermost open call's own.
    void spendUntil(TimeNs until_ns) {
        if (!open_.empty() && until_ns > at_ns_) {
            OperatorRow& row = rows_[open_.back().row];
            row.self_ns += until_ns - at_ns_;
            row.steady_self_ns += open_.back().steady ? until_ns - at_ns_ : 0;
            at_ns_ = until_ns;
        }
    }

    void closeUntil(TimeNs until_ns) {
        while (!open_.empty() && open_.back().end_ns <= until_ns) {
            spendUntil(open_.back().end_ns);
            close();
        }
    }

    void close() {
        const Open closed = open_.back();
        open_.pop_back();
        OperatorRow& row = rows_[closed.row];
        if (--open_calls_[closed.row] == 0) {
            row.device_ns += closed.device_ns;
        }
        const bool hand_over = closed.call && !open_.empty();
        row.device_self_ns += hand_over ? 0 : closed.device_self_ns;
        if (!open_.empty()) {
            open_.back().device_ns += closed.device_ns;
            open_.back().device_self_ns += hand_over ? closed.device_self_ns : 0;
        }
    }

    const RankTrace& rank_;
    const HostNames& names_;
    SteadySteps steps_;
    std::vector<OperatorRow> rows_;
    std::vector<std::uint32_t> row_of_name_;
    std::vector<std::uint32_t> open_calls_;  // as rows_
    /// The last outermost call of a name.
    struct Outermost {
        std::uint32_t track = kNoRow;
        TimeNs end_ns = 0;
    };
    std::vector<Outermost> outermost_;  // as rows_
    std::uint32_t step_row_ = kNoRow;
    std::uint32_t nameless_row_ = kNoRow;
    std::vector<Open> open_;
    TimeNs at_ns_ = 0;  // the thread's time is distributed up to here
    std::size_t next_launch_ = 0;
};

void addTo(OperatorRow& sum, const OperatorRow& row) {
    sum.min_ns = sum.calls == 0 ? row.min_ns : std::min(sum.min_ns, row.min_ns);
    sum.max_ns = std::max(sum.max_ns, row.max_ns);
    sum.calls += row.calls;
    sum.total_ns += row.total_ns;
    sum.summed_ns += row.summed_ns;
    sum.self_ns += row.self_ns;
    sum.device_ns += row.device_ns;
    sum.device_self_ns += row.device_self_ns;
    sum.steady_self_ns += row.steady_self_ns;
}

}  // namespace

DurationNs OperatorTable::selfNs() const {
    DurationNs sum_ns = 0;
    for (const OperatorRow& row : rows) {
        sum_ns += row.self_ns;
    }
    return sum_ns;
}

OperatorTable tabulateOperators(const RankContext& work, const ExplainedRank& facts) {
    OperatorTabulator tabulator(work, facts);
    for (std::uint32_t t = 0; t < work.trace->tracks.size(); ++t) {
        if (work.trace->tracks[t].kind == TrackKind::CpuThread) {
            tabulator.addThread(t);
        }
    }
    return tabulator.finish();
}

std::vector<RunOperator> operatorsOverRanks(const Run& run, std::span<const RankFacts> ranks) {
    std::vector<RunOperator> merged;
    std::unordered_map<std::string_view, std::size_t> places;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        const std::vector<OperatorRow>& rows = ranks[r].operators.rows;
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            const std::string_view name = nameOverSteps(run.ranks[r]->strings.view(rows[i].name));
            const auto [place, added] = places.emplace(name, merged.size());
            if (added) {
                merged.push_back({.name = name, .all = {}, .ranks = {}});
            }
            addTo(merged[place->second].all, rows[i]);
            merged[place->second].ranks.push_back({r, i});
        }
    }
    std::ranges::stable_sort(merged, std::ranges::greater(), [](const RunOperator& o) { return o.all.self_ns; });
    return merged;
}

DurationNs selfTime(const SliceTable& slices, SliceIndex slice) {
    const TimeSpan whole = slices.span(slice);
    UnionLength inside;
    // Children come after their parent, in order of their start.
    for (SliceIndex i = slice + 1; i < slices.size() && slices.start_ns[i] < whole.end_ns; ++i) {
        if (slices.parent[i] == slice) {
            inside.add(intersect(slices.span(i), whole));
        }
    }
    return whole.length() - inside.length();
}

std::vector<DurationNs> selfTimes(const SliceTable& slices) {
    std::vector<UnionLength> inside(slices.size());
    // Children come after their parent, in order of their start.
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        if (const SliceIndex parent = slices.parent[i]; parent != kNoSlice) {
            inside[parent].add(intersect(slices.span(i), slices.span(parent)));
        }
    }
    std::vector<DurationNs> times(slices.size());
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        times[i] = slices.span(i).length() - inside[i].length();
    }
    return times;
}

}  // namespace rankscope
