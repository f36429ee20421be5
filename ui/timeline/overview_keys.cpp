// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard and screen reader support of the overview.
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/core_text.h"
#include "ui/timeline/overview.h"

namespace rankscope::ui {
namespace {

/// The step that runs at an instant, or the nearest one: an index of the rank's steps, which must not be empty.
std::size_t stepNear(const OverviewRank& rank, TimeNs axis_ns) {
    const auto steps = rank.steps();
    const TimeNs at = rank.toFile(axis_ns);
    const auto away = [at](const DrawnStep& step) {
        return std::max({step.span.start_ns - at, at - step.span.end_ns, DurationNs{0}});
    };
    return static_cast<std::size_t>(std::ranges::min_element(steps, {}, away) - steps.begin());
}

TimeNs middleOf(const OverviewRank& rank, std::size_t step) {
    const TimeSpan span = rank.steps()[step].span;
    return rank.toAxis(span.start_ns + span.length() / 2);
}

}  // namespace

std::optional<OverviewScene::Cell> Overview::chosenCell() const {
    const bool there =
        chosen_ && chosen_->rank < shown_.ranks.size() && chosen_->step < shown_.ranks[chosen_->rank].steps().size();
    return there ? chosen_ : std::nullopt;
}

std::optional<OverviewScene::Cell> Overview::cellBeside(int key) const {
    const auto has_steps = [](const OverviewRank& rank) { return !rank.steps().empty(); };
    const auto at = chosenCell();
    if (!at) {
        const auto first = std::ranges::find_if(shown_.ranks, has_steps);
        const TimeNs middle = window_.start_ns + window_.length() / 2;
        return first == shown_.ranks.end()
                   ? std::nullopt
                   : std::optional(OverviewScene::Cell{
                         static_cast<std::size_t>(first - shown_.ranks.begin()), stepNear(*first, middle), {}});
    }
    const std::size_t steps = shown_.ranks[at->rank].steps().size();
    switch (key) {
        case Qt::Key_Left: return OverviewScene::Cell{at->rank, at->step - std::min<std::size_t>(at->step, 1), {}};
        case Qt::Key_Right: return OverviewScene::Cell{at->rank, std::min(at->step + 1, steps - 1), {}};
        case Qt::Key_Home: return OverviewScene::Cell{at->rank, 0, {}};
        case Qt::Key_End: return OverviewScene::Cell{at->rank, steps - 1, {}};
        default: break;
    }
    const std::ptrdiff_t way = key == Qt::Key_Up ? -1 : 1;
    const TimeNs middle = middleOf(shown_.ranks[at->rank], at->step);
    for (auto r = static_cast<std::ptrdiff_t>(at->rank) + way; r >= 0 && r < std::ssize(shown_.ranks); r += way) {
        const auto rank = static_cast<std::size_t>(r);
        if (has_steps(shown_.ranks[rank])) {
            return OverviewScene::Cell{rank, stepNear(shown_.ranks[rank], middle), {}};
        }
    }
    return at;
}

void Overview::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            if (const auto cell = chosenCell()) {
                activate(*cell);
                return;
            }
            break;
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Home:
        case Qt::Key_End:
            chosen_ = cellBeside(event->key());
            update();
            tellContentChanged(*this);
            return;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

void Overview::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!chosenCell()) {
        chosen_ = cellBeside(Qt::Key_Right);
    }
}

QRectF Overview::placeOf(const OverviewScene::Cell& cell) const {
    const OverviewRank& rank = shown_.ranks[cell.rank];
    const TimeSpan span = rank.steps()[cell.step].span;
    const QRectF cells(cellArea());
    const double height = cells.height() / static_cast<double>(shown_.ranks.size());
    const double left = xOf(rank.toAxis(span.start_ns));
    const double right = xOf(rank.toAxis(span.end_ns));
    return {left, cells.top() + static_cast<double>(cell.rank) * height, std::max(2.0, right - left), height};
}

// Twice as wide as a hairline, with a minimum size, so that it is visible on small cells.
void Overview::paintChosen(QPainter& painter) const {
    constexpr double kLeast = 6;
    const auto cell = chosenCell();
    if (!hasFocus()) {
        return;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme_.accent);
    painter.drawRect(rect().adjusted(0, 0, -1, -2));
    if (cell) {
        const QRectF place = placeOf(*cell);
        QRectF seen(0, 0, std::max(kLeast, place.width()), std::max(kLeast, place.height()));
        seen.moveCenter(place.center());
        painter.setPen(QPen(theme_.text, 2));
        painter.drawRect(seen);
    }
}

QString Overview::spokenContent() const {
    if (shown_.ranks.empty() || shown_.cells.empty()) {
        return tr("No steps yet.");
    }
    if (const auto cell = chosenCell()) {
        return tipOf(*cell);
    }
    const auto [least, most] = scaleEnds();
    const int ranks = static_cast<int>(shown_.ranks.size());
    return plural(tr("%1 of each step of %n rank(s), from %2 to %3.", nullptr, ranks), shown_.ranks.size())
        .arg(titleOf(shown_.measure), least, most);
}

SpokenPart Overview::spokenPart(std::size_t index) const {
    const QRect cells = cellArea();
    const double height = static_cast<double>(cells.height()) / static_cast<double>(shown_.ranks.size());
    SpokenPart part;
    part.name = rankName(index);
    const std::size_t steps = shown_.ranks[index].steps().size();
    part.about = plural(tr("%n step(s)", nullptr, static_cast<int>(steps)), steps);
    part.place =
        QRectF(cells.left(), cells.top() + static_cast<double>(index) * height, cells.width(), height).toAlignedRect();
    const auto cell = chosenCell();
    part.chosen = cell && cell->rank == index;
    return part;
}

}  // namespace rankscope::ui
