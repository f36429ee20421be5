// SPDX-License-Identifier: GPL-3.0-or-later
// The theme that the windows have now, whichever one is kept.
#include "ui/window/main_window.h"
#include "ui/window/shared_runs.h"

namespace rankscope::ui {

void MainWindow::useTheme(ThemeChoice choice) {
    for (MainWindow* window : shared_->windows) {
        window->choice_ = choice;
        window->applyTheme();
    }
}

}  // namespace rankscope::ui
