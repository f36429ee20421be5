// SPDX-License-Identifier: GPL-3.0-or-later
// NCCL's logs in the window: dropped alone or with traces, and what the page shows of them.
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QTableView>
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "tests/support/real_traces.h"
#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "tests/unit/network/log_text.h"
#include "ui/panels/network/network_map.h"
#include "ui/panels/network/network_panel.h"
#include "ui/panels/network/transport_look.h"
#include "ui/panels/query/answer_table.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/shared/sorted_table.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/welcome_page.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

/// Four ranks on two hosts, whose ring uses shared memory inside a host and sockets between hosts.
test::LogText socketJob() {
    test::LogText log(4, 2);
    log.all("NET/IB : No device found.").all("Using network Socket").start("0xaa", 2);
    for (const auto* end : {" [send]", " [receive]"}) {
        log.edge(1, "NET/Socket/0", end).edge(3, "NET/Socket/0", end);
    }
    log.edge(0, "SHM/direct/direct").edge(2, "SHM/direct/direct");
    for (int rank = 0; rank < 4; ++rank) {
        log.call(rank, "AllReduce", 1'000'000);
        log.call(rank, "AllGather", 500);
    }
    return log;
}

class LogsInTheWindow : public test::WindowTest {
  protected:
    [[nodiscard]] NetworkPanel& page() { return workspace().network(); }
    [[nodiscard]] QTableView& table() { return page().tables().table().view(); }
    [[nodiscard]] QComboBox& shapes() { return test::named<QComboBox>(page(), QStringLiteral("Ring or tree")); }
    [[nodiscard]] QString write(const std::string& name, const test::LogText& log = socketJob()) const {
        return QString::fromStdString(folder().write(name, log.text()));
    }
    void show(const QStringList& paths, Qt::KeyboardModifiers modifiers = {}) {
        ASSERT_TRUE(dropAndWait(paths, modifiers));
        waitUntilQuiet();
    }
};

TEST_F(LogsInTheWindow, ADroppedLogAloneIsShownAndCanBeClosedAndReopened) {
    show({write("any.name")});
    EXPECT_TRUE(window().session().runs().empty());
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("network"));
    ASSERT_TRUE(page().isVisible());
    EXPECT_FALSE(window().findChild<WelcomePage*>()->isVisible());
    EXPECT_TRUE(window().windowTitle().startsWith(QStringLiteral("1 NCCL log")))
        << window().windowTitle().toStdString();
    EXPECT_TRUE(action("view.network")->isEnabled());
    EXPECT_FALSE(action("view.hang")->isEnabled());
    test::clickButton(page(), QStringLiteral("Close the Logs"));
    EXPECT_TRUE(window().session().empty());
    EXPECT_TRUE(window().findChild<WelcomePage*>()->isVisible());
    trigger("file.reopen");
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_NE(window().session().companions().logs, nullptr);
    trigger("file.close");
    EXPECT_TRUE(window().session().empty());
}

TEST_F(LogsInTheWindow, TheWorstFindingIsFirstWithItsLinesAndWhatToDo) {
    show({write("job.log")});
    const QString words = page().summary();
    EXPECT_TRUE(words.startsWith(QStringLiteral("4 ranks on 2 hosts, 1 communicator"))) << words.toStdString();
    const qsizetype title = words.indexOf(QStringLiteral("Data between hosts goes over TCP sockets"));
    const qsizetype line = words.indexOf(QStringLiteral("via NET/Socket/0"));
    EXPECT_GT(title, 0);
    EXPECT_GT(line, title) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("job.log:"))) << "the place of the line";
    EXPECT_TRUE(words.contains(QStringLiteral("Do ")));
}

TEST_F(LogsInTheWindow, BesideARunTheyReplaceNothingAndAreListed) {
    show({writeRank(0), writeRank(1)});
    EXPECT_FALSE(test::labelWords(window()).contains(QStringLiteral("Network, NCCL logs")));
    show({write("job.log")}, Qt::AltModifier);
    EXPECT_EQ(ranksOf(), 2) << "and it is not compared with the run";
    EXPECT_TRUE(page().isVisible());
    show({writeRank(2)});
    EXPECT_EQ(window().session().companions().logs, nullptr) << "they were of the run that made way";
}

