// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QUrl>

#include "tests/support/places.h"
#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/commands/help_dialog.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/search/search.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/window/appearance.h"
#include "ui/window/help/help_page.h"
#include "ui/window/opening/drop_target.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/recent_paths.h"
#include "ui/window/opening/samples.h"
#include "ui/window/opening/welcome_page.h"
#include "ui/window/selection_flow.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

using Window = test::WindowTest;

QString stateOfRow(const LoadingStrip& strip, int row) {
    return strip.model().index(row, LoadingModel::kState).data().toString();
}

TEST_F(Window, WelcomesWhileNothingIsOpen) {
    EXPECT_TRUE(window().findChild<WelcomePage*>()->isVisible());
    EXPECT_FALSE(workspace().isVisible());
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
    ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
    EXPECT_EQ(ranksOf(), 2);
    EXPECT_TRUE(workspace().isVisible());
    EXPECT_TRUE(window().windowTitle().startsWith(QStringLiteral("run")));
    EXPECT_FALSE(window().loadingStrip().isVisible()) << "it gets out of the way when all is well";
}

TEST_F(Window, AFolderThatIsDroppedIsOneRun) {
    (void)writeRank(0);
    (void)writeRank(1);
    ASSERT_TRUE(dropAndWait({inFolder("run")}));
    EXPECT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(ranksOf(), 2);
}

TEST_F(Window, FilesOfSeveralRunsInOneFolderOpenAsSeparateRuns) {
    const QString first = writeRank(0);
    (void)writeRank(1);
    QFile file(first);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    (void)folder().write("run/again.json", file.readAll().toStdString());
    ASSERT_TRUE(dropAndWait({QFileInfo(first).path()}));
    ASSERT_EQ(window().session().runs().size(), 2U);
    EXPECT_EQ(ranksOf(0), 2);
    EXPECT_EQ(ranksOf(1), 1) << "rank 0 cannot be in one run twice at the same time";
    EXPECT_FALSE(window().session().runs()[1]->facts.ranks.empty()) << "it is diagnosed as well";
    ASSERT_FALSE(window().session().runs()[1]->run->notes.empty());
    EXPECT_NE(window().session().runs()[1]->run->notes.front().find("2 runs"), std::string::npos);
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

TEST_F(Window, DroppingReplacesTheOpenRunsAndAltOpensInAddition) {
    const QString first = writeRank(0);
    const QString second = writeRank(1);
    ASSERT_TRUE(dropAndWait({first}));
    ASSERT_TRUE(dropAndWait({second}));
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->rank, RankNumber(1));
    ASSERT_TRUE(dropAndWait({first}, Qt::AltModifier));
    EXPECT_EQ(window().session().runs().size(), 2U);
}

TEST_F(Window, TheLowerPartIsItsTabsUntilThereIsSomethingToShow) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    auto* below = workspace().findChild<QTabWidget*>(QStringLiteral("below"));
    const QAction* details = action("view.bottom");
    EXPECT_FALSE(workspace().bottomPanelVisible());
    EXPECT_FALSE(details->isChecked());
    EXPECT_TRUE(below->tabBar()->isVisible());
    EXPECT_LE(below->height(), below->tabBar()->height() + 2);
    EXPECT_GT(workspace().timeline().height(), workspace().height() * 9 / 10);

    workspace().flow().reveal({0, RankPosition(0), SliceRef{TrackId(0), 0}});
    EXPECT_FALSE(workspace().bottomPanelVisible()) << "a link is about the timeline";
    workspace().timeline().settle();
    workspace().timeline().trigger(TimelineAction::NextSlice);
    EXPECT_TRUE(workspace().bottomPanelVisible());
    EXPECT_TRUE(details->isChecked());
    EXPECT_GE(below->height(), 200);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("details"));
}

