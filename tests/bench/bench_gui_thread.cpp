// SPDX-License-Identifier: GPL-3.0-or-later
// What keeps the GUI thread busy while runs are opened and looked at: drives the real window by real events, and tells
// for each thing done how long the longest event took. Opens the bundled runs, the PATHs that are given, or a run that
// it makes:
//     bench_gui_thread [PATH...]
//     bench_gui_thread --ranks RANKS SLICES     so many ranks of so many slices each
#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QSettings>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>

#include "tests/bench/gui_watch.h"
#include "tests/bench/many_ranks.h"
#include "ui/commands/command_registry.h"
#include "ui/compare/compare_panel.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/search/search.h"
#include "ui/panels/steps/step_map_view.h"
#include "ui/panels/whatif/what_if_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/appearance.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/main_window.h"
#include "ui/window/selection_flow.h"
#include "ui/window/step_map_page.h"
#include "ui/window/workspace.h"

namespace rankscope::bench {
namespace {

constexpr int kPatienceMs = 300'000;
constexpr int kFrameMs = 16;

class Driver {
  public:
    Driver(GuiWatch& watch, ui::MainWindow& window)
        : watch_(watch), window_(window), timeline_(window.workspace().timeline()) {}

    bool open(const QStringList& paths) {
        watch_.begin(QStringLiteral("open"));
        QElapsedTimer since;
        since.start();
        const auto tell = [&since](const char* what) {
            std::fprintf(stderr, "%8.2f s  %s\n", static_cast<double>(since.elapsed()) / 1e3, what);
        };
        const QMetaObject::Connection map = QObject::connect(&window_.stepMap().view(), &ui::StepMapView::shown,
                                                             [&] { tell("the map of all steps is shown"); });
        const QMetaObject::Connection read =
            QObject::connect(&window_.session(), &ui::Session::opened, [&] { tell("the first rank is there"); });
        asEvent([&] { window_.open(paths); });
        const bool idle = QTest::qWaitFor([this] { return !window_.session().loader().busy(); }, kPatienceMs);
        tell("all is read and analysed");
        QObject::disconnect(map);
        QObject::disconnect(read);
        return idle;
    }
    void search() {
        for (const char* text : {"nccl", "step", "gemm", "no such name"}) {
            watch_.begin(QStringLiteral("search for %1").arg(QLatin1String(text)));
            QElapsedTimer since;
            since.start();
            asEvent([&] { window_.active().search().searchFor(QLatin1String(text)); });
            (void)QTest::qWaitFor([this] { return !window_.active().search().busy(); }, kPatienceMs);
            const auto& results = window_.active().search().results();
            std::fprintf(stderr, "%8.2f s  %llu hits of %s\n", static_cast<double>(since.elapsed()) / 1e3,
                         results ? static_cast<unsigned long long>(results->total()) : 0ULL, text);
        }
        asEvent([&] { window_.active().search().close(); });
    }
    /// The longest answer that the page Query shows, its copy, and its marks on the timeline.
    void ask() {
        watch_.begin(QStringLiteral("ask for 100,000 rows"));
        ui::QueryPanel& page = window_.workspace().query();
        asEvent([&] {
            window_.commands().action(QStringLiteral("view.query"))->trigger();
            page.ask(QStringLiteral("SELECT a.id, a.name, a.rank, a.step, a.start_ns, a.dur_ns FROM slice a, slice b"));
        });
        (void)QTest::qWaitFor([&] { return !page.busy(); }, kPatienceMs);
        QTest::qWait(10 * kFrameMs);
    }
    /// The page What if: each slider is dragged through its range, while forecasts are made.
    void tryChanges() {
        watch_.begin(QStringLiteral("what if: show, each change alone"));
        ui::WhatIfPanel& page = window_.workspace().whatIf();
        asEvent([this] { window_.commands().action(QStringLiteral("view.what-if"))->trigger(); });
        (void)QTest::qWaitFor([&] { return !page.busy(); }, kPatienceMs);
        QTest::qWait(10 * kFrameMs);
        watch_.begin(QStringLiteral("what if: drag"));
        for (QSlider* const slider : page.findChildren<QSlider*>()) {
            for (int tenth = 0; slider->isEnabled() && tenth <= 10; ++tenth) {
                asEvent([&] {
                    slider->setValue(slider->minimum() + (slider->maximum() - slider->minimum()) * tenth / 10);
                });
                QTest::qWait(kFrameMs);
            }
        }
        (void)QTest::qWaitFor([&] { return !page.busy(); }, kPatienceMs);
        QTest::qWait(10 * kFrameMs);
    }
    void lookAround() {
        watch_.begin(QStringLiteral("first frames"));
        QTest::qWait(50 * kFrameMs);
        zoomAndPan({});
        watch_.begin(QStringLiteral("hover"));
        forPoints(40, 25, [this](QPoint at) { QTest::mouseMove(&timeline_, at); });
        watch_.begin(QStringLiteral("click"));
        forPoints(8, 12, [this](QPoint at) { QTest::mouseClick(&timeline_, Qt::LeftButton, {}, at); });
        watch_.begin(QStringLiteral("step through slices, gaps and links"));
        for (const int key : {Qt::Key_Period, Qt::Key_BracketRight, Qt::Key_Comma, Qt::Key_G, Qt::Key_F}) {
            for (int i = 0; i < 10; ++i) {
                press(key);
            }
        }
        watch_.begin(QStringLiteral("step through findings"));
        for (int i = 0; i < 10; ++i) {
            asEvent([this] { window_.workspace().flow().stepFinding(1); });
            QTest::qWait(2 * kFrameMs);
        }
        runCommands();
        lookAtAllFacts();
        showCountersAndPath();
        watch_.begin(QStringLiteral("change size and theme"));
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
            asEvent([&] { window_.resize(size); });
            QTest::qWait(2 * kFrameMs);
        }
        for (const auto choice : {ui::ThemeChoice::Light, ui::ThemeChoice::Dark}) {
            asEvent([&] { window_.appearance().choose(choice); });
            QTest::qWait(2 * kFrameMs);
        }
    }

