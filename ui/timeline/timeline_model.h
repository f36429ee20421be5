// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/diagnosis/analysed_run.h"
#include "ui/timeline/index_store.h"
#include "ui/timeline/selection.h"

namespace rankscope::ui {

/// Gaps from here up are drawn and visited (design 4.4).
inline constexpr DurationNs kShownGapNs = 20'000;

/// A gap as it is drawn: on the axis, in order of time.
struct GapMark {
    TimeSpan span;
    GapSelection which;
    std::int32_t device = -1;
    DurationNs before_ns = 0;  ///< length of all marks before this one
};

/// A step as it is drawn.
struct StepMark {
    TimeSpan span;
    std::int64_t index = 0;
    std::uint32_t step = 0;  ///< in RankFacts::steps
    bool complete = true;
};

/// The time in which a rank held the others up, as it is drawn.
struct StragglerMark {
    TimeSpan span;
    StragglerSelection which;
};

/// One rank of one run with the way from its file's clock to the axis, where the run's base is 0.
struct RankView {
    std::shared_ptr<const RankTrace> trace;
    const RankFacts* facts = nullptr;             ///< nullptr while they are not known
    std::shared_ptr<const RankIndex> index;       ///< nullptr while it is being built
    std::shared_ptr<const FactIndex> fact_index;  ///< nullptr while it is being built
    RankClock clock;
    TimeNs base_ns = 0;
    std::vector<GapMark> gaps;
    std::vector<StepMark> steps;
    std::vector<StragglerMark> late;  ///< in order of time

    [[nodiscard]] TimeNs toAxis(TimeNs file_ns) const { return clock.toRun(file_ns) - base_ns; }
    [[nodiscard]] TimeSpan toAxis(const TimeSpan& s) const { return {toAxis(s.start_ns), toAxis(s.end_ns)}; }
    [[nodiscard]] TimeNs toFile(TimeNs axis_ns) const { return clock.toFile(axis_ns + base_ns); }
    [[nodiscard]] WorkClass workClass(SliceRef slice) const;
    [[nodiscard]] Hue hue(SliceRef slice) const { return hueOf(trace->category(slice), workClass(slice)); }
};

struct RunView {
    std::shared_ptr<const AnalysedRun> run;
    std::vector<RankView> ranks;            ///< as Run::ranks
    std::shared_ptr<const RunIndex> index;  ///< nullptr while it is being built
    /// Of this very run, where `index` may be an earlier one's; nullptr while it is being built.
    std::shared_ptr<const CollectiveIndex> collectives;
};

/// All open runs, ready to be laid out and drawn. Plain data; nothing in it costs more than the ranks, steps and gaps.
class TimelineModel {
  public:
    TimelineModel() = default;
    explicit TimelineModel(const std::vector<std::shared_ptr<const AnalysedRun>>& runs);

    [[nodiscard]] std::span<const RunView> runs() const { return runs_; }
    [[nodiscard]] std::size_t rankCount() const;
    /// The rank, or nullptr where there is none with these indices.
    [[nodiscard]] const RankView* rank(std::uint32_t run, std::uint32_t rank) const;
    [[nodiscard]] std::vector<RankSource> sources() const;
    /// From 0, or the earliest slice before it, to the last slice of all runs, on the axis.
    [[nodiscard]] const TimeSpan& extent() const { return extent_; }
    /// Takes over the indices that `store` has, and tells whether the rows may stand otherwise for that: how the ranks
    /// of a run can stand is known now, or how the tracks of all ranks can.
    bool takeIndices(const IndexStore& store);
    /// Until this one's own are there, its ranks stand as the same ranks did in `before`.
    void standAs(const TimelineModel& before);

    /// Whether the model has what is selected.
    [[nodiscard]] bool holds(const Selection& selection) const;
    /// Where it is on the axis; empty at zero for nothing.
    [[nodiscard]] TimeSpan spanOf(const Selection& selection) const;
    /// The gap that is selected, or nullptr.
    [[nodiscard]] const Gap* gap(const GapSelection& selection) const;
    /// The interval of a band on the rank's file clock; empty where there is none.
    [[nodiscard]] TimeSpan band(const BandSelection& selection) const;
    /// The lateness that is selected, or nullptr.
    [[nodiscard]] const LateWindow* late(const StragglerSelection& selection) const;
    /// `selection` of `before`, named as here: ranks move when one more is loaded. Nothing if it is gone.
    [[nodiscard]] Selection carriedOver(const Selection& selection, const TimelineModel& before) const;

  private:
    std::vector<RunView> runs_;
    TimeSpan extent_{0, 1'000'000};
};

}  // namespace rankscope::ui
