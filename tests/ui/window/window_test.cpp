// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QTextBrowser>
#include <QUrl>

#include "tests/support/places.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/commands/command_registry.h"
#include "ui/commands/help_dialog.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/search.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/drop_target.h"
#include "ui/window/help_page.h"
#include "ui/window/loading_model.h"
#include "ui/window/loading_strip.h"
#include "ui/window/samples.h"
#include "ui/window/session_keeper.h"
#include "ui/window/welcome_page.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using Window = test::WindowTest;

QString stateOfRow(const LoadingStrip& strip, int row) {
    return strip.model().index(row, LoadingModel::kState).data().toString();
}

TEST_F(Window, WelcomesWhileNothingIsOpen) {
    EXPECT_TRUE(window().findChild<WelcomePage*>()->isVisible());
    EXPECT_FALSE(window().workspace().isVisible());
}

TEST_F(Window, ASmallWindowScrollsTheWelcomeInsteadOfSquashingIt) {
    const QList<QPushButton*> buttons = window().findChild<WelcomePage*>()->findChildren<QPushButton*>();
    ASSERT_FALSE(buttons.isEmpty());
    window().resize(900, 420);
    for (const QPushButton* button : buttons) {
        EXPECT_GE(button->height(), button->sizeHint().height()) << button->text().toStdString();
    }
}

TEST_F(Window, FilesThatAreDroppedOnItLoadAndAppear) {
    drop({writeRank(0), writeRank(1)});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(ranksOf(), 2);
    EXPECT_TRUE(window().workspace().isVisible());
    EXPECT_TRUE(window().windowTitle().startsWith(QStringLiteral("run")));
    EXPECT_FALSE(window().loadingStrip().isVisible()) << "it gets out of the way when all is well";
}

TEST_F(Window, AFolderThatIsDroppedIsOneRun) {
    (void)writeRank(0);
    (void)writeRank(1);
    drop({QString::fromStdString((folder().path() / "run").string())});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(ranksOf(), 2);
}

TEST_F(Window, FilesOfSeveralRunsInOneFolderOpenAsRunsOfTheirOwn) {
    const QString first = writeRank(0);
    (void)writeRank(1);
    QFile file(first);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    (void)folder().write("run/again.json", file.readAll().toStdString());
    drop({QFileInfo(first).path()});
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().session().runs().size(), 2U);
    EXPECT_EQ(ranksOf(0), 2);
    EXPECT_EQ(ranksOf(1), 1) << "rank 0 cannot be in one run twice at the same time";
    EXPECT_FALSE(window().session().runs()[1]->facts.ranks.empty()) << "it is diagnosed as well";
    ASSERT_FALSE(window().session().runs()[1]->run->notes.empty());
    EXPECT_NE(window().session().runs()[1]->run->notes.front().find("holds 2 runs"), std::string::npos);
}

TEST_F(Window, DraggingFilesOverItSaysThatTheyCanBeDropped) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(writeRank(0))});
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window(), &enter);
    EXPECT_TRUE(window().findChild<DropTarget*>()->isVisible());
    QDragLeaveEvent leave;
    QApplication::sendEvent(&window(), &leave);
    EXPECT_FALSE(window().findChild<DropTarget*>()->isVisible());
}

TEST_F(Window, TextThatIsDraggedOverItIsRefused) {
    QMimeData data;
    data.setText(QStringLiteral("no file"));
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, {});
    enter.ignore();
    QApplication::sendEvent(&window(), &enter);
    EXPECT_FALSE(enter.isAccepted());
}

TEST_F(Window, DroppingReplacesWhatIsOpenAndAltOpensBeside) {
    const QString first = writeRank(0);
    const QString second = writeRank(1);
    drop({first});
    ASSERT_TRUE(waitUntilIdle());
    drop({second});
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->rank, RankNumber(1));
    drop({first}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(window().session().runs().size(), 2U);
}

