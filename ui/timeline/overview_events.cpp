// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse events of the overview; for the keyboard, see overview_keys.cpp.
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "core/base/format.h"
#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/overview.h"

namespace rankscope::ui {
namespace {

constexpr int kEdge = 5;      // pixels: so close to its edges, the window is resized
constexpr double kHot = 0.5;  // from this heat on, a user wants an explanation

/// The most expensive findings that concern a step of a rank, one line each.
QStringList findingsAt(const Diagnosis& diagnosis, RankPosition rank, std::int64_t step) {
    constexpr qsizetype kMost = 3;
    QStringList titles;
    for (const Finding& finding : diagnosis.findings) {
        const bool of_rank = std::ranges::find(finding.ranks, rank) != finding.ranks.end();
        const bool of_step = std::ranges::find(finding.steps, step) != finding.steps.end();
        if (of_rank && of_step && titles.size() < kMost) {
            titles += QString::fromStdString(finding.title);
        }
    }
    return titles;
}

}  // namespace

double Overview::xOf(TimeNs axis_ns) const {
    const QRect all = area();
    const double share = static_cast<double>(axis_ns - scene_.limits.start_ns) /
                         static_cast<double>(std::max<DurationNs>(1, scene_.limits.length()));
    return all.left() + share * all.width();
}

TimeNs Overview::timeAt(double x) const {
    const QRect all = area();
    const double share = std::clamp((x - all.left()) / all.width(), 0.0, 1.0);
    return scene_.limits.start_ns + static_cast<TimeNs>(share * static_cast<double>(scene_.limits.length()));
}

Overview::Drag Overview::zoneAt(const QPoint& at) const {
    const double left = xOf(window_.start_ns);
    const double right = std::max(xOf(window_.end_ns), left + kLeastWindow);
    if (std::abs(at.x() - left) <= kEdge && at.x() < (left + right) / 2) {
        return Drag::Left;
    }
    if (std::abs(at.x() - right) <= kEdge) {
        return Drag::Right;
    }
    const bool all = window_.length() >= scene_.limits.length();
    return at.x() > left && at.x() < right && !all ? Drag::Move : Drag::New;
}

std::optional<OverviewScene::Cell> Overview::cellAt(const QPoint& at) const {
    const QRect cells = cellArea();
    if (!cells.contains(at) || shown_.cells.empty() || cells.height() == 0) {
        return {};
    }
    const int line = (at.y() - cells.top()) * shown_.cell_height / cells.height();
    return shown_.cellAt(timeAt(at.x()), line);
}

QString Overview::tipAt(const QPoint& at) const {
    const auto cell = cellAt(at);
    return cell ? tipOf(*cell) : QString();
}

QString Overview::rankName(std::size_t rank) const {
    const OverviewRank& of = shown_.ranks[rank];
    return coreText(rankLabel(*shown_.runs[of.run]->run->ranks[of.rank], of.rank));
}

QString Overview::tipOf(const OverviewScene::Cell& cell) const {
    const OverviewRank& rank = shown_.ranks[cell.rank];
    const DrawnStep& step = rank.steps()[cell.step];
    const QString who = rankName(cell.rank);
    const auto& value = shown_.cells[rank.run].ns[rank.rank][step.step];
    const QString length =
        value ? QString::fromStdString(formatDuration(*value)) : tr("unknown", "a measure of one step");
    const QString usual =
        QString::fromStdString(formatDuration(shown_.cells[rank.run].typicalOf(rank.rank, step.step).median_ns));
    const QString place = placeTitle(shown_.runs[rank.run]->facts.parallelism.grid, rank.rank);
    const QString where = tr("%1, step %2").arg(who).arg(step.index);
    QStringList lines{place.isEmpty() ? where : where + QStringLiteral(" \u00b7 ") + place,
                      tr("%1: %2 (median %3)").arg(titleOf(shown_.measure), length, usual)};
    if (!value && shown_.measure == StepMeasure::Lateness) {
        lines +=
            tr("Lateness is measured from one blocking collective to the next: none in this step has one before it.");
    } else if (!value) {
        lines += tr("Its GPU work was not, or not fully, recorded.");
    }
    const qsizetype told = lines.size();
    lines += findingsAt(shown_.runs[rank.run]->diagnosis, rank.rank, step.index);
    if (lines.size() == told && cell.heat.value_or(0.0) >= kHot) {
        lines += tr("No finding covers it.");
    }
    return lines.join(QLatin1Char('\n'));
}

bool Overview::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    if (event->type() == QEvent::Enter) {
        Q_EMIT pointerEntered();
    }
    return QWidget::event(event);
}

void Overview::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && area().contains(event->pos())) {
        drag_ = Drag::Pressed;
        pressed_ = event->pos();
        pressed_window_ = window_;
    }
}

void Overview::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->pos();
    if (drag_ == Drag::None) {
        const Drag zone = area().contains(at) ? zoneAt(at) : Drag::None;
        setCursor(zone == Drag::Left || zone == Drag::Right ? Qt::SizeHorCursor
                  : zone == Drag::Move                      ? Qt::OpenHandCursor
                                                            : Qt::ArrowCursor);
        return;
    }
    if (drag_ == Drag::Pressed && std::abs(at.x() - pressed_.x()) > metrics::kDragThreshold) {
        drag_ = zoneAt(pressed_);
    }
    const TimeNs way = timeAt(at.x()) - timeAt(pressed_.x());
    TimeSpan wanted = pressed_window_;
    switch (drag_) {
        case Drag::Move: wanted = {wanted.start_ns + way, wanted.end_ns + way}; break;
        case Drag::Left: wanted.start_ns = std::min(wanted.start_ns + way, wanted.end_ns - 1); break;
        case Drag::Right: wanted.end_ns = std::max(wanted.end_ns + way, wanted.start_ns + 1); break;
        case Drag::New:
            wanted = {timeAt(std::min(at.x(), pressed_.x())), timeAt(std::max(at.x(), pressed_.x()))};
            break;
        default: return;
    }
    Q_EMIT windowAsked(wanted);
}

void Overview::activate(const OverviewScene::Cell& cell) {
    const OverviewRank& rank = shown_.ranks[cell.rank];
    Q_EMIT cellActivated(rank.run, rank.rank, rank.steps()[cell.step].step);
}

void Overview::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = std::exchange(drag_, Drag::None) == Drag::Pressed;
    if (!click) {
        return;
    }
    if (const auto cell = cellAt(event->pos())) {
        activate(*cell);
        return;
    }
    const TimeNs middle = timeAt(event->pos().x());
    const TimeNs start = middle - window_.length() / 2;
    Q_EMIT windowAsked({start, start + window_.length()});
}

}  // namespace rankscope::ui
