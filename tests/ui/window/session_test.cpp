// SPDX-License-Identifier: GPL-3.0-or-later
// What was open comes back: at the next start, and from files that were sent.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QScreen>
#include <QSignalSpy>

#include "tests/support/full_disk.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/search/search.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/locate_offer.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"
#include "ui/window/selection_flow.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

using test::FullDisk;

class Sessions : public test::WindowTest {
  protected:
    static bool waitFor(MainWindow& window) {
        return QTest::qWaitFor([&] { return !window.session().loader().busy() && !window.workspace().busy(); },
                               kPatience);
    }
    [[nodiscard]] bool opens(const QString& session) {
        window().open({session});
        return waitFor(window());
    }
    void openTwoRanksAndPinARow() {
        ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
        workspace().flow().pointAt({0, RankPosition(0), {TrackId(0), 3}});
        trigger("rows.pin");
        ASSERT_EQ(workspace().timeline().state().pinned.size(), 1U);
    }
    /// Two runs, a slice selected, a part in sight, a search, a typed offset and the clocks in front.
    void setUpAView() {
        ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
        const QString other = QString::fromStdString(folder().write("other/rank0.json", rankText()));
        ASSERT_TRUE(dropAndWait({other}, Qt::AltModifier));
        trigger("compare.leave");
        ClockChoice choice;
        choice.typed_offset_ns[RankNumber(1)] = 7'000;
        window().session().setClocks(0, choice);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window().session().reanalysis().busy(); }, kPatience));
        Workspace& workspace = window().workspace();
        workspace.flow().pointAt({0, RankPosition(1), {TrackId(0), 3}});
        workspace.timeline().showWindow({200'000, 300'000});
        trigger("overlay.gaps");
        trigger("overlay.links");
        trigger("overlay.critical-path");
        trigger("rows.by-lateness");
        trigger("rows.pin");
        trigger("area.of-selection");
        trigger("view.side");
        ASSERT_EQ(workspace.timeline().state().pinned.size(), 1U);
        ASSERT_TRUE(workspace.timeline().area().has_value());
        ASSERT_FALSE(workspace.sidePanelVisible());
        left = workspace.timeline().state();
        workspace.search().searchFor(QStringLiteral("gemm"));
        workspace.showPanel(QStringLiteral("clocks"));
    }
    [[nodiscard]] std::string rankText() const {
        QFile file(inFolder("run/rank0.pt.trace.json"));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll().toStdString();
    }
    static void expectTheRuns(MainWindow& window) {
        ASSERT_EQ(window.session().runs().size(), 2U);
        EXPECT_EQ(window.session().runs()[0]->run->ranks.size(), 2U);
        EXPECT_EQ(window.session().runs()[0]->clock.ranks[1].method, ClockMethod::Typed);
        EXPECT_EQ(window.session().runs()[0]->clock.ranks[1].offset_ns, 7'000);
        EXPECT_EQ(window.session().choices()[0].clocks.typed_offset_ns.at(RankNumber(1)), 7'000);
    }
    void expectTheView(MainWindow& window) const {
        ASSERT_NO_FATAL_FAILURE(expectTheRuns(window));
        Workspace& workspace = window.workspace();
        EXPECT_EQ(workspace.timeline().selection(), Selection(SliceSelection{0, RankPosition(1), {TrackId(0), 3}}));
        EXPECT_EQ(workspace.timeline().viewport().window(), (TimeSpan{200'000, 300'000}));
        EXPECT_FALSE(window.commands().action(QStringLiteral("overlay.gaps"))->isChecked());
        EXPECT_TRUE(window.commands().action(QStringLiteral("overlay.critical-path"))->isChecked());
        EXPECT_TRUE(window.commands().action(QStringLiteral("rows.by-lateness"))->isChecked());
        EXPECT_EQ(workspace.timeline().state(), left) << "overlays, order of ranks, pins, area and all else";
        EXPECT_FALSE(workspace.sidePanelVisible());
        EXPECT_EQ(workspace.search().query(), QStringLiteral("gemm"));
        EXPECT_EQ(workspace.panelInFront(), QStringLiteral("clocks"));
    }

    TimelineState left;  ///< as setUpAView() left it
};

TEST_F(Sessions, WhatWasOpenComesBackAtTheNextStart) {
    setUpAView();
    window().close();
    MainWindow next(settings());
    next.resize(1280, 720);
    next.show();
    next.sessions().openLast();
    ASSERT_TRUE(waitFor(next));
    expectTheView(next);
}

TEST_F(Sessions, OneWhoseFilesWereMovedOffersToLookForThem) {
    const QString first = writeRank(0);
    const QString second = writeRank(1);
    ASSERT_TRUE(dropAndWait({first, second}));
    workspace().flow().pointAt({0, RankPosition(1), {TrackId(0), 3}});
    window().sessions().save(inFolder("mine.rankscope"));
    QDir().mkpath(inFolder("elsewhere/deep"));
    ASSERT_TRUE(QFile::rename(first, inFolder("elsewhere/deep/") + QFileInfo(first).fileName()));
    ASSERT_TRUE(QFile::rename(second, inFolder("elsewhere/deep/") + QFileInfo(second).fileName()));
    auto* offer = window().findChild<LocateOffer*>();
    ASSERT_NE(offer, nullptr);
    EXPECT_FALSE(offer->isVisible());
    ASSERT_TRUE(dropAndWait({inFolder("mine.rankscope")}));
    ASSERT_TRUE(offer->isVisible());
    EXPECT_TRUE(offer->findChild<QLabel*>()->text().contains(QStringLiteral("2 files")));
    Q_EMIT offer->located(inFolder("elsewhere/deep"));
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_FALSE(offer->isVisible());
    EXPECT_EQ(ranksOf(), 2);
    EXPECT_EQ(workspace().timeline().selection(), Selection(SliceSelection{0, RankPosition(1), {TrackId(0), 3}}));
}

TEST_F(Sessions, TheOfferToLookForFilesGoesWithTheSession) {
    const QString first = writeRank(0);
    ASSERT_TRUE(dropAndWait({first}));
    window().sessions().save(inFolder("mine.rankscope"));
    ASSERT_TRUE(QFile::remove(first));
    ASSERT_TRUE(dropAndWait({inFolder("mine.rankscope")}));
    auto* offer = window().findChild<LocateOffer*>();
    ASSERT_TRUE(offer->isVisible());
    ASSERT_TRUE(dropAndWait({writeRank(1)}));
    EXPECT_FALSE(offer->isVisible()) << "something else is open";
}

TEST_F(Sessions, ASavedSessionIsOpenedByDroppingIt) {
    setUpAView();
    saveAndClose();
    ASSERT_TRUE(dropAndWait({inFolder("mine.rankscope")}) && waitFor(window()));
    expectTheView(window());
}

/// Where the panels were put, and what is to come back of it.
class SessionLayouts : public Sessions {
  protected:
    void arrange() {
        ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
        PanelPlaces& places = window().workspace().places();
        places.move(*places.find(QStringLiteral("charts")), PanelPlace::Window, {60, 50, 720, 400});
        places.move(*places.find(QStringLiteral("steps")), PanelPlace::SideTop);
        places.move(*places.find(QStringLiteral("explanation")), PanelPlace::Below);
        PanelLayout layout = window().workspace().layout();
        layout.side_width = 420;
        layout.bottom_height = 230;
        window().workspace().setLayout(layout);
        window().workspace().setBottomPanelVisible(true);
        left = window().workspace().layout();
    }
    void expectItsLayout(MainWindow& of) const {
        const Workspace& workspace = of.workspace();
        EXPECT_EQ(workspace.layout(), left);
        const QWidget& charts = *workspace.places().find(QStringLiteral("charts"));
        EXPECT_TRUE(charts.isVisible());
        EXPECT_EQ(charts.window()->geometry(), QRect(60, 50, 720, 400));
        EXPECT_EQ(workspace.places().dock(PanelPlace::SideTop).width(), 420);
        EXPECT_EQ(workspace.places().dock(PanelPlace::SideTop).currentWidget()->objectName(), QStringLiteral("steps"));
    }

    PanelLayout left;
};

TEST_F(SessionLayouts, ASavedSessionHasThePlacesOfThePanels) {
    arrange();
    window().sessions().save(inFolder("mine.rankscope"));
    workspace().useDefaultLayout();
    workspace().setBottomPanelVisible(false);
    window().session().closeAll();
    ASSERT_TRUE(dropAndWait({inFolder("mine.rankscope")}) && waitFor(window()));
    expectItsLayout(window());
    EXPECT_TRUE(workspace().bottomPanelVisible());
}

TEST_F(SessionLayouts, TheLayoutIsRestoredAtTheNextStartForAnyRun) {
    arrange();
    workspace().setSidePanelVisible(false);
    window().close();
    MainWindow next(settings());
    next.show();
    next.open({writeRank(0)});
    ASSERT_TRUE(waitFor(next));
    EXPECT_FALSE(next.workspace().sidePanelVisible());
    EXPECT_FALSE(next.commands().action(QStringLiteral("view.side"))->isChecked());
    next.commands().action(QStringLiteral("view.side"))->trigger();
    expectItsLayout(next);
    EXPECT_FALSE(next.workspace().bottomPanelVisible()) << "until there is something to show";
}

TEST_F(SessionLayouts, ASettingThatIsDamagedIsTheUsualLayout) {
    for (const char* kept : {"{", "[]", R"({"moved": [{"panel": "charts", "place": 7}]})", R"({"moved": 1})"}) {
        settings().setValue(QStringLiteral("layout/panels"), QString::fromLatin1(kept));
        MainWindow next(settings());
        EXPECT_TRUE(next.workspace().places().allHome()) << kept;
    }
}

TEST_F(Sessions, ASessionThatMovesWithItsTracesStillFindsThem) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    saveAndClose();
    const std::filesystem::path there = folder().path() / "sent";
    std::filesystem::create_directories(there);
    std::filesystem::rename(folder().path() / "run", there / "run");
    std::filesystem::rename(folder().path() / "mine.rankscope", there / "mine.rankscope");
    ASSERT_TRUE(opens(inFolder("sent/mine.rankscope")));
    EXPECT_EQ(ranksOf(), 1);
}

