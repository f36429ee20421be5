// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "ui/window/main_window.h"

namespace rankscope::ui {

class RunChart;

/// Shows each panel of the workspace in turn, and calls `look` once it has come to rest.
void forEachPanel(MainWindow& window, const std::function<void()>& look);
/// The same of each page of the charts.
void forEachChart(MainWindow& window, const std::function<void(RunChart& chart)>& look);
/// Runs a command that opens a dialog, calls `look` with it, and closes it.
void inDialogOf(MainWindow& window, const char* command, const std::function<void(QWidget& dialog)>& look);

}  // namespace rankscope::ui
