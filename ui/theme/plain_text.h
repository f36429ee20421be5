// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>

namespace rankscope::ui {

// Qt reads text that looks like HTML as HTML by default: a kernel whose name is an <img> tag would load a file when its
// tooltip is shown. Every text that may come from a file goes through one of these.

/// The most characters that a tooltip shows; laying out a name of a megabyte would stop the window for seconds.
inline constexpr qsizetype kLongestTip = 2'000;
/// The most characters in a line of a tooltip, except for a single word that is longer.
inline constexpr qsizetype kWidestTip = 110;
/// The most characters that a cell of a table shows; more do not fit.
inline constexpr qsizetype kLongestCell = 500;

/// A text for setToolTip(), Qt::ToolTipRole or QToolTip::showText() that shows `words` unchanged, with any tags they
/// contain. Lines of more than kWidestTip characters are broken between words. Texts of more than kLongestTip
/// characters are cut, and the tooltip says how long they are.
[[nodiscard]] QString plainTip(const QString& words);

/// `words` for one cell of a table: cut to kLongestCell characters, with an ellipsis at the end.
[[nodiscard]] QString cellWords(const QString& words);

/// A new label that shows `words`, and all later texts, as plain text.
[[nodiscard]] QLabel* plainLabel(const QString& words = {}, QWidget* parent = nullptr);

/// Shows an error in a dialog, as plain text, and waits until the user has closed it.
void warnPlainly(QWidget* parent, const QString& title, const QString& words);

}  // namespace rankscope::ui