TEST_F(Sessions, ASentOneFindsTracesInItsOwnFolderWhereverTheyWereBefore) {
    ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
    std::filesystem::create_directories(folder().path() / "notes");
    window().sessions().save(inFolder("notes/mine.rankscope"));  // the traces do not lie below it
    window().session().closeAll();
    const std::filesystem::path there = folder().path() / "sent";
    std::filesystem::create_directories(there);
    std::filesystem::rename(folder().path() / "run", there / "run");
    std::filesystem::rename(folder().path() / "notes" / "mine.rankscope", there / "mine.rankscope");
    ASSERT_TRUE(opens(inFolder("sent/mine.rankscope")));
    EXPECT_EQ(ranksOf(), 2);
    window().session().closeAll();
    std::filesystem::rename(there / "mine.rankscope", there / "run" / "mine.rankscope");
    ASSERT_TRUE(opens(inFolder("sent/run/mine.rankscope")));
    EXPECT_EQ(ranksOf(), 2) << "in the very folder of the traces too";
}

TEST_F(Sessions, OneWithMissingTracesSelectsAndPinsNothingRatherThanAnotherRank) {
    ASSERT_NO_FATAL_FAILURE(openTwoRanksAndPinARow());
    saveAndClose();
    std::filesystem::remove(folder().path() / "run" / "rank0.pt.trace.json");
    ASSERT_TRUE(opens(inFolder("mine.rankscope")));
    ASSERT_EQ(ranksOf(), 1);
    EXPECT_TRUE(workspace().timeline().state().pinned.empty()) << "rank 1 stands where rank 0 stood";
    EXPECT_EQ(workspace().timeline().selection().index(), 0U);
    EXPECT_TRUE(problems().contains(QStringLiteral("left out"))) << problems().toStdString();
}

