// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/command_windows.h"

#include <QAction>
#include <QSettings>
#include <QWidget>
#include <utility>

#include "ui/commands/command_palette.h"
#include "ui/commands/command_registry.h"
#include "ui/commands/help_dialog.h"
#include "ui/commands/keys_dialog.h"
#include "ui/widgets/search_bar.h"

namespace rankscope::ui {
namespace {

const QString kRecentKey = QStringLiteral("palette/recent");
constexpr qsizetype kRemembered = 8;

}  // namespace

CommandWindows::CommandWindows(CommandRegistry& commands, QSettings& settings, QWidget* window)
    : QObject(window), commands_(commands), settings_(settings), window_(window) {}

void CommandWindows::showPalette() {
    std::vector<PaletteEntry> entries;
    for (const Command& command : commands_.commands()) {
        if (commands_.action(command.id)->isEnabled()) {  // commands that are disabled now are left out
            entries.push_back({command.id, command.group, command.plainTitle(),
                               commands_.keysOf(command.id).toString(QKeySequence::NativeText), command.alias});
        }
    }
    auto* palette = new CommandPalette(
        std::move(entries), settings_.value(kRecentKey).toStringList(),
        {tr("Type a command"), tr("All commands"), tr("Matching commands"), tr("No command matches.")}, window_);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &CommandPalette::chosen, this, [this](const QString& id) {
        remember(id);
        commands_.action(id)->trigger();
    });
    connect(palette, &CommandPalette::entered, this, [this, palette](const QString& text) {
        if (isSqlQuestion(text)) {
            palette->close();
            Q_EMIT questionAsked(text);
        }
    });
    palette->popUp();
}

void CommandWindows::choose(std::vector<PaletteEntry> entries, const QString& hint,
                            const std::function<void(const QString&)>& take) {
    auto* palette =
        new CommandPalette(std::move(entries), {}, {hint, hint, tr("Matching names"), tr("No name matches.")}, window_);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &CommandPalette::chosen, this, take);
    palette->popUp();
}

void CommandWindows::showKeys() {
    auto* help = new HelpDialog(commands_.keys(), window_);
    help->setAttribute(Qt::WA_DeleteOnClose);
    help->setPalette(window_->palette());
    help->open();
}

void CommandWindows::changeKeys() {
    auto* dialog = new KeysDialog(commands_, window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setPalette(window_->palette());
    dialog->open();
}

void CommandWindows::remember(const QString& id) {
    QStringList recent = settings_.value(kRecentKey).toStringList();
    recent.removeAll(id);
    recent.prepend(id);
    settings_.setValue(kRecentKey, recent.mid(0, kRemembered));
}

}  // namespace rankscope::ui