TEST_F(Window, TheLowerPartIsItsTabsUntilThereIsSomethingToShow) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    Workspace& workspace = window().workspace();
    auto* below = workspace.findChild<QTabWidget*>(QStringLiteral("below"));
    const QAction* details = window().commands().action(QStringLiteral("view.bottom"));
    EXPECT_FALSE(workspace.bottomPanelVisible());
    EXPECT_FALSE(details->isChecked());
    EXPECT_TRUE(below->tabBar()->isVisible());
    EXPECT_LE(below->height(), below->tabBar()->height() + 2);
    EXPECT_GT(workspace.timeline().height(), workspace.height() * 9 / 10);

    workspace.reveal({0, RankPosition(0), SliceRef{TrackId(0), 0}});
    EXPECT_FALSE(workspace.bottomPanelVisible()) << "a link is about the timeline";
    workspace.timeline().settle();
    workspace.timeline().trigger(TimelineAction::NextSlice);
    EXPECT_TRUE(workspace.bottomPanelVisible());
    EXPECT_TRUE(details->isChecked());
    EXPECT_GE(below->height(), 200);
    EXPECT_EQ(workspace.panelInFront(), QStringLiteral("details"));
}

TEST_F(Window, WhatWasClickedStaysInSightWhenTheDetailsUnfold) {
    window().open({QString::fromStdString(test::sample("ZeroWorkers").string())});
    ASSERT_TRUE(waitUntilIdle());
    TimelineWidget& timeline = window().workspace().timeline();
    QCoreApplication::processEvents();  // the strip of the files has gone
    const TimeNs start = timeline.viewport().limits().start_ns;
    timeline.showWindow({start + 120'000'000, start + 135'000'000});  // of a step: its slices are wide
    timeline.settle();
    const Frame frame = timeline.frame();
    QPointF lowest;
    for (const FrameSliceRow& row : frame.slice_rows) {
        for (std::uint32_t i = row.first; i < row.last; ++i) {
            const FrameItem& item = frame.items[i];
            if (item.count == 1 && item.x1 - item.x0 > 4 && row.y > lowest.y() && row.y + row.height < frame.height) {
                lowest = QPointF((item.x0 + item.x1) / 2.0, row.y + row.height / 2.0);
            }
        }
    }
    ASSERT_GT(lowest.y(), 0);
    const QPoint at = timeline.tracksArea().topLeft() + (lowest / frame.pixel_ratio).toPoint();
    QTest::mouseMove(&timeline, at);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at);
    ASSERT_TRUE(std::holds_alternative<SliceSelection>(timeline.selection()));
    ASSERT_TRUE(window().workspace().bottomPanelVisible());
    timeline.settle();
    const auto chosen = std::get<SliceSelection>(timeline.selection());
    const Frame after = timeline.frame();
    ASSERT_LT(after.height, lowest.y()) << "it would be covered otherwise";
    const bool seen = std::ranges::any_of(after.slice_rows, [&](const FrameSliceRow& row) {
        const auto is_it = [&](const FrameItem& item) { return item.count == 1 && item.slice == chosen.slice.slice; };
        return row.rank == chosen.rank && row.track == chosen.slice.track && row.y >= 0 &&
               row.y + row.height <= after.height &&
               std::any_of(after.items.begin() + row.first, after.items.begin() + row.last, is_it);
    });
    EXPECT_TRUE(seen);
}

TEST_F(Window, ATabUnfoldsTheLowerPartAndFoldsItAgain) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    Workspace& workspace = window().workspace();
    QTabBar* tabs = workspace.findChild<QTabWidget*>(QStringLiteral("below"))->tabBar();
    const auto click = [&](int tab) { QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center()); };
    click(2);
    EXPECT_TRUE(workspace.bottomPanelVisible());
    EXPECT_EQ(workspace.panelInFront(), QStringLiteral("charts"));
    click(3);
    EXPECT_TRUE(workspace.bottomPanelVisible()) << "another tab only changes the panel";
    EXPECT_EQ(workspace.panelInFront(), QStringLiteral("tables"));
    const int height = workspace.findChild<QTabWidget*>(QStringLiteral("below"))->height();
    click(3);
    EXPECT_FALSE(workspace.bottomPanelVisible());
    QTest::keyClick(&workspace.timeline(), Qt::Key_Q);
    EXPECT_TRUE(workspace.bottomPanelVisible());
    EXPECT_EQ(workspace.findChild<QTabWidget*>(QStringLiteral("below"))->height(), height) << "as high as before";
}