TEST_F(Sessions, OneWhoseTracesAreGoneIsNotLaidOverAnotherRunThatIsOpen) {
    ASSERT_NO_FATAL_FAILURE(openTwoRanksAndPinARow());
    workspace().timeline().showWindow({200'000, 300'000});
    saveAndClose();
    std::filesystem::rename(folder().path() / "run", folder().path() / "another");
    drop({inFolder("another/rank0.pt.trace.json"), inFolder("another/rank1.pt.trace.json")});
    ASSERT_TRUE(waitFor(window()));
    workspace().timeline().settle();
    const TimelineState before = workspace().timeline().state();
    ASSERT_TRUE(opens(inFolder("mine.rankscope")));
    ASSERT_EQ(ranksOf(), 2) << "as many runs and files as the session has, and none of its own";
    EXPECT_EQ(workspace().timeline().state(), before);
    EXPECT_TRUE(workspace().timeline().state().pinned.empty());
    EXPECT_EQ(workspace().timeline().selection().index(), 0U);
    EXPECT_TRUE(window().findChild<LocateOffer*>()->isVisible());
}

TEST_F(Sessions, EachFileOfEachRunThatIsMissedIsNamed) {
    ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
    window().session().open({QString::fromStdString(folder().write("other/rank5.json", rankText()))}, OpenMode::Beside);
    ASSERT_TRUE(waitUntilIdle());
    saveAndClose();
    std::filesystem::remove_all(folder().path() / "run");
    std::filesystem::remove_all(folder().path() / "other");
    ASSERT_TRUE(opens(inFolder("mine.rankscope")));
    const LoadingModel& model = window().loadingStrip().model();
    ASSERT_EQ(model.rowCount(), 3) << problems().toStdString();
    EXPECT_EQ(model.index(2, LoadingModel::kName).data().toString(), QStringLiteral("rank5.json"));
    const QString words = stripWords();
    EXPECT_TRUE(words.contains(QStringLiteral("3 files could not be read"))) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("0 of 3 files"))) << words.toStdString();
}

