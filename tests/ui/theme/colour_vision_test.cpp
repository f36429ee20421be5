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

double linear(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// CIE L*a*b*.
Triple seen(const QColor& colour, const Vision& vision) {
    const Triple light = {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
    Triple xyz = times(kToXyz, times(vision.matrix, light));
    for (double& v : xyz) {
        v = v > 0.008856 ? std::cbrt(v) : 7.787 * v + 16.0 / 116;
    }
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double apart(const Triple& a, const Triple& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST(ColourVision, OverlaysAreToldApartByEyesThatLackAKindOfCone) {
    // From about 2.3 on two colours look different side by side, from 10 on at a glance.
    constexpr double kAtAGlance = 10;
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        const std::array<std::pair<const char*, QColor>, 5> colours = {{{"gap", theme.gap},
                                                                        {"straggler", theme.straggler},
                                                                        {"overlap", theme.overlap},
                                                                        {"exposed", theme.exposed},
                                                                        {"path", theme.path}}};
        for (const Vision& vision : kVisions) {
            for (std::size_t a = 0; a < colours.size(); ++a) {
                for (std::size_t b = a + 1; b < colours.size(); ++b) {
                    EXPECT_GE(apart(seen(colours.at(a).second, vision), seen(colours.at(b).second, vision)), kAtAGlance)
                        << colours.at(a).first << " and " << colours.at(b).first << ", " << vision.name;
                }
            }
        }
    }
}

TEST(ColourVision, RolesAreToldApartByEyesThatLackAKindOfCone) {
    constexpr double kAtAGlance = 10;
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        for (const Vision& vision : kVisions) {
            for (std::size_t a = 0; a < kRoleCount; ++a) {
                for (std::size_t b = a + 1; b < kRoleCount; ++b) {
                    const auto of = [&](std::size_t role) {
                        return seen(colourOf(std::optional(static_cast<Role>(role)), theme), vision);
                    };
                    EXPECT_GE(apart(of(a), of(b)), kAtAGlance)
                        << roleName(static_cast<Role>(a)) << " and " << roleName(static_cast<Role>(b)) << ", "
                        << vision.name << (theme.dark ? ", dark" : ", light");
                }
            }
        }
    }
}

TEST(ColourVision, PartsOfCommunicationAreToldApartByEyesThatLackAKindOfCone) {
    constexpr double kAtAGlance = 10;
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        const std::array<std::pair<const char*, QColor>, 3> parts = {
            {{"transfer", colourOf(Swatch::Communication, theme)},
             {"waiting", colourOf(Swatch::Waiting, theme)},
             {"not divided", colourOf(Swatch::Unsplit, theme)}}};
        for (const Vision& vision : kVisions) {
            for (std::size_t a = 0; a < parts.size(); ++a) {
                for (std::size_t b = a + 1; b < parts.size(); ++b) {
                    EXPECT_GE(apart(seen(parts.at(a).second, vision), seen(parts.at(b).second, vision)), kAtAGlance)
                        << parts.at(a).first << " and " << parts.at(b).first << ", " << vision.name
                        << (theme.dark ? ", dark" : ", light");
                }
            }
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
