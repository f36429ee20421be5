// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "ui/theme/theme.h"

class QSettings;

namespace rankscope::ui {

/// Which theme the user asked for.
enum class ThemeChoice : std::uint8_t { FollowDesktop, Dark, Light };

/// "desktop", "dark" or "light", as the settings and the command line spell it.
[[nodiscard]] QString themeChoiceName(ThemeChoice choice);
/// The choice of a name; FollowDesktop for any other text.
[[nodiscard]] ThemeChoice themeChoiceOf(const QString& name);
/// The theme itself; the desktop's palette is asked where it is to be followed.
[[nodiscard]] Theme themeOf(ThemeChoice choice);

/// The theme and the size of text that all windows have now, and what the settings keep of that.
class Appearance : public QObject {
    Q_OBJECT

  public:
    /// Takes up what `settings` keep, which must outlive this.
    explicit Appearance(QSettings& settings, QObject* parent = nullptr);

    /// The theme in use, not the kept one.
    [[nodiscard]] ThemeChoice choice() const { return choice_; }
    /// The colours and fonts of the choice, at the size of text.
    [[nodiscard]] const Theme& theme() const { return theme_; }

    /// Uses another theme, and keeps the choice in the settings.
    void choose(ThemeChoice choice);
    /// The same for now only: the choice that is kept stays.
    void use(ThemeChoice choice);
    /// Makes all text larger (above 0) or smaller (below 0) by a step, or as large as usual (0), and keeps that.
    void changeTextSize(int direction);
    /// The desktop's palette may have changed: takes it over where it is to be followed.
    void followDesktop();

    /// Gives the application's menus, tips and lists the font and the colours: they have no window above them.
    void applyToApplication() const;

  Q_SIGNALS:
    /// theme() is to be applied: the choice or the size of text was set, or the desktop has changed.
    void changed();

  private:
    void renew();

    QSettings& settings_;
    ThemeChoice choice_;
    int text_size_;  // in percent of the usual one
    Theme theme_;
};

}  // namespace rankscope::ui