TEST_F(Sessions, ADamagedOneIsRefusedInWordsAndCostsNothing) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    (void)folder().write("half.rankscope", R"({"schema": "rankscope-session", "version": 1, "runs": [)");
    window().open({inFolder("half.rankscope")});
    EXPECT_TRUE(problems().contains(QStringLiteral("is damaged"))) << problems().toStdString();
    EXPECT_TRUE(window().loadingStrip().isVisible());
    EXPECT_EQ(ranksOf(), 1) << "what is open stays open";
}

TEST_F(Sessions, OneThatCannotBeWrittenLeavesTheOldOne) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    window().sessions().save(inFolder("mine.rankscope"));
    QFile file(inFolder("mine.rankscope"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    const QSignalSpy failed(&window().sessions(), &SessionKeeper::failed);
    {
        const FullDisk disk;
        window().sessions().save(inFolder("mine.rankscope"));
    }
    EXPECT_EQ(failed.count(), 1);
    QFile after(inFolder("mine.rankscope"));
    ASSERT_TRUE(after.open(QIODevice::ReadOnly));
    EXPECT_EQ(after.readAll(), before);
    EXPECT_FALSE(before.isEmpty());
}

TEST_F(Sessions, ADamagedLastOneIsPutAsideRatherThanWrittenOver) {
    (void)folder().write("last-session.json", "not a session at all");
    window().sessions().openLast();
    EXPECT_TRUE(problems().contains(QStringLiteral("is damaged"))) << problems().toStdString();
    window().close();
    QFile aside(inFolder("last-session.json.damaged"));
    ASSERT_TRUE(aside.open(QIODevice::ReadOnly));
    EXPECT_EQ(aside.readAll(), QByteArray("not a session at all"));
}

TEST_F(Sessions, RunsOpenedWhileItLoadsAreNotOverwritten) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    workspace().timeline().showWindow({200'000, 300'000});
    window().sessions().save(inFolder("mine.rankscope"));
    workspace().timeline().fitAll();
    workspace().timeline().settle();
    window().open({inFolder("mine.rankscope")});
    const QString other = QString::fromStdString(folder().write("other/rank0.json", rankText()));
    drop({other});
    ASSERT_TRUE(waitFor(window()));
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->files[0].path, other.toStdString());
    EXPECT_NE(workspace().timeline().viewport().window(), (TimeSpan{200'000, 300'000}));
}

