// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/appearance.h"

#include <QApplication>
#include <QPalette>
#include <QSettings>
#include <algorithm>
#include <array>
#include <iterator>

namespace rankscope::ui {
namespace {

const QString kThemeKey = QStringLiteral("theme");
const QString kTextSizeKey = QStringLiteral("text_size");
constexpr int kDefaultTextSize = 100;  // percent
constexpr std::array<int, 9> kTextSizes = {80, 90, 100, 110, 125, 140, 160, 180, 200};

/// The next size above or below `size`, which may not be one of kTextSizes.
int textSizeBeside(int size, int direction) {
    const auto at = std::ranges::lower_bound(kTextSizes, size);
    const auto last = std::prev(kTextSizes.end());
    if (direction > 0) {
        return at == kTextSizes.end() || *at > size ? *std::min(at, last) : *std::min(std::next(at), last);
    }
    if (direction < 0) {
        return at == kTextSizes.begin() ? *at : *std::prev(at);
    }
    return kDefaultTextSize;
}

}  // namespace

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

Appearance::Appearance(QSettings& settings, QObject* parent)
    : QObject(parent),
      settings_(settings),
      choice_(themeChoiceOf(settings.value(kThemeKey).toString())),
      text_size_(settings.value(kTextSizeKey, kDefaultTextSize).toInt()),
      theme_(themeOf(choice_).withTextSize(text_size_ / 100.0)) {}

void Appearance::choose(ThemeChoice choice) {
    settings_.setValue(kThemeKey, themeChoiceName(choice));
    use(choice);
}

void Appearance::use(ThemeChoice choice) {
    choice_ = choice;
    renew();
}

void Appearance::changeTextSize(int direction) {
    text_size_ = textSizeBeside(text_size_, direction);
    settings_.setValue(kTextSizeKey, text_size_);
    renew();
}

void Appearance::followDesktop() {
    if (themeOf(choice_).dark != theme_.dark) {
        renew();
    }
}

void Appearance::renew() {
    theme_ = themeOf(choice_).withTextSize(text_size_ / 100.0);
    Q_EMIT changed();
}

void Appearance::applyToApplication() const {
    if (QApplication::font() != theme_.ui_font) {
        QApplication::setFont(theme_.ui_font);
    }
    // The list of a combo box and the completion list of Qt's file dialog have their own fonts. Windows are notified of
    // each change.
    for (const char* lists : {"QListView", "QComboBoxPrivateContainer"}) {
        if (QApplication::palette(lists).base() != theme_.palette().base()) {
            QApplication::setPalette(theme_.palette(), lists);
        }
    }
}

}  // namespace rankscope::ui
