// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/memory/memory_text.h"

#include <QFontMetrics>
#include <QObject>
#include <algorithm>
#include <cmath>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

using report::RunMemoryFormula;

constexpr int kMostFrames = 12;  // frames that are shown; the rest is copied with the row

QString bytesText(std::int64_t bytes) {
    return unbroken(text(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes)))));
}

QString bytesText(double bytes) {
    return bytesText(static_cast<std::int64_t>(std::llround(bytes)));
}

QString shareText(std::int64_t part, std::int64_t whole) {
    return whole <= 0 ? QString()
                      : unbroken(text(formatPercent(static_cast<double>(part) / static_cast<double>(whole))));
}

QString sentenceHtml(const QString& words) {
    return QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped());
}

/// The widths of the first columns of both tables in logical pixels, so that their numbers line up.
struct FigureColumns {
    int patch = 0;
    int name = 0;
    int bytes = 0;
};

const QChar kUsePatch(0x25a0);
constexpr int kCellPadding = 14;  // same as documentStyle(), and a pixel on each side

FigureColumns columnsOf(const MemoryPage& page, const Theme& theme) {
    QFont bold = theme.ui_font;  // the widest font in them
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    FigureColumns columns{metrics.horizontalAdvance(kUsePatch), 0, 0};
    const auto take = [&](const QString& name, std::int64_t bytes) {
        columns.name = std::max(columns.name, metrics.horizontalAdvance(name));
        columns.bytes = std::max(columns.bytes, metrics.horizontalAdvance(bytesText(bytes)));
    };
    for (const MemoryShare& share : page.parts) {
        take(useTitle(share.use), share.bytes);
    }
    for (const MemoryShare& share : page.unused) {
        take(useTitle(share.use), share.bytes);
    }
    if (page.formula.parameters) {
        for (const MemoryPart part : {MemoryPart::Parameters, MemoryPart::Gradients, MemoryPart::OptimizerState}) {
            take(useTitle(part), 0);
        }
        take(QObject::tr("By the formula"), 0);
    }
    take(QObject::tr("Total"), page.in_use);
    take(QObject::tr("Reserved"), page.reserved);
    if (page.active) {
        columns.bytes = std::max(columns.bytes, metrics.horizontalAdvance(QObject::tr("In use")));
    }
    return {columns.patch + kCellPadding, columns.name + kCellPadding, columns.bytes + kCellPadding};
}

/// A table's row: a patch of colour, a name, and numbers at the right, each on one line.
QString memoryRow(const FigureColumns& columns, const QString& patch, const QString& name, const QStringList& numbers) {
    QString html = QStringLiteral("<tr><td width=\"%1\">%2</td><td width=\"%3\">%4</td>")
                       .arg(columns.patch)
                       .arg(patch)
                       .arg(columns.name)
                       .arg(name);
    for (qsizetype i = 0; i < numbers.size(); ++i) {
        const QString width = i == 0 ? QStringLiteral(" width=\"%1\"").arg(columns.bytes) : QString();
        html += QStringLiteral("<td align=\"right\"%1>%2</td>").arg(width, numbers[i]);
    }
    return html + QStringLiteral("</tr>");
}

QString swatchHtml(const QColor& colour) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), kUsePatch);
}

/// The result of the formula for a part, in a column for each way to keep it; nothing if there is none.
QStringList formulaCells(const RunMemoryFormula& formula, const MemoryUse& use) {
    QStringList cells;
    for (const StateMemory& state : formula.states) {
        const auto* part = std::get_if<MemoryPart>(&use);
        const bool told = formula.parameters && part != nullptr;
        cells << (told && *part == MemoryPart::Parameters       ? bytesText(state.parameters)
                  : told && *part == MemoryPart::Gradients      ? bytesText(state.gradients)
                  : told && *part == MemoryPart::OptimizerState ? bytesText(state.optimizer_state)
                                                                : QString());
    }
    return cells;
}

bool hasFormula(const RunMemoryFormula& formula, const MemoryUse& use) {
    return !formulaCells(formula, use).first().isEmpty();
}

/// The columns of the table of parts.
QStringList partsTitles(const MemoryPage& page) {
    QStringList titles = {page.active ? QObject::tr("In use") : QString(), QObject::tr("Share")};
    if (page.active) {
        titles << QObject::tr("At its peak") << QObject::tr("Share");
    }
    return titles;
}

QStringList dimTitles(QStringList titles, const Theme& theme) {
    std::ranges::transform(titles, titles.begin(),
                           [&theme](const QString& title) { return dim(title.toHtmlEscaped(), theme); });
    return titles;
}

