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
    QColor swatch;  ///< the colour of the item
    std::vector<Line> lines;
    [[nodiscard]] bool empty() const { return title.isEmpty(); }
};

/// Name, duration, kind and place of a slice; length and causes of a gap; count and span of a bucket. Names are cut to
/// kMostNameBytes: a slice's name may have megabytes, and measuring such a text takes seconds.
[[nodiscard]] Tip tipFor(const TimelineModel& model, const Hit& hit, const Theme& theme);

/// The selection in words, for the clipboard: its whole name, then the lines of its tooltip; empty without a selection.
[[nodiscard]] QStringList wordsOf(const TimelineModel& model, const Selection& selection, const Theme& theme);

/// Paints the tooltip next to `pointer`, inside `bounds`.
void paintTip(QPainter& painter, const Tip& tip, const QPoint& pointer, const QRect& bounds, const Theme& theme);

/// The kind of a stretch of a critical path, for people: "Compute", "DataLoader". `cause` is for idle time.
[[nodiscard]] QString pathPartTitle(PathKind kind, Cause cause);

/// The tooltip of the critical path at the pointer: the kind of the stretch, its length, its rank, and what was waited
/// for; for a line to another rank, who waited for whom. Empty if the model has no path.
[[nodiscard]] Tip tipForPath(const TimelineModel& model, const Hit& hit, const Theme& theme);

}  // namespace rankscope::ui
