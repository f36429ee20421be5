// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/steps/step_cells.h"
#include "ui/theme/theme.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// One rank as the overview draws it: kept alive while a thread makes a picture of it.
struct OverviewRank {
    std::uint32_t run = 0;
    RankPosition rank;
    RankClock clock;
    TimeNs base_ns = 0;
    std::shared_ptr<const FactIndex> index;  ///< nullptr while it is being built
    bool has_steps = false;                  ///< the facts have steps; known before the index
    /// The steps in order of time, on the file's clock; none while the index is being built.
    [[nodiscard]] std::span<const DrawnStep> steps() const {
        return index != nullptr ? std::span<const DrawnStep>(index->steps) : std::span<const DrawnStep>();
    }
    [[nodiscard]] TimeNs toAxis(TimeNs file_ns) const { return clock.toRun(FileTime(file_ns)) - base_ns; }
    [[nodiscard]] TimeNs toFile(TimeNs axis_ns) const { return clock.toFile(RunTime(axis_ns + base_ns)); }
};

/// Everything that a picture of the overview depends on.
struct OverviewScene {
    std::vector<OverviewRank> ranks;  ///< ranks of all runs, from top to bottom
    std::vector<std::shared_ptr<const AnalysedRun>> runs;
    StepMeasure measure = StepMeasure::Lateness;  ///< the measure of the cells: the requested one, or one that is known
    std::vector<StepCells> cells;                 ///< by run; filled by measureCells()
    TimeSpan limits;                              ///< span of the axis over the whole width
    int width = 0;                                ///< device pixels
    int busy_height = 0;
    int cell_height = 0;
    Theme theme;

    /// Converts the axis to device pixels of the pictures.
    [[nodiscard]] PixelScale scale() const;
    /// The ranks that share one of `height` lines of pixels: [first, last).
    [[nodiscard]] std::pair<std::size_t, std::size_t> ranksAt(int line, int height) const;
    /// The hottest rank of a line of the cells at an instant, with its step; nothing if there is no step.
    struct Cell {
        std::size_t rank = 0;  ///< index in `ranks`
        std::size_t step = 0;  ///< index in OverviewRank::steps()
        std::optional<double> heat;
    };
    [[nodiscard]] std::optional<Cell> cellAt(TimeNs axis_ns, int line) const;
};

/// Fills the cells; by step time if the measure is unknown (for example the lateness of a single rank).
void measureCells(OverviewScene& scene);

/// How busy the devices were, and the cells: each as wide as the scene.
struct OverviewPicture {
    QImage busy;
    QImage cells;
};

/// Paints both; nothing if stopped. The cost depends on the pixels, the ranks and the steps.
[[nodiscard]] std::optional<OverviewPicture> paintOverview(const OverviewScene& scene, const std::stop_token& stop);

/// Fills `area` with `picture` as shapes of one colour each, for drawings that are enlarged or edited.
void paintAsShapes(QPainter& painter, const QRect& area, const QImage& picture);

/// The colour of a heat from 0 to 1, from near the background over amber to red.
[[nodiscard]] QRgb heatColor(double heat, const Theme& theme);

}  // namespace rankscope::ui
