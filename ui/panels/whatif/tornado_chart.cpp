// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whatif/tornado_chart.h"

#include <QFontMetrics>
#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

constexpr int kRow = 22;             // pixels, beside text of the usual size
constexpr int kText = 13;            // pixels
constexpr double kAroundBar = 5;     // pixels above and below a bar
constexpr double kBesideBar = 10;    // pixels between a title, its bar and its number
constexpr int kWide = 480;           // pixels: a narrower chart has no shares of the step
constexpr double kMostTitles = 0.5;  // of the width
constexpr double kWhisker = 3;       // pixels
constexpr double kMark = 3;          // pixels: the width of the mark of a change that is made

bool isNothing(const SingleChange& change) {
    constexpr double kNothing = 0.0005;  // of a step
    return std::abs(static_cast<double>(change.saved_ns)) < kNothing * static_cast<double>(change.step_ns);
}

QString shareWords(const SingleChange& change) {
    const double of_step =
        static_cast<double>(std::abs(change.saved_ns)) / static_cast<double>(std::max<DurationNs>(1, change.step_ns));
    return text(formatPercent(of_step));
}

}  // namespace

SingleChange singleChange(const std::string& text, const QString& title, const Forecast& forecast) {
    return {.text = text,
            .title = title,
            .step_ns = forecast.step_ns,
            .saved_ns = forecast.step_ns - forecast.forecast_ns,
            .low_ns = forecast.step_ns - forecast.high_ns,
            .high_ns = forecast.step_ns - forecast.low_ns,
            .at_most = forecast.at_most};
}

QString savedWords(const SingleChange& change) {
    if (isNothing(change)) {
        return QObject::tr("changes nothing", "a change");
    }
    const QString time = duration(std::abs(change.saved_ns));
    return (change.saved_ns < 0 ? QObject::tr("costs %1 (%2)")
            : change.at_most    ? QObject::tr("saves up to %1 (%2)")
                                : QObject::tr("saves %1 (%2)"))
        .arg(time, shareWords(change));
}