TEST_F(LogsInTheWindow, AFolderOfTracesAndLogsOpensBoth) {
    (void)write("run/nccl.0.log");
    std::filesystem::rename(writeRank(0).toStdString(), folder().path() / "run/rank0.json");
    show({inFolder("run")});
    EXPECT_EQ(ranksOf(), 1);
    ASSERT_NE(window().session().companions().logs, nullptr);
    EXPECT_EQ(problems(), QString());
}

TEST_F(LogsInTheWindow, AnArchiveOfTracesAndLogsOpensBoth) {
    const std::string trace = test::contentOf(writeRank(0).toStdString());
    test::writeZip(folder().path() / "job.zip", {{"run/rank0.json", trace}, {"logs/nccl.0.log", socketJob().text()}});
    show({inFolder("job.zip")});
    EXPECT_EQ(ranksOf(), 1);
    ASSERT_NE(window().session().companions().logs, nullptr);
    EXPECT_EQ(problems(), QString());
}

TEST_F(LogsInTheWindow, CanBeAskedAboutInSqlWithTheRun) {
    show({writeRank(0), write("job.log")});
    trigger("view.query");
    QueryPanel& query = workspace().query();
    query.ask(QStringLiteral("SELECT count(*) FROM nccl_call"));
    ASSERT_TRUE(QTest::qWaitFor([&query] { return query.answer() != nullptr && !query.busy(); }, kPatience));
    EXPECT_EQ(test::column(*query.findChild<AnswerTable*>()->model()), QStringList("8"));
    show({write("later.log", test::LogText(1).start())}, Qt::AltModifier);
    query.ask(QStringLiteral("SELECT count(*) + 1 FROM nccl_call"));
    ASSERT_TRUE(QTest::qWaitFor([&query] { return !query.busy(); }, kPatience));
    EXPECT_EQ(test::column(*query.findChild<AnswerTable*>()->model()), QStringList("1")) << "of the later log";
}

TEST_F(LogsInTheWindow, AFolderOfLogsWithOtherOutputOpensWithoutAComplaint) {
    (void)write("logs/nccl.0.log");
    folder().write("logs/job.err.gz", test::gzip("no NCCL here\n"));
    show({inFolder("logs")});
    EXPECT_TRUE(page().isVisible());
    EXPECT_EQ(problems(), QString());
}

