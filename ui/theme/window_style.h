// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace rankscope::ui {

/// Fusion, with what a style sheet cannot say: buttons of dialogs are words, those that Qt names too, on any desktop.
class WindowStyle : public QProxyStyle {
    Q_OBJECT

  public:
    WindowStyle();

    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                                QStyleHintReturn* more = nullptr) const override;
};

}  // namespace rankscope::ui
