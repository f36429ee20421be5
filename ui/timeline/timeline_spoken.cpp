// SPDX-License-Identifier: GPL-3.0-or-later
// Accessibility of the timeline: the text for screen readers, and the navigation through the names of the rows with the
// keyboard.
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/base/format.h"
#include "ui/theme/core_text.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_parts.h"
#include "ui/timeline/words.h"

namespace rankscope::ui {
namespace {

constexpr int kScrollMargin = 40;  // logical pixels between the chosen name and the edge of the view

QString timeText(TimeNs ns) {
    return QString::fromStdString(formatDuration(ns));
}

QString nameOf(const TimelineModel& model, const LayoutRow& row) {
    const RowText words = rowText(model, row);
    return words.detail.isEmpty() ? words.title : Timeline::tr("%1, %2").arg(words.title, words.detail);
}

QString aboutRow(const LayoutRow& row) {
    if (row.kind != RowKind::Track) {
        return row.pinned ? Timeline::tr("pinned") : QString();
    }
    const QString all = row.rows < row.all_rows
                            ? Timeline::tr("%1 of %n row(s) shown", nullptr, row.all_rows).arg(row.rows)
                            : Timeline::tr("%n row(s)", nullptr, row.all_rows);
    const QString rows = plural(all, row.all_rows);
    return row.pinned ? Timeline::tr("pinned, %1").arg(rows) : rows;
}

}  // namespace

QString TimelineWidget::spokenContent() const {
    const TimelineScene& scene = parts_->scene;
    if (scene.model().runs().empty()) {
        return Timeline::tr("Nothing is open.");
    }
    QStringList said;
    if (const LayoutRow* row = namedRow()) {
        said << Timeline::tr("At row %1.").arg(nameOf(scene.model(), *row));
    }
    if (const QStringList words = selectionWords(); !words.isEmpty()) {
        said << Timeline::tr("Selected: %1.").arg(words.join(QStringLiteral(", ")));
    } else {
        said << Timeline::tr("Nothing is selected.");
    }
    if (const auto& area = parts_->area.extent()) {
        const TimeSpan span = area->span();
        said << Timeline::tr("An area is marked from %1 to %2.").arg(timeText(span.start_ns), timeText(span.end_ns));
    }
    if (const FindingMarks& finding = parts_->finding; !finding.empty()) {
        const auto places = static_cast<int>(finding.places.size());
        said << plural(Timeline::tr("%n place(s) of the finding “%1” marked.", nullptr, places), finding.places.size())
                    .arg(coreText(finding.of->diagnosis.findings[finding.finding].title));
    }
    if (parts_->asked) {
        const auto places = static_cast<int>(parts_->asked->count);
        said << plural(Timeline::tr("%n place(s) of the answer marked.", nullptr, places), parts_->asked->count);
    }
    if (const auto chosen = parts_->marks.chosen()) {
        const TimeMark& mark = marks()[*chosen];
        said << (mark.text.isEmpty()
                     ? Timeline::tr("A mark at %1 is chosen.").arg(timeText(mark.span.start_ns))
                     : Timeline::tr("The mark “%1” at %2 is chosen.").arg(mark.text, timeText(mark.span.start_ns)));
    }
    const TimeSpan seen = viewport().window();
    said << Timeline::tr("%1 to %2 are in view, of %3 in all.")
                .arg(timeText(seen.start_ns), timeText(seen.end_ns), timeText(viewport().limits().length()));
    return said.join(QLatin1Char(' '));
}

std::size_t TimelineWidget::spokenParts() const {
    return rowLayout().rows().size();
}

SpokenPart TimelineWidget::spokenPart(std::size_t index) const {
    const LayoutRow& row = rowLayout().rows()[index];
    const QRect tracks = tracksArea();
    SpokenPart part;
    part.name = nameOf(parts_->scene.model(), row);
    part.about = aboutRow(row);
    part.place = QRect(0, tracks.top() + parts_->scene.rows().toView(row.y), tracks.right() + 1, row.height);
    part.role = QAccessible::TreeItem;
    const LayoutRow* named = namedRow();
    part.chosen = &row == (named != nullptr ? named : selectedRow());
    if (row.foldable) {
        part.unfolded = row.unfolding != Unfolding::Folded;
    }
    return part;
}

const LayoutRow* TimelineWidget::namedRow() const {
    if (!parts_->named) {
        return nullptr;
    }
    const RowAnchor& wanted = *parts_->named;
    const auto rows = rowLayout().rows();
    const auto at = std::ranges::find_if(
        rows, [&](const LayoutRow& row) { return row.key == wanted.row && row.pinned == wanted.pinned; });
    return at != rows.end() ? &*at : nullptr;
}

void TimelineWidget::markRank(std::uint32_t run, RankPosition rank) {
    if (const LayoutRow* row = rowLayout().findRank(run, rank)) {
        parts_->named = RowAnchor{row->key, row->pinned, 0};
        frameChanged();
        tellContentChanged(*this);
    }
}

// Starts from the chosen row, otherwise from the selection's, otherwise from the first visible one.
void TimelineWidget::goToName(Direction direction) {
    const auto rows = rowLayout().rows();
    if (rows.empty()) {
        return;
    }
    TimelineScene& scene = parts_->scene;
    const LayoutRow* from = namedRow();
    const bool walks = from != nullptr;
    from = walks ? from : selectedRow();
    from = from != nullptr ? from : &rows[std::min(rowLayout().firstBelow(inRows(0)), rows.size() - 1)];
    std::ptrdiff_t at = from - rows.data();
    if (walks) {
        at = std::clamp<std::ptrdiff_t>(at + (direction == Direction::Forward ? 1 : -1), 0, std::ssize(rows) - 1);
    }
    const LayoutRow& row = rows[static_cast<std::size_t>(at)];
    parts_->named = RowAnchor{row.key, row.pinned, 0};
    const RowScroll place = scene.rows();
    const int y = place.toView(row.y);
    if (row.y >= place.sticky && (y < place.sticky || y + row.height > tracksArea().height())) {
        scene.setScroll(direction == Direction::Forward ? row.y + row.height + kScrollMargin - tracksArea().height()
                                                        : row.y - place.sticky - kScrollMargin);
    }
    frameChanged();
    tellContentChanged(*this);
}

void TimelineWidget::widenNames(int pixels) {
    const int usual = static_cast<int>(std::lround(sideWidth() / textScale(parts_->scene.theme())));
    setNamesWidth(usual + pixels);
    Q_EMIT namesWidthChanged(namesWidth());
}

}  // namespace rankscope::ui
