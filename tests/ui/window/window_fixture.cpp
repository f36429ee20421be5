// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <utility>

#include "tests/support/trace_text.h"
#include "tests/ui/widget_parts.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/passing_notice.h"
#include "ui/window/session/session_keeper.h"

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

void waitUntilQuiet(ui::MainWindow& window) {
    ASSERT_TRUE(QTest::qWaitFor(
        [&window] { return !window.workspace().busy() && !window.session().reanalysis().busy(); }, kPatience));
    QCoreApplication::processEvents();
    window.workspace().timeline().settle();
    QCoreApplication::processEvents();
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

void WindowTest::drop(const QStringList& paths, Qt::KeyboardModifiers modifiers, std::optional<QPoint> at) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) {
        urls.append(QUrl::fromLocalFile(path));
    }
    data.setUrls(urls);
    const QPoint middle = at.value_or(window_->rect().center());
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

bool WindowTest::dropAndWait(const QStringList& paths, Qt::KeyboardModifiers modifiers) {
    drop(paths, modifiers);
    return !HasFatalFailure() && waitUntilIdle();
}

bool WindowTest::openAndWait(const QStringList& paths, ui::OpenMode mode) {
    window_->open(paths, mode);
    return waitUntilIdle();
}

void WindowTest::enlargeText() {
    for (int times = 0; times < 10; ++times) {
        trigger("view.text-larger");
    }
    QCoreApplication::processEvents();
}

QString WindowTest::notice() {
    const auto* said = window_->findChild<ui::PassingNotice*>();
    return said != nullptr && said->isVisible() ? said->text() : QString();
}

QString WindowTest::problems() {
    const ui::LoadingModel& model = window_->loadingStrip().model();
    QString all;
    for (int row = 0; row < model.rowCount(); ++row) {
        all += model.index(row, ui::LoadingModel::kName).data().toString() + QStringLiteral(": ") +
               model.index(row, ui::LoadingModel::kState).data().toString() + QLatin1Char('\n');
    }
    return all;
}

QString WindowTest::stripWords() {
    return labelWords(window_->loadingStrip());
}

QString WindowTest::saveAndClose() {
    const QString file = inFolder("mine.rankscope");
    window_->sessions().save(file);
    window_->session().closeAll();
    return file;
}

void WindowTest::saveAndReopen() {
    drop({saveAndClose()});
    ASSERT_TRUE(waitUntilIdle());
    waitUntilQuiet();
}

int WindowTest::ranksOf(std::size_t run) {
    const ui::OpenRuns& runs = window_->session().runs();
    return run < runs.size() ? static_cast<int>(runs[run]->run->ranks.size()) : -1;
}

}  // namespace rankscope::test
