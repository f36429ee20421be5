// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

class QLabel;
class QLayout;
class QWidget;

namespace rankscope::ui {

/// The head of a panel: what it shows, more about that, and the boxes that choose it, which stand together. They go on
/// in further rows where the panel is narrow, and the words in further lines where one is too long for it. The boxes
/// are as wide as what they hold now, wherever the panel is put.
[[nodiscard]] QLayout* makePanelHead(QLabel& title, QLabel& about, std::initializer_list<QWidget*> choices);

}  // namespace rankscope::ui