std::string whyNot(const std::string& json) {
    const Result<SessionDocument> read = readSession(json, "/somewhere/x.rankscope");
    return read.failed() ? read.error().cause : std::string("read");
}

TEST(SessionDocument, SaysWhatIsWrong) {
    const std::string head = R"({"schema": "rankscope-session", "version": )";
    EXPECT_EQ(whyNot(""), "is damaged: it is incomplete or not JSON");
    EXPECT_EQ(whyNot("[1, 2]"), "is not a Rankscope session");
    EXPECT_EQ(whyNot(R"({"schema": "speedscope"})"), "is not a Rankscope session");
    EXPECT_EQ(whyNot(head + "2, \"runs\": []}"),
              "is from a newer Rankscope: its version is 2, this program reads up to 1");
    EXPECT_EQ(whyNot(head + "\"one\"}"), "is damaged: it has no version");
    EXPECT_EQ(whyNot(head + "1}"), "is damaged: key 'runs' not found");
    EXPECT_EQ(whyNot(head + R"(1, "runs": [], "selection": {"run": 0, "rank": -2e127}})"),
              "is damaged: a number in it is not an integer");
    EXPECT_TRUE(whyNot(head + R"(1, "runs": [{"name": 7}]})").starts_with("is damaged: type must be string"));
    EXPECT_EQ(whyNot(head + "1, \"runs\": []}"), "read");
    EXPECT_EQ(whyNot(head + R"(1, "runs": [], "layout": {}})"), "is damaged: key 'moved' not found");
    const std::string layout = head + R"(1, "runs": [], "layout": {"moved": )";
    EXPECT_EQ(whyNot(layout + R"([{"panel": "charts", "place": "window", "x": 1}]}})"),
              "is damaged: key 'y' not found");
    EXPECT_TRUE(
        whyNot(layout + R"([{"panel": "charts", "place": 7}]}})").starts_with("is damaged: type must be string"));
    EXPECT_TRUE(whyNot(layout + R"([], "side_width": "wide"}})").starts_with("is damaged: type must be number"));
    EXPECT_TRUE(whyNot(layout + R"([], "side_heights": 7}})").starts_with("is damaged: type must be array"));
    EXPECT_EQ(whyNot(layout + R"([{"panel": "charts", "place": "on the moon"}]}})"), "read") << "a later version's";
}

