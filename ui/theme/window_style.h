// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace rankscope::ui {

/// Fusion, with what a style sheet cannot say: buttons of dialogs are words, those that Qt names too, on any desktop,
/// and the signs of branches grow with the text.
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
