// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/theme_choice.h"

#include <QGuiApplication>
#include <QPalette>

namespace rankscope::ui {

QString themeChoiceName(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::FollowDesktop: return QStringLiteral("desktop");
        case ThemeChoice::Dark: return QStringLiteral("dark");
        case ThemeChoice::Light: return QStringLiteral("light");
    }
    return QStringLiteral("desktop");
}

ThemeChoice themeChoiceOf(const QString& name) {
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        if (name == themeChoiceName(choice)) {
            return choice;
        }
    }
    return ThemeChoice::FollowDesktop;
}

Theme themeOf(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::Dark: return Theme::darkTheme();
        case ThemeChoice::Light: return Theme::lightTheme();
        case ThemeChoice::FollowDesktop: break;
    }
    return Theme::followDesktop(QGuiApplication::palette());
}

}  // namespace rankscope::ui
