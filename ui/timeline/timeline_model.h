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

/// The time in which a rank delayed the others, as drawn: on the axis.
struct DrawnStraggler {
    TimeSpan span;
    StragglerSelection which;
};

/// One rank of one run with the conversion from its file's clock to the axis, where the run's base is 0.
struct RankView {
    std::shared_ptr<const RankTrace> trace;
    const RankFacts* facts = nullptr;              ///< nullptr while they are not known
    std::shared_ptr<const RankIndex> index;        ///< nullptr while it is being built
    std::shared_ptr<const FactIndex> fact_index;   ///< nullptr while it is being built
    std::shared_ptr<const CounterIndex> counters;  ///< nullptr if they are not shown, and while they are being built
    RankClock clock;
    TimeNs base_ns = 0;
    std::vector<DrawnStraggler> late;  ///< in order of time

    /// The steps in order of time, on the file's clock; none while the index of the facts is being built.
    [[nodiscard]] std::span<const DrawnStep> steps() const {
        return fact_index != nullptr ? std::span<const DrawnStep>(fact_index->steps) : std::span<const DrawnStep>();
    }
    /// The drawn gaps, in order of time, on the file's clock; none while the index of the facts is being built.
    [[nodiscard]] std::span<const DrawnGap> gaps() const {
        return fact_index != nullptr ? std::span<const DrawnGap>(fact_index->gaps) : std::span<const DrawnGap>();
    }
    [[nodiscard]] TimeNs toAxis(TimeNs file_ns) const { return clock.toRun(FileTime(file_ns)) - base_ns; }
    [[nodiscard]] TimeSpan toAxis(const TimeSpan& s) const { return {toAxis(s.start_ns), toAxis(s.end_ns)}; }
    [[nodiscard]] TimeNs toFile(TimeNs axis_ns) const { return clock.toFile(RunTime(axis_ns + base_ns)); }
    /// The class of a slice; None for host work, and while the facts are not known.
    [[nodiscard]] WorkClass workClass(SliceRef slice) const;
    [[nodiscard]] Hue hue(SliceRef slice) const { return hueOf(trace->category(slice), workClass(slice)); }
};

struct RunView {
    std::shared_ptr<const AnalysedRun> run;
    std::vector<RankView> ranks;            ///< parallel to Run::ranks
    std::shared_ptr<const RunIndex> index;  ///< nullptr while it is being built
    /// The index of exactly this run, while `index` may be an earlier one's; nullptr while it is being built.
    std::shared_ptr<const CollectiveIndex> collectives;
    std::shared_ptr<const CounterIndex> counters;  ///< nullptr if they are not shown, and while they are being built
};

/// All open runs, ready for layout and drawing. Plain data. Making it costs O(ranks + late windows of the findings);
/// the IndexStore prepares steps, gaps and slices off the GUI thread.
class TimelineModel {
  public:
    TimelineModel() = default;
    /// Shows runs, some of which may still be loading: their facts are then empty, or cover fewer ranks.
    explicit TimelineModel(const std::vector<std::shared_ptr<const AnalysedRun>>& runs);

    /// The open runs from top to bottom; the timeline refers to them by these indices. Valid as long as the model.
    [[nodiscard]] std::span<const RunView> runs() const { return runs_; }
    /// Ranks of all runs together.
    [[nodiscard]] std::size_t rankCount() const;
    /// The rank, or nullptr if there is none with these indices.
    [[nodiscard]] const RankView* rank(std::uint32_t run, RankPosition rank) const;
    /// The input of the IndexStore.
    [[nodiscard]] std::vector<RankSource> sources() const;
    /// From 0, or the earliest slice if that is before 0, to the last slice of all runs, on the axis.
    [[nodiscard]] const TimeSpan& extent() const { return extent_; }
    /// Takes the indices of `store`, and returns whether the layout of the rows may change: the order of the ranks of a
    /// run, or of the tracks of all ranks, is now known.
    bool takeIndices(const IndexStore& store);
    /// Copies from `before`, for the same runs, the possible orders of the ranks and which are alike, until this
    /// model's own index is built: so rows do not jump when a run is set again.
    void adoptLayout(const TimelineModel& before);

    /// Where a rank of `before` is in this model, as run and rank; nothing if its trace is no longer open. O(ranks).
    [[nodiscard]] std::optional<std::pair<std::uint32_t, RankPosition>> placeOf(std::uint32_t run, RankPosition rank,
                                                                                const TimelineModel& before) const;

    /// The shown critical path, or nullptr. It belongs to one of exactly these runs.
    [[nodiscard]] const ShownPath* path() const { return path_.get(); }
    /// Sets the path; ignored if its run has changed or is not open.
    void setPath(std::shared_ptr<const ShownPath> path);

    /// Whether the model has the selection.
    [[nodiscard]] bool holds(const Selection& selection) const;
    /// The time of the selection on the axis; empty at zero for nothing.
    [[nodiscard]] TimeSpan spanOf(const Selection& selection) const;
    /// The selected gap, or nullptr.
    [[nodiscard]] const Gap* gap(const GapSelection& selection) const;
    /// The interval of a band on the rank's file clock; empty if there is none.
    [[nodiscard]] TimeSpan band(const BandSelection& selection) const;
    /// The selected late window, or nullptr.
    [[nodiscard]] const LateWindow* late(const StragglerSelection& selection) const;
    /// `selection` of `before`, as indices of this model: ranks move when one more is loaded. Nothing if it is gone.
    [[nodiscard]] Selection carriedOver(const Selection& selection, const TimelineModel& before) const;

  private:
    std::vector<RunView> runs_;
    TimeSpan extent_{0, 1'000'000};
    std::shared_ptr<const ShownPath> path_;
};

}  // namespace rankscope::ui
