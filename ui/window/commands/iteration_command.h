// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class MainWindow;

inline constexpr const char* kIterationsCommand = "view.iterations";

/// The command by which the user says which iterations of a server medians and prices are of.
void addIterationCommand(MainWindow& window);
/// Enables it where an open run serves, and says else why it cannot be used.
void checkIterationCommand(MainWindow& window);

}  // namespace rankscope::ui
