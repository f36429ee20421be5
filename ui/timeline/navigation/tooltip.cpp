// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/tooltip.h"

#include <QFontMetrics>
#include <QTextLayout>
#include <algorithm>

#include "core/analysis/counters/run_counters.h"
#include "core/base/format.h"
#include "ui/theme/core_text.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame/counter_bars.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/words.h"

namespace rankscope::ui {
namespace {

constexpr int kPadding = 10;
constexpr int kGap = 14;  // between the columns, and from the pointer
// Beside text of the usual size.
constexpr int kTitlePixels = 12;
constexpr int kLinePixels = 11;
constexpr int kMostWidth = 460;
constexpr int kPatch = 8;
constexpr int kPatchRoom = 14;
constexpr std::size_t kMostParts = 5;
constexpr int kMostTitleLines = 3;

QString fromView(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QString length(DurationNs ns) {
    return QString::fromStdString(formatDuration(ns));
}

Tip tipForSlice(const TimelineModel& model, const Hit& hit, const SliceSelection& s, const Theme& theme) {
    const RankView& rank = *model.rank(s.run, s.rank);
    const RankTrace& trace = *rank.trace;
    const TimeSpan span = rank.toAxis(trace.span(s.slice));
    const SliceColors& colors = SliceColors::of(theme);
    Tip tip;
    const std::string_view name = trace.name(s.slice);
    tip.swatch = QColor::fromRgb(colors.fill(rank.hue(s.slice), shadeOf(name)));
    if (hit.count > 1) {
        tip.title = Timeline::tr("%1 slices").arg(QString::fromStdString(formatCount(hit.count)));
        tip.lines.push_back({Timeline::tr("longest"), shownName(name)});
        tip.lines.push_back({Timeline::tr("its duration"), length(span.length())});
    } else {
        tip.title = shownName(name);
        tip.lines.push_back({Timeline::tr("duration"), length(span.length())});
        tip.lines.push_back({Timeline::tr("start"), length(span.start_ns)});
    }
    const WorkClass work = rank.workClass(s.slice);
    QString kind = fromView(categoryName(trace.category(s.slice)));
    if (work != WorkClass::None) {
        kind += QStringLiteral(" \u00b7 ") + coreText(workClassName(work));
    }
    tip.lines.push_back({Timeline::tr("kind"), kind});
    tip.lines.push_back({Timeline::tr("on"), rankInPlace(model.runs()[s.run], s.rank) + QStringLiteral(" \u00b7 ") +
                                                 shownName(trace.track(s.slice).name)});
    return tip;
}

Tip tipForGap(const TimelineModel& model, const Hit& hit, const GapSelection& s, const Theme& theme) {
    const Gap* gap = model.gap(s);
    if (gap == nullptr) {
        return {};
    }
    Tip tip;
    tip.swatch = theme.gap;
    tip.title = Timeline::tr("GPU idle for %1").arg(length(gap->span.length()));
    if (hit.count > 1) {
        tip.title = Timeline::tr("%1 gaps; the longest: GPU idle for %2")
                        .arg(QString::fromStdString(formatCount(hit.count)), length(gap->span.length()));
    }
    std::vector<const GapPart*> parts;
    for (const GapPart& part : gap->parts) {
        parts.push_back(&part);
    }
    std::ranges::stable_sort(parts, std::ranges::greater(), [](const GapPart* p) { return p->span.length(); });
    for (std::size_t i = 0; i < std::min(parts.size(), kMostParts); ++i) {
        const GapPart& part = *parts[i];
        QString value = length(part.span.length());
        if (!part.label.empty()) {
            value += QStringLiteral("  ") + fromView(part.label);
        }
        tip.lines.push_back({coreText(causeTitle(part.cause)), value});
    }
    if (parts.size() > kMostParts) {
        tip.lines.push_back({QStringLiteral("\u2026"), Timeline::tr("%1 more parts").arg(parts.size() - kMostParts)});
    }
    tip.lines.push_back({Timeline::tr("on"), rankInPlace(model.runs()[s.run], s.rank)});
    return tip;
}

Tip tipForBand(const TimelineModel& model, const Hit& hit, const BandSelection& s, const Theme& theme) {
    const bool overlap = s.kind == BandKind::Overlap;
    const QString long_text = length(model.band(s).length());
    Tip tip;
    tip.swatch = overlap ? theme.overlap : theme.exposed;
    if (hit.count > 1) {
        tip.title = (overlap ? Timeline::tr("%1 parts of communication under compute")
                             : Timeline::tr("%1 parts of exposed communication"))
                        .arg(QString::fromStdString(formatCount(hit.count)));
        tip.lines.push_back({Timeline::tr("the longest"), long_text});
    } else {
        tip.title = overlap ? Timeline::tr("Communication under compute") : Timeline::tr("Exposed communication");
        tip.lines.push_back({Timeline::tr("duration"), long_text});
    }
    tip.lines.push_back({Timeline::tr("on"), rankInPlace(model.runs()[s.run], s.rank)});
    return tip;
}

Tip tipForStraggler(const TimelineModel& model, const Hit& hit, const StragglerSelection& s, const Theme& theme) {
    const LateWindow* late = model.late(s);
    if (late == nullptr) {
        return {};
    }
    const RankView& rank = *model.rank(s.run, s.rank);
    const Finding& finding = model.runs()[s.run].run->diagnosis.findings[s.finding];
    Tip tip;
    tip.swatch = theme.straggler;
    tip.title = Timeline::tr("%1 is late here, and others wait").arg(rankTitle(*rank.trace, s.rank));
    if (hit.count > 1) {
        tip.title = Timeline::tr("%1 is late %2 times here").arg(rankTitle(*rank.trace, s.rank)).arg(hit.count);
    }
    tip.lines.push_back({Timeline::tr("its segment time"), length(late->span.length())});
    tip.lines.push_back({Timeline::tr("step"), QString::number(late->step)});
    tip.lines.push_back({Timeline::tr("because of"), coreText(findingCauseName(finding.cause))});
    return tip;
}

/// How many ranks of a host are running; and one that is not, with what it was interrupted in.
Tip tipForRunning(const TimelineModel& model, const Hit& hit, const Theme& theme) {
    const HitRunning& at = *hit.running;
    Tip tip;
    tip.swatch = at.running.low < at.ranks ? theme.gap : theme.accent;
    const QString running =
        at.running.low == at.running.high
            ? QString::number(at.running.low)
            : Timeline::tr("%1 to %2").arg(QString::number(at.running.low), QString::number(at.running.high));
    tip.title = Timeline::tr("%1 of %2 ranks running").arg(running, QString::number(at.ranks));
    const auto* slice = std::get_if<SliceSelection>(&hit.what);
    const RankView* rank = slice != nullptr ? model.rank(slice->run, slice->rank) : nullptr;
    if (rank != nullptr) {
        tip.lines.push_back({Timeline::tr("not running"), rankTitle(*rank->trace, slice->rank)});
        tip.lines.push_back({Timeline::tr("in"), shownName(rank->trace->name(slice->slice))});
    }
    const RunView& run = model.runs()[at.run];
    if (run.index != nullptr && at.host < run.index->hosts.size() && !run.index->hosts[at.host].host.empty()) {
        tip.lines.push_back({Timeline::tr("on"), shownName(run.index->hosts[at.host].host)});
    }
    return tip;
}

/// The value of a counter, with the slice that contributes to it.
Tip tipForCounter(const TimelineModel& model, const Hit& hit, const Theme& theme) {
    const HitCounter& at = *hit.counter;
    const CounterPlace place = countersAt(model, at.run, at.rank);
    if (place.index == nullptr || at.counter >= place.index->series.size()) {
        return {};
    }
    const CounterSeries& series = place.index->series[at.counter];
    const auto value = [&](std::uint64_t number) { return QString::fromStdString(formatCounter(series.kind, number)); };
    const QString range = at.value.low == at.value.high
                              ? value(at.value.low)
                              : Timeline::tr("%1 to %2").arg(value(at.value.low), value(at.value.high));
    Tip tip;
    tip.swatch = theme.text_dim;
    tip.title = Timeline::tr("%1: %2").arg(coreText(counterTitle(series.kind)), range);
    const auto* slice = std::get_if<SliceSelection>(&hit.what);
    if (slice != nullptr) {
        const RankView* const rank = model.rank(slice->run, slice->rank);
        tip.swatch = QColor::fromRgb(SliceColors::of(theme).middle(rank->hue(slice->slice)));
        tip.lines.push_back({series.kind == CounterKind::LaunchQueue    ? Timeline::tr("next to start")
                             : series.kind == CounterKind::ExposedShare ? Timeline::tr("longest")
                                                                        : Timeline::tr("runs"),
                             shownName(rank->trace->name(slice->slice))});
    }
    if (const RankView* const rank = slice != nullptr ? model.rank(slice->run, slice->rank)
                                     : at.rank        ? model.rank(at.run, *at.rank)
                                                      : nullptr) {
        tip.lines.push_back({Timeline::tr("on"), rankTitle(*rank->trace, slice != nullptr ? slice->rank : *at.rank)});
    }
    if (!at.rank) {
        const QString ranks = QString::number(model.runs()[at.run].ranks.size());
        const bool mean = runCounterBy(series.kind) == RunCounterBy::Mean;
        tip.lines.push_back(
            {mean ? Timeline::tr("mean of") : Timeline::tr("sum of"), Timeline::tr("%1 ranks").arg(ranks)});
    }
    return tip;
}

QFont sized(const Theme& theme, int pixels, QFont::Weight weight) {
    QFont font = theme.ui_font;
    font.setPixelSize(scaled(pixels, theme));
    font.setWeight(weight);
    return font;
}

// Breaks anywhere: names of kernels have no spaces. They may have thousands of letters; only the letters that may fit
// are shaped.
QString wrapped(const QString& title, const QFont& font, int width) {
    constexpr qsizetype kMostLetters = 600;
    const QString shaped = title.left(kMostLetters);
    QTextLayout layout(shaped, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAnywhere);
    layout.setTextOption(option);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() + 1 == kMostTitleLines) {
            lines << QFontMetrics(font).elidedText(shaped.mid(line.textStart()), Qt::ElideRight, width);
            break;
        }
        lines << shaped.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

Tip tipFor(const TimelineModel& model, const Hit& hit, const Theme& theme) {
    if (hit.running) {
        return tipForRunning(model, hit, theme);
    }
    if (hit.counter) {
        return tipForCounter(model, hit, theme);
    }
    if (hit.path) {
        return tipForPath(model, hit, theme);
    }
    if (const auto* slice = std::get_if<SliceSelection>(&hit.what)) {
        return tipForSlice(model, hit, *slice, theme);
    }
    if (const auto* gap = std::get_if<GapSelection>(&hit.what)) {
        return tipForGap(model, hit, *gap, theme);
    }
    if (const auto* band = std::get_if<BandSelection>(&hit.what)) {
        return tipForBand(model, hit, *band, theme);
    }
    if (const auto* late = std::get_if<StragglerSelection>(&hit.what)) {
        return tipForStraggler(model, hit, *late, theme);
    }
    return {};
}

QStringList wordsOf(const TimelineModel& model, const Selection& selection, const Theme& theme) {
    if (selection.index() == 0 || !model.holds(selection)) {
        return {};
    }
    Hit hit;
    hit.what = selection;
    hit.count = 1;
    const Tip tip = tipFor(model, hit, theme);
    const auto* slice = std::get_if<SliceSelection>(&selection);
    QStringList words{slice != nullptr ? fromView(model.rank(slice->run, slice->rank)->trace->name(slice->slice))
                                       : tip.title};
    for (const Tip::Line& line : tip.lines) {
        words << Timeline::tr("%1: %2").arg(line.label, line.value);
    }
    return words;
}

void paintTip(QPainter& painter, const Tip& tip, const QPoint& pointer, const QRect& bounds, const Theme& theme) {
    if (tip.empty()) {
        return;
    }
    const QFont title_font = sized(theme, kTitlePixels, QFont::DemiBold);
    const QFont line_font = sized(theme, kLinePixels, QFont::Normal);
    const QFontMetrics title_metrics(title_font);
    const QFontMetrics line_metrics(line_font);
    const int swatch = scaled(kPatchRoom, theme);
    const int patch = scaled(kPatch, theme);
    const int most_width = std::min(scaled(kMostWidth, theme), std::max(kMostWidth, bounds.width()));
    const QString title = wrapped(tip.title, title_font, most_width - 2 * kPadding - swatch);
    int label_width = 0;
    for (const Tip::Line& line : tip.lines) {
        label_width = std::max(label_width, line_metrics.horizontalAdvance(line.label));
    }
    const int value_room = most_width - 2 * kPadding - label_width - kGap;
    const QSize title_size = title_metrics.size(0, title);
    int width = title_size.width() + swatch;
    for (const Tip::Line& line : tip.lines) {
        width = std::max(width, label_width + kGap + std::min(value_room, line_metrics.horizontalAdvance(line.value)));
    }
    const int line_height = line_metrics.height() + 3;
    const int height = title_size.height() + 6 + static_cast<int>(tip.lines.size()) * line_height;
    QRect box(pointer + QPoint(kGap, kGap), QSize(width + 2 * kPadding, height + 2 * kPadding));
    if (box.right() > bounds.right()) {
        box.moveRight(std::max(bounds.left() + box.width(), pointer.x() - kGap));
    }
    if (box.bottom() > bounds.bottom()) {
        box.moveBottom(std::max(bounds.top() + box.height(), pointer.y() - kGap));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tip.swatch);
    painter.drawRoundedRect(QRectF(box.left() + kPadding, box.top() + kPadding + scaled(3, theme), patch, patch), 2, 2);
    painter.setFont(title_font);
    painter.setPen(theme.text);
    painter.drawText(QRect(box.topLeft() + QPoint(kPadding + swatch, kPadding), title_size), Qt::AlignLeft, title);
    painter.setFont(line_font);
    int y = box.top() + kPadding + title_size.height() + 6;
    for (const Tip::Line& line : tip.lines) {
        painter.setPen(theme.text_dim);
        painter.drawText(QRect(box.left() + kPadding, y, label_width, line_height), Qt::AlignVCenter, line.label);
        painter.setPen(theme.text);
        painter.drawText(QRect(box.left() + kPadding + label_width + kGap, y, value_room, line_height),
                         Qt::AlignVCenter, line_metrics.elidedText(line.value, Qt::ElideRight, value_room));
        y += line_height;
    }
    painter.restore();
}

}  // namespace rankscope::ui
