// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QTest>
#include <QUrl>
#include <utility>

#include "tests/support/trace_text.h"

namespace rankscope::test {

QSet<QWidget*> tabStops(int most) {
    QSet<QWidget*> seen;
    QWidget* stop = QApplication::focusWidget();
    for (int keys = 0; stop != nullptr && keys < most; ++keys) {
        seen.insert(stop);
        QTest::keyClick(stop, Qt::Key_Tab);
        QWidget* const last = std::exchange(stop, QApplication::focusWidget());
        if (stop != last && seen.contains(stop)) {  // it may lead through the links of one text first
            break;
        }
    }
    return seen;
}

WindowTest::WindowTest()
    : settings_(std::make_unique<QSettings>(QString::fromStdString((folder_.path() / "settings.ini").string()),
                                            QSettings::IniFormat)),
      window_(std::make_unique<ui::MainWindow>(*settings_)) {
    window_->resize(1280, 720);
    window_->show();
    window_->activateWindow();  // shortcuts need an active window
    (void)QTest::qWaitForWindowActive(window_.get());
}

QString WindowTest::writeRank(int rank, int events) const {
    std::vector<std::string> lines;
    for (int i = 0; i < events; ++i) {
        const std::string correlation = R"("correlation": )" + std::to_string(i + 1);
        const int at = 100 + i * 50;
        lines.push_back(eventJson({.category = "cuda_runtime",
                                   .name = "cudaLaunchKernel",
                                   .ts = std::to_string(at),
                                   .dur = "5",
                                   .args = correlation}));
        lines.push_back(eventJson({.category = "kernel",
                                   .name = "gemm",
                                   .pid = "0",
                                   .tid = "7",
                                   .ts = std::to_string(at + 10),
                                   .dur = "30",
                                   .args = R"("device": 0, "stream": 7, )" + correlation}));
    }
    const std::string header =
        R"("distributedInfo": {"backend": "nccl", "rank": )" + std::to_string(rank) + R"(, "world_size": 2},)";
    return QString::fromStdString(
        folder_.write("run/rank" + std::to_string(rank) + ".pt.trace.json", traceJson(lines, header)));
}

void WindowTest::drop(const QStringList& paths, Qt::KeyboardModifiers modifiers) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) {
        urls.append(QUrl::fromLocalFile(path));
    }
    data.setUrls(urls);
    const QPoint middle = window_->rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, modifiers);
    QApplication::sendEvent(window_.get(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop(middle, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, modifiers);
    QApplication::sendEvent(window_.get(), &drop);
    ASSERT_TRUE(drop.isAccepted());
}

bool WindowTest::waitUntilIdle() {
    return QTest::qWaitFor([this] { return !window_->session().loader().busy(); }, kPatience);
}

int WindowTest::ranksOf(std::size_t run) {
    const ui::OpenRuns& runs = window_->session().runs();
    return run < runs.size() ? static_cast<int>(runs[run]->run->ranks.size()) : -1;
}

}  // namespace rankscope::test
