// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "ui/theme/theme.h"

class QSettings;

namespace rankscope::ui {

/// The theme that the user has chosen.
enum class ThemeChoice : std::uint8_t { FollowDesktop, Dark, Light };

/// "desktop", "dark" or "light", as in the settings and on the command line.
[[nodiscard]] QString themeChoiceName(ThemeChoice choice);
/// The choice with this name; FollowDesktop for any other text.
[[nodiscard]] ThemeChoice themeChoiceOf(const QString& name);
/// The theme of a choice; from the desktop's palette for FollowDesktop.
[[nodiscard]] Theme themeOf(ThemeChoice choice);

/// The current theme and text size of all windows, and their stored settings.
class Appearance : public QObject {
    Q_OBJECT

  public:
    /// Reads `settings`, which must outlive this.
    explicit Appearance(QSettings& settings, QObject* parent = nullptr);

    /// The theme in use, which may differ from the stored one.
    [[nodiscard]] ThemeChoice choice() const { return choice_; }
    /// The colours and fonts of the choice, at the current text size.
    [[nodiscard]] const Theme& theme() const { return theme_; }

    /// Uses another theme, and stores the choice in the settings.
    void choose(ThemeChoice choice);
    /// The same only for now: the stored choice does not change.
    void use(ThemeChoice choice);
    /// Makes all text larger (above 0) or smaller (below 0) by a step, or of the usual size (0), and stores that.
    void changeTextSize(int direction);
    /// The desktop's palette may have changed: applies it if the choice is FollowDesktop.
    void followDesktop();

    /// Sets the font and the colours of the application's menus, tooltips and lists, which have no window above them.
    void applyToApplication() const;

  Q_SIGNALS:
    /// Apply theme() now: the choice or the text size was set, or the desktop has changed.
    void changed();

  private:
    void renew();

    QSettings& settings_;
    ThemeChoice choice_;
    int text_size_;  // in percent of the usual size
    Theme theme_;
};

}  // namespace rankscope::ui