    /// Compares the two runs that are open, and looks at that.
    void compare() {
        watch_.begin(QStringLiteral("compare: begin"));
        asEvent([this] { window_.compareOpenRuns(); });
        ui::CompareView& view = window_.compareView();
        (void)QTest::qWaitFor([&] { return view.compared() && !view.busy(); }, kPatienceMs);
        QTest::qWait(50 * kFrameMs);
        ui::TimelineWidget& a = view.timeline(ui::Side::A);
        watch_.begin(QStringLiteral("compare: pan and zoom both"));
        for (const int key : {Qt::Key_W, Qt::Key_D, Qt::Key_S, Qt::Key_A}) {
            QTest::keyPress(&a, static_cast<Qt::Key>(key));
            QTest::qWait(30 * kFrameMs);
            QTest::keyRelease(&a, static_cast<Qt::Key>(key));
            QTest::qWait(10 * kFrameMs);
        }
        watch_.begin(QStringLiteral("compare: click"));
        const QRect area = a.tracksArea();
        for (int i = 0; i < 60; ++i) {
            QTest::mouseClick(&a, Qt::LeftButton, {},
                              area.topLeft() + QPoint(area.width() * (i % 10) / 10, area.height() * (i / 10) / 6));
            QTest::qWait(2 * kFrameMs);
        }
        watch_.begin(QStringLiteral("compare: follow lines of tables"));
        for (std::size_t page = 0; page < ui::kComparePages; ++page) {
            asEvent([&] { view.panel().showPage(static_cast<ui::ComparePage>(page)); });
            for (int i = 0; i < 8; ++i) {
                asEvent([&] { view.panel().table(static_cast<ui::ComparePage>(page)).step(1); });
                (void)QTest::qWaitFor([&] { return !view.busy(); }, kPatienceMs);
                QTest::qWait(2 * kFrameMs);
            }
        }
        watch_.begin(QStringLiteral("compare: arrange, swap and leave"));
        asEvent([&] { view.setStacked(true); });
        QTest::qWait(4 * kFrameMs);
        asEvent([this] { window_.comparing().swap(); });
        (void)QTest::qWaitFor([&] { return !view.busy(); }, kPatienceMs);
        QTest::qWait(10 * kFrameMs);
        asEvent([this] { window_.comparing().leave(); });
        QTest::qWait(10 * kFrameMs);
    }

