// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/waterfall.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/panels/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

constexpr double kZoomBelow = 0.35;  // of the longer step: a way that is shorter is drawn from near its lowest point
constexpr double kBarShare = 0.5;    // of the row
constexpr int kBarMargin = 8;

}  // namespace

std::vector<WaterfallRow> waterfallOf(const Breakdown& breakdown) {
    std::vector<WaterfallRow> rows = {{{}, 0, breakdown.a_step_ns}};
    DurationNs at_ns = breakdown.a_step_ns;
    for (const BreakdownRow& row : breakdown.rows) {
        if (row.a_ns != 0 || row.b_ns != 0) {
            rows.push_back({row, at_ns, at_ns + row.differenceNs()});
            at_ns += row.differenceNs();
        }
    }
    rows.push_back({{}, 0, breakdown.b_step_ns});
    return rows;
}

report::DataTable waterfallTable(const Breakdown& breakdown) {
    using report::Cell;
    using report::Unit;
    report::DataTable table{"waterfall",
                            {{"title", "Of the mean step", Unit::Text},
                             {"a_ns", "A", Unit::Duration},
                             {"b_ns", "B", Unit::Duration},
                             {"difference_ns", "B − A", Unit::SignedDuration},
                             {"way", "The way from A to B", Unit::Text}},
                            {}};
    const std::vector<WaterfallRow> rows = waterfallOf(breakdown);
    for (const WaterfallRow& row : rows) {
        if (row.part) {
            const BreakdownRow& part = *row.part;
            table.rows.push_back({breakdownTitle(part), part.a_ns, part.b_ns, part.differenceNs(), std::string()});
        } else if (&row == &rows.front()) {
            table.rows.push_back({std::string("Step of A"), row.to_ns, Cell(), Cell(), std::string()});
        } else {
            const DurationNs difference = breakdown.b_step_ns - breakdown.a_step_ns;
            table.rows.push_back({std::string("Step of B"), Cell(), row.to_ns, difference, std::string()});
        }
    }
    return table;
}

QColor partColour(const BreakdownRow& row, const Theme& theme) {
    switch (row.part) {
        case StepPart::Compute: return colourOf(Swatch::Compute, theme);
        case StepPart::ExposedTransfer: return colourOf(Swatch::Communication, theme);
        case StepPart::ExposedWait: return colourOf(Swatch::Waiting, theme);
        case StepPart::ExposedUnsplit: return colourOf(Swatch::Unsplit, theme);
        case StepPart::ExposedCopy: return colourOf(Swatch::Copy, theme);
        case StepPart::Idle: return causeColour(row.cause, theme);
    }
    return theme.text_dim;
}

std::vector<BarPart> barOf(const Breakdown& breakdown, bool of_b, const Theme& theme) {
    std::vector<BarPart> parts;
    for (const BreakdownRow& row : breakdown.rows) {
        const DurationNs ns = of_b ? row.b_ns : row.a_ns;
        if (ns > 0) {
            parts.push_back({ns, partColour(row, theme), namedTime(coreText(breakdownTitle(row)), ns),
                             row.part == StepPart::Idle || row.part == StepPart::ExposedWait});
        }
    }
    return parts;
}

void WaterfallDelegate::set(std::vector<WaterfallRow> rows, const Theme& theme) {
    rows_ = std::move(rows);
    theme_ = theme;
    DurationNs low = rows_.empty() ? 0 : rows_.front().to_ns;
    DurationNs high = low + 1;
    for (const WaterfallRow& row : rows_) {
        low = std::min(low, row.to_ns);
        high = std::max(high, row.to_ns);
    }
    const DurationNs range = high - low;
    const bool zoomed = static_cast<double>(range) < kZoomBelow * static_cast<double>(high);
    first_ns_ = zoomed ? std::max<DurationNs>(0, low - range) : 0;
    last_ns_ = high;
}

void WaterfallDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    CellDelegate::paint(painter, option, index);  // the row's background
    const auto at = static_cast<std::size_t>(index.row());
    if (at >= rows_.size()) {
        return;
    }
    const WaterfallRow& row = rows_[at];
    const QRectF area = QRectF(option.rect).adjusted(kBarMargin, 0, -kBarMargin, 0);
    const auto x = [&](DurationNs ns) {
        const double share = static_cast<double>(std::max(ns, first_ns_) - first_ns_) /
                             static_cast<double>(std::max<DurationNs>(1, last_ns_ - first_ns_));
        return area.left() + share * area.width();
    };
    const double from = x(row.part ? row.from_ns : first_ns_);
    const double to = x(row.to_ns);
    const double height = area.height() * kBarShare;
    const QRectF bar(std::min(from, to), area.center().y() - height / 2, std::max(2.0, std::abs(to - from)), height);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(row.part ? partColour(*row.part, theme_) : theme_.text_dim);
    painter->drawRoundedRect(bar, 2, 2);
    if (at + 1 < rows_.size()) {  // carries the eye to the next line
        painter->setPen(theme_.grid);
        painter->drawLine(QPointF(x(row.to_ns), bar.bottom()), QPointF(x(row.to_ns), option.rect.bottom() + 1));
    }
    painter->restore();
}

}  // namespace rankscope::ui