TEST_F(LogsInTheWindow, ThePictureHasTheRanksByHostAndTheRingInTheColoursOfTransports) {
    show({write("job.log")});
    NetworkMap& map = page().map();
    EXPECT_EQ(map.spokenParts(), 4U);
    EXPECT_EQ(map.spokenPart(2).name, QStringLiteral("rank 2 on host1"));
    EXPECT_EQ(shapes().itemText(0), QStringLiteral("Ring of channels 0, 1"));
    const QString tip = map.tipOf(1);
    EXPECT_TRUE(tip.contains(QStringLiteral("to rank 2: NET/Socket"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("from rank 0: SHM/direct/direct"))) << tip.toStdString();
    QStringList legend;
    for (const QLabel* title : page().findChild<TransportLegend*>()->findChildren<QLabel*>()) {
        legend << (title->isVisible() ? title->text() : QString());
    }
    legend.removeAll(QString());
    EXPECT_EQ(legend, QStringList({"SHM: through host memory", "NET/Socket: TCP"}));
    const QImage picture = map.grab().toImage();
    const auto has = [&](const GraphEdge& edge, network::PathKind kind) {
        const QRgb wanted = transportPen(kind, window().theme()).color().rgb();
        const QPainterPath line = map.lineOf(edge);
        for (int i = 0; i <= 100; ++i) {
            if (picture.pixel(line.pointAtPercent(i / 100.0).toPoint()) == wanted) {
                return true;
            }
        }
        return false;
    };
    EXPECT_TRUE(has({1, 2}, network::PathKind::Socket));
    EXPECT_TRUE(has({0, 1}, network::PathKind::HostMemory));
    EXPECT_FALSE(has({0, 1}, network::PathKind::Socket));
}

TEST_F(LogsInTheWindow, LinesOfTransportsDifferWithoutTheirColours) {
    std::set<std::pair<double, std::vector<double>>> looks;
    for (const auto kind : {network::PathKind::PeerToPeer, network::PathKind::HostMemory, network::PathKind::GpuRdma,
                            network::PathKind::HostNetwork, network::PathKind::Socket, network::PathKind::Other}) {
        const QPen pen = transportPen(kind, window().theme());
        const QList<qreal> dashes = pen.style() == Qt::SolidLine ? QList<qreal>() : pen.dashPattern();
        looks.insert({pen.widthF(), {dashes.begin(), dashes.end()}});
    }
    EXPECT_EQ(looks.size(), 6U);
}

TEST_F(LogsInTheWindow, ARankIsReachedWithKeysAndPointer) {
    show({write("job.log")});
    NetworkMap& map = page().map();
    map.setFocus();
    QTest::keyClick(&map, Qt::Key_Right);
    EXPECT_EQ(map.current(), std::optional<std::size_t>(0)) << "the first one";
    QTest::keyClick(&map, Qt::Key_End);
    EXPECT_EQ(map.current(), std::optional<std::size_t>(3));
    EXPECT_TRUE(map.spokenContent().startsWith(QStringLiteral("rank 3 on host1"))) << map.spokenContent().toStdString();
    const QImage before = map.grab().toImage();
    test::moveTo(map, map.placeOf(1).center());
    EXPECT_NE(map.grab().toImage(), before) << "its edges are marked";
    EXPECT_TRUE(test::tipAt(map, map.placeOf(1).center().toPoint()).startsWith(QStringLiteral("rank 1 on host0")));
}

TEST_F(LogsInTheWindow, CallsStartUpProcessesSettingsAndPathsAreTables) {
    show({write("job.log")});
    test::clickButton(page(), QStringLiteral("Calls"));
    EXPECT_EQ(test::column(*table().model()), QStringList({"all-reduce", "all-gather"}));
    EXPECT_EQ(test::column(*table().model(), 1), QStringList({"4.00 MB", "2.00 kB"}));
    test::clickButton(page(), QStringLiteral("Processes"));
    EXPECT_EQ(test::column(*table().model()), QStringList({"0", "1", "2", "3"}));
    EXPECT_EQ(test::column(*table().model(), 1), QStringList({"host0", "host0", "host1", "host1"}));
    test::clickButton(page(), QStringLiteral("Paths"));
    EXPECT_TRUE(test::column(*table().model(), 2).contains(QStringLiteral("NET/Socket")));
    test::clickButton(page(), QStringLiteral("Settings"));
    EXPECT_FALSE(table().isVisible());
    EXPECT_TRUE(test::labelWords(page()).contains(QStringLiteral("Add ENV to NCCL_DEBUG_SUBSYS")));
    show({write("again.log")});
    EXPECT_EQ(page().tables().front(), QStringLiteral("Settings")) << "the choice stays";
}

TEST_F(LogsInTheWindow, AnotherCommunicatorIsDrawnWhereItsRowIsClicked) {
    test::LogText two = socketJob();
    two.raw(test::LogText(2, 2).start("0xbb", 1, "0x20").text());
    show({write("job.log", two)});
    auto& list = test::named<QTableView>(page(), QStringLiteral("Communicators"));
    ASSERT_EQ(test::column(*list.model()), QStringList({"0 to 3", "0, 1"}));
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(list.model()->index(1, 0)).center());
    waitUntilQuiet();
    EXPECT_EQ(page().map().spokenParts(), 2U);
}

TEST_F(LogsInTheWindow, AllIsCopiedAsText) {
    show({write("job.log")});
    test::clickButton(page(), QStringLiteral("Copy as Text"));
    waitUntilQuiet();
    const QString copied = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(copied.startsWith(QStringLiteral("NCCL LOG  4 ranks on 2 hosts"))) << copied.toStdString();
    EXPECT_TRUE(copied.contains(QStringLiteral("all-reduce")));
}

