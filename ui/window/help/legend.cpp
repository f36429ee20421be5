// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/page_texts.h"

#include <QObject>
#include <array>
#include <optional>
#include <vector>

#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"
#include "ui/theme/slice_colors.h"
#include "ui/theme/swatches.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

constexpr int kNamesWidth = 180;  // pixels, beside text of the usual size

struct LegendEntry {
    QColor colour;
    QString what;
    QString about;
};

QString legendSection(const QString& title, const std::vector<LegendEntry>& entries, const Theme& theme) {
    QString html = QStringLiteral("<h3>%1</h3><table cellspacing=\"0\">").arg(title.toHtmlEscaped());
    for (const LegendEntry& entry : entries) {
        html += QStringLiteral(
                    "<tr><td bgcolor=\"%1\" width=\"28\">&nbsp;</td><td width=\"%5\" style=\"padding:4px "
                    "12px\"><b>%2</b></td>"
                    "<td style=\"padding:4px 0; color:%3\">%4</td></tr>")
                    .arg(entry.colour.name(), entry.what.toHtmlEscaped(), theme.text_dim.name(),
                         entry.about.toHtmlEscaped(), QString::number(scaled(kNamesWidth, theme)));
    }
    return html + QStringLiteral("</table>");
}

std::vector<LegendEntry> sliceColours(const Theme& theme) {
    const auto hue = [&theme](Hue of) { return QColor::fromRgb(SliceColors::of(theme).middle(of)); };
    return {
        {hue(Hue::Compute), QObject::tr("Compute"),
         QObject::tr("kernels; each name has one shade on all ranks and runs")},
        {hue(Hue::Communication), QObject::tr("Communication"), QObject::tr("collectives and transfers between ranks")},
        {hue(Hue::Copy), QObject::tr("Copies"), QObject::tr("copies and memsets")},
        {hue(Hue::Operator), QObject::tr("Operators"), QObject::tr("of PyTorch, on CPU threads")},
        {hue(Hue::Runtime), QObject::tr("Runtime calls"),
         QObject::tr("of CUDA or ROCm: launches, copies, allocations")},
        {hue(Hue::Sync), QObject::tr("Waits"), QObject::tr("CPU calls that wait for the GPU")},
        {hue(Hue::Annotation), QObject::tr("Ranges"), QObject::tr("steps, and ranges that the code marks")},
        {hue(Hue::Python), QObject::tr("Python"), QObject::tr("functions, where stacks were recorded")}};
}

std::vector<LegendEntry> overlayColours(const Theme& theme) {
    return {
        {theme.gap, QObject::tr("Gap"), QObject::tr("hatched: the GPU is idle and waits for the CPU")},
        {theme.overlap, QObject::tr("Overlap"), QObject::tr("communication under compute: it costs no time")},
        {theme.exposed, QObject::tr("Exposed communication"), QObject::tr("communication while nothing computes")},
        {theme.straggler, QObject::tr("Late rank"),
         QObject::tr("a line over the time in which a rank delays the others")},
        {theme.severity_high, QObject::tr("Places of a finding"),
         QObject::tr("a bar under the step, and outlines of what it blocks and of its evidence, in the colour of its "
                     "severity")},
        {theme.path, QObject::tr("Critical path"),
         QObject::tr(
             "P shows it: a line through what the end of a step waited for, on any rank. Dashed: the GPU is idle. "
             "Upright: the path moves to another rank")},
        {QColor::fromRgb(SliceColors::of(theme).middle(Hue::Annotation)), QObject::tr("Counters"),
         QObject::tr(
             "K shows them: numbers over time, in the colour of what they count; paler up to the maximum of a pixel")},
        {theme.accent, QObject::tr("Selection, links"), QObject::tr("what is selected, and what it is linked to")}};
}

