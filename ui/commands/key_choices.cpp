// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/key_choices.h"

#include <QSettings>

#include "ui/commands/command_registry.h"

namespace rankscope::ui {
namespace {

QString settingOf(const QString& id) {
    return QStringLiteral("keys/") + id;
}

}  // namespace

void keepKeyChoices(CommandRegistry& commands, QSettings& settings) {
    for (const Command& command : commands.commands()) {
        if (const QVariant kept = settings.value(settingOf(command.id)); kept.isValid()) {
            commands.setKeys(command.id, QKeySequence(kept.toString(), QKeySequence::PortableText));
        }
    }
    QObject::connect(&commands, &CommandRegistry::keysChanged, &commands, [&commands, &settings](const QString& id) {
        for (const Command& command : commands.commands()) {
            if (command.id == id && commands.keysOf(id) == command.keys) {
                settings.remove(settingOf(id));
            } else if (command.id == id) {
                settings.setValue(settingOf(id), commands.keysOf(id).toString(QKeySequence::PortableText));
            }
        }
    });
}

}  // namespace rankscope::ui