TEST_F(Window, ARunThatWasClosedOrReplacedCanBeReopened) {
    QAction* reopen = window().commands().action(QStringLiteral("file.reopen"));
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_FALSE(reopen->isEnabled()) << "nothing was closed";
    drop({writeRank(1)});
    ASSERT_TRUE(waitUntilIdle());
    window().session().close(0);
    EXPECT_TRUE(window().session().runs().empty());
    ASSERT_TRUE(reopen->isEnabled());
    reopen->trigger();
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->rank, RankNumber(1)) << "closed last";
    reopen->trigger();
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().session().runs().size(), 2U) << "beside what is open";
    EXPECT_EQ(window().session().runs()[1]->run->ranks[0]->rank, RankNumber(0)) << "replaced before";
    EXPECT_FALSE(reopen->isEnabled());
}

TEST_F(Window, ABadFileAmongGoodOnesIsOneRedRowAndTheRestLoads) {
    const QString bad = QString::fromStdString(folder().write("run/rank7.pt.trace.json", "this is no trace"));
    drop({writeRank(0), bad, writeRank(1)});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(ranksOf(), 2);
    const LoadingStrip& strip = window().loadingStrip();
    ASSERT_TRUE(strip.isVisible());
    ASSERT_EQ(strip.model().rowCount(), 1);
    EXPECT_EQ(strip.model().count(FileState::Failed), 1);
    EXPECT_TRUE(strip.model().index(0, LoadingModel::kName).data().toString().contains(QStringLiteral("rank7")));
    EXPECT_FALSE(stateOfRow(strip, 0).isEmpty()) << "it says why";
    QTest::mouseClick(strip.findChild<QPushButton*>(), Qt::LeftButton);
    EXPECT_FALSE(strip.isVisible());
}

TEST_F(Window, WhatCannotBeReadCostsNothingThatIsOpen) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    drop({QString::fromStdString(folder().write("bad.json", "this is no trace"))});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(ranksOf(), 1);
    EXPECT_EQ(window().loadingStrip().model().count(FileState::Failed), 1);
}

TEST_F(Window, APathThatIsNotThereIsARowThatSaysSo) {
    window().open({QStringLiteral("/nowhere/at/all.json")});
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().loadingStrip().model().rowCount(), 1);
    EXPECT_TRUE(stateOfRow(window().loadingStrip(), 0).contains(QStringLiteral("does not exist")));
}

TEST_F(Window, AFolderWithoutTracesIsNoFileThatCouldNotBeRead) {
    std::filesystem::create_directories(folder().path() / "empty");
    window().open({QString::fromStdString((folder().path() / "empty").string())});
    ASSERT_TRUE(waitUntilIdle());
    QString words;
    for (const QLabel* label : window().loadingStrip().findChildren<QLabel*>()) {
        words += label->text() + QLatin1Char('\n');
    }
    EXPECT_TRUE(window().loadingStrip().isVisible());
    EXPECT_TRUE(words.contains(QStringLiteral("Nothing to open in empty"))) << words.toStdString();
    EXPECT_FALSE(words.contains(QStringLiteral("1 file"))) << words.toStdString();
    EXPECT_TRUE(stateOfRow(window().loadingStrip(), 0).contains(QStringLiteral("holds no .json")));
}

TEST_F(Window, ASessionAmongTracesIsSaidToBeOne) {
    const QString session = QString::fromStdString(folder().write("mine.rankscope", "{}"));
    drop({writeRank(0), session});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(ranksOf(), 1);
    ASSERT_EQ(window().loadingStrip().model().rowCount(), 1);
    EXPECT_TRUE(stateOfRow(window().loadingStrip(), 0).contains(QStringLiteral("session")))
        << stateOfRow(window().loadingStrip(), 0).toStdString();
}

TEST_F(Window, WhatWentWrongIsPutAwayWithAllThatIsOpen) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    window().sessions().open(QStringLiteral("/nowhere/mine.rankscope"));
    ASSERT_TRUE(window().loadingStrip().isVisible());
    window().session().closeAll();
    EXPECT_FALSE(window().loadingStrip().isVisible());
}