TornadoChart::TornadoChart(const Theme& theme, QWidget* parent) : PaintedCells(theme, parent) {
    setAccessibleName(tr("Single changes, the largest saving first"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
}

void TornadoChart::setChanges(std::vector<SingleChange> changes) {
    std::ranges::stable_sort(changes, std::ranges::greater(), &SingleChange::saved_ns);
    if (changes == changes_) {
        return;
    }
    const auto current_text = current() ? std::optional(changes_[*current()].text) : std::nullopt;
    changes_ = std::move(changes);
    forgetCurrent();
    const auto same = std::ranges::find_if(changes_, [&](const auto& each) { return each.text == current_text; });
    if (same != changes_.end()) {
        goTo(static_cast<std::size_t>(same - changes_.begin()));
    }
    layOut();
    updateGeometry();
    tellContentChanged(*this);
}

void TornadoChart::setMade(std::vector<std::string> texts) {
    made_ = std::move(texts);
    redraw();
    tellContentChanged(*this);
}

bool TornadoChart::isMade(std::size_t row) const {
    return std::ranges::find(made_, changes_[row].text) != made_.end();
}

QSize TornadoChart::sizeHint() const {
    return {240, static_cast<int>(changes_.size()) * scaled(kRow, theme())};
}

QString TornadoChart::numberOf(const SingleChange& change) const {
    if (isNothing(change)) {
        return tr("nothing", "what a change saves");
    }
    QString number = duration(std::abs(change.saved_ns));
    if (width() >= scaled(kWide, theme())) {
        number = tr("%1 (%2)", "a time, its share of a step").arg(number, shareWords(change));
    }
    return change.saved_ns < 0 ? tr("+%1", "what a change costs").arg(number)
           : change.at_most    ? tr("up to %1", "what a change saves").arg(number)
                               : number;
}

void TornadoChart::layOut() {
    const QFontMetrics metrics(font(kText));
    titles_ = numbers_ = 0;
    from_ns_ = to_ns_ = 0;
    for (const SingleChange& change : changes_) {
        titles_ = std::max<double>(titles_, metrics.horizontalAdvance(change.title));
        numbers_ = std::max<double>(numbers_, metrics.horizontalAdvance(numberOf(change)));
        from_ns_ = std::min({from_ns_, change.low_ns, change.saved_ns});
        to_ns_ = std::max({to_ns_, change.high_ns, change.saved_ns});
    }
    to_ns_ = std::max(to_ns_, from_ns_ + 1);
    titles_ = std::min(titles_ + 1, width() * kMostTitles);
    redraw();
}

QRectF TornadoChart::rowPlace(std::size_t row) const {
    const int high = scaled(kRow, theme());
    return {0, static_cast<double>(row) * high, static_cast<double>(width()), static_cast<double>(high)};
}

double TornadoChart::xOf(DurationNs saved_ns) const {
    const double left = 2 * kMark + titles_ + kBesideBar + kWhisker;
    const double right = std::max(left, width() - numbers_ - kBesideBar - kWhisker - 1);
    return left + (right - left) * static_cast<double>(saved_ns - from_ns_) / static_cast<double>(to_ns_ - from_ns_);
}

QRectF TornadoChart::barOf(std::size_t row) const {
    const double zero = xOf(0);
    const double end = xOf(changes_[row].saved_ns);
    const QRectF place = rowPlace(row);
    return {QPointF(std::min(zero, end), place.top() + kAroundBar),
            QPointF(std::max(zero, end), place.bottom() - kAroundBar)};
}

std::optional<std::size_t> TornadoChart::cellAt(const QPointF& at) const {
    const auto row = static_cast<std::ptrdiff_t>(at.y() / scaled(kRow, theme()));
    const bool inside = at.y() >= 0 && at.x() >= 0 && at.x() < width() && row < std::ssize(changes_);
    return inside ? std::optional(static_cast<std::size_t>(row)) : std::nullopt;
}

QString TornadoChart::tipOf(const std::size_t& row) const {
    const SingleChange& change = changes_[row];
    return QStringList({tr("%1: %2", "a change, what it saves").arg(change.title, savedWords(change)),
                        tr("The step then takes %1 to %2 (90 %)")
                            .arg(duration(change.step_ns - change.high_ns), duration(change.step_ns - change.low_ns)),
                        isMade(row) ? tr("Click to take the change back") : tr("Click to make the change")})
        .join(QLatin1Char('\n'));
}

QString TornadoChart::spokenContent() const {
    if (current()) {
        return tr("Selected: %1").arg(tipOf(*current()).replace(QLatin1Char('\n'), QStringLiteral("; ")));
    }
    return changes_.empty() ? QString()
                            : tr("The largest: %1 %2.", "a change, what it saves")
                                  .arg(changes_.front().title, savedWords(changes_.front()));
}

SpokenPart TornadoChart::spokenPart(std::size_t index) const {
    return {.name = changes_[index].title,
            .about = savedWords(changes_[index]),
            .place = rowPlace(index).toAlignedRect(),
            .chosen = isMade(index),
            .unfolded = {}};
}

void TornadoChart::drawRow(QPainter& painter, std::size_t row) const {
    const SingleChange& change = changes_[row];
    const QRectF place = rowPlace(row);
    if (isMade(row)) {
        painter.fillRect(place, theme().raised);
        painter.fillRect(QRectF(0, place.top() + 2, kMark, place.height() - 4), theme().accent);
    }
    const QFontMetrics metrics(font(kText));
    painter.setPen(theme().text);
    painter.drawText(QRectF(2 * kMark, place.top(), titles_, place.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(change.title, Qt::ElideRight, static_cast<int>(titles_)));
    painter.setPen(isNothing(change) ? theme().text_dim : theme().text);
    painter.drawText(QRectF(width() - numbers_ - 1, place.top(), numbers_ + 1, place.height()),
                     Qt::AlignRight | Qt::AlignVCenter, numberOf(change));
    painter.fillRect(barOf(row), change.saved_ns < 0 ? theme().severity_high : theme().accent);
    const double middle = place.center().y();
    painter.setPen(QPen(theme().text, 1));
    const double low = xOf(change.low_ns);
    const double high = xOf(change.high_ns);
    painter.drawLine(QPointF(low, middle), QPointF(high, middle));
    for (const double end : {low, high}) {
        painter.drawLine(QPointF(end, middle - kWhisker), QPointF(end, middle + kWhisker));
    }
}

void TornadoChart::draw(QPainter& painter) const {
    painter.setFont(font(kText));
    for (std::size_t row = 0; row < changes_.size(); ++row) {
        drawRow(painter, row);
    }
    painter.setPen(QPen(theme().text_dim, 1));
    painter.drawLine(QPointF(xOf(0), 0), QPointF(xOf(0), sizeHint().height()));
}

void TornadoChart::drawOver(QPainter& painter) const {
    if (pointed() && *pointed() < changes_.size()) {
        painter.setPen(QPen(theme().border, 1));
        painter.drawRect(rowPlace(*pointed()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1));
        const QRectF around = current() ? rowPlace(*current()) : QRectF(rect());
        painter.drawRect(around.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

std::optional<std::size_t> TornadoChart::next(int key) const {
    const std::size_t last = changes_.size() - 1;
    if (key == Qt::Key_Home || (!current() && key != Qt::Key_End)) {
        return 0;
    }
    if (key == Qt::Key_End) {
        return last;
    }
    if (key == Qt::Key_Up) {
        return *current() == 0 ? std::nullopt : std::optional(*current() - 1);
    }
    return key == Qt::Key_Down && *current() < last ? std::optional(*current() + 1) : std::nullopt;
}

void TornadoChart::activate(const std::size_t& row) {
    Q_EMIT changeAsked(changes_[row].text);
}

void TornadoChart::goTo(const std::size_t& row) {
    PaintedCells::goTo(row);
    Q_EMIT rowReached(rowPlace(row).toAlignedRect());
}

}  // namespace rankscope::ui
