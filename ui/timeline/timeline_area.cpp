// SPDX-License-Identifier: GPL-3.0-or-later
// The area that the user marks: drawn, changed at its edges, and made from what is selected.
#include <cmath>

#include "ui/timeline/timeline_impl.h"

namespace rankscope::ui {
namespace {

constexpr int kSnapReach = 15;    // logical pixels: the edge of an area takes that of a slice
constexpr double kEdgeReach = 5;  // logical pixels beside the edge of an area

}  // namespace

TimeNs TimelineWidget::Impl::timeUnder(const QPoint& global, Qt::KeyboardModifiers modifiers) {
    const QPointF at = inTracks(self->mapFromGlobal(QPointF(global)));
    const TimeSpan limits = scene.viewport().limits();
    const double ratio = self->devicePixelRatioF();
    if (!modifiers.testFlag(Qt::AltModifier)) {
        const auto edge = edgeNear(scene.frame(), scene.model(), static_cast<int>(at.x() * ratio),
                                   static_cast<int>(at.y() * ratio), static_cast<int>(kSnapReach * ratio));
        if (edge) {
            return *edge;
        }
    }
    return std::clamp(scene.viewport().timeAt(at.x()), limits.start_ns, limits.end_ns);
}

RowAnchor TimelineWidget::Impl::rowUnder(const QPoint& global) const {
    const double y = inTracks(self->mapFromGlobal(QPointF(global))).y();
    return scene.layout().anchorAt(scene.rows().toRows(std::max(0, static_cast<int>(y))));
}

void TimelineWidget::Impl::setArea(std::optional<AreaDrag> wanted) {
    if (area || wanted) {
        area = wanted;
        Q_EMIT self->areaChanged(self->area());
        refresh();
    }
}

AreaEdit TimelineWidget::Impl::areaEdgeAt(const QPointF& at) const {
    if (!area || at.x() < 0) {
        return AreaEdit::None;
    }
    const auto [top, bottom] = std::minmax({scene.layout().yOf(area->from), scene.layout().yOf(area->to)});
    const int y = scene.rows().toRows(static_cast<int>(at.y()));
    const double from = std::abs(at.x() - scene.viewport().xAt(area->from_ns));
    const double to = std::abs(at.x() - scene.viewport().xAt(area->to_ns));
    if (y < top || y > bottom || std::min(from, to) > kEdgeReach) {
        return AreaEdit::None;
    }
    return from < to ? AreaEdit::From : AreaEdit::To;
}

void TimelineWidget::Impl::dragArea(Qt::KeyboardModifiers modifiers) {
    AreaDrag wanted = area.value_or(AreaDrag());
    if (editing_area == AreaEdit::None) {
        editing_area = areaEdgeAt(inTracks(self->mapFromGlobal(QPointF(drag.origin()))));
    }
    if (editing_area == AreaEdit::None && inRuler(inTracks(self->mapFromGlobal(QPointF(drag.origin()))))) {
        editing_area = AreaEdit::DrawTime;
        const TimeNs t = timeUnder(drag.origin(), modifiers);
        wanted = dragOver(scene.layout(), {t, t + 1}, allRows()).value_or(AreaDrag());
    } else if (editing_area == AreaEdit::None) {
        editing_area = AreaEdit::Draw;
        wanted = {timeUnder(drag.origin(), modifiers), 0, rowUnder(drag.origin()), {}};
    }
    const TimeNs t = timeUnder(drag.last(), modifiers);
    if (editing_area == AreaEdit::From) {
        wanted.from_ns = t;
    } else {
        wanted.to_ns = t;
    }
    if (editing_area == AreaEdit::Draw) {
        wanted.to = rowUnder(drag.last());
    }
    tip = {};
    setArea(wanted);
}

void TimelineWidget::Impl::extendArea(TimeNs to) {
    AreaDrag longer = *area;
    const TimeSpan span = area->span();
    longer.from_ns = to > span.start_ns ? span.start_ns : span.end_ns;
    longer.to_ns = to;
    setArea(longer);
}

// The rows that what is selected is drawn on.
std::vector<const LayoutRow*> TimelineWidget::Impl::rowsOfSelection() const {
    if (const LayoutRow* row = selectedRow()) {
        return {row};
    }
    std::vector<const LayoutRow*> rows;
    const auto add = [&](const auto& s) {
        if constexpr (requires { s.rank; }) {
            for (const LayoutRow& row : scene.layout().rows()) {
                const bool of_device = row.kind == RowKind::Rank || (row.kind == RowKind::Track && row.indent == 1);
                if (of_device && row.run == s.run && row.rank == s.rank) {
                    rows.push_back(&row);
                }
            }
        }
    };
    std::visit(add, selected);
    return rows;
}

std::vector<const LayoutRow*> TimelineWidget::Impl::allRows() const {
    std::vector<const LayoutRow*> rows;
    for (const LayoutRow& row : scene.layout().rows()) {
        rows.push_back(&row);
    }
    return rows;
}

void TimelineWidget::Impl::areaOfSelection() {
    if (const auto wanted = dragOver(scene.layout(), scene.model().spanOf(selected), rowsOfSelection())) {
        setArea(wanted);
    }
}

// All of the time: first on the rows of the area or of the selection, then on all rows.
void TimelineWidget::Impl::areaOfAll() {
    const TimeSpan all = scene.model().extent();
    if (area && area->span() != all) {
        AreaDrag longer = *area;
        longer.from_ns = all.start_ns;
        longer.to_ns = all.end_ns;
        setArea(longer);
        return;
    }
    const std::vector<const LayoutRow*> rows = area ? std::vector<const LayoutRow*>() : rowsOfSelection();
    setArea(dragOver(scene.layout(), all, rows.empty() ? allRows() : rows));
}

}  // namespace rankscope::ui