TEST_F(Window, CancelStopsTheLoad) {
    QStringList paths;
    for (int rank = 0; rank < 12; ++rank) {
        paths.append(writeRank(rank, 20'000));
    }
    QSignalSpy finished(&window().session().loader(), &RunLoader::finished);
    drop(paths);
    QTest::mouseClick(window().loadingStrip().findChild<QPushButton*>(), Qt::LeftButton);
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(finished.count(), 1);
    EXPECT_TRUE(finished.front().front().toBool());
    EXPECT_LT(ranksOf(), 12);
}

TEST_F(Window, RanksThatCameBeforeCancelAreAnalysedAndItSaysSo) {
    QStringList paths = {writeRank(0)};
    for (int rank = 1; rank < 8; ++rank) {  // long enough that they are not all read before the click comes
        paths.append(writeRank(rank, 100'000));
    }
    // Pressed as soon as one rank is there.
    QObject::connect(&window().session().loader(), &RunLoader::fileLoaded, &window(), [&] {
        auto* button = window().loadingStrip().findChild<QPushButton*>();
        if (button->text() == QStringLiteral("Cancel")) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    });
    drop(paths);
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_GE(ranksOf(), 1);
    const AnalysedRun& run = *window().session().runs()[0];
    EXPECT_EQ(run.facts.ranks.size(), run.run->ranks.size()) << "all that came have their facts";
    ASSERT_FALSE(run.run->notes.empty());
    EXPECT_TRUE(run.run->notes.front().starts_with("Reading was stopped: ")) << run.run->notes.front();
    QString words;
    for (const QLabel* label : window().loadingStrip().findChildren<QLabel*>()) {
        words += label->text() + QLatin1Char('\n');
    }
    EXPECT_TRUE(words.contains(QStringLiteral("The diagnosis is of these alone."))) << words.toStdString();
}

TEST_F(Window, RanksThatComeSoonAfterOneAnotherAreShownTogether) {
    QStringList paths;
    for (int rank = 0; rank < 200; ++rank) {
        paths.append(writeRank(rank, 2));
    }
    const QSignalSpy known(&window().session().loader(), &RunLoader::runKnown);
    QElapsedTimer clock;
    clock.start();
    drop(paths);
    ASSERT_TRUE(waitUntilIdle());
    // However fast the machine is: the first rank, then at most one every 60 ms, all ranks, and the facts.
    EXPECT_LE(known.count(), clock.elapsed() / 60 + 4);
    EXPECT_EQ(ranksOf(), 200);
}

TEST_F(Window, ALoadThatIsReplacedTellsNothingMore) {
    QStringList slow;
    for (int rank = 2; rank < 8; ++rank) {
        slow.append(writeRank(rank, 20'000));
    }
    drop(slow);
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().session().runs().size(), 1U);
    ASSERT_EQ(ranksOf(), 1);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->rank, RankNumber(0));
}

TEST_F(Window, CloseEmptiesItAndWelcomesAgain) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    window().commands().action(QStringLiteral("file.close"))->trigger();
    EXPECT_TRUE(window().session().runs().empty());
    EXPECT_TRUE(window().findChild<WelcomePage*>()->isVisible());
}

TEST_F(Window, CloseClosesTheRunThatTheUserIsAt) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    drop({writeRank(1)}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().session().runs().size(), 2U);
    window().workspace().reveal({0, RankPosition(0), {TrackId(0), 0}});
    QTest::keyClick(&window(), Qt::Key_W, Qt::ControlModifier);
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->rank, RankNumber(1));
}

TEST_F(Window, CloseAllClosesEveryRun) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    drop({writeRank(1)}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilIdle());
    QTest::keyClick(&window(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(window().session().runs().empty());
    EXPECT_TRUE(window().findChild<WelcomePage*>()->isVisible());
}

TEST_F(Window, WithNothingOpenWhatNeedsARunCannotBeDone) {
    const auto can = [this](const char* id) { return window().commands().action(QLatin1String(id))->isEnabled(); };
    for (const char* id : {"go.next-gap", "view.charts", "mark.keep", "search.open", "rows.pin", "copy.name",
                           "file.save-session", "overlay.gaps"}) {
        EXPECT_FALSE(can(id)) << id;
    }
    EXPECT_TRUE(can("file.open-folder"));
    EXPECT_TRUE(can("view.theme-dark"));
    EXPECT_TRUE(can("help.keys"));
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    for (const char* id : {"go.next-gap", "view.charts", "mark.keep", "search.open", "file.save-session"}) {
        EXPECT_TRUE(can(id)) << id;
    }
}

TEST_F(Window, TheSamplesAreOfferedInTheOrderInWhichTheyAreCompared) {
    const QStringList runs = sampleRuns();
    ASSERT_EQ(runs.size(), 2);
    EXPECT_TRUE(runs[0].endsWith(QStringLiteral("ZeroWorkers")));
    EXPECT_TRUE(runs[1].endsWith(QStringLiteral("FourWorkers")));
}

TEST_F(Window, TextGrowsAndShrinksWithKeysAndStaysSo) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    TimelineWidget& timeline = window().workspace().timeline();
    const auto height = [&] { return timeline.rowLayout().height(); };
    const int usual = height();
    const double points = window().theme().ui_font.pointSizeF();
    QTest::keyClick(&timeline, Qt::Key_Plus, Qt::ControlModifier);
    QTest::keyClick(&timeline, Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_DOUBLE_EQ(window().theme().ui_font.pointSizeF(), points * 1.25);
    EXPECT_GT(height(), usual);
    EXPECT_DOUBLE_EQ(MainWindow(settings()).theme().ui_font.pointSizeF(), points * 1.25) << "at the next start too";
    QTest::keyClick(&timeline, Qt::Key_0, Qt::ControlModifier);
    EXPECT_EQ(height(), usual);
    for (int i = 0; i < 9; ++i) {
        QTest::keyClick(&timeline, Qt::Key_Minus, Qt::ControlModifier);
    }
    EXPECT_DOUBLE_EQ(window().theme().ui_font.pointSizeF(), points * 0.8) << "it ends somewhere";
    QTest::keyClick(&timeline, Qt::Key_0, Qt::ControlModifier);
}

TEST_F(Window, KeysLeadBackToWhereOneWas) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    TimelineWidget& timeline = window().workspace().timeline();
    timeline.setFocus();
    const TimeSpan all = timeline.viewport().window();
    timeline.reveal(SliceSelection{0, RankPosition(0), {TrackId(0), 3}});
    timeline.settle();
    const TimeSpan there = timeline.viewport().window();
    ASSERT_NE(there, all);
    QTest::keyClick(&timeline, Qt::Key_Left, Qt::AltModifier);
    timeline.settle();
    EXPECT_EQ(timeline.viewport().window(), all);
    QTest::keyClick(&timeline, Qt::Key_Right, Qt::AltModifier);
    timeline.settle();
    EXPECT_EQ(timeline.viewport().window(), there);
}

TEST_F(Window, TheMenuOfASliceActsOnThatSlice) {
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    TimelineWidget& timeline = window().workspace().timeline();
    timeline.reveal(SliceSelection{0, RankPosition(0), {TrackId(0), 3}});
    timeline.settle();
    const QString name = timeline.selectionWords().value(0);
    const TimeSpan span = timeline.spanOf(timeline.selection());
    const double x = timeline.viewport().xAt(span.start_ns + span.length() / 2);
    const LayoutRow* row = timeline.rowLayout().find(0, RankPosition(0), TrackId(0));
    ASSERT_NE(row, nullptr);
    const QPoint at = timeline.tracksArea().topLeft() +
                      QPoint(static_cast<int>(x), row->y - timeline.state().scroll + row->row_height / 2);
    timeline.select({});
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, timeline.mapToGlobal(at));
    QApplication::sendEvent(&timeline, &asked);
    auto* menu = timeline.findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(timeline.selectionWords().value(0), name) << "it is selected, so that one sees what the menu is about";
    QAction* find = window().commands().action(QStringLiteral("search.selection"));
    ASSERT_TRUE(menu->actions().contains(find));
    EXPECT_TRUE(menu->actions().contains(window().commands().action(QStringLiteral("copy.name"))));
    find->trigger();
    EXPECT_EQ(window().search().query(), name);
    menu->close();
}

