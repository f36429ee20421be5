// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QVBoxLayout;
class QWidget;

namespace rankscope::ui {

/// The page of a panel from top to bottom: a head, and below it what fills the rest. Where a panel is too low for what
/// it holds, as with large text in a small window, its page scrolls: nothing is painted over anything else. Parts of a
/// QSplitter that stand one above the other have room for some lines each. Add to what is returned; `panel` itself has
/// no layout yet.
[[nodiscard]] QVBoxLayout* makePanelPage(QWidget& panel);

}  // namespace rankscope::ui