  private:
    /// As a command of a menu or a key does it: in an event, which is timed.
    void asEvent(const std::function<void()>& act) {
        bool done = false;
        QMetaObject::invokeMethod(
            &window_,
            [&] {
                act();
                done = true;
            },
            Qt::QueuedConnection);
        (void)QTest::qWaitFor([&] { return done; }, kPatienceMs);
    }
    /// Runs each command that shows or arranges something, but for those that ask first.
    void runCommands() {
        for (const ui::Command& command : window_.commands().commands()) {
            const bool shows =
                std::ranges::any_of(std::to_array({"view.", "rows.", "go.", "help.", "area."}),
                                    [&](const char* group) { return command.id.startsWith(QLatin1String(group)); });
            QAction* action = window_.commands().action(command.id);
            if (!shows || command.title.endsWith(QStringLiteral("...")) || !action->isEnabled()) {
                continue;
            }
            watch_.begin(command.id);
            for (int times = action->isCheckable() ? 2 : 1; times > 0; --times) {  // on and off again
                asEvent([action] { action->trigger(); });
                QTest::qWait(10 * kFrameMs);
            }
        }
    }
    /// Every table of the page.
    void lookAtAllFacts() {
        watch_.begin(QStringLiteral("tables of all facts"));
        asEvent([this] { window_.commands().action(QStringLiteral("view.all-facts"))->trigger(); });
        const QList<QComboBox*> boxes = window_.workspace().tables().findChildren<QComboBox*>();
        const auto tables = std::ranges::find(boxes, QStringLiteral("Table"), &QWidget::accessibleName);
        for (int i = 0; tables != boxes.end() && i < (*tables)->count(); ++i) {
            asEvent([&] { (*tables)->setCurrentIndex(i); });
            (void)QTest::qWaitFor([this] { return !window_.workspace().busy(); }, kPatienceMs);
            QTest::qWait(2 * kFrameMs);
        }
    }
    void showCountersAndPath() {
        watch_.begin(QStringLiteral("counters and critical path: show"));
        for (const char* id : {"rows.counters", "overlay.critical-path"}) {
            QAction* command = window_.commands().action(QLatin1String(id));
            asEvent([&] { command->trigger(); });
        }
        QTest::qWait(120 * kFrameMs);
        zoomAndPan(QStringLiteral("counters and critical path: "));
    }
    void zoomAndPan(const QString& what) {
        for (const auto& [name, key] : {std::pair("zoom in", Qt::Key_W), std::pair("pan", Qt::Key_D),
                                        std::pair("zoom out", Qt::Key_S), std::pair("pan back", Qt::Key_A)}) {
            watch_.begin(what + QString::fromLatin1(name));
            QTest::keyPress(&timeline_, key);
            QTest::qWait(90 * kFrameMs);
            QTest::keyRelease(&timeline_, key);
            QTest::qWait(10 * kFrameMs);
        }
        watch_.begin(what + QStringLiteral("wheel"));
        for (int i = 0; i < 60; ++i) {
            wheel(i % 20 < 10 ? 120 : -120, i % 3 == 0 ? Qt::NoModifier : Qt::ControlModifier);
        }
        press(Qt::Key_F);
    }
    void press(int key) {
        QTest::keyClick(&timeline_, static_cast<Qt::Key>(key));
        QTest::qWait(kFrameMs);
    }
    void wheel(int angle, Qt::KeyboardModifiers modifiers) {
        const QPointF at = timeline_.tracksArea().center();
        QWheelEvent event(at, timeline_.mapToGlobal(at), {}, QPoint(0, angle), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&timeline_, &event);
        QTest::qWait(kFrameMs);
    }
    template <typename Visit>
    void forPoints(int columns, int rows, Visit visit) {
        const QRect area = timeline_.tracksArea();
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < columns; ++x) {
                visit(area.topLeft() + QPoint(area.width() * x / columns, area.height() * y / rows));
                QTest::qWait(1);
            }
        }
    }

    GuiWatch& watch_;
    ui::MainWindow& window_;
    ui::TimelineWidget& timeline_;
};

int watchTheWindow(GuiWatch& watch, const QStringList& paths) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    ui::MainWindow window(settings);
    window.resize(1920, 1080);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    Driver driver(watch, window);
    if (!driver.open(paths)) {
        std::fputs("the window never came to rest\n", stderr);
        return 1;
    }
    driver.search();
    driver.ask();
    driver.tryChanges();
    driver.lookAround();
    if (window.session().runs().size() == 2) {
        driver.compare();
    }
    std::fputs(watch.report().toUtf8().constData(), stdout);
    return 0;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    rankscope::bench::GuiWatch watch(argc, argv);
    const QTemporaryDir made;
    QStringList paths = rankscope::bench::GuiWatch::arguments().mid(1);
    if (paths.size() == 3 && paths.front() == QLatin1String("--ranks")) {
        rankscope::bench::ManyRanks job;
        job.ranks = paths.at(1).toInt();
        job.slices_each = paths.at(2).toInt();
        rankscope::bench::writeManyRanks(job, made.path().toStdString());
        paths = {made.path()};
    } else if (paths.isEmpty()) {
        const QString samples = QStringLiteral(RANKSCOPE_SOURCE_DIR "/resources/samples/");
        paths = {samples + QStringLiteral("ZeroWorkers"), samples + QStringLiteral("FourWorkers")};
    }
    return rankscope::bench::watchTheWindow(watch, paths);
}