TEST_F(LogsInTheWindow, ADamagedLogIsNamedAndTheOthersAreShown) {
    const std::string packed = test::gzip(socketJob().text());
    const QString cut = QString::fromStdString(folder().write("cut.log.gz", packed.substr(0, packed.size() / 2)));
    show({write("job.log"), cut});
    EXPECT_TRUE(problems().contains(QStringLiteral("cut.log.gz"))) << problems().toStdString();
    EXPECT_TRUE(page().isVisible());
}

TEST_F(LogsInTheWindow, ReadingStopsWhereItIsCancelledAndShowsNothing) {
    std::string large = socketJob().text();
    while (large.size() < 80'000'000) {
        large += "a line that another program of the job has written\n";
    }
    const QString path = QString::fromStdString(folder().write("large.log", large));
    drop({path});
    window().session().loader().cancel();
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(window().session().companions().logs, nullptr);
    EXPECT_TRUE(window().findChild<WelcomePage*>()->isVisible());
    show({path});
    ASSERT_NE(window().session().companions().logs, nullptr) << "it can be opened again";
    EXPECT_EQ(window().session().companions().logs->logs.files.front().bytes, large.size());
}

TEST_F(LogsInTheWindow, TheSessionKeepsThem) {
    show({writeRank(0)});
    show({write("deep/job.log")});
    saveAndReopen();
    waitUntilQuiet();
    EXPECT_EQ(ranksOf(), 1);
    ASSERT_NE(window().session().companions().logs, nullptr);
    EXPECT_EQ(window().session().companions().logs->files.size(), 1U);
}

TEST_F(LogsInTheWindow, AThousandRanksAreDrawnInAMoment) {
    constexpr int kRanks = 1'024;
    test::LogText log(kRanks, 8);
    log.start("0xaa", 2);
    for (int rank = 0; rank < kRanks; ++rank) {
        log.edge(rank, rank % 8 == 7 ? "NET/IB/0/GDRDMA" : "P2P/CUMEM", rank % 8 == 7 ? " [send]" : "");
    }
    window().resize(1280, 720);
    show({write("small.log")});  // the page is laid out
    const auto used_us = [] {
        timespec used{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        return used.tv_sec * 1'000'000 + used.tv_nsec / 1'000;
    };
    const QString path = write("job.log", log);
    std::int64_t longest = 0;
    std::int64_t before = used_us();
    QTimer turns;
    QObject::connect(&turns, &QTimer::timeout, &page(), [&] {
        const std::int64_t now = used_us();
        longest = std::max(longest, now - std::exchange(before, now));
    });
    turns.start(0);
    show({path});
    turns.stop();
    RecordProperty("longest us", std::to_string(longest));
    EXPECT_LT(longest, 60'000) << "a few ms, for any number of ranks, and more with the checks of a sanitizer";
    NetworkMap& map = page().map();
    ASSERT_EQ(map.spokenParts(), 1'024U);
    for (std::size_t rank = 0; rank < 1'024; ++rank) {
        EXPECT_TRUE(QRectF(map.rect()).contains(map.placeOf(rank))) << rank;
    }
    QImage onto(map.size(), QImage::Format_RGB32);
    map.render(&onto);  // places the whole window for the first time
    const auto begun = used_us();
    map.setTheme(window().theme());  // places all ranks again
    map.render(&onto);
    const auto took = used_us() - begun;
    RecordProperty("us", std::to_string(took));
    EXPECT_LT(took, 30'000) << "8 ms on a machine of today, and more with the checks of a sanitizer";
}

TEST_F(LogsInTheWindow, RealLogsAreShown) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const std::filesystem::path logs = test::realTraces() / "inputs/nccl_logs";
    show({QString::fromStdString((logs / "fsdp8_p2p_disabled").string())});
    EXPECT_TRUE(page().summary().startsWith(QStringLiteral("8 ranks on 1 host"))) << page().summary().toStdString();
    show({QString::fromStdString((logs / "megatron_2nodes_socket").string())});
    EXPECT_TRUE(page().summary().startsWith(QStringLiteral("8 ranks on 2 hosts"))) << page().summary().toStdString();
    EXPECT_EQ(page().map().spokenParts(), 8U);
    EXPECT_EQ(problems(), QString());
}

}  // namespace
}  // namespace rankscope::ui
