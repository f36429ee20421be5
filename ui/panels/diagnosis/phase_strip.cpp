// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/phase_strip.h"

#include <QFontMetrics>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/analysis/steps/phase_statistics.h"
#include "core/base/format.h"
#include "core/report/words/summary.h"
#include "ui/panels/diagnosis/step_places.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

constexpr int kStripHeight = 18;           // logical pixels, beside text of the usual size
constexpr int kStripText = 11;             // pixels
constexpr int kAroundStripText = 10;       // pixels, at least as many as the bar needs
constexpr double kStripCorner = 3.0;       // same as the bar
constexpr int kBackwardShade = 125;        // percent: phases of compute are shades of its colour
constexpr int kOptimizerShade = 160;       // percent
constexpr double kWholeStrip = 1'000'000;  // a bar has whole numbers

/// In the order in which they follow each other in a step.
constexpr std::array kInOrder = {Phase::Data,      Phase::Forward,       Phase::Backward,
                                 Phase::Optimizer, Phase::Communication, Phase::Other};

QColor phaseColour(Phase phase, const Theme& theme) {
    const QColor compute = colourOf(Swatch::Compute, theme);
    switch (phase) {
        case Phase::Data: return causeColour(Cause::DataLoader, theme);
        case Phase::Forward: return compute;
        case Phase::Backward: return compute.darker(kBackwardShade);
        case Phase::Optimizer: return compute.darker(kOptimizerShade);
        case Phase::Communication: return colourOf(Swatch::Communication, theme);
        case Phase::Other: return causeColour(Cause::Queued, theme);
    }
    return theme.text_dim;
}