TEST_F(Window, WhatWasClickedStaysInSightWhenTheDetailsUnfold) {
    ASSERT_TRUE(openAndWait({sample("ZeroWorkers")}));
    trigger("rows.one-rank");           // all ranks show their CPU threads
    QCoreApplication::processEvents();  // the strip of the files has gone
    const TimeNs start = timeline().viewport().limits().start_ns;
    timeline().showWindow({start + 120'000'000, start + 135'000'000});  // of a step: its slices are wide
    timeline().settle();
    const Frame frame = timeline().frame();
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
    const QPoint at = timeline().tracksArea().topLeft() + (lowest / frame.pixel_ratio).toPoint();
    QTest::mouseMove(&timeline(), at);
    QTest::mouseClick(&timeline(), Qt::LeftButton, {}, at);
    ASSERT_TRUE(std::holds_alternative<SliceSelection>(timeline().selection()));
    ASSERT_TRUE(workspace().bottomPanelVisible());
    timeline().settle();
    const auto chosen = std::get<SliceSelection>(timeline().selection());
    const Frame after = timeline().frame();
    ASSERT_LT(after.height, lowest.y()) << "it would be covered otherwise";
    const bool seen = std::ranges::any_of(after.slice_rows, [&](const FrameSliceRow& row) {
        const auto is_it = [&](const FrameItem& item) { return item.count == 1 && item.slice == chosen.slice.slice; };
        return row.rank == chosen.rank && row.track == chosen.slice.track && row.y >= 0 &&
               row.y + row.height <= after.height &&
               std::any_of(after.items.begin() + row.first, after.items.begin() + row.last, is_it);
    });
    EXPECT_TRUE(seen);
}

TEST_F(Window, ARunThatWasClosedOrReplacedCanBeReopened) {
    QAction* reopen = action("file.reopen");
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    EXPECT_FALSE(reopen->isEnabled()) << "nothing was closed";
    ASSERT_TRUE(dropAndWait({writeRank(1)}));
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
    ASSERT_TRUE(dropAndWait({writeRank(0), bad, writeRank(1)}));
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
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    ASSERT_TRUE(dropAndWait({QString::fromStdString(folder().write("bad.json", "this is no trace"))}));
    EXPECT_EQ(ranksOf(), 1);
    EXPECT_EQ(window().loadingStrip().model().count(FileState::Failed), 1);
}

TEST_F(Window, APathThatIsNotThereIsARowThatSaysSo) {
    ASSERT_TRUE(openAndWait({QStringLiteral("/nowhere/at/all.json")}));
    ASSERT_EQ(window().loadingStrip().model().rowCount(), 1);
    EXPECT_TRUE(stateOfRow(window().loadingStrip(), 0).contains(QStringLiteral("does not exist")));
}

TEST_F(Window, AFolderWithoutTracesIsNoFileThatCouldNotBeRead) {
    std::filesystem::create_directories(folder().path() / "empty");
    ASSERT_TRUE(openAndWait({inFolder("empty")}));
    const QString words = stripWords();
    EXPECT_TRUE(window().loadingStrip().isVisible());
    EXPECT_TRUE(words.contains(QStringLiteral("Nothing to open in empty"))) << words.toStdString();
    EXPECT_FALSE(words.contains(QStringLiteral("1 file"))) << words.toStdString();
    EXPECT_TRUE(stateOfRow(window().loadingStrip(), 0).contains(QStringLiteral("contains no .json")));
}

TEST_F(Window, ASessionAmongTracesIsRecognised) {
    const QString session = QString::fromStdString(folder().write("mine.rankscope", "{}"));
    ASSERT_TRUE(dropAndWait({writeRank(0), session}));
    EXPECT_EQ(ranksOf(), 1);
    ASSERT_EQ(window().loadingStrip().model().rowCount(), 1);
    EXPECT_TRUE(test::holds(stateOfRow(window().loadingStrip(), 0), {"session"}));
}

