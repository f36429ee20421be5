// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/reference_page.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

namespace rankscope::ui {
namespace {

/// A row of a Markdown table: a bar inside a cell would end the cell.
QString row(QStringList cells) {
    for (QString& cell : cells) {
        cell.replace(QLatin1Char('|'), QStringLiteral("\\|"));
    }
    return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

QString head(const QStringList& titles) {
    QString line = QStringLiteral("|");
    for (qsizetype i = 0; i < titles.size(); ++i) {
        line += QStringLiteral("---|");
    }
    return row(titles) + line + QLatin1Char('\n');
}

QString heading(const QString& title) {
    return QStringLiteral("\n## ") + title + QStringLiteral("\n\n");
}

QString code(const QString& words) {
    return words.isEmpty() ? QString() : QLatin1Char('`') + words + QLatin1Char('`');
}

/// The groups in the order in which they first appear.
QStringList groupsOf(const std::vector<Command>& commands) {
    QStringList groups;
    for (const Command& command : commands) {
        if (!groups.contains(command.group)) {
            groups.append(command.group);
        }
    }
    return groups;
}

}  // namespace

QString referenceMarkdown(const CommandRegistry& commands, const std::vector<PanelSummary>& panels) {
    QString page = QStringLiteral("# ") + QObject::tr("Reference") + QStringLiteral("\n\n");
    page += QObject::tr(
                "Panels, keys and commands of the window. The program generates this page. *Help > Reference* shows it "
                "with your own keys, `?` shows the keys alone, and `Ctrl+Shift+P` runs any command by name.") +
            QLatin1Char('\n');
    page += heading(QObject::tr("Panels")) + head({QObject::tr("Place"), QObject::tr("Panel"), QObject::tr("Shows")});
    for (const PanelSummary& panel : panels) {
        page += row({panel.place, panel.title, panel.about});
    }
    page += heading(QObject::tr("On the timeline")) + head({QObject::tr("Keys"), QObject::tr("Action")});
    for (const KeyHint& hint : commands.hints()) {
        page += row({code(hint.keys), hint.what});
    }
    for (const QString& group : groupsOf(commands.commands())) {
        page += heading(group) + head({QObject::tr("Command"), QObject::tr("Keys"), QObject::tr("Id")});
        for (const Command& command : commands.commands()) {
            if (command.group == group) {
                page += row({command.plainTitle(),
                             code(commands.keysOf(command.id).toString(QKeySequence::PortableText)), code(command.id)});
            }
        }
    }
    return page;
}

}  // namespace rankscope::ui