TEST_F(Window, TheHelpBeginsWithMovingAndFiltersWhatOneTypes) {
    window().commands().action(QStringLiteral("help.keys"))->trigger();
    auto* help = window().findChild<HelpDialog*>();
    ASSERT_NE(help, nullptr);
    const QList<QLabel*> labels = help->findChildren<QLabel*>();
    ASSERT_FALSE(labels.isEmpty());
    EXPECT_EQ(labels.front()->text(), QStringLiteral("Timeline"));
    const auto shown = [&] {
        return std::ranges::count_if(labels, [](const QLabel* label) {
            return label->isVisible() && label->property("role") == QStringLiteral("plain");
        });
    };
    const auto all = shown();
    QTest::keyClicks(help->findChild<QLineEdit*>(), QStringLiteral("next gap"));
    EXPECT_EQ(shown(), 1);
    help->findChild<QLineEdit*>()->clear();
    EXPECT_EQ(shown(), all);
}

TEST_F(Window, TheDocumentationIsReadBesideTheWindow) {
    for (const char* id : {"help.tour", "help.recording"}) {
        window().commands().action(QLatin1String(id))->trigger();
        auto* page = window().findChild<HelpPage*>();
        ASSERT_NE(page, nullptr);
        EXPECT_FALSE(page->isModal());
        EXPECT_FALSE(page->text().toPlainText().contains(QStringLiteral("not installed"))) << id;
        EXPECT_GT(page->text().toPlainText().size(), 500) << id;
        delete page;
    }
    window().commands().action(QStringLiteral("help.about"))->trigger();
    auto* about = window().findChild<QMessageBox*>();
    ASSERT_NE(about, nullptr);
    EXPECT_TRUE(about->text().contains(QStringLiteral("Rankscope")));
}

