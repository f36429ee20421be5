// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace rankscope::ui {

/// The words of the timeline: Timeline::tr() is for what its rows, its tooltips and its menus say, which are made where
/// there is no widget.
class Timeline {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

}  // namespace rankscope::ui
