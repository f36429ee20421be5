// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/theme/theme.h"

namespace rankscope::ui {

/// Which theme the user asked for.
enum class ThemeChoice : std::uint8_t { FollowDesktop, Dark, Light };

/// "desktop", "dark" or "light", as the settings and the command line spell it.
[[nodiscard]] QString themeChoiceName(ThemeChoice choice);
/// The choice of a name; FollowDesktop for any other text.
[[nodiscard]] ThemeChoice themeChoiceOf(const QString& name);
/// The theme itself; the desktop's palette is asked where it is to be followed.
[[nodiscard]] Theme themeOf(ThemeChoice choice);

}  // namespace rankscope::ui
