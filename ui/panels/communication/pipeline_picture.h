// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

/// A pass as a box in its row.
struct PassBox {
    RunSpan span;
    std::size_t pass = 0;  ///< index in RankPipelineStep::passes
};

/// A stretch of the bubble in its row.
struct BubbleBox {
    RunSpan span;
    BubbleCause cause = BubbleCause::WarmUp;
};

/// What one rank of the pipeline did in the step.
struct PipelineRow {
    std::int32_t place = 0;
    std::optional<std::size_t> rank;  ///< index in Pipeline::ranks; nothing: there is no file of this rank
    std::vector<PassBox> passes;      ///< sorted by start
    std::vector<BubbleBox> bubble;    ///< sorted by start
};

/// One step of a pipeline in the usual form: ranks as rows, the first stage on top, passes as boxes on the run's clock.
struct PipelinePicture {
    std::shared_ptr<const AnalysedRun> of;
    std::size_t pipeline = 0;  ///< index in PipelineFacts::pipelines
    std::size_t step = 0;      ///< index in Pipeline::steps
    RunSpan window;            ///< contains all boxes
    std::vector<PipelineRow> rows;

    /// The facts of the pipeline that is drawn.
    [[nodiscard]] const Pipeline& facts() const { return of->facts.pipeline.pipelines[pipeline]; }
    /// The passes of a row's rank in the drawn step.
    [[nodiscard]] const RankPipelineStep& rankStep(const PipelineRow& row) const {
        return facts().steps[step].ranks[*row.rank];
    }
    /// The pass of a box.
    [[nodiscard]] const PipelinePass& pass(std::size_t row, std::size_t box) const {
        return rankStep(rows[row]).passes[rows[row].passes[box].pass];
    }
};

/// The picture of an existing step. Linear in its passes.
[[nodiscard]] std::shared_ptr<const PipelinePicture> makePipelinePicture(std::shared_ptr<const AnalysedRun> of,
                                                                         std::size_t pipeline, std::size_t step);

}  // namespace rankscope::ui