/// The times and shares of a row of report::phaseTable(), one line each for CPU and GPU.
QString phaseTip(const report::Table& table, const std::vector<std::string>& row) {
    QStringList lines = {coreText(row[0])};
    for (std::size_t i = 1; i + 1 < std::min(row.size(), table.header.size()); i += 2) {
        lines << PhaseStrip::tr("%1: %2, %3 %4", "GPU, median rank: a time, a share, of what")
                     .arg(coreText(table.header[i]), text(row[i]), text(row[i + 1]), coreText(table.header[i + 1]));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

PhaseStrip::PhaseStrip(std::shared_ptr<const AnalysedRun> run, const Theme& theme, QWidget* parent)
    : PaintedCells(theme, parent), run_(std::move(run)) {
    setAccessibleName(tr("Phases of a step"));
    constexpr std::size_t kColumnsOfHost = 3;
    const report::Table table = report::phaseTable(*run_);
    of_device_ = table.header.size() > kColumnsOfHost;
    for (const Phase phase : kInOrder) {
        const auto row =
            std::ranges::find_if(table.rows, [&](const auto& cells) { return cells[0] == phaseName(phase); });
        if (row == table.rows.end()) {
            continue;
        }
        const auto statistics = phaseStatisticsOverRanks(run_->facts.ranks, phase);
        const double share = of_device_ ? statistics->device_share : statistics->host_share;
        if (share > 0) {
            phases_.push_back({phase, share, coreText((*row)[0]), unbroken(text(formatPercent(share))),
                               phaseTip(table, *row), placeOfPhase(*run_, phase).has_value()});
        }
    }
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    layOut();
}

QSize PhaseStrip::sizeHint() const {
    return {120, scaled(kStripHeight, theme())};
}

double PhaseStrip::sumOfShares() const {
    return std::accumulate(phases_.begin(), phases_.end(), 0.0,
                           [](double sum, const Shown& shown) { return sum + shown.share; });
}

bool PhaseStrip::overlap() const {
    constexpr double kRounding = 0.005;  // half a percent, as shares are shown
    return sumOfShares() > 1 + kRounding;
}

// Each part shows as much text as fits: the name and the share, the name, or nothing.
void PhaseStrip::layOut() {
    setFixedHeight(sizeHint().height());
    const double all = sumOfShares();
    const double whole = std::max(1.0, all);
    const QFontMetrics metrics(font(kStripText));
    parts_.clear();
    for (const Shown& shown : phases_) {
        const double room = shown.share / whole * width() - kAroundStripText;
        const QString both = tr("%1 %2", "a phase, its share").arg(shown.name, shown.share_text);
        const QString words = metrics.horizontalAdvance(both) <= room         ? both
                              : metrics.horizontalAdvance(shown.name) <= room ? shown.name
                                                                              : QString();
        parts_.push_back({static_cast<DurationNs>(std::llround(shown.share * kWholeStrip)),
                          phaseColour(shown.phase, theme()), words, false});
    }
    parts_.push_back({static_cast<DurationNs>(std::llround((whole - all) * kWholeStrip)), theme().raised, {}, false});
    redraw();
}

const PhaseStrip::Shown* PhaseStrip::find(Phase phase) const {
    const auto at = std::ranges::find(phases_, phase, &Shown::phase);
    return at == phases_.end() ? nullptr : &*at;
}

QRectF PhaseStrip::placeOf(Phase phase) const {
    const Shown* const shown = find(phase);
    return shown == nullptr ? QRectF()
                            : placesOfParts(rect(), parts_)[static_cast<std::size_t>(shown - phases_.data())];
}

std::optional<Phase> PhaseStrip::cellAt(const QPointF& at) const {
    const std::vector<QRectF> places = placesOfParts(rect(), parts_);
    for (std::size_t i = phases_.size(); i-- > 0;) {  // a narrow part is drawn over the end of the one before it
        if (places[i].contains(at)) {
            return phases_[i].phase;
        }
    }
    return std::nullopt;
}

QString PhaseStrip::tipOf(const Phase& phase) const {
    const Shown* const shown = find(phase);
    return shown == nullptr ? QString() : shown->tip;
}

QString PhaseStrip::spokenContent() const {
    QStringList sentences;
    if (current()) {
        sentences << tr("Selected: %1").arg(tipOf(*current()).replace(QLatin1Char('\n'), QStringLiteral("; ")));
    }
    QStringList listed;
    for (const Shown& shown : phases_) {
        listed << tr("%1 %2", "a phase, its share").arg(shown.name, shown.share_text);
    }
    sentences
        << (of_device_ ? tr("GPU: %1.", "phases") : tr("CPU: %1.", "phases")).arg(listed.join(QStringLiteral(", ")));
    return sentences.join(QLatin1Char('\n'));
}

SpokenPart PhaseStrip::spokenPart(std::size_t index) const {
    const Shown& shown = phases_[index];
    return {.name = tr("%1 %2", "a phase, its share").arg(shown.name, shown.share_text),
            .about = shown.tip,
            .place = placeOf(shown.phase).toAlignedRect(),
            .chosen = current() == shown.phase,
            .unfolded = {}};
}

void PhaseStrip::draw(QPainter& painter) const {
    painter.setFont(font(kStripText));
    paintStackedBar(painter, rect(), parts_, theme().surface);
}

void PhaseStrip::drawOver(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto outline = [&](const QRectF& place, const QColor& colour) {
        painter.setPen(QPen(colour, 2));
        painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), kStripCorner, kStripCorner);
    };
    if (pointed() && leads(*pointed())) {
        outline(placeOf(*pointed()), theme().text_dim);
    }
    if (hasFocus()) {
        outline(current() ? placeOf(*current()) : QRectF(rect()), current() ? theme().text : theme().accent);
    }
}

std::optional<Phase> PhaseStrip::next(int key) const {
    const Shown* const now = current() ? find(*current()) : nullptr;
    if (key == Qt::Key_Home || (now == nullptr && key != Qt::Key_End)) {
        return phases_.front().phase;
    }
    const bool back = key == Qt::Key_Left || key == Qt::Key_Up;
    const std::ptrdiff_t last = std::ssize(phases_) - 1;
    const std::ptrdiff_t to = key == Qt::Key_End ? last : now - phases_.data() + (back ? -1 : 1);
    return to < 0 || to > last ? std::nullopt : std::optional(phases_[static_cast<std::size_t>(to)].phase);
}

void PhaseStrip::activate(const Phase& phase) {
    if (const auto place = placeOfPhase(*run_, phase)) {
        Q_EMIT spanAsked(place->rank, place->span);
    }
}

bool PhaseStrip::leads(const Phase& phase) const {
    const Shown* const shown = find(phase);
    return shown != nullptr && shown->leads;
}

QRect PhaseStrip::tipPlace(const QPointF& at) const {
    const auto phase = cellAt(at);
    return phase ? placeOf(*phase).toAlignedRect() : QRect();
}

std::optional<QPoint> PhaseStrip::tipOfKeys(const Phase& phase) const {
    return placeOf(phase).bottomLeft().toPoint();
}

}  // namespace rankscope::ui
