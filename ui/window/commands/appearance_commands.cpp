// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/view_commands.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include "ui/commands/command_registry.h"
#include "ui/window/appearance.h"
#include "ui/window/commands/command_words.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

/// The id of the command that chooses a theme.
QString idOf(ThemeChoice choice) {
    return id("view.theme-") + themeChoiceName(choice);
}

}  // namespace

void addAppearanceCommands(CommandRegistry& commands, Appearance& appearance) {
    const QString group = tr("View");
    const auto text_size = [&](const char* name, const QString& title, const QKeySequence& keys, int direction) {
        commands.add(
            {id(name), group, title, keys, [&appearance, direction] { appearance.changeTextSize(direction); }});
    };
    text_size("view.text-larger", tr("La&rger Text"), QKeySequence(QStringLiteral("Ctrl++")), 1);
    text_size("view.text-smaller", tr("S&maller Text"), QKeySequence(QStringLiteral("Ctrl+-")), -1);
    text_size("view.text-usual", tr("Text of the &Usual Size"), QKeySequence(QStringLiteral("Ctrl+0")), 0);
    auto* themes = new QActionGroup(&commands);
    const auto theme = [&](const QString& title, ThemeChoice choice) {
        themes->addAction(
            commands.add({idOf(choice), group, title, {}, [&appearance, choice] { appearance.choose(choice); }, true}));
    };
    theme(tr("Theme of the Des&ktop"), ThemeChoice::FollowDesktop);
    theme(tr("&Dark Theme"), ThemeChoice::Dark);
    theme(tr("&Light Theme"), ThemeChoice::Light);
    const auto tick = [&commands, &appearance] { commands.action(idOf(appearance.choice()))->setChecked(true); };
    tick();
    QObject::connect(&appearance, &Appearance::changed, &commands, tick);
}

void addAppearanceMenus(const CommandRegistry& commands, QMenu& menu) {
    commands.fill(menu.addMenu(tr("T&heme")),
                  {id("view.theme-desktop"), id("view.theme-dark"), id("view.theme-light")});
    commands.fill(menu.addMenu(tr("Te&xt Size")),
                  {id("view.text-larger"), id("view.text-smaller"), id("view.text-usual")});
}

}  // namespace rankscope::ui
