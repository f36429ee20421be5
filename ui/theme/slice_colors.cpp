// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/slice_colors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rankscope::ui {
namespace {

/// The range of shades of one hue in Oklch: lightness 0 to 1, chroma about 0 to 0.2, hue in degrees.
struct ShadeRange {
    double lightness_low;
    double lightness_high;
    double chroma;
    double hue_low;
    double hue_high;
};

// The three kinds of device work also differ in lightness, so that colour-blind people can distinguish them.
constexpr std::array<ShadeRange, kHueCount> kDark = {{
    {0.60, 0.73, 0.110, 222, 262},
    {0.63, 0.73, 0.150, 302, 328},
    {0.76, 0.85, 0.130, 146, 164},
    {0.39, 0.47, 0.022, 245, 270},
    {0.35, 0.42, 0.010, 60, 100},
    {0.46, 0.53, 0.050, 50, 68},
    {0.42, 0.49, 0.042, 182, 200},
    {0.45, 0.51, 0.050, 290, 305},
    {0.38, 0.44, 0.006, 260, 270},
}};
constexpr std::array<ShadeRange, kHueCount> kLight = {{
    {0.66, 0.79, 0.105, 222, 262},
    {0.63, 0.74, 0.140, 302, 328},
    {0.72, 0.81, 0.140, 146, 162},
    {0.84, 0.90, 0.022, 245, 270},
    {0.87, 0.92, 0.010, 60, 100},
    {0.82, 0.88, 0.050, 55, 75},
    {0.83, 0.89, 0.040, 182, 200},
    {0.82, 0.87, 0.045, 290, 305},
    {0.86, 0.91, 0.006, 260, 270},
}};

int channel(double linear) {
    const double clamped = std::clamp(linear, 0.0, 1.0);
    const double encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * std::pow(clamped, 1.0 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255.0 * encoded));
}

// Oklch to sRGB, after B. Ottosson, "A perceptual color space for image processing" (2020).
QRgb fromOklch(double lightness, double chroma, double hue_degrees) {
    const double hue = hue_degrees * std::numbers::pi / 180.0;
    const double a = chroma * std::cos(hue);
    const double b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return qRgb(channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

double luminance(QRgb c) {
    const auto linear = [](int value) { return std::pow(value / 255.0, 2.2); };
    return 0.2126 * linear(qRed(c)) + 0.7152 * linear(qGreen(c)) + 0.0722 * linear(qBlue(c));
}

Hue hueOfHost(Category category) {
    switch (category) {
        case Category::CpuOp: return Hue::Operator;
        case Category::PythonFunction: return Hue::Python;
        case Category::Runtime:
        case Category::Driver: return Hue::Runtime;
        case Category::UserAnnotation:
        case Category::GpuAnnotation: return Hue::Annotation;
        case Category::CudaSync: return Hue::Sync;
        default: return Hue::Neutral;
    }
}

}  // namespace

Hue hueOf(Category category) {
    if (category == Category::Memcpy) {
        return Hue::Copy;
    }
    return isDeviceWork(category) ? Hue::Compute : hueOfHost(category);
}

Shade shadeOf(std::string_view name) {
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char c : name) {
        if (c < '0' || c > '9') {
            hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
        }
    }
    hash ^= hash >> 15U;
    return static_cast<Shade>((hash * 2654435769U) >> 28U);
}

SliceColors::SliceColors(const Theme& theme) {
    const auto& ranges = theme.dark ? kDark : kLight;
    constexpr std::size_t kHues = 4;  // shades are a grid of hues and lightnesses: hues per row
    for (std::size_t h = 0; h < kHueCount; ++h) {
        const ShadeRange& range = ranges[h];
        const auto at = [&](double lightness, double hue) {
            return fromOklch(std::lerp(range.lightness_low, range.lightness_high, lightness), range.chroma,
                             std::lerp(range.hue_low, range.hue_high, hue));
        };
        for (std::size_t s = 0; s < kShadeCount; ++s) {
            const std::size_t row = s / kHues;
            fills_[h][s] = at(static_cast<double>(s % kHues) / (kHues - 1), static_cast<double>(row) / (kHues - 1));
        }
        middles_[h] = at(0.5, 0.5);
    }
}

const SliceColors& SliceColors::of(const Theme& theme) {
    static const SliceColors dark(Theme::darkTheme());
    static const SliceColors light(Theme::lightTheme());
    return theme.dark ? dark : light;
}

QRgb SliceColors::textOn(QRgb fill) {
    // Above this luminance black has the greater contrast (WCAG 2: (L + 0.05) / 0.05 against 1.05 / (L + 0.05)).
    return luminance(fill) > 0.179 ? qRgb(12, 15, 20) : qRgb(236, 239, 244);
}

}  // namespace rankscope::ui
