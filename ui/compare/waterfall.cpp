// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/waterfall.h"

#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {

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
                            {{"title", "Of mean step", Unit::Text},
                             {"a_ns", "A", Unit::Duration},
                             {"b_ns", "B", Unit::Duration},
                             {"difference_ns", "B − A", Unit::SignedDuration},
                             {"way", "From A to B", Unit::Text}},
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

std::vector<WaterfallBar> waterfallBars(const std::vector<WaterfallRow>& rows, const Theme& theme) {
    std::vector<WaterfallBar> bars;
    for (const WaterfallRow& row : rows) {
        bars.push_back({row.from_ns, row.to_ns, !row.part, row.part ? partColour(*row.part, theme) : theme.text_dim});
    }
    return bars;
}

}  // namespace rankscope::ui
