// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/whole_window.h"

#include <QApplication>

#include "tests/ui/window/window_fixture.h"
#include "ui/charts/charts_panel.h"

namespace rankscope::ui {

void forEachPanel(MainWindow& window, const std::function<void()>& look) {
    for (const char* panel :
         {"check", "details", "area", "steps", "charts", "efficiency", "communication", "memory", "tables", "calls",
          "path", "grid", "pipeline", "collectives", "hits", "clocks", "health", "query"}) {
        SCOPED_TRACE(panel);
        window.workspace().showPanel(QLatin1String(panel));
        window.workspace().setBottomPanelVisible(true);
        test::waitUntilQuiet(window);
        look();
    }
}

void forEachChart(MainWindow& window, const std::function<void(RunChart& chart)>& look) {
    ChartsPanel& charts = window.workspace().charts();
    window.workspace().showBelow(charts);
    for (std::size_t i = 0; i < charts.charts().size(); ++i) {
        charts.showChart(i);
        test::waitUntilQuiet(window);
        look(*charts.charts()[i]);
    }
}

void inDialogOf(MainWindow& window, const char* command, const std::function<void(QWidget& dialog)>& look) {
    SCOPED_TRACE(command);
    window.commands().action(QLatin1String(command))->trigger();
    QCoreApplication::processEvents();
    QWidget* dialog = QApplication::activePopupWidget();
    for (auto* each : window.findChildren<QWidget*>()) {
        if (dialog == nullptr && each->isWindow() && each->isVisible()) {
            dialog = each;
        }
    }
    ASSERT_NE(dialog, nullptr);
    look(*dialog);
    dialog->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
}

}  // namespace rankscope::ui
