// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/timeline/index_store.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

struct ShownPath;

/// The time in which a rank held the others up, as it is drawn: on the axis.
struct DrawnStraggler {
    TimeSpan span;
    StragglerSelection which;
};

/// One rank of one run with the way from its file's clock to the axis, where the run's base is 0.
struct RankView {
    std::shared_ptr<const RankTrace> trace;
    const RankFacts* facts = nullptr;              ///< nullptr while they are not known
    std::shared_ptr<const RankIndex> index;        ///< nullptr while it is being built
    std::shared_ptr<const FactIndex> fact_index;   ///< nullptr while it is being built
    std::shared_ptr<const CounterIndex> counters;  ///< nullptr where they are not shown, and while they are being built
    RankClock clock;
    TimeNs base_ns = 0;
    std::vector<DrawnStraggler> late;  ///< in order of time

    /// The steps in order of time, on the file's clock; none while the index of the facts is being built.
    [[nodiscard]] std::span<const DrawnStep> steps() const {
        return fact_index != nullptr ? std::span<const DrawnStep>(fact_index->steps) : std::span<const DrawnStep>();
    }
    /// The gaps that are drawn, in order of time, on the file's clock; none while the index of the facts is being
    /// built.
    [[nodiscard]] std::span<const DrawnGap> gaps() const {
        return fact_index != nullptr ? std::span<const DrawnGap>(fact_index->gaps) : std::span<const DrawnGap>();
    }
    [[nodiscard]] TimeNs toAxis(TimeNs file_ns) const { return clock.toRun(FileTime(file_ns)) - base_ns; }
    [[nodiscard]] TimeSpan toAxis(const TimeSpan& s) const { return {toAxis(s.start_ns), toAxis(s.end_ns)}; }
    [[nodiscard]] TimeNs toFile(TimeNs axis_ns) const { return clock.toFile(RunTime(axis_ns + base_ns)); }
    /// What kind of device work a slice is; None for host work, and while the facts are not known.
    [[nodiscard]] WorkClass workClass(SliceRef slice) const;
    [[nodiscard]] Hue hue(SliceRef slice) const { return hueOf(trace->category(slice), workClass(slice)); }
};

struct RunView {
    std::shared_ptr<const AnalysedRun> run;
    std::vector<RankView> ranks;            ///< as Run::ranks
    std::shared_ptr<const RunIndex> index;  ///< nullptr while it is being built
    /// Of this very run, where `index` may be an earlier one's; nullptr while it is being built.
    std::shared_ptr<const CollectiveIndex> collectives;
    std::shared_ptr<const CounterIndex> counters;  ///< nullptr where they are not shown, and while they are being built
};

/// All open runs, ready to be laid out and drawn. Plain data. Making it costs O(ranks + late windows of the findings);
/// steps, gaps and slices are prepared by the IndexStore, off the GUI thread.
class TimelineModel {
  public:
    TimelineModel() = default;
    /// Shows runs of which some may be loading still: their facts are empty then, or cover fewer ranks.
    explicit TimelineModel(const std::vector<std::shared_ptr<const AnalysedRun>>& runs);

    /// The open runs from top to bottom; their indices name them everywhere in the timeline. Valid as long as the
    /// model.
    [[nodiscard]] std::span<const RunView> runs() const { return runs_; }
    /// Ranks of all runs together.
    [[nodiscard]] std::size_t rankCount() const;
    /// The rank, or nullptr where there is none with these indices.
    [[nodiscard]] const RankView* rank(std::uint32_t run, RankPosition rank) const;
    /// What an IndexStore builds indices of.
    [[nodiscard]] std::vector<RankSource> sources() const;
    /// From 0, or the earliest slice before it, to the last slice of all runs, on the axis.
    [[nodiscard]] const TimeSpan& extent() const { return extent_; }
    /// Takes over the indices that `store` has, and returns whether the layout of the rows may change: the order of
    /// the ranks of a run is known now, or that of the tracks of all ranks.
    bool takeIndices(const IndexStore& store);
    /// Takes over from `before`, for the same runs, which orders the ranks can have and which are alike, until this
    /// model's own index is built: so rows do not jump when a run is set again.
    void adoptLayout(const TimelineModel& before);

    /// Where a rank of `before` is in this model, as run and rank; nothing where its trace is not open any more.
    /// O(ranks).
    [[nodiscard]] std::optional<std::pair<std::uint32_t, RankPosition>> placeOf(std::uint32_t run, RankPosition rank,
                                                                                const TimelineModel& before) const;

    /// The critical path that is shown, or nullptr. It is one of these very runs.
    [[nodiscard]] const ShownPath* path() const { return path_.get(); }
    /// Shows another one; that of a run that is not open as it was then is left out.
    void setPath(std::shared_ptr<const ShownPath> path);

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
    std::shared_ptr<const ShownPath> path_;
};

}  // namespace rankscope::ui
