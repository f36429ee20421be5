// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class MainWindow;

inline constexpr const char* kIterationsCommand = "view.iterations";

/// The command by which the user chooses the kind of a server's iterations for medians and prices.
void addIterationCommand(MainWindow& window);
/// Enables it if an open run serves, else gives the reason.
void checkIterationCommand(MainWindow& window);

}  // namespace rankscope::ui