TEST_F(Window, RemembersWhatWasOpened) {
    const QString first = writeRank(0);
    const QString second = writeRank(1);
    for (const QStringList& paths : {QStringList{first}, QStringList{first, second}, QStringList{first}}) {
        drop(paths);
        ASSERT_TRUE(waitUntilIdle());
    }
    drop({first + QStringLiteral(".gone")});
    ASSERT_TRUE(waitUntilIdle());
    settings().sync();
    QSettings again(settings().fileName(), QSettings::IniFormat);
    const QList<QStringList> kept = RecentPaths(again).entries();
    ASSERT_EQ(kept.size(), 2);
    EXPECT_EQ(kept[0], QStringList({first}));
    EXPECT_EQ(kept[1], QStringList({first, second}));
    EXPECT_EQ(RecentPaths::title(kept[1]), QStringLiteral("2 files of run"));
}

TEST_F(Window, SwitchesThemesAtRunTimeAndKeepsTheChoice) {
    window().commands().action(QStringLiteral("view.theme-light"))->trigger();
    const QColor light = window().palette().color(QPalette::Window);
    const QImage light_picture = window().grab().toImage();
    window().commands().action(QStringLiteral("view.theme-dark"))->trigger();
    EXPECT_LT(window().palette().color(QPalette::Window).lightness(), light.lightness());
    const QPoint corner(window().width() - 8, window().height() - 8);
    EXPECT_GT(light_picture.pixelColor(corner).lightness(), 200);
    EXPECT_LT(window().grab().toImage().pixelColor(corner).lightness(), 60);
    EXPECT_EQ(MainWindow(settings()).themeChoice(), ThemeChoice::Dark);
}

TEST_F(Window, FollowsTheDesktopUnlessToldOtherwise) {
    const QPalette before = QApplication::palette();
    window().setThemeChoice(ThemeChoice::FollowDesktop);
    QApplication::setPalette(Theme::lightTheme().palette());
    QCoreApplication::processEvents();
    EXPECT_GT(window().palette().color(QPalette::Window).lightness(), 200);
    QApplication::setPalette(Theme::darkTheme().palette());
    QCoreApplication::processEvents();
    EXPECT_LT(window().palette().color(QPalette::Window).lightness(), 60);
    QApplication::setPalette(before);
}

TEST_F(Window, EveryKeyOfACommandStandsInTheHelp) {
    QTest::keyClick(&window(), Qt::Key_Question);
    const auto* help = window().findChild<HelpDialog*>();
    ASSERT_NE(help, nullptr);
    QStringList words;
    for (const QLabel* label : help->findChildren<QLabel*>()) {
        words.append(label->text());
    }
    for (const KeyHint& hint : window().commands().keys()) {
        EXPECT_TRUE(words.contains(hint.keys)) << hint.keys.toStdString();
    }
    EXPECT_TRUE(words.contains(QStringLiteral("Shift+N")));
    EXPECT_TRUE(words.contains(QStringLiteral("W  S")));
}

TEST_F(Window, PlainKeysStaySilentWhereTextIsTyped) {
    int fired = 0;
    window().commands().add({QStringLiteral("test.plain"), QStringLiteral("Test"), QStringLiteral("Test"),
                             QKeySequence(QStringLiteral("J")), [&] { ++fired; }});
    QLineEdit field(window().centralWidget());
    field.show();
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_J);
    EXPECT_EQ(fired, 0);
    EXPECT_EQ(field.text(), QStringLiteral("j"));
    window().workspace().setFocus();
    QTest::keyClick(&window(), Qt::Key_J);
    EXPECT_EQ(fired, 1);
}

}  // namespace
}  // namespace rankscope::ui
