// SPDX-License-Identifier: GPL-3.0-or-later
// Contrasts as WCAG 2.1 measures them (success criteria 1.4.3 and 1.4.11, level AA).
#include <gtest/gtest.h>

#include <QImage>
#include <QPixmap>
#include <QPushButton>
#include <array>
#include <cmath>
#include <utility>

#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

using Named = std::pair<const char*, QColor>;

double relativeLuminance(const QColor& colour) {
    const auto linear = [](double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double x = relativeLuminance(a) + 0.05;
    const double y = relativeLuminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
}

std::array<Named, 5> groundsOf(const Theme& theme) {
    return {{{"window", theme.window},
             {"surface", theme.surface},
             {"raised", theme.raised},
             {"track", theme.track},
             {"track_alt", theme.track_alt}}};
}

TEST(Contrast, AllThatIsReadHasThatOfAaInBothThemes) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        const std::array<Named, 4> texts = {
            {{"text", theme.text}, {"text_dim", theme.text_dim}, {"accent", theme.accent}, {"error", theme.error}}};
        for (const auto& [text, colour] : texts) {
            for (const auto& [ground, behind] : groundsOf(theme)) {
                EXPECT_GE(contrastRatio(colour, behind), 4.5)
                    << text << " on " << ground << (theme.dark ? ", dark" : ", light");
            }
        }
    }
}

TEST(Contrast, WhatIsDrawnToBeFoundHasThatOfAaInBothThemes) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        const std::array<Named, 8> drawn = {{{"gap", theme.gap},
                                             {"straggler", theme.straggler},
                                             {"overlap", theme.overlap},
                                             {"exposed", theme.exposed},
                                             {"path", theme.path},
                                             {"severity_high", theme.severity_high},
                                             {"severity_medium", theme.severity_medium},
                                             {"severity_low", theme.severity_low}}};
        for (const auto& [what, colour] : drawn) {
            for (const auto& [ground, behind] : groundsOf(theme)) {
                EXPECT_GE(contrastRatio(colour, behind), 3.0)
                    << what << " on " << ground << (theme.dark ? ", dark" : ", light");
            }
        }
    }
}

TEST(Contrast, AButtonThatStandsOutDoesSoOnlyWhileItCanBePressed) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        QWidget window;
        window.setStyleSheet(theme.styleSheet());
        auto* button = new QPushButton(QStringLiteral("Analyse"), &window);
        button->setProperty("role", QStringLiteral("primary"));
        button->resize(120, 32);
        window.resize(140, 40);
        const auto ground = [&] { return window.grab().toImage().pixelColor(8, 16); };
        EXPECT_EQ(ground(), theme.accent);
        button->setEnabled(false);
        EXPECT_EQ(ground(), theme.raised);
    }
}

}  // namespace
}  // namespace rankscope::ui
