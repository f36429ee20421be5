// SPDX-License-Identifier: GPL-3.0-or-later
// Contrasts as WCAG 2.1 measures them (success criteria 1.4.3 and 1.4.11, level AA).
#include <gtest/gtest.h>

#include <QImage>
#include <QPixmap>
#include <QPushButton>
#include <array>
#include <utility>

#include "tests/ui/theme/contrast.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

using Named = std::pair<const char*, QColor>;

std::array<Named, 5> groundsOf(const Theme& theme) {
    return {{{"window", theme.window},
             {"surface", theme.surface},
             {"raised", theme.raised},
             {"track", theme.track},
             {"track_alt", theme.track_alt}}};
}

/// Expects each of these colours to have at least this contrast with each ground.
void expectContrast(std::initializer_list<Named> colours, const Theme& theme, double least) {
    for (const auto& [what, colour] : colours) {
        for (const auto& [ground, behind] : groundsOf(theme)) {
            EXPECT_GE(test::contrast(colour, behind), least)
                << what << " on " << ground << (theme.dark ? ", dark" : ", light");
        }
    }
}

TEST(Contrast, AllThatIsReadHasThatOfAaInBothThemes) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        expectContrast(
            {{"text", theme.text}, {"text_dim", theme.text_dim}, {"accent", theme.accent}, {"error", theme.error}},
            theme, 4.5);
    }
}

TEST(Contrast, WhatIsDrawnToBeFoundHasThatOfAaInBothThemes) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        expectContrast({{"gap", theme.gap},
                        {"straggler", theme.straggler},
                        {"overlap", theme.overlap},
                        {"exposed", theme.exposed},
                        {"path", theme.path},
                        {"severity_high", theme.severity_high},
                        {"severity_medium", theme.severity_medium},
                        {"severity_low", theme.severity_low}},
                       theme, 3.0);
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
