// SPDX-License-Identifier: GPL-3.0-or-later
//
// The colours of overlays as eyes see them that lack one kind of cone. The matrices are those of Machado, Oliveira and
// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), at full severity.
#include <gtest/gtest.h>

#include <QColor>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "tests/ui/theme/contrast.h"
#include "ui/theme/swatches.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

struct Vision {
    const char* name;
    Matrix matrix;
};

constexpr std::array<Vision, 4> kVisions = {{
    {"all cones", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"no long cones",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"no medium cones",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"no short cones",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
}};

/// sRGB to CIE XYZ, each row over its value for white.
constexpr Matrix kToXyz = {{{0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505},
                            {0.2126, 0.7152, 0.0722},
                            {0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089}}};

Triple times(const Matrix& matrix, const Triple& v) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i) {
        result.at(i) = std::clamp(matrix.at(i)[0] * v[0] + matrix.at(i)[1] * v[1] + matrix.at(i)[2] * v[2], 0.0, 1.0);
    }
    return result;
}

/// CIE L*a*b*.
Triple seen(const QColor& colour, const Vision& vision) {
    const Triple light = {test::linear(colour.redF()), test::linear(colour.greenF()), test::linear(colour.blueF())};
    Triple xyz = times(kToXyz, times(vision.matrix, light));
    for (double& v : xyz) {
        v = v > 0.008856 ? std::cbrt(v) : 7.787 * v + 16.0 / 116;
    }
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double apart(const Triple& a, const Triple& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Expects each two of these colours to look different at a glance to all eyes.
void expectApart(const std::vector<std::pair<const char*, QColor>>& colours, const Theme& theme) {
    constexpr double kAtAGlance = 10;  // from about 2.3 on two colours look different side by side
    for (const Vision& vision : kVisions) {
        for (std::size_t a = 0; a < colours.size(); ++a) {
            for (std::size_t b = a + 1; b < colours.size(); ++b) {
                EXPECT_GE(apart(seen(colours[a].second, vision), seen(colours[b].second, vision)), kAtAGlance)
                    << colours[a].first << " and " << colours[b].first << ", " << vision.name
                    << (theme.dark ? ", dark" : ", light");
            }
        }
    }
}

TEST(ColourVision, OverlaysAreDistinctForColourBlindEyes) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        expectApart({{"gap", theme.gap},
                     {"straggler", theme.straggler},
                     {"overlap", theme.overlap},
                     {"exposed", theme.exposed},
                     {"path", theme.path}},
                    theme);
    }
}

TEST(ColourVision, RolesAreDistinctForColourBlindEyes) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        std::vector<std::pair<const char*, QColor>> roles;
        for (std::size_t role = 0; role < kRoleCount; ++role) {
            const auto each = static_cast<Role>(role);
            roles.emplace_back(roleName(each).data(), colourOf(std::optional(each), theme));
        }
        expectApart(roles, theme);
    }
}

TEST(ColourVision, PartsOfCommunicationAreDistinctForColourBlindEyes) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        expectApart({{"transfer", colourOf(Swatch::Communication, theme)},
                     {"waiting", colourOf(Swatch::Waiting, theme)},
                     {"not divided", colourOf(Swatch::Unsplit, theme)}},
                    theme);
    }
}

}  // namespace
}  // namespace rankscope::ui