TEST_F(Window, ErrorsAreRemovedWhenAllRunsAreClosed) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
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
    ASSERT_TRUE(dropAndWait(paths));
    ASSERT_GE(ranksOf(), 1);
    const AnalysedRun& run = *window().session().runs()[0];
    EXPECT_EQ(run.facts.ranks.size(), run.run->ranks.size()) << "all that came have their facts";
    ASSERT_FALSE(run.run->notes.empty());
    EXPECT_TRUE(run.run->notes.front().starts_with("Reading was stopped: ")) << run.run->notes.front();
    const QString words = stripWords();
    EXPECT_TRUE(words.contains(QStringLiteral("The diagnosis uses these alone."))) << words.toStdString();
}

TEST_F(Window, RanksThatComeSoonAfterOneAnotherAreShownTogether) {
    QStringList paths;
    for (int rank = 0; rank < 200; ++rank) {
        paths.append(writeRank(rank, 2));
    }
    const QSignalSpy known(&window().session().loader(), &RunLoader::runKnown);
    QElapsedTimer clock;
    clock.start();
    ASSERT_TRUE(dropAndWait(paths));
    // However fast the machine is: the first rank, then at most one every 60 ms, all ranks, and the facts.
    EXPECT_LE(known.count(), clock.elapsed() / 60 + 4);
    EXPECT_EQ(ranksOf(), 200);
}

TEST_F(Window, ALoadThatIsReplacedReportsNothingMore) {
    QStringList slow;
    for (int rank = 2; rank < 8; ++rank) {
        slow.append(writeRank(rank, 20'000));
    }
    drop(slow);
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    ASSERT_EQ(window().session().runs().size(), 1U);
    ASSERT_EQ(ranksOf(), 1);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->rank, RankNumber(0));
}

TEST_F(Window, CloseClosesTheRunThatTheUserIsAt) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    ASSERT_TRUE(dropAndWait({writeRank(1)}, Qt::AltModifier));
    ASSERT_EQ(window().session().runs().size(), 2U);
    window().workspace().flow().pointAt({0, RankPosition(0), {TrackId(0), 0}});
    QTest::keyClick(&window(), Qt::Key_W, Qt::ControlModifier);
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->rank, RankNumber(1));
}

TEST_F(Window, CloseAllClosesEveryRun) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    ASSERT_TRUE(dropAndWait({writeRank(1)}, Qt::AltModifier));
    QTest::keyClick(&window(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(window().session().runs().empty());
    EXPECT_TRUE(window().findChild<WelcomePage*>()->isVisible());
}

TEST_F(Window, WithNothingOpenWhatNeedsARunCannotBeDone) {
    const auto can = [this](const char* id) { return action(id)->isEnabled(); };
    for (const char* id : {"go.next-gap", "view.charts", "mark.keep", "search.open", "rows.pin", "copy.name",
                           "file.save-session", "file.save-report", "job.describe", "overlay.gaps"}) {
        EXPECT_FALSE(can(id)) << id;
    }
    EXPECT_TRUE(can("file.open-folder"));
    EXPECT_TRUE(can("view.theme-dark"));
    EXPECT_TRUE(can("help.keys"));
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    for (const char* id : {"go.next-gap", "view.charts", "mark.keep", "search.open", "file.save-session",
                           "file.save-report", "job.describe"}) {
        EXPECT_TRUE(can(id)) << id;
    }
}

TEST_F(Window, TheSamplesAreOfferedInTheOrderInWhichTheyAreCompared) {
    const QStringList runs = sampleRuns();
    ASSERT_EQ(runs.size(), 2);
    EXPECT_TRUE(runs[0].endsWith(QStringLiteral("ZeroWorkers")));
    EXPECT_TRUE(runs[1].endsWith(QStringLiteral("FourWorkers")));
}

TEST_F(Window, TheMenuOfASliceActsOnThatSlice) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    timeline().reveal(SliceSelection{0, RankPosition(0), {TrackId(0), 3}});
    timeline().settle();
    const QString name = timeline().selectionWords().value(0);
    const TimeSpan span = timeline().spanOf(timeline().selection());
    const double x = timeline().viewport().xAt(span.start_ns + span.length() / 2);
    const LayoutRow* row = timeline().rowLayout().find(0, RankPosition(0), TrackId(0));
    ASSERT_NE(row, nullptr);
    const QPoint at = timeline().tracksArea().topLeft() +
                      QPoint(static_cast<int>(x), row->y - timeline().state().scroll + row->row_height / 2);
    timeline().select({});
    test::askMenu(timeline(), at);
    auto* menu = timeline().findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(timeline().selectionWords().value(0), name) << "it is selected, so that one sees what the menu is about";
    QAction* find = action("search.selection");
    ASSERT_TRUE(menu->actions().contains(find));
    EXPECT_TRUE(menu->actions().contains(action("copy.name")));
    find->trigger();
    EXPECT_EQ(window().active().search().query(), name);
    menu->close();
}

