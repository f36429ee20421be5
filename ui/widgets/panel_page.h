// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

class QLabel;
class QLayout;
class QVBoxLayout;
class QWidget;

namespace rankscope::ui {

/// The page of a panel from top to bottom: a head, and below it what fills the rest. Where a panel is too low for what
/// it holds, as with large text in a small window, its page scrolls: nothing is painted over anything else. Parts of a
/// QSplitter that are one above the other have room for some lines each. Add to what is returned; `panel` itself has
/// no layout yet.
[[nodiscard]] QVBoxLayout* makePanelPage(QWidget& panel);

/// The head of a panel: what it shows, more about that, and the boxes that choose it, next to each other. They go on
/// in further rows where the panel is narrow, and the words in further lines where one is too long for it. The boxes
/// are as wide as what they hold now, wherever the panel is put.
[[nodiscard]] QLayout* makePanelHead(QLabel& title, QLabel& about, std::initializer_list<QWidget*> choices);
/// The same with a title alone, which takes the room that the choices leave; these are as they come.
[[nodiscard]] QLayout* makePanelHead(QLabel& title, std::initializer_list<QWidget*> choices);

}  // namespace rankscope::ui
