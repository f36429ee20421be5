// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>

namespace rankscope::ui {

// Qt reads text that looks like HTML as HTML unless it is set not to: a kernel whose name is an <img> tag would load a
// file when its tooltip shows. Every text that may come from a file goes through one of these.

/// The most characters that a tooltip shows; laying out a name of a megabyte would stop the window for seconds.
inline constexpr qsizetype kLongestTip = 2'000;
/// The most characters of a line of a tooltip; one whose words have no end before keeps on.
inline constexpr qsizetype kWidestTip = 110;
/// The most characters that a cell of a table shows; more have no room in it.
inline constexpr qsizetype kLongestCell = 500;

/// What to give to setToolTip(), Qt::ToolTipRole or QToolTip::showText() so that the tooltip shows `words` as they
/// are, whatever tags they contain. Lines of more than kWidestTip characters are broken where their words end. Texts of
/// more than kLongestTip characters are cut, and the tooltip says how long they are.
[[nodiscard]] QString plainTip(const QString& words);

/// `words` for one cell of a table: cut to kLongestCell characters, which end in an ellipsis then.
[[nodiscard]] QString cellWords(const QString& words);

/// A new label that shows `words`, and all that it is given later, as they are.
[[nodiscard]] QLabel* plainLabel(const QString& words = {}, QWidget* parent = nullptr);

/// Tells the user in a dialog what went wrong, as plain text, and waits until the user has closed it.
void warnPlainly(QWidget* parent, const QString& title, const QString& words);

}  // namespace rankscope::ui