TEST_F(Window, TheHelpBeginsWithMovingAndFiltersWhatOneTypes) {
    trigger("help.keys");
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

TEST_F(Window, RemembersWhatWasOpened) {
    const QString first = writeRank(0);
    const QString second = writeRank(1);
    for (const QStringList& paths : {QStringList{first}, QStringList{first, second}, QStringList{first}}) {
        ASSERT_TRUE(dropAndWait(paths));
    }
    ASSERT_TRUE(dropAndWait({first + QStringLiteral(".gone")}));
    settings().sync();
    QSettings again(settings().fileName(), QSettings::IniFormat);
    const QList<QStringList> kept = RecentPaths(again).entries();
    ASSERT_EQ(kept.size(), 2);
    EXPECT_EQ(kept[0], QStringList({first}));
    EXPECT_EQ(kept[1], QStringList({first, second}));
    EXPECT_EQ(RecentPaths::title(kept[1]), QStringLiteral("2 files of run"));
}

TEST_F(Window, SwitchesThemesAtRunTimeAndKeepsTheChoice) {
    trigger("view.theme-light");
    const QColor light = window().palette().color(QPalette::Window);
    const QImage light_picture = window().grab().toImage();
    trigger("view.theme-dark");
    EXPECT_LT(window().palette().color(QPalette::Window).lightness(), light.lightness());
    const QPoint corner(window().width() - 8, window().height() - 8);
    EXPECT_GT(light_picture.pixelColor(corner).lightness(), 200);
    EXPECT_LT(window().grab().toImage().pixelColor(corner).lightness(), 60);
    EXPECT_EQ(MainWindow(settings()).appearance().choice(), ThemeChoice::Dark);
}

TEST_F(Window, FollowsTheDesktopUnlessAThemeIsChosen) {
    const QPalette before = QApplication::palette();
    window().appearance().choose(ThemeChoice::FollowDesktop);
    QApplication::setPalette(Theme::lightTheme().palette());
    QCoreApplication::processEvents();
    EXPECT_GT(window().palette().color(QPalette::Window).lightness(), 200);
    QApplication::setPalette(Theme::darkTheme().palette());
    QCoreApplication::processEvents();
    EXPECT_LT(window().palette().color(QPalette::Window).lightness(), 60);
    QApplication::setPalette(before);
}

TEST_F(Window, EachKeyOfACommandIsInTheHelp) {
    QTest::keyClick(&window(), Qt::Key_Question);
    const auto* help = window().findChild<HelpDialog*>();
    ASSERT_NE(help, nullptr);
    const QStringList words = test::labelWords(*help).split(u'\n');
    for (const KeyHint& hint : window().commands().keys()) {
        EXPECT_TRUE(words.contains(hint.keys)) << hint.keys.toStdString();
    }
    EXPECT_TRUE(words.contains(QStringLiteral("Shift+N")) && words.contains(QStringLiteral("W  S")));
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
    workspace().setFocus();
    QTest::keyClick(&window(), Qt::Key_J);
    EXPECT_EQ(fired, 1);
}

}  // namespace
}  // namespace rankscope::ui
