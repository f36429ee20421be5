// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/legend.h"

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
         QObject::tr("kernels; a name has its shade, the same on every rank and run")},
        {hue(Hue::Communication), QObject::tr("Communication"), QObject::tr("collectives and transfers between ranks")},
        {hue(Hue::Copy), QObject::tr("Copies"), QObject::tr("copies and memsets")},
        {hue(Hue::Operator), QObject::tr("Operators"), QObject::tr("of PyTorch, on host threads")},
        {hue(Hue::Runtime), QObject::tr("Runtime calls"),
         QObject::tr("of CUDA or ROCm: launches, copies, allocations")},
        {hue(Hue::Sync), QObject::tr("Waits"), QObject::tr("host calls that wait for the device")},
        {hue(Hue::Annotation), QObject::tr("Ranges"), QObject::tr("steps and what the code marks itself")},
        {hue(Hue::Python), QObject::tr("Python"), QObject::tr("functions, where stacks were recorded")}};
}

std::vector<LegendEntry> overlayColours(const Theme& theme) {
    return {
        {theme.gap, QObject::tr("Gap"), QObject::tr("hatched: the device is idle and the host is what it waits for")},
        {theme.overlap, QObject::tr("Overlap"), QObject::tr("communication beside compute: it costs nothing")},
        {theme.exposed, QObject::tr("Exposed communication"), QObject::tr("communication with no compute beside it")},
        {theme.straggler, QObject::tr("Late rank"),
         QObject::tr("a line over the time in which a rank holds the others up")},
        {theme.path, QObject::tr("Critical path"),
         QObject::tr(
             "P shows it: a line through what the end of a step waited for, on whichever rank; dashed where the "
             "device is blocked, and upright where it goes on to another rank")},
        {QColor::fromRgb(SliceColors::of(theme).middle(Hue::Annotation)), QObject::tr("Counters"),
         QObject::tr(
             "K shows them: numbers over time, in the colour of what they count; paler up to the most of a pixel")},
        {theme.accent, QObject::tr("Selection, links"), QObject::tr("what is selected, and what it is tied to")}};
}

std::vector<LegendEntry> stepColours(const Theme& theme) {
    return {{colourOf(Swatch::Compute, theme), QObject::tr("Compute"),
             QObject::tr("a kernel other than communication runs")},
            {colourOf(Swatch::Communication, theme), QObject::tr("Exposed transfer"),
             QObject::tr("data moves, and nothing computes")},
            {colourOf(Swatch::Waiting, theme), QObject::tr("Exposed waiting"),
             QObject::tr("in a collective, for a rank that comes later")},
            {colourOf(Swatch::Unsplit, theme), QObject::tr("Exposed, not divided"),
             QObject::tr("communication of which is not known how "
                         "much is waiting")},
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
        QObject::tr("all ranks, for whatever concerns all")};  // as Role
    for (std::size_t r = 0; r < kRoleCount; ++r) {
        const auto role = static_cast<Role>(r);
        entries.push_back({colourOf(std::optional(role), theme), roleHeading(role), about.at(r)});
    }
    return entries;
}

std::vector<LegendEntry> gridColours(const Theme& theme) {
    return {{theme.gap, QObject::tr("Cell, grey to red"),
             QObject::tr("little to much of what the cells show, on the scale above them; striped: the most of it")},
            {theme.border, QObject::tr("Cell, dotted"), QObject::tr("a rank of the job that no file is of")},
            {theme.raised, QObject::tr("Cell, plain"), QObject::tr("what the cells show is not known of this rank")}};
}

std::vector<LegendEntry> memoryColours(const Theme& theme) {
    const std::array<QString, kMemoryParts> about = {
        QObject::tr("of the model"),
        QObject::tr("made in the backward, until the optimizer steps"),
        QObject::tr("what the optimizer keeps from step to step"),
        QObject::tr("made in the forward and kept for the backward"),
        QObject::tr("made and freed inside one phase"),
        QObject::tr("there before the window and to its end: parameters, and what stays with them"),
        QObject::tr("nothing says what it is for")};  // as MemoryPart
    std::vector<LegendEntry> entries;
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        const auto part = static_cast<MemoryPart>(p);
        entries.push_back({colourOf(part, theme), coreText(memoryPartTitle(part)), about.at(p)});
    }
    entries.push_back(
        {colourOf(FreeMemory::Stuck, theme), QObject::tr("Free beside others"),
         QObject::tr("striped: in a segment of which another part is in use, so it cannot be given back")});
    entries.push_back({colourOf(FreeMemory::Cache, theme), QObject::tr("Cache, free segments"),
                       QObject::tr("striped: the allocator keeps it for what is asked for next")});
    return entries;
}

std::vector<LegendEntry> overviewColours(const Theme& theme) {
    return {
        {colourOf(Swatch::Compute, theme), QObject::tr("Upper strip"),
         QObject::tr("how much of the time devices compute")},
        {theme.text_dim, QObject::tr("Cell, grey"), QObject::tr("a step of a rank with little of what the cells show")},
        {theme.gap, QObject::tr("Cell, amber"),
         QObject::tr("more of it: lateness, step time, exposed communication, idle or compute")},
        {theme.straggler, QObject::tr("Cell, red"),
         QObject::tr("striped: the most of it, and a finding or an upper bound says why")}};
}

}  // namespace

QString legendHtml(const Theme& theme) {
    return legendSection(QObject::tr("Slices"), sliceColours(theme), theme) +
           legendSection(QObject::tr("Over the tracks"), overlayColours(theme), theme) +
           legendSection(QObject::tr("Parts of a step"), stepColours(theme), theme) +
           legendSection(QObject::tr("Overview"), overviewColours(theme), theme) +
           legendSection(QObject::tr("Map of the grid"), gridColours(theme), theme) +
           legendSection(QObject::tr("Roles of process groups"), roleColours(theme), theme) +
           legendSection(QObject::tr("Memory"), memoryColours(theme), theme);
}

}  // namespace rankscope::ui