/// The results of the formula, in a table of their own: next to the measured values its columns would not fit into half
/// a panel, and would break within words and numbers.
QString formulaHtml(const MemoryPage& page, FigureColumns columns, const Theme& theme) {
    const QFontMetrics metrics(theme.ui_font);
    QStringList titles;
    QStringList sum;
    for (std::size_t t = 0; t < kStateTypes.size(); ++t) {
        titles << coreText(stateTypesTitle(kStateTypes[t]));
        sum << bytesText(page.formula.states.at(t).total());
        for (const QString& word : titles.back().split(QLatin1Char(' '))) {
            columns.bytes = std::max(columns.bytes, metrics.horizontalAdvance(word) + kCellPadding);
        }
    }
    const QString name = dim(QObject::tr("By the formula").toHtmlEscaped(), theme);
    QString html = QStringLiteral("<table cellspacing=\"0\" style=\"margin-bottom: 8px\">") +
                   memoryRow(columns, {}, name, dimTitles(titles, theme));
    for (const MemoryPart part : {MemoryPart::Parameters, MemoryPart::Gradients, MemoryPart::OptimizerState}) {
        const MemoryUse use = part;
        html += memoryRow(columns, swatchHtml(useColour(use, theme)), useTitle(use).toHtmlEscaped(),
                          formulaCells(page.formula, use));
    }
    html += memoryRow(columns, {}, QStringLiteral("<b>%1</b>").arg(QObject::tr("Total").toHtmlEscaped()), sum);
    return html + QStringLiteral("</table>");
}

QString partsHtml(const MemoryPage& page, const FigureColumns& columns, const Theme& theme) {
    QString html =
        QStringLiteral("<table cellspacing=\"0\">") + memoryRow(columns, {}, {}, dimTitles(partsTitles(page), theme));
    for (const MemoryShare& share : page.parts) {
        const bool formula = hasFormula(page.formula, share.use);
        if (share.bytes == 0 && share.at_peak.value_or(0) == 0 && !formula) {
            continue;
        }
        QStringList numbers = {page.in_use > 0 ? bytesText(share.bytes) : QStringLiteral("–"),
                               shareText(share.bytes, page.in_use)};
        if (page.active) {
            numbers << bytesText(share.at_peak.value_or(0)) << shareText(share.at_peak.value_or(0), *page.active);
        }
        html +=
            memoryRow(columns, swatchHtml(useColour(share.use, theme)), useTitle(share.use).toHtmlEscaped(), numbers);
    }
    QStringList sum = {page.in_use > 0 ? bytesText(page.in_use) : QStringLiteral("–"),
                       shareText(page.in_use, page.in_use)};
    if (page.active) {
        sum << bytesText(*page.active) << QString();
    }
    html += memoryRow(columns, {}, QStringLiteral("<b>%1</b>").arg(QObject::tr("Total").toHtmlEscaped()), sum);
    return html + QStringLiteral("</table>");
}

/// Memory that is reserved but not in use, and the device's memory, each as a share of its total.
QString limitHtml(const MemoryPage& page, const FigureColumns& columns, const Theme& theme) {
    QString html = QStringLiteral("<table cellspacing=\"0\">");
    for (const MemoryShare& share : page.unused) {
        const bool of_device = share.use == MemoryUse(FreeMemory::Left);
        if (share.bytes > 0) {
            html += memoryRow(
                columns, swatchHtml(useColour(share.use, theme)), useTitle(share.use).toHtmlEscaped(),
                {bytesText(share.bytes),
                 of_device ? QObject::tr("%1 of the GPU").arg(shareText(share.bytes, page.capacity)).toHtmlEscaped()
                           : QObject::tr("%1 of reserved").arg(shareText(share.bytes, page.reserved)).toHtmlEscaped()});
        }
    }
    html += memoryRow(columns, {}, QStringLiteral("<b>%1</b>").arg(QObject::tr("Reserved").toHtmlEscaped()),
                      {bytesText(page.reserved),
                       page.capacity > 0 ? QObject::tr("%1 of the GPU's %2")
                                               .arg(shareText(page.reserved, page.capacity), bytesText(page.capacity))
                                               .toHtmlEscaped()
                                         : QString()});
    return html + QStringLiteral("</table>");
}

QString activationsText(const RunMemoryFormula& formula) {
    const ActivationMemory& kept = *formula.activations;
    QString words = kept.all
                        ? QObject::tr(
                              "Activations of a micro-batch by the formula, all kept: %1. Without attention scores (34 "
                              "S B H per layer): %2. Checkpointed (2 S B H per layer): %3.")
                              .arg(bytesText(*kept.all), bytesText(kept.without_scores), bytesText(kept.checkpointed))
                        : QObject::tr(
                              "Activations of a micro-batch by the formula, without attention scores (34 S B H per "
                              "layer): %1. Checkpointed (2 S B H per layer): %2.")
                              .arg(bytesText(kept.without_scores), bytesText(kept.checkpointed));
    if (formula.tensor > 1) {
        words += QLatin1Char(' ') + QObject::tr("This ignores the division by tensor groups.");
    }
    return words;
}

