// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text_scale.h"

#include <QGuiApplication>
#include <QScreen>
#include <algorithm>
#include <cmath>

namespace rankscope::ui {
namespace {

constexpr double kStylePoints = 10;  // the size of text that all pixels here are made for
constexpr double kStyleDotsPerInch = 96;
constexpr double kLeastScale = 0.8;
constexpr double kGreatestScale = 3;

}  // namespace

int scaled(int pixels, const Theme& theme) {
    return static_cast<int>(std::lround(pixels * textScale(theme)));
}

double textScale(const Theme& theme) {
    // Desktops enlarge text by its points or by the dots per inch that they report.
    const QScreen* screen = QGuiApplication::primaryScreen();
    const double inch = screen != nullptr ? screen->logicalDotsPerInchY() / kStyleDotsPerInch : 1.0;
    const double points = theme.ui_font.pointSizeF();
    return points > 0 ? std::clamp(points / kStylePoints * inch, kLeastScale, kGreatestScale) : 1.0;
}

}  // namespace rankscope::ui
