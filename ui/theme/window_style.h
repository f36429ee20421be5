// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace rankscope::ui {

/// Fusion, plus what a style sheet cannot define: buttons of dialogs show words, also Qt's standard buttons, on any
/// desktop, and the signs of branches grow with the text.
class WindowStyle : public QProxyStyle {
    Q_OBJECT

  public:
    WindowStyle();

    /// QProxyStyle's; see Qt.
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                                QStyleHintReturn* more = nullptr) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
};

}  // namespace rankscope::ui
