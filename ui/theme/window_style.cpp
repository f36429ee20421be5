// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_style.h"

namespace rankscope::ui {

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* more) const {
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, more);
}

}  // namespace rankscope::ui
