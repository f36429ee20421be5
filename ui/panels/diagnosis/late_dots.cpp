// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/late_dots.h"

#include <QFontMetrics>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/panels/diagnosis/step_places.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

constexpr int kDotSize = 8;        // logical pixels, beside text of the usual size
constexpr int kLabelText = 11;     // pixels
constexpr int kLabelHeight = 15;   // logical pixels
constexpr int kBetweenLabels = 8;  // logical pixels
constexpr int kNearDot = 3;        // logical pixels around a dot that count as part of it
constexpr std::size_t kMostLabels = 3;
constexpr std::size_t kMostSpoken = 50;  // ranks described one by one
constexpr qsizetype kMostNamed = 10;     // ranks in the summary sentence
constexpr double kLeastScale = 0.05;     // share of a step
constexpr std::size_t kFewRanks = 8;     // for these, three lines of dots are enough

std::size_t linesOf(std::size_t ranks) {
    return ranks <= kFewRanks ? 3 : 4;
}

}  // namespace

LateDots::LateDots(std::shared_ptr<const AnalysedRun> run, const Theme& theme, QWidget* parent)
    : PaintedCells(theme, parent), run_(std::move(run)), ranks_(lateRanks(run_->facts)) {
    setAccessibleName(tr("Late ranks"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    layOut();
}

// The highest line of dots is next to the names: only a few dots are so high, and names appear only if there are few
// dots.
QSize LateDots::sizeHint() const {
    const int line = scaled(kDotSize, theme()) + 1;
    const int label = !ranks_.empty() && ranks_.front().stands_out ? scaled(kLabelHeight, theme()) : line;
    return {120, label + (static_cast<int>(linesOf(ranks_.size())) - 1) * line + kNearDot};
}

double LateDots::radius() const {
    return scaled(kDotSize, theme()) / 2.0;
}

void LateDots::layOut() {
    setFixedHeight(sizeHint().height());
    placeDots();
    placeLabels();
    redraw();
}

// From left to right, each dot is on the lowest line with room for it; if none has room, it covers another dot.
void LateDots::placeDots() {
    places_.assign(ranks_.size(), {});
    if (ranks_.empty()) {
        return;
    }
    const double least = kLeastScale * static_cast<double>(run_->facts.pricedStep());
    const double scale = std::max({1.0, least, static_cast<double>(ranks_.front().late_ns)});
    const double r = radius();
    const double room = std::max(0.0, width() - 2 * r - 2);
    std::vector<double> ends(linesOf(ranks_.size()), -r);
    for (std::size_t i = ranks_.size(); i-- > 0;) {
        const double x = r + 1 + static_cast<double>(ranks_[i].late_ns) / scale * room;
        const auto free = std::ranges::find_if(ends, [&](double end) { return x - r >= end; });
        const auto line = free == ends.end() ? std::ptrdiff_t{0} : free - ends.begin();
        ends[static_cast<std::size_t>(line)] = x + r;
        places_[i] = {x, height() - kNearDot - r - static_cast<double>(line) * (2 * r + 1)};
    }
}

void LateDots::placeLabels() {
    labels_.clear();
    const QFontMetrics metrics(font(kLabelText));
    const int high = scaled(kLabelHeight, theme());
    for (std::size_t i = 0; i < ranks_.size() && ranks_[i].stands_out && labels_.size() < kMostLabels; ++i) {
        const QString words = metrics.elidedText(labelOf(ranks_[i]), Qt::ElideRight, width());
        const double wide = metrics.horizontalAdvance(words) + 1;
        const double left = std::clamp(places_[i].x() - wide / 2, 0.0, std::max(0.0, width() - wide));
        const QRectF place(left, 0, wide, high);
        const bool covers = std::ranges::any_of(labels_, [&](const Label& other) {
            return place.adjusted(-kBetweenLabels, 0, kBetweenLabels, 0).intersects(other.place);
        });
        if (covers) {
            return;  // a later dot is always named first
        }
        labels_.push_back({place, words});
    }
}

std::size_t LateDots::indexOf(RankPosition rank) const {
    return static_cast<std::size_t>(std::ranges::find(ranks_, rank, &LateRank::rank) - ranks_.begin());
}

QString LateDots::labelOf(const LateRank& late) const {
    return tr("%1: %2", "a rank, how late it is")
        .arg(rankName(*run_->run, late.rank), unbroken(duration(late.late_ns)));
}

QPointF LateDots::placeOf(RankPosition rank) const {
    const std::size_t index = indexOf(rank);
    return index < places_.size() ? places_[index] : QPointF();
}

QStringList LateDots::labels() const {
    QStringList all;
    for (const Label& label : labels_) {
        all << label.words;
    }
    return all;
}

std::optional<RankPosition> LateDots::cellAt(const QPointF& at) const {
    std::optional<RankPosition> nearest;
    double within = radius() + kNearDot;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const QPointF off = places_[i] - at;
        if (const double distance = std::hypot(off.x(), off.y()); distance <= within) {
            within = distance;
            nearest = ranks_[i].rank;
        }
    }
    return nearest;
}

QString LateDots::tipOf(const RankPosition& rank) const {
    const std::size_t index = indexOf(rank);
    return index < ranks_.size() ? lateRankText(*run_, ranks_[index]) : QString();
}

QString LateDots::spokenContent() const {
    QStringList sentences;
    if (current()) {
        sentences << tr("Selected: %1").arg(tipOf(*current()).replace(QLatin1Char('\n'), QStringLiteral("; ")));
    }
    QStringList late;
    for (std::size_t i = 0; i < ranks_.size() && ranks_[i].stands_out && late.size() < kMostNamed; ++i) {
        late << labelOf(ranks_[i]);
    }
    sentences << (late.isEmpty() ? tr("No rank is late by 1 % of a step.")
                                 : tr("The latest: %1.").arg(late.join(QStringLiteral(", "))));
    return sentences.join(QLatin1Char('\n'));
}

std::size_t LateDots::spokenParts() const {
    return std::min(ranks_.size(), kMostSpoken);
}

SpokenPart LateDots::spokenPart(std::size_t index) const {
    const LateRank& late = ranks_[index];
    const double r = radius();
    const QPointF middle = places_[index];
    return {.name = labelOf(late),
            .about = lateRankText(*run_, late),
            .place = QRectF(middle.x() - r, middle.y() - r, 2 * r, 2 * r).toAlignedRect(),
            .chosen = current() == late.rank,
            .unfolded = {}};
}

void LateDots::draw(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const double r = radius();
    const double line = height() - kNearDot - r;
    painter.setPen(QPen(theme().border, 2));
    painter.drawLine(QPointF(1, line), QPointF(width() - 1, line));
    for (std::size_t i = places_.size(); i-- > 0;) {
        painter.setPen(QPen(theme().surface, 1));
        painter.setBrush(ranks_[i].stands_out ? theme().straggler : theme().text_dim);
        painter.drawEllipse(places_[i], r, r);
    }
    painter.setFont(font(kLabelText));
    painter.setPen(theme().text);
    for (const Label& label : labels_) {
        painter.drawText(label.place, Qt::AlignLeft | Qt::AlignVCenter, label.words);
    }
}

void LateDots::drawOver(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    if (pointed()) {
        painter.setPen(QPen(theme().text, 1));
        painter.drawEllipse(placeOf(*pointed()), radius() + 1, radius() + 1);
    }
    if (hasFocus() && current()) {
        painter.setPen(QPen(theme().accent, 2));
        painter.drawEllipse(placeOf(*current()), radius() + 1, radius() + 1);
    } else if (hasFocus()) {
        painter.setPen(theme().accent);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
}

// Keys start at the latest rank, and move along the line as it is drawn.
std::optional<RankPosition> LateDots::next(int key) const {
    const std::size_t now = current() ? indexOf(*current()) : ranks_.size();
    if (key == Qt::Key_End || (now == ranks_.size() && key != Qt::Key_Home)) {
        return ranks_.front().rank;
    }
    if (key == Qt::Key_Home) {
        return ranks_.back().rank;
    }
    const bool later = key == Qt::Key_Right || key == Qt::Key_Up;
    if (later ? now == 0 : now + 1 == ranks_.size()) {
        return std::nullopt;
    }
    return ranks_[later ? now - 1 : now + 1].rank;
}

bool LateDots::leads(const RankPosition& rank) const {
    return markOfLatestStep(run_->facts, rank).valid();
}

std::optional<QPoint> LateDots::tipOfKeys(const RankPosition& rank) const {
    return (placeOf(rank) + QPointF(0, radius())).toPoint();
}

}  // namespace rankscope::ui
