// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/pipeline_picture.h"

#include <algorithm>
#include <utility>

namespace rankscope::ui {

std::shared_ptr<const PipelinePicture> makePipelinePicture(std::shared_ptr<const AnalysedRun> of, std::size_t pipeline,
                                                           std::size_t step) {
    auto picture = std::make_shared<PipelinePicture>();
    picture->of = std::move(of);
    picture->pipeline = pipeline;
    picture->step = step;
    const Pipeline& facts = picture->facts();
    picture->window = facts.steps[step].window;
    picture->rows.resize(static_cast<std::size_t>(std::max(facts.size, 0)));
    for (std::size_t place = 0; place < picture->rows.size(); ++place) {
        picture->rows[place].place = static_cast<std::int32_t>(place);
    }
    for (std::size_t rank = 0; rank < facts.ranks.size(); ++rank) {
        PipelineRow& row = picture->rows[static_cast<std::size_t>(facts.places[rank])];
        const RankClock& clock = picture->of->clock.ranks[facts.ranks[rank]];
        const RankPipelineStep& did = facts.steps[step].ranks[rank];
        row.rank = rank;
        for (std::size_t pass = 0; pass < did.passes.size(); ++pass) {
            row.passes.push_back({clock.toRun(FileSpan(did.passes[pass].span)), pass});
        }
        for (const BubblePart& part : did.bubble) {
            row.bubble.push_back({clock.toRun(FileSpan(part.span)), part.cause});
        }
    }
    return picture;
}

}  // namespace rankscope::ui