TEST(SessionDocument, ReadsWhatWasWritten) {
    SessionDocument document;
    SessionDocument::OpenRun& run = document.runs.emplace_back();
    run.name = "a";
    run.files = {"/traces/run/0.json", "/other/1.json"};
    run.choice.clocks.file_times = true;
    run.choice.clocks.typed_offset_ns[RankNumber(3)] = -5;
    run.choice.roles = {{"mesh_tp", Role::Tensor}, {"#2", Role::Expert}};
    run.choice.iterations = IterationKind::Decode;
    run.choice.base_ns = RunTime(1'700'000'000'123'456'789);
    run.part.rank = RankNumber(3);
    run.part.step = 28;
    run.part.one_run = true;
    document.timeline.window = {10, 20};
    document.timeline.overlays.set(Overlay::Gaps, false);
    document.timeline.measure = StepMeasure::Compute;
    document.timeline.marks = {{{3, 9}, QStringLiteral("here it stops"), true, 1, RankPosition(2)}};
    document.timeline.folds = {{0, RankPosition(1), 2, 3, 1}};
    document.timeline.rank_order = RankOrder::Cost;
    document.timeline.grouped_by = Role::Pipeline;
    document.timeline.fold_alike = false;
    document.timeline.taken_out = {{0, RankPosition(5), 1, 0}};
    document.timeline.pinned = {{0, RankPosition(1), 3, 7}, {0, RankPosition(0), 3, 2}};
    document.timeline.hidden = {{0, RankPosition(2), 3, 4}};
    document.timeline.sizes = {{{0, RankPosition(1), 3, 7}, 40}};
    document.timeline.orders = {{{0, RankPosition(1), 1, 0}, {4, 2, 3}}};
    document.timeline.area = {
        {100, 200}, {{0, RankPosition(1), 3, 7}, true, 3}, {{0, RankPosition(1), 3, 8}, false, 9}};
    document.side_panel = false;
    document.selection = SliceSelection{0, RankPosition(1), {TrackId(2), 3}};
    document.search = "conv \"2d\" \xff";  // no valid UTF-8: kept as far as it can be
    document.panel = "charts";
    document.compared = {{{{1, 2}, {0}}}, true, true, true};
    document.layout = {{{"charts", PanelPlace::Window, {-5, 7, 300, 200}}, {"steps", PanelPlace::SideTop, {}}},
                       {"steps", "explanation"},
                       {310, 290},
                       350,
                       240};
    const std::string json = sessionJson(document, "/traces");
    EXPECT_NE(json.find("\"run/0.json\""), std::string::npos) << "named from where the session lies";
    const Result<SessionDocument> read = readSession(json, "/traces/x.rankscope");
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read.value().runs[0].files, document.runs[0].files);
    EXPECT_EQ(read.value().runs[0].choice, document.runs[0].choice);
    EXPECT_EQ(read.value().runs[0].part, document.runs[0].part);
    EXPECT_EQ(read.value().timeline, document.timeline);
    EXPECT_EQ(read.value().selection, document.selection);
    EXPECT_EQ(read.value().panel, "charts");
    EXPECT_EQ(read.value().compared, document.compared);
    EXPECT_EQ(read.value().layout, document.layout);
    EXPECT_FALSE(read.value().side_panel);
    EXPECT_TRUE(read.value().bottom_panel);
}

TEST(SessionDocument, OfAnEarlierVersionLacksWhatCameLater) {
    const std::string json = R"({"schema": "rankscope-session", "version": 1, "runs": [],
        "view": {"start_ns": 1, "end_ns": 2}, "timeline": {"scroll": 7, "overlays": {}, "overview": false,
        "measure": "idle", "marks": [], "folds": []}, "search": "", "panel": ""})";
    const Result<SessionDocument> read = readSession(json, "/traces/x.rankscope");
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read.value().timeline.scroll, 7);
    EXPECT_TRUE(read.value().timeline.fold_alike);
    EXPECT_FALSE(read.value().timeline.area.has_value());
    EXPECT_TRUE(read.value().side_panel);
    EXPECT_FALSE(read.value().layout.has_value()) << "the panels stay where they are";
}

TEST(PanelLayout, AWindowThatNoScreenShowsComesBackOntoOne) {
    const QRect screen = QGuiApplication::primaryScreen()->availableGeometry();
    const QRect fits(screen.left() + 20, screen.top() + 30, 300, 200);
    EXPECT_EQ(onAScreen(fits), fits);
    const QRect over_the_edge = fits.translated(screen.width() - 120, 0);
    EXPECT_EQ(onAScreen(over_the_edge), over_the_edge) << "its title can be reached";
    EXPECT_TRUE(screen.contains(whollyOnAScreen(over_the_edge))) << "a second window is wholly in sight";
    EXPECT_EQ(whollyOnAScreen(over_the_edge).size(), over_the_edge.size());
    EXPECT_EQ(whollyOnAScreen(fits), fits);
    for (const QPoint& away : {QPoint(9'000, 0), QPoint(-9'000, 40), QPoint(10, 9'000), QPoint(10, -900)}) {
        const QRect back = onAScreen(fits.translated(away));
        EXPECT_TRUE(screen.contains(back)) << back.x() << " " << back.y();
        EXPECT_EQ(back.size(), fits.size());
    }
    EXPECT_TRUE(screen.contains(onAScreen({0, 0, 50'000, 50'000})));
}

}  // namespace
}  // namespace rankscope::ui
