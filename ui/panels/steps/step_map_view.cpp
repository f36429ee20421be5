// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/steps/step_map_view.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "ui/panels/shared/heat_legend.h"
#include "ui/panels/shared/words.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/paint/overview_picture.h"

namespace rankscope::ui {
namespace {

constexpr int kNames = 92;        // logical pixels at the left for names of ranks
constexpr int kNumbers = 20;      // above the cells for numbers of steps
constexpr int kAlikeHeight = 26;  // height of the line for similar ranks
constexpr int kBetween = 8;       // above that line
constexpr int kHighestRow = 16;   // height of one rank
constexpr int kTextPixels = 11;
constexpr int kNameGap = 8;
constexpr int kWideCell = 8;  // logical pixels: smaller cells have no room for stripes
constexpr int kHighCell = 6;
constexpr int kSpokenRanks = 50;  // described one by one: those farthest above the usual time

/// A line of the picture: for each step, the hottest of these ranks.
std::vector<double> heatOf(const StepTable& map, const StepMapRows& rows, std::span<const std::size_t> ranks) {
    constexpr double kNoStep = -1.0;
    std::vector<double> heat(map.steps.size(), kNoStep);
    for (const std::size_t rank : ranks) {
        for (std::size_t step = 0; step < heat.size(); ++step) {
            heat[step] = std::max(heat[step], rows.heat(map, rank, step).value_or(kNoStep));
        }
    }
    return heat;
}

/// Draws a line into the picture; returns which of its cells are hot.
std::vector<bool> drawLine(QImage& picture, int line, const std::vector<double>& heat, const Theme& theme) {
    std::vector<bool> hot(heat.size());
    for (std::size_t step = 0; step < heat.size(); ++step) {
        picture.setPixel(static_cast<int>(step), line,
                         heat[step] < 0 ? theme.track.rgb() : heatColor(heat[step], theme));
        hot[step] = heat[step] >= kStripedHeat;
    }
    return hot;
}

}  // namespace

QString stepMapTitle(StepMapMeasure measure) {
    switch (measure) {
        case StepMapMeasure::Compute: return StepMapView::tr("Compute");
        case StepMapMeasure::ExposedCommunication: return StepMapView::tr("Exposed communication");
        case StepMapMeasure::Idle: return StepMapView::tr("Idle");
        case StepMapMeasure::Length: return StepMapView::tr("Step time");
    }
    return {};
}

StepMapView::StepMapView(const Theme& theme, QWidget* parent) : PaintedCells(theme, parent) {
    setAccessibleName(tr("Map of ranks and steps"));
    setMinimumHeight(kNumbers + kAlikeHeight + kBetween + kHighestRow);
}

QSize StepMapView::sizeHint() const {
    return {640, 360};
}

void StepMapView::setMap(std::shared_ptr<const StepTable> map, StepMapMeasure measure) {
    forgetCurrent();
    map_ = std::move(map);
    measure_ = measure;
    if (map_ == nullptr) {
        job_.forget();
        made_.reset();
    }
    layOut();
}

void StepMapView::layOut() {
    redraw();
    if (map_ == nullptr) {
        return;
    }
    const int most_lines = std::max(1, height() - kNumbers - kBetween - kAlikeHeight);
    job_.start([this, map = map_, measure = measure_, theme = theme(), most_lines](const std::stop_token& stop) {
        auto made = std::make_shared<Made>(Made{map, rowsOf(*map, measure), {}, {}});
        const std::size_t apart = made->rows.apart.size();
        const auto lines = std::min<std::size_t>(apart, static_cast<std::size_t>(most_lines));
        made->picture =
            QImage(std::max(1, static_cast<int>(map->steps.size())), static_cast<int>(lines) + 1, QImage::Format_RGB32);
        const std::span<const std::size_t> all(made->rows.apart);
        for (std::size_t line = 0; line < lines && !stop.stop_requested(); ++line) {
            const std::size_t first = apart * line / lines;
            const std::size_t last = apart * (line + 1) / lines;
            made->hot.push_back(drawLine(made->picture, static_cast<int>(line),
                                         heatOf(*map, made->rows, all.subspan(first, last - first)), theme));
        }
        (void)drawLine(made->picture, static_cast<int>(lines), heatOf(*map, made->rows, made->rows.alike), theme);
        return LatestJob::Show([this, made] {
            made_ = made;
            redraw();
            tellContentChanged(*this);
            Q_EMIT shown();
        });
    });
}

// ---- layout

QRect StepMapView::alikeArea() const {
    const QRect apart = apartArea();
    const int top = apart.height() > 0 ? apart.bottom() + 1 + kBetween : apart.top();
    return {apart.left(), top, apart.width(), made_ && !made_->rows.alike.empty() ? kAlikeHeight : 0};
}

QRect StepMapView::apartArea() const {
    const int lines = made_ ? made_->picture.height() - 1 : 0;
    const int alike = made_ && !made_->rows.alike.empty() ? kBetween + kAlikeHeight : 0;
    const int room = std::max(0, height() - kNumbers - alike);
    return {kNames, kNumbers, std::max(1, width() - kNames), std::min(lines * kHighestRow, room)};
}

std::pair<std::size_t, std::size_t> StepMapView::ranksAt(int line) const {
    const std::size_t apart = made_->rows.apart.size();
    const auto lines = static_cast<std::size_t>(std::max(1, made_->picture.height() - 1));
    const auto at = static_cast<std::size_t>(std::clamp(line, 0, static_cast<int>(lines) - 1));
    return {apart * at / lines, apart * (at + 1) / lines};
}

int StepMapView::columnAt(int x) const {
    const QRect area = apartArea();
    const auto steps = static_cast<int>(made_->map->steps.size());
    return std::clamp((x - area.left()) * steps / std::max(1, area.width()), 0, std::max(0, steps - 1));
}

std::optional<StepMapView::Cell> StepMapView::cellAt(const QPointF& place) const {
    const QPoint at = place.toPoint();
    if (!made_ || made_->map->steps.empty()) {
        return std::nullopt;
    }
    std::span<const std::size_t> ranks;
    const QRect apart = apartArea();
    if (apart.contains(at)) {
        const int lines = made_->picture.height() - 1;
        const auto [first, last] = ranksAt((at.y() - apart.top()) * lines / std::max(1, apart.height()));
        ranks = std::span(made_->rows.apart).subspan(first, last - first);
    } else if (alikeArea().contains(at)) {
        ranks = made_->rows.alike;
    }
    const auto step = static_cast<std::size_t>(columnAt(at.x()));
    std::optional<Cell> hottest;
    double heat = -1.0;
    for (const std::size_t rank : ranks) {
        const double here = made_->rows.heat(*made_->map, rank, step).value_or(-1.0);
        if (here > heat) {
            heat = here;
            hottest = Cell{rank, step};
        }
    }
    return hottest;
}

QRect StepMapView::placeOf(const Cell& cell) const {
    if (!made_ || made_->map->steps.empty()) {
        return {};
    }
    const QRect apart = apartArea();
    const auto steps = static_cast<int>(made_->map->steps.size());
    const int left = apart.left() + static_cast<int>(cell.second) * apart.width() / steps;
    const int right = apart.left() + (static_cast<int>(cell.second) + 1) * apart.width() / steps;
    const auto at = std::ranges::find(made_->rows.apart, cell.first);
    if (at == made_->rows.apart.end()) {
        const QRect alike = alikeArea();
        return {left, alike.top(), right - left, alike.height()};
    }
    const auto lines = static_cast<std::size_t>(std::max(1, made_->picture.height() - 1));
    const auto place = static_cast<std::size_t>(at - made_->rows.apart.begin());
    const auto line = static_cast<int>(place * lines / made_->rows.apart.size());
    const int top = apart.top() + line * apart.height() / static_cast<int>(lines);
    const int bottom = apart.top() + (line + 1) * apart.height() / static_cast<int>(lines);
    return {left, top, right - left, std::max(1, bottom - top)};
}

bool StepMapView::striped() const {
    if (!made_ || made_->map->steps.empty()) {
        return false;
    }
    const QRect apart = apartArea();
    const int lines = made_->picture.height() - 1;
    return lines > 0 && apart.width() / static_cast<int>(made_->map->steps.size()) >= kWideCell &&
           apart.height() / lines >= kHighCell;
}

// ---- texts

QString StepMapView::rankText(std::size_t rank) const {
    return tr("rank %1").arg(made_->map->ranks[rank].value);
}

QString StepMapView::tipOf(const Cell& cell) const {
    const StepTableCell& at = made_->map->at(cell.first, cell.second);
    const QString head = tr("%1, step %2").arg(rankText(cell.first)).arg(made_->map->steps[cell.second]);
    if (!at.known) {
        return tr("%1: this rank lacks the step.").arg(head);
    }
    const auto measure = static_cast<std::size_t>(made_->rows.measure);
    QStringList lines = {head, tr("%1 %2, median of all ranks %3")
                                   .arg(stepMapTitle(made_->rows.measure), duration(valueOf(at, made_->rows.measure)),
                                        duration(made_->rows.typical_ns[cell.second]))};
    for (std::size_t m = 0; m < kStepMapMeasures; ++m) {
        if (m != measure) {
            lines.append(
                namedTime(stepMapTitle(static_cast<StepMapMeasure>(m)), valueOf(at, static_cast<StepMapMeasure>(m))));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

QString StepMapView::spokenContent() const {
    if (!made_) {
        return tr("No map is shown.");
    }
    const QString words = made_->rows.apart.size() == 1
                              ? tr("%1 ranks, %2 steps, by %3; %4 rank is far from the median.")
                              : tr("%1 ranks, %2 steps, by %3; %4 ranks are far from the median, the highest first.");
    const QString all = words.arg(count(made_->map->ranks.size()), count(made_->map->steps.size()),
                                  stepMapTitle(made_->rows.measure), count(made_->rows.apart.size()));
    return current() ? tipOf(*current()) + QLatin1Char('\n') + all : all;
}

std::size_t StepMapView::spokenParts() const {
    return made_ ? std::min<std::size_t>(made_->rows.apart.size(), kSpokenRanks) : 0;
}

SpokenPart StepMapView::spokenPart(std::size_t index) const {
    const std::size_t rank = made_->rows.apart[index];
    const QRect place = placeOf({rank, 0});
    return {.name = rankText(rank),
            .about = made_->map->steps.empty() ? QString() : tipOf({rank, 0}),
            .place = QRect(0, place.top(), width(), place.height()),
            .chosen = current() && current()->first == rank,
            .unfolded = {}};
}

// ---- painting

void StepMapView::paintNames(QPainter& painter) const {
    painter.setFont(font(kTextPixels));
    painter.setPen(theme().text_dim);
    const QFontMetrics metrics = painter.fontMetrics();
    const QRect apart = apartArea();
    const int lines = made_->picture.height() - 1;
    for (int line = 0, free_from = 0; line < lines; ++line) {
        const int middle = apart.top() + (2 * line + 1) * apart.height() / (2 * lines);
        const int top = middle - metrics.height() / 2;
        if (top >= free_from) {
            painter.drawText(QRect(0, top, kNames - kNameGap, metrics.height()), Qt::AlignRight | Qt::AlignVCenter,
                             rankText(made_->rows.apart[ranksAt(line).first]));
            free_from = top + metrics.height();
        }
    }
    const QRect alike = alikeArea();
    if (alike.height() > 0) {
        painter.drawText(
            QRect(0, alike.top(), kNames - kNameGap, alike.height()), Qt::AlignRight | Qt::AlignVCenter,
            metrics.elidedText(tr("%1 alike").arg(count(made_->rows.alike.size())), Qt::ElideRight, kNames - kNameGap));
    }
    int right = 0;
    for (std::size_t step = 0; step < made_->map->steps.size(); ++step) {
        const QRect place = placeOf({made_->rows.apart.empty() ? 0 : made_->rows.apart.front(), step});
        const QString number =
            step == 0 ? tr("step %1").arg(made_->map->steps[step]) : QString::number(made_->map->steps[step]);
        const int wide = metrics.horizontalAdvance(number);
        if (place.left() >= right && place.left() + 2 + wide <= width()) {
            painter.drawText(QRect(place.left() + 2, 0, wide + 2, kNumbers), Qt::AlignLeft | Qt::AlignVCenter, number);
            right = place.left() + wide + 2 * kNameGap;
        }
    }
}

void StepMapView::paintHot(QPainter& painter) const {
    for (std::size_t line = 0; line < made_->hot.size(); ++line) {
        const std::size_t rank = made_->rows.apart[ranksAt(static_cast<int>(line)).first];
        for (std::size_t step = 0; step < made_->hot[line].size(); ++step) {
            if (made_->hot[line][step]) {
                paintStripes(painter, placeOf({rank, step}), theme());
            }
        }
    }
}

void StepMapView::draw(QPainter& painter) const {
    const int lines = made_->picture.height() - 1;
    const QRect apart = apartArea();
    if (lines > 0) {
        painter.drawImage(apart, made_->picture, QRect(0, 0, made_->picture.width(), lines));
    }
    if (!made_->rows.alike.empty()) {
        painter.drawImage(alikeArea(), made_->picture, QRect(0, lines, made_->picture.width(), 1));
    }
    if (striped()) {
        paintHot(painter);
    }
    // Separates cells if there is room.
    const auto steps = static_cast<int>(made_->map->steps.size());
    for (int step = 1; step < steps && apart.width() / steps > 6; ++step) {
        painter.fillRect(
            QRect(apart.left() + step * apart.width() / steps, apart.top(), 1, alikeArea().bottom() + 1 - apart.top()),
            theme().surface);
    }
    paintNames(painter);
}

void StepMapView::drawOver(QPainter& painter) const {
    if (current() && hasFocus()) {
        painter.setPen(QPen(theme().accent, 2));
        painter.drawRect(placeOf(*current()).adjusted(1, 0, -1, -1));
    }
}

// ---- pointer and keys

void StepMapView::activate(const Cell& cell) {
    Q_EMIT cellActivated(made_->map->ranks[cell.first], made_->map->steps[cell.second]);
}

std::optional<StepMapView::Cell> StepMapView::next(int key) const {
    if (key == Qt::Key_Home || key == Qt::Key_End) {
        return std::nullopt;
    }
    std::vector<std::size_t> order = made_->rows.apart;
    order.insert(order.end(), made_->rows.alike.begin(), made_->rows.alike.end());
    if (!current()) {
        return Cell{order.front(), 0};
    }
    const auto back = [](std::size_t from) { return from - std::min<std::size_t>(from, 1); };
    const auto on = [](std::size_t from, std::size_t size) { return std::min(from + 1, size - 1); };
    auto row = static_cast<std::size_t>(std::ranges::find(order, current()->first) - order.begin());
    std::size_t step = current()->second;
    switch (key) {
        case Qt::Key_Up: row = back(row); break;
        case Qt::Key_Down: row = on(row, order.size()); break;
        case Qt::Key_Left: step = back(step); break;
        default: step = on(step, made_->map->steps.size());
    }
    return Cell{order[row], step};
}

}  // namespace rankscope::ui