std::vector<LegendEntry> stepColours(const Theme& theme) {
    return {{colourOf(Swatch::Compute, theme), QObject::tr("Compute"),
             QObject::tr("a kernel other than communication runs")},
            {colourOf(Swatch::Communication, theme), QObject::tr("Exposed transfer"),
             QObject::tr("data moves, and nothing computes")},
            {colourOf(Swatch::Waiting, theme), QObject::tr("Exposed waiting"),
             QObject::tr("in a collective, for a rank that arrives later")},
            {colourOf(Swatch::Unsplit, theme), QObject::tr("Exposed, not divided"),
             QObject::tr("communication with an unknown share of waiting")},
            {colourOf(Swatch::Copy, theme), QObject::tr("Exposed copy"), QObject::tr("copies, and nothing else")},
            {colourOf(Swatch::Idle, theme), QObject::tr("Idle"),
             QObject::tr("nothing runs; charts divide it by cause, each in a colour "
                         "of its own")}};
}

std::vector<LegendEntry> roleColours(const Theme& theme) {
    std::vector<LegendEntry> entries;
    const std::array<QString, kRoleCount> about = {
        QObject::tr("each has the whole model, and different data"),
        QObject::tr("the same with parameters, gradients or optimizer state divided"),
        QObject::tr("each has some of the layers"),
        QObject::tr("each has a part of every sequence"),
        QObject::tr("each has a part of every layer"),
        QObject::tr("each has some of the experts"),
        QObject::tr("all ranks")};  // in the order of Role
    for (std::size_t r = 0; r < kRoleCount; ++r) {
        const auto role = static_cast<Role>(r);
        entries.push_back({colourOf(std::optional(role), theme), roleHeading(role), about.at(r)});
    }
    return entries;
}

std::vector<LegendEntry> gridColours(const Theme& theme) {
    return {{theme.gap, QObject::tr("Cell, grey to red"),
             QObject::tr("low to high values, on the scale above the cells; striped: the highest")},
            {theme.border, QObject::tr("Cell, dotted"), QObject::tr("a rank without a trace file")},
            {theme.raised, QObject::tr("Cell, plain"), QObject::tr("the value is unknown for this rank")}};
}

std::vector<LegendEntry> memoryColours(const Theme& theme) {
    const std::array<QString, kMemoryParts> about = {
        QObject::tr("of the model"),
        QObject::tr("made in backward, kept until the optimizer steps"),
        QObject::tr("kept by the optimizer from step to step"),
        QObject::tr("made in forward, kept for backward"),
        QObject::tr("made and freed inside one phase"),
        QObject::tr("there before the window and to its end: parameters, and what stays with them"),
        QObject::tr("its use is not recorded")};  // in the order of MemoryPart
    std::vector<LegendEntry> entries;
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        const auto part = static_cast<MemoryPart>(p);
        entries.push_back({colourOf(part, theme), coreText(memoryPartTitle(part)), about.at(p)});
    }
    entries.push_back({colourOf(FreeMemory::Stuck, theme), QObject::tr("Fragmented"),
                       QObject::tr("striped: free in a segment that is partly in use, so it cannot be returned")});
    entries.push_back({colourOf(FreeMemory::Cache, theme), QObject::tr("Cache, free segments"),
                       QObject::tr("striped: the allocator keeps it for later requests")});
    return entries;
}

std::vector<LegendEntry> overviewColours(const Theme& theme) {
    return {{colourOf(Swatch::Compute, theme), QObject::tr("Upper strip"),
             QObject::tr("the share of time that GPUs compute")},
            {theme.text_dim, QObject::tr("Cell, grey"), QObject::tr("a step of a rank with a low value")},
            {theme.gap, QObject::tr("Cell, amber"),
             QObject::tr("a higher value: lateness, step time, exposed communication, idle or compute")},
            {theme.straggler, QObject::tr("Cell, red"),
             QObject::tr("striped: the highest; a finding or an upper bound says why")}};
}

}  // namespace

QString legendHtml(const Theme& theme) {
    return legendSection(QObject::tr("Slices"), sliceColours(theme), theme) +
           legendSection(QObject::tr("Above the tracks"), overlayColours(theme), theme) +
           legendSection(QObject::tr("Parts of a step"), stepColours(theme), theme) +
           legendSection(QObject::tr("Overview"), overviewColours(theme), theme) +
           legendSection(QObject::tr("Grid map"), gridColours(theme), theme) +
           legendSection(QObject::tr("Roles of process groups"), roleColours(theme), theme) +
           legendSection(QObject::tr("Memory"), memoryColours(theme), theme);
}

}  // namespace rankscope::ui
