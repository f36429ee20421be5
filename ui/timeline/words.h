// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace rankscope::ui {

/// The translation context of the timeline: Timeline::tr() is for the texts of its rows, tooltips and menus, which are
/// made without a widget.
class Timeline {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

}  // namespace rankscope::ui
