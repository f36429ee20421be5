// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QString>
#include <QStringList>
#include <vector>

#include "core/analysis/path_stretches.h"
#include "ui/theme/theme.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// The tooltip for what is under the pointer.
struct Tip {
    struct Line {
        QString label;
        QString value;
    };
    QString title;
    QColor swatch;  ///< the colour of the thing
    std::vector<Line> lines;
    [[nodiscard]] bool empty() const { return title.isEmpty(); }
};

/// Name, duration, kind and place of a slice; length and causes of a gap; count and span of a bucket. Names are cut to
/// kMostNameBytes: what a file calls a slice may be megabytes long, and to measure such a text takes seconds.
[[nodiscard]] Tip tipFor(const TimelineModel& model, const Hit& hit, const Theme& theme);

/// What is selected in words, for the clipboard: its whole name, then a line for each line of its tip; empty for
/// nothing.
[[nodiscard]] QStringList wordsOf(const TimelineModel& model, const Selection& selection, const Theme& theme);

/// Paints the tip beside `pointer`, inside `bounds`.
void paintTip(QPainter& painter, const Tip& tip, const QPoint& pointer, const QRect& bounds, const Theme& theme);

/// What a stretch of a critical path went to, for people: "Compute", "DataLoader". `cause` is of idle time.
[[nodiscard]] QString pathPartTitle(PathKind kind, Cause cause);

/// What is said of the critical path at the pointer: what the stretch is, how long, on which rank, and what was waited
/// for; of a line to another rank, who waited for whom. Empty where the model has no path.
[[nodiscard]] Tip tipForPath(const TimelineModel& model, const Hit& hit, const Theme& theme);

}  // namespace rankscope::ui
