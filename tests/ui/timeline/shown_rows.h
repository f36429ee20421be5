// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QStringList>
#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {

/// A timeline of this size in which a run is shown.
class ShownTimeline : public testing::Test {
  protected:
    ShownTimeline(const QSize& size, std::shared_ptr<const AnalysedRun> of) : run(std::move(of)) {
        timeline.resize(size);
        timeline.setRuns({run});
        timeline.show();
        timeline.settle();
    }

    const std::shared_ptr<const AnalysedRun> run;
    TimelineWidget timeline{Theme::darkTheme()};
};

/// A timeline that is shown, and a model of its own of the run in it.
class ShownRows : public testing::Test {
  protected:
    ShownRows() {
        timeline.resize(1100, 640);
        timeline.show();
    }
    void setRun(std::shared_ptr<const AnalysedRun> run) {
        model = TimelineModel({run});
        timeline.setRuns({std::move(run)});
        timeline.settle();
    }
    const RowLayout& rows() { return timeline.rowLayout(); }
    /// The titles of the rows of these kinds, from the top.
    QStringList titlesOf(std::initializer_list<RowKind> kinds) {
        QStringList out;
        for (const LayoutRow& row : rows().rows()) {
            if (std::ranges::find(kinds, row.kind) != kinds.end()) {
                out << rowText(model, row).title;
            }
        }
        return out;
    }
    /// Where the name of a row stands.
    QPoint headOf(const LayoutRow& row, int dy = 8) { return {60, timeline.tracksArea().top() + row.y + dy}; }

    TimelineModel model;
    TimelineWidget timeline{Theme::darkTheme()};
};

}  // namespace rankscope::ui