QStringList formulaNotes(const RunMemoryFormula& formula) {
    QStringList notes;
    if (formula.parameters) {
        const QString count = ui::count(static_cast<std::uint64_t>(*formula.parameters));
        QString words = formula.entered
                            ? QObject::tr("The formula is for %1 parameters, as entered, with Adam.").arg(count)
                            : QObject::tr("The formula is for %1 parameters, from the shards, with Adam.").arg(count);
        if (formula.zero_stage > 0) {
            words += QLatin1Char(' ') +
                     QObject::tr("ZeRO stage %1 divides it by %2 ranks.").arg(formula.zero_stage).arg(formula.ranks);
        }
        if (formula.undivided > 1) {
            words += QLatin1Char(' ') +
                     QObject::tr("It is for the whole model. The grid divides it by %1.").arg(formula.undivided);
        }
        notes << words;
    }
    if (formula.activations) {
        notes << activationsText(formula);
    }
    return notes;
}

QString framesHtml(const QStringList& frames, const Theme& theme) {
    const QString html = QStringLiteral("<h4>%1</h4>").arg(QObject::tr("The stack, innermost first").toHtmlEscaped());
    QStringList lines;
    for (const QString& frame : frames.mid(0, kMostFrames)) {
        lines << QStringLiteral("<h3 style=\"font-weight:normal; font-size:%1pt\">%2</h3>")
                     .arg(theme.ui_font.pointSizeF())
                     .arg(frame.toHtmlEscaped());
    }
    if (frames.size() > kMostFrames) {
        const auto more = static_cast<std::uint64_t>(frames.size() - kMostFrames);
        lines << dim(plural(QObject::tr("and %n more frame(s)", nullptr, static_cast<int>(more)), more).toHtmlEscaped(),
                     theme);
    }
    return html + lines.join(QString());
}

}  // namespace

std::vector<BarPart> partsOfPage(const MemoryPage& page, const Theme& theme) {
    std::vector<BarPart> parts;
    for (const MemoryShare& share : page.parts) {
        if (share.bytes > 0) {
            parts.push_back(
                {share.bytes, useColour(share.use, theme),
                 QObject::tr("%1 %2", "a part of memory, its bytes").arg(useTitle(share.use), bytesText(share.bytes)),
                 false});
        }
    }
    return parts;
}

std::vector<BarPart> limitOfPage(const MemoryPage& page, const Theme& theme) {
    std::vector<BarPart> parts;
    const auto add = [&parts](std::int64_t bytes, const QColor& colour, const QString& what, bool waste) {
        if (bytes > 0) {
            parts.push_back({bytes, colour,
                             QObject::tr("%1 %2", "a part of memory, its bytes").arg(what, bytesText(bytes)), waste});
        }
    };
    add(page.in_use, theme.accent, QObject::tr("In use"), false);
    for (const MemoryShare& share : page.unused) {
        const bool left = share.use == MemoryUse(FreeMemory::Left);
        add(share.bytes, useColour(share.use, theme), useTitle(share.use), !left);
    }
    return parts;
}

QString memoryHtml(const MemoryPage& page, const QStringList& frames, const Theme& theme) {
    QString html;
    const FigureColumns columns = columnsOf(page, theme);
    if (!frames.isEmpty()) {
        html += framesHtml(frames, theme);
    }
    if (!page.when.isEmpty()) {
        html += QStringLiteral("<p>%1</p>")
                    .arg(QObject::tr("Memory at the peak, %1:").toHtmlEscaped())
                    .arg(labelLink(QLatin1String(kPeakLink), page.when, theme));
    }
    if (!page.parts.empty() && (page.in_use > 0 || page.active)) {
        html += partsHtml(page, columns, theme);
    }
    if (page.reserved > 0) {
        html += limitHtml(page, columns, theme);
        html += page.capacity > 0 ? QString() : sentenceHtml(QObject::tr("The memory size of the GPU is unknown."));
    }
    if (page.formula.parameters) {
        html += formulaHtml(page, columns, theme);
    }
    for (const QString& note : page.notes + formulaNotes(page.formula)) {
        html += sentenceHtml(note);
    }
    if (page.of_run && !page.formula.any()) {
        html += QStringLiteral("<p>%1 %2</p>")
                    .arg(QObject::tr("With the size of the model, its memory is estimated too.").toHtmlEscaped(),
                         labelLink(QLatin1String(kJobLink), QObject::tr("Describe the job..."), theme));
    }
    if (!page.advice.isEmpty()) {
        html += QStringLiteral("<h4>%1</h4>").arg(QObject::tr("What to do").toHtmlEscaped());
        for (const QString& advice : page.advice) {
            html += sentenceHtml(advice);
        }
    }
    return html;
}

}  // namespace rankscope::ui
