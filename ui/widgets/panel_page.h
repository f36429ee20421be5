// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

class QLabel;
class QLayout;
class QVBoxLayout;
class QWidget;

namespace rankscope::ui {

/// The page of a panel from top to bottom: a head, and the content that fills the rest. If a panel is too low for its
/// content, as with large text in a small window, its page scrolls: nothing is painted over anything else. Parts of a
/// QSplitter above each other have room for a few lines each. Add to the returned layout; `panel` must not have a
/// layout yet.
[[nodiscard]] QVBoxLayout* makePanelPage(QWidget& panel);

/// The head of a panel: its title, a text about it, and the boxes that choose its content, next to each other. They
/// wrap into further rows if the panel is narrow, and long texts into further lines. The boxes are as wide as their
/// current content.
[[nodiscard]] QLayout* makePanelHead(QLabel& title, QLabel& about, std::initializer_list<QWidget*> choices);
/// The same with only a title, which takes the room that the choices leave; these keep their sizes.
[[nodiscard]] QLayout* makePanelHead(QLabel& title, std::initializer_list<QWidget*> choices);

}  // namespace rankscope::ui
