// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

namespace rankscope::ui {

/// The colours and fonts of the window, for dark or light. A value, passed to everything that draws.
struct Theme {
    bool dark = true;

    QColor window;     ///< the background
    QColor surface;    ///< panels, cards
    QColor raised;     ///< buttons, the selected card
    QColor border;     ///< hairlines between surfaces
    QColor text;       ///< main text
    QColor text_dim;   ///< labels, units, secondary text
    QColor accent;     ///< links, focus, the primary button
    QColor track;      ///< behind the slices
    QColor track_alt;  ///< group headers on the timeline
    QColor grid;       ///< ruler lines through the tracks

    QColor gap;        ///< blocked device time: amber
    QColor straggler;  ///< outlines of a rank that delays the others: red
    QColor overlap;    ///< communication overlapped with compute: green
    QColor exposed;    ///< communication not overlapped with compute: pink
    QColor path;       ///< the critical path: lime, on light olive
    QColor severity_high;
    QColor severity_medium;
    QColor severity_low;
    QColor error;

    QFont ui_font;    ///< proportional
    QFont mono_font;  ///< figures and names in columns

    /// The dark theme, with fonts of the usual size.
    [[nodiscard]] static Theme darkTheme();
    /// The light theme, with fonts of the usual size.
    [[nodiscard]] static Theme lightTheme();
    /// The desktop's choice, recognised by its palette.
    [[nodiscard]] static Theme followDesktop(const QPalette& desktop);

    /// The same with text scaled by `factor`, from 6 to 32 points.
    [[nodiscard]] Theme withTextSize(double factor) const;

    /// The palette that standard widgets are drawn with.
    [[nodiscard]] QPalette palette() const;
    /// The style sheet of the window.
    [[nodiscard]] QString styleSheet() const;
};

}  // namespace rankscope::ui
