// SPDX-License-Identifier: GPL-3.0-or-later
// The theme that the windows have now, whichever one is kept.
#include <QAction>
#include <QApplication>

#include "ui/commands/command_registry.h"
#include "ui/compare/compare_view.h"
#include "ui/window/drop_target.h"
#include "ui/window/loading_strip.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_window.h"
#include "ui/window/shared_runs.h"
#include "ui/window/step_map_page.h"
#include "ui/window/theme_choice.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {

void MainWindow::applyTheme() {
    theme_ = themeOf(choice_).withTextSize(text_size_ / 100.0);
    if (QApplication::font() != theme_.ui_font) {
        QApplication::setFont(theme_.ui_font);  // menus and tips have no window above them
    }
    // So have the list of a box and what Qt's file dialog offers to complete. Windows hear of each change.
    for (const char* lists : {"QListView", "QComboBoxPrivateContainer"}) {
        if (QApplication::palette(lists).base() != theme_.palette().base()) {
            QApplication::setPalette(theme_.palette(), lists);
        }
    }
    setPalette(theme_.palette());
    setFont(theme_.ui_font);  // before the program runs, windows hear nothing of its font
    for (PanelWindow* panel : findChildren<PanelWindow*>()) {
        panel->setFont(theme_.ui_font);
    }
    setStyleSheet(theme_.styleSheet());
    workspace_->setTheme(theme_);
    compare_view_->setTheme(theme_);
    step_map_->setTheme(theme_);
    strip_->setTheme(theme_);
    for (DropTarget* target : findChildren<DropTarget*>()) {
        target->setTheme(theme_);
    }
    commands_->action(QStringLiteral("view.theme-") + themeChoiceName(choice_))->setChecked(true);
}

void MainWindow::useTheme(ThemeChoice choice) {
    for (MainWindow* window : shared_->windows) {
        window->choice_ = choice;
        window->applyTheme();
    }
}

}  // namespace rankscope::ui
