// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QStringList>
#include <algorithm>
#include <initializer_list>

/// Not in a namespace, not even an unnamed one, as Qt asks.
static void registerIcons() {  // NOLINT(misc-use-anonymous-namespace)
    Q_INIT_RESOURCE(icons);
}

namespace rankscope::ui {
namespace {

constexpr double kTypicalPoints = 10.0;  // the size for which the style sheet is made
constexpr double kMonoShare = 0.9;       // share of the proportional font's size: this font looks larger
constexpr double kSmallest = 8.0;
constexpr double kLargest = 24.0;

/// The font size of the desktop. Pictures that are drawn off screen do not depend on the desktop.
double uiPoints() {
    if (QGuiApplication::platformName() == QStringLiteral("offscreen")) {
        return kTypicalPoints;
    }
    const double desktop = QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSizeF();
    return desktop <= 0 ? kTypicalPoints : std::clamp(desktop, kSmallest, kLargest);
}

/// The first of `families` that is installed, or `fallback`.
QFont firstInstalled(std::initializer_list<const char*> families, QFont fallback) {
    const QStringList installed = QFontDatabase::families();
    for (const char* family : families) {
        const QString name = QString::fromLatin1(family);
        if (installed.contains(name)) {
            fallback.setFamily(name);
            break;
        }
    }
    return fallback;
}

QFont uiFont() {
    QFont font = firstInstalled({"Inter", "Inter Variable"}, QFontDatabase::systemFont(QFontDatabase::GeneralFont));
    font.setPointSizeF(uiPoints());
    return font;
}

QFont monoFont() {
    QFont font = firstInstalled({"JetBrains Mono", "IBM Plex Mono", "DejaVu Sans Mono"},
                                QFontDatabase::systemFont(QFontDatabase::FixedFont));
    font.setPointSizeF(uiPoints() * kMonoShare);
    font.setStyleHint(QFont::Monospace);
    // Some fonts draw "->" as an arrow: recorded names are shown letter by letter. Letters of one width need no
    // kerning.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

QColor rgb(unsigned value) {
    return QColor::fromRgb(value);
}

}  // namespace

Theme Theme::darkTheme() {
    registerIcons();
    Theme theme;
    theme.dark = true;
    theme.window = rgb(0x0f1217);
    theme.surface = rgb(0x161a21);
    theme.raised = rgb(0x20262f);
    theme.border = rgb(0x2a313c);
    theme.text = rgb(0xe6e9ef);
    theme.text_dim = rgb(0x96a0af);
    theme.accent = rgb(0x79b0ff);
    theme.track = rgb(0x12151b);
    theme.track_alt = rgb(0x1a1f27);
    theme.grid = rgb(0x242b35);
    theme.gap = rgb(0xf0b03c);
    theme.straggler = rgb(0xff6257);
    theme.overlap = rgb(0x43b883);
    theme.exposed = rgb(0xf472b6);
    theme.path = rgb(0xd7ff3e);
    theme.severity_high = rgb(0xff6f61);
    theme.severity_medium = rgb(0xf0b03c);
    theme.severity_low = rgb(0x79b0ff);
    theme.error = rgb(0xff7a6d);
    theme.ui_font = uiFont();
    theme.mono_font = monoFont();
    return theme;
}

Theme Theme::lightTheme() {
    registerIcons();
    Theme theme;
    theme.dark = false;
    theme.window = rgb(0xf2f4f7);
    theme.surface = rgb(0xffffff);
    theme.raised = rgb(0xe9eef5);
    theme.border = rgb(0xd9dfe7);
    theme.text = rgb(0x1a212b);
    theme.text_dim = rgb(0x586373);
    theme.accent = rgb(0x1860d0);
    theme.track = rgb(0xfafbfc);
    theme.track_alt = rgb(0xeceff4);
    theme.grid = rgb(0xe1e6ed);
    theme.gap = rgb(0xc17800);
    theme.straggler = rgb(0xd3281c);
    theme.overlap = rgb(0x1c9259);
    theme.exposed = rgb(0xc2257f);
    theme.path = rgb(0x243000);
    theme.severity_high = rgb(0xd3281c);
    theme.severity_medium = rgb(0xb86e00);
    theme.severity_low = rgb(0x1860d0);
    theme.error = rgb(0xc2251a);
    theme.ui_font = uiFont();
    theme.mono_font = monoFont();
    return theme;
}

Theme Theme::followDesktop(const QPalette& desktop) {
    const auto lightness = [&](QPalette::ColorRole role) { return desktop.color(role).lightness(); };
    return lightness(QPalette::Window) < lightness(QPalette::WindowText) ? darkTheme() : lightTheme();
}

Theme Theme::withTextSize(double factor) const {
    constexpr double kLeast = 6.0;
    constexpr double kMost = 32.0;
    Theme theme = *this;
    for (QFont* font : {&theme.ui_font, &theme.mono_font}) {
        font->setPointSizeF(std::clamp(font->pointSizeF() * factor, kLeast, kMost));
    }
    return theme;
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, surface);
    p.setColor(QPalette::AlternateBase, track_alt);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, text_dim);
    p.setColor(QPalette::Button, raised);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, text);
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, raised);
    p.setColor(QPalette::HighlightedText, text);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::Light, raised);
    p.setColor(QPalette::Midlight, raised);
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Dark, border);
    p.setColor(QPalette::Shadow, window.darker(150));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, text_dim);
    }
    return p;
}

}  // namespace rankscope::ui
