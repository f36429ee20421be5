// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/active_view.h"

#include "ui/compare/compare_panel.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/selection_flow.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {

bool ActiveView::comparing() const {
    return comparing_->active();
}

TimelineWidget& ActiveView::timeline() const {
    return comparing() ? comparing_->view().activeTimeline() : workspace_->timeline();
}

std::vector<TimelineWidget*> ActiveView::timelines() const {
    const CompareView& pair = comparing_->view();
    return {&workspace_->timeline(), &pair.timeline(Side::A), &pair.timeline(Side::B)};
}

Search& ActiveView::search() const {
    return comparing() ? comparing_->view().search() : workspace_->search();
}

void ActiveView::showHits() const {
    if (comparing()) {
        comparing_->view().panel().showHits();
    } else {
        workspace_->showBelow(workspace_->hits());
    }
}

std::size_t ActiveView::currentRun() const {
    return comparing() ? comparing_->currentRun() : workspace_->currentRun();
}

void ActiveView::stepFinding(int direction) const {
    if (comparing()) {
        comparing_->view().panel().stepFinding(direction);
    } else {
        workspace_->flow().stepFinding(direction);
    }
}

}  // namespace rankscope::ui
