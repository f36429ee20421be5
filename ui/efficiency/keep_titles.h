// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class RunChart;

/// Makes a chart that is drawn at least so high that the titles of its axes have room.
void keepTitles(RunChart& chart);

}  // namespace rankscope::ui
