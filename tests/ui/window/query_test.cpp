// SPDX-License-Identifier: GPL-3.0-or-later
// Questions in SQL, typed into the real window.
#include <QAbstractItemView>
#include <QClipboard>
#include <QCompleter>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <algorithm>

#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/query/answer_table.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/query/sql_editor.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/widgets/search_bar.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/selection_flow.h"

namespace rankscope::ui {
namespace {

class QueryInWindow : public test::WindowTest {
  protected:
    void SetUp() override {
        ASSERT_TRUE(openAndWait({zero()}));
        trigger("view.query");
    }

    [[nodiscard]] QueryPanel& page() { return workspace().query(); }
    [[nodiscard]] SqlEditor& editor() { return *page().findChild<SqlEditor*>(); }
    [[nodiscard]] AnswerTable& table() { return *page().findChild<AnswerTable*>(); }
    [[nodiscard]] QString words() { return test::labelWords(page()); }
    [[nodiscard]] bool waitForAnswer() {
        return QTest::qWaitFor([this] { return !page().busy(); }, kPatience);
    }
    void type(const QString& sql) {
        editor().setFocus();
        editor().selectAll();
        QTest::keyClicks(&editor(), sql);
    }
    void pressRun() {
        QTest::keyClick(&editor(), Qt::Key_Return, Qt::ControlModifier);
        ASSERT_TRUE(waitForAnswer());
    }
    void ask(const char* sql) {
        page().setQuestion(QLatin1String(sql));
        ASSERT_NO_FATAL_FAILURE(pressRun());
    }
    void clickCell(int row, int column) {
        const QRect cell = table().visualRect(table().model()->index(row, column));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cell.center());
    }
    [[nodiscard]] QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    /// A question that takes minutes.
    static constexpr const char* kLong =
        "SELECT count(*) FROM slice a, slice b, slice c WHERE a.dur_ns + b.dur_ns < c.dur_ns";
};

TEST_F(QueryInWindow, ATypedQuestionIsAnsweredOnCtrlEnter) {
    EXPECT_TRUE(editor().hasFocus()) << "the command gives the field the keyboard";
    type(QStringLiteral("SELECT rank, count(*) AS slices FROM slice GROUP BY rank"));
    pressRun();
    EXPECT_EQ(test::titles(*table().model()), QStringList({"rank", "slices"}));
    EXPECT_EQ(test::column(*table().model()), QStringList({"0", "1", "2", "3"}));
    EXPECT_TRUE(words().contains(QStringLiteral("4 rows in "))) << words().toStdString();
}

TEST_F(QueryInWindow, TheButtonAsksToo) {
    page().setQuestion(QStringLiteral("SELECT 1234567 AS it, 'a<b>' AS name, NULL AS none, 0.25 AS part"));
    test::clickButton(page(), QStringLiteral("Run"));
    ASSERT_TRUE(waitForAnswer());
    ASSERT_EQ(table().model()->rowCount(), 1);
    EXPECT_EQ(QStringList({cell(0, 0), cell(0, 1), cell(0, 2), cell(0, 3)}),
              QStringList({"1,234,567", "a<b>", "–", "0.25"}));
}

TEST_F(QueryInWindow, AClickOnASliceSelectsAndShowsItAndThePageStays) {
    ask("SELECT s.name, s.id FROM slice s WHERE s.rank = 2 AND s.class = 'communication' ORDER BY s.start_ns LIMIT 3");
    timeline().showWindow({0, 1'000});
    clickCell(1, 1);
    const auto* slice = std::get_if<SliceSelection>(&timeline().selection());
    ASSERT_NE(slice, nullptr);
    const RankTrace& rank = *workspace().runs().front()->run->ranks[slice->rank];
    EXPECT_EQ(rank.rank->value, 2);
    EXPECT_EQ(QString::fromUtf8(rank.name(slice->slice)), cell(1, 0));
    timeline().settle();
    const TimeSpan span = timeline().spanOf(timeline().selection());
    EXPECT_TRUE(timeline().viewport().window().overlaps(span)) << "it is in view";
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("query"));
}

TEST_F(QueryInWindow, AClickOnAStepGoesThereAndEnterFollowsTheRowWithTheKeyboard) {
    ask("SELECT rank, step FROM steps WHERE rank = 1 ORDER BY step DESC LIMIT 1");
    const std::vector<RankStep>& steps = workspace().runs().front()->facts.ranks[RankPosition(1)].steps;
    EXPECT_EQ(cell(0, 1), QString::number(steps.back().index));
    const auto window_after = [this](const auto& go) {
        timeline().showWindow({0, 1'000});
        go();
        timeline().settle();
        return timeline().viewport().window();
    };
    const TimeSpan wanted = window_after([&] {
        timeline().showStep(0, RankPosition(1), RankStepPosition(static_cast<std::uint32_t>(steps.size() - 1)));
    });
    EXPECT_GT(wanted.length(), 1'000);
    EXPECT_EQ(window_after([this] { clickCell(0, 1); }), wanted);
    EXPECT_EQ(window_after([this] {
                  table().setCurrentIndex(table().model()->index(0, 1));
                  QTest::keyClick(&table(), Qt::Key_Return);
              }),
              wanted);
}

TEST_F(QueryInWindow, OnlyCellsThatLeadSomewhereLookLikeLinks) {
    ask("SELECT id, rank, step, dur_ns, id + 1 AS more, 99 AS rank FROM slice WHERE step IS NOT NULL LIMIT 1");
    const auto is_link = [this](int column) {
        return table().model()->index(0, column).data(Qt::ForegroundRole).value<QColor>() == window().theme().accent;
    };
    EXPECT_TRUE(is_link(0) && is_link(1) && is_link(2));
    EXPECT_FALSE(is_link(3)) << "a length";
    EXPECT_FALSE(is_link(4)) << "computed: no one knows what it is";
    EXPECT_FALSE(is_link(5)) << "there is no rank 99";
}

TEST_F(QueryInWindow, AnErrorIsSaidBelowTheFieldWithItsPlace) {
    ask("SELECT name,\n dur FROM slice");
    EXPECT_TRUE(
        words().contains(QStringLiteral("query, line 2, column 2: there is no column dur; did you mean dur_ns?")))
        << words().toStdString();
    EXPECT_EQ(editor().textCursor().blockNumber(), 1) << "the cursor is where it is wrong";
    ASSERT_EQ(editor().extraSelections().size(), 1);
    EXPECT_EQ(editor().extraSelections().front().cursor.selectedText(), QStringLiteral("dur"));
    ask("SELECT 1");
    EXPECT_FALSE(words().contains(QStringLiteral("did you mean"))) << "the next answer takes it away";
}

TEST_F(QueryInWindow, EscCancelsALongQuestionAndTheAnswerBeforeStays) {
    ask("SELECT 7 AS seven");
    page().setQuestion(QLatin1String(kLong));
    QTest::keyClick(&editor(), Qt::Key_Return, Qt::ControlModifier);
    auto* const cancel = test::buttonIn(page(), QStringLiteral("Cancel"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return words().contains(QStringLiteral("0 rows so far")); }, kPatience))
        << words().toStdString();
    EXPECT_TRUE(cancel->isVisible());
    QTest::keyClick(&editor(), Qt::Key_Escape);
    EXPECT_FALSE(page().job().busy());
    EXPECT_FALSE(cancel->isVisible());
    EXPECT_TRUE(words().contains(QStringLiteral("Cancelled.")));
    EXPECT_EQ(cell(0, 0), QStringLiteral("7"));
    EXPECT_TRUE(editor().hasFocus());
}

TEST_F(QueryInWindow, AnAnswerBesideAnErrorIsSaidToBeOfAnEarlierQuestion) {
    ask("SELECT 7 AS seven");
    EXPECT_FALSE(words().contains(QStringLiteral("earlier question")));
    ask("SELECT dur FROM slice");
    EXPECT_TRUE(words().contains(QStringLiteral("did you mean dur_ns?")));
    EXPECT_TRUE(words().contains(QStringLiteral(", answer to an earlier question"))) << words().toStdString();
    ask("SELECT 8 AS eight");
    EXPECT_FALSE(words().contains(QStringLiteral("earlier question")));
}

TEST_F(QueryInWindow, AnErrorOfAQuestionThatIsEditedWhileItRunsMarksNothing) {
    page().setQuestion(QStringLiteral("SELECT dur FROM slice"));
    QTest::keyClick(&editor(), Qt::Key_Return, Qt::ControlModifier);
    page().setQuestion(QStringLiteral("SELECT\n1"));
    ASSERT_TRUE(waitForAnswer());
    EXPECT_TRUE(words().contains(QStringLiteral("query: there is no column dur"))) << words().toStdString();
    EXPECT_TRUE(editor().extraSelections().isEmpty());
}

TEST_F(QueryInWindow, WhatIsTypedMeanwhileDoesNotDecideWhatIsSaidOfTheAnswer) {
    page().setQuestion(QStringLiteral("SELECT count(*) FROM selection"));
    QTest::keyClick(&editor(), Qt::Key_Return, Qt::ControlModifier);
    page().setQuestion(QStringLiteral("SELECT 1"));
    ASSERT_TRUE(waitForAnswer());
    EXPECT_TRUE(words().contains(QStringLiteral("No area is marked"))) << words().toStdString();
}

TEST_F(QueryInWindow, ADragOverRowsSelectsThemAndFollowsNone) {
    ask("SELECT id, name FROM slice LIMIT 4");
    const auto centre = [this](int row) { return table().visualRect(table().model()->index(row, 0)).center(); };
    const QSignalSpy followed(&table(), &AnswerTable::followed);
    test::drag(*table().viewport(), centre(0), centre(2));
    EXPECT_EQ(table().selectedRows(), (std::vector<std::size_t>{0, 1, 2}));
    test::drag(*table().viewport(), centre(1), centre(1) + QPoint(QApplication::startDragDistance() + 2, 0));
    test::drag(*table().viewport(), centre(0), centre(1));
    QTest::mouseClick(table().viewport(), Qt::LeftButton, Qt::ControlModifier, centre(3));
    EXPECT_EQ(followed.count(), 0);
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, centre(3));
    EXPECT_EQ(followed.count(), 1);
}

TEST_F(QueryInWindow, AQuestionOfARunThatIsClosedIsDropped) {
    page().setQuestion(QLatin1String(kLong));
    QTest::keyClick(&editor(), Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(page().job().busy());
    window().session().closeAll();
    EXPECT_FALSE(page().job().busy());
    EXPECT_EQ(page().answer(), nullptr);
    EXPECT_FALSE(words().contains(QStringLiteral("Cancelled."))) << "the user cancelled nothing";
}

TEST_F(QueryInWindow, AnAnswerGoesWithItsRunAndItsMarksToo) {
    ask("SELECT id FROM slice LIMIT 5");
    test::clickButton(page(), QStringLiteral("Show on the Timeline"));
    ASSERT_NE(timeline().askedMarks(), nullptr);
    ASSERT_TRUE(openAndWait({four()}));
    EXPECT_EQ(page().answer(), nullptr);
    EXPECT_EQ(timeline().askedMarks(), nullptr);
}

TEST_F(QueryInWindow, TheHistoryIsWalkedWithKeysAndKeptOverSessions) {
    ask("SELECT 1");
    ask("SELECT 2");
    type(QStringLiteral("unasked"));
    const auto press = [this](Qt::Key key) { QTest::keyClick(&editor(), key, Qt::ControlModifier); };
    press(Qt::Key_Up);
    EXPECT_EQ(page().question(), QStringLiteral("SELECT 2"));
    press(Qt::Key_Up);
    EXPECT_EQ(page().question(), QStringLiteral("SELECT 1"));
    press(Qt::Key_Up);
    EXPECT_EQ(page().question(), QStringLiteral("SELECT 1")) << "the oldest";
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    EXPECT_EQ(page().question(), QStringLiteral("unasked"));
    MainWindow next(settings());
    EXPECT_EQ(next.workspace().query().history(), QStringList({"SELECT 2", "SELECT 1"}));
}

TEST_F(QueryInWindow, TheMenuOfExamplesHasThoseOfThePageAndAsksThem) {
    auto* const menu = test::buttonIn(page(), QStringLiteral("Examples"))->menu();
    Q_EMIT menu->aboutToShow();
    ASSERT_GE(menu->actions().size(), 20);
    EXPECT_EQ(menu->actions()[5]->text(), QStringLiteral("Idle by cause and step"));
    menu->actions()[5]->trigger();
    ASSERT_TRUE(waitForAnswer());
    EXPECT_EQ(test::titles(*table().model()), QStringList({"step", "cause", "ns", "parts"}));
    EXPECT_GT(table().model()->rowCount(), 0);
}

TEST_F(QueryInWindow, WordsAreCompletedFromTheTablesThatAreNamed) {
    ASSERT_TRUE(waitForAnswer());
    type(QStringLiteral("SELECT * FROM gap g WHERE g."));
    QAbstractItemView& list = *editor().completer().popup();
    ASSERT_TRUE(list.isVisible());
    const QStringList columns = test::column(*list.model());
    EXPECT_TRUE(columns.contains(QStringLiteral("launch"))) << columns.join(QLatin1Char(' ')).toStdString();
    EXPECT_FALSE(columns.contains(QStringLiteral("category"))) << "a column of slice";
    QTest::keyClicks(&editor(), QStringLiteral("du"));
    ASSERT_EQ(test::column(*list.model()), QStringList({"dur_ns"}));
    QTest::keyClick(&list, Qt::Key_Tab);
    EXPECT_TRUE(page().question().endsWith(QStringLiteral("g.dur_ns"))) << page().question().toStdString();
    EXPECT_FALSE(list.isVisible());
}

TEST_F(QueryInWindow, TheTableSelectionHasWhatTheMarkedAreaTouches) {
    ask("SELECT count(*) FROM selection");
    EXPECT_EQ(cell(0, 0), QStringLiteral("0"));
    EXPECT_TRUE(words().contains(QStringLiteral("No area is marked"))) << words().toStdString();
    ask("SELECT id FROM slice WHERE rank = 0 AND class = 'communication' ORDER BY dur_ns DESC LIMIT 1");
    const QString longest = cell(0, 0);
    clickCell(0, 0);
    trigger("area.of-selection");
    ASSERT_TRUE(timeline().area().has_value());
    trigger("view.query");
    ask("SELECT id, rank FROM selection ORDER BY dur_ns DESC");
    ASSERT_GT(table().model()->rowCount(), 0);
    EXPECT_TRUE(test::column(*table().model()).contains(longest));
    EXPECT_FALSE(words().contains(QStringLiteral("No area is marked")));
}

TEST_F(QueryInWindow, TheRowsOfAnAnswerAreMarkedOnTheTimelineUntilTheButtonIsReleased) {
    ask("SELECT id FROM slice WHERE rank = 1 AND class = 'communication'");
    const auto rows = static_cast<std::size_t>(table().model()->rowCount());
    test::clickButton(page(), QStringLiteral("Show on the Timeline"));
    ASSERT_NE(timeline().askedMarks(), nullptr);
    EXPECT_EQ(timeline().askedMarks()->count, rows);
    timeline().settle();
    const QImage with = timeline().grab().toImage();
    EXPECT_TRUE(timeline().spokenContent().contains(QStringLiteral("places of the answer marked")));
    test::clickButton(page(), QStringLiteral("Show on the Timeline"));
    EXPECT_EQ(timeline().askedMarks(), nullptr);
    EXPECT_NE(timeline().grab().toImage(), with) << "they were drawn";
}

TEST_F(QueryInWindow, TimesOfRanksAreMarkedWhereThereAreNoSlices) {
    ask("SELECT rank, start_ns, dur_ns FROM gap ORDER BY dur_ns DESC LIMIT 4");
    test::clickButton(page(), QStringLiteral("Show on the Timeline"));
    const auto marks = timeline().askedMarks();
    ASSERT_NE(marks, nullptr);
    EXPECT_EQ(marks->count, 4U);
    ASSERT_EQ(marks->runs.size(), 1U);
    EXPECT_EQ(marks->runs.front().times.size(), 4U);
    timeline().settle();
    const TimeSpan seen = timeline().viewport().window();
    EXPECT_LE(seen.start_ns, marks->around.start_ns);
    EXPECT_GE(seen.end_ns, marks->around.end_ns) << "all are in view";
    ask("SELECT start_ns, dur_ns FROM gap");
    EXPECT_FALSE(test::buttonIn(page(), QStringLiteral("Show on the Timeline"))->isVisible())
        << "nothing says on which rank";
}

TEST_F(QueryInWindow, AnAnswerIsSavedAndCopiedInFull) {
    ask("SELECT 1234567 AS it, 'a,b' AS name, NULL AS none, 0.1 AS part UNION ALL SELECT 2, '=1+1', 3, 4");
    const QString path = inFolder("answer.csv");
    test::saveAs(path);
    test::clickButton(page(), QStringLiteral("Save as CSV"));
    ASSERT_TRUE(waitForAnswer());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), "it,name,none,part\r\n1234567,\"a,b\",,0.1\r\n2,'=1+1,3,4\r\n");
    test::clickButton(page(), QStringLiteral("Copy"));
    ASSERT_TRUE(waitForAnswer());
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
              QStringLiteral("it\tname\tnone\tpart\n1234567\ta,b\t\t0.1\n2\t=1+1\t3\t4\n"));
    table().selectRow(1);
    QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
    ASSERT_TRUE(waitForAnswer());
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("it\tname\tnone\tpart\n2\t=1+1\t3\t4\n"));
}

TEST_F(QueryInWindow, WhatIsCopiedWhileAnAnswerIsSavedKeepsNothingFromTheFile) {
    ask("SELECT a.id, a.name FROM slice a, slice b");
    const QString path = inFolder("large.csv");
    test::clickButton(page(), QStringLiteral("Copy"));
    test::saveAs(path);
    auto* const save = test::buttonIn(page(), QStringLiteral("Save as CSV"));
    QTest::mouseClick(save, Qt::LeftButton);
    EXPECT_FALSE(save->isEnabled()) << "until it is saved";
    QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
    ASSERT_TRUE(waitForAnswer());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().count('\n'), 100'001);
    EXPECT_EQ(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 100'001);
    EXPECT_TRUE(save->isEnabled());
}

TEST_F(QueryInWindow, ALargeAnswerEndsAtALimitThatIsSaid) {
    ask("SELECT a.id FROM slice a, slice b");
    EXPECT_EQ(table().model()->rowCount(), 100'000);
    EXPECT_TRUE(words().contains(QStringLiteral("first 100,000 rows in "))) << words().toStdString();
}

TEST_F(QueryInWindow, TheSearchBoxTakesSql) {
    timeline().setFocus();
    QTest::keyClick(&timeline(), Qt::Key_Slash);
    auto* bar = workspace().findChild<SearchBar*>();
    auto* field = bar->findChild<QLineEdit*>();
    workspace().setBottomPanelVisible(false);
    QTest::keyClicks(field, QStringLiteral("select max(rank) as most from slice"));
    EXPECT_TRUE(test::labelWords(*bar).contains(QStringLiteral("Enter asks this in SQL")));
    QTest::keyClick(field, Qt::Key_Return);
    ASSERT_TRUE(waitForAnswer());
    EXPECT_TRUE(page().isVisible());
    EXPECT_EQ(cell(0, 0), QStringLiteral("3"));
    EXPECT_TRUE(editor().hasFocus());
}

TEST_F(QueryInWindow, TheListOfCommandsTakesSqlToo) {
    trigger("help.commands");
    const QPointer<QWidget> list = QApplication::activePopupWidget();
    ASSERT_NE(list, nullptr);
    auto* field = list->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("SELECT min(rank) FROM slice"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_TRUE(list == nullptr || !list->isVisible());
    ASSERT_TRUE(waitForAnswer());
    ASSERT_EQ(table().model()->rowCount(), 1);
    EXPECT_EQ(cell(0, 0), QStringLiteral("0"));
}

TEST_F(QueryInWindow, TheSessionBringsTheQuestionBack) {
    page().setQuestion(QStringLiteral("SELECT 'ä\n' AS x"));
    saveAndReopen();
    EXPECT_EQ(page().question(), QStringLiteral("SELECT 'ä\n' AS x"));
}

class QueryOfTwoRuns : public QueryInWindow {
  protected:
    void SetUp() override {
        ASSERT_NO_FATAL_FAILURE(QueryInWindow::SetUp());
        ASSERT_TRUE(openAndWait({four()}, OpenMode::Beside));
        if (window().comparing().active()) {
            trigger("compare.leave");
        }
        trigger("view.query");
    }
};

TEST_F(QueryOfTwoRuns, BothAreInTheTables) {
    ask("SELECT run, count(*) FROM rank GROUP BY run ORDER BY run");
    EXPECT_EQ(test::column(*table().model()), QStringList({"FourWorkers", "ZeroWorkers"}));
}

TEST_F(QueryOfTwoRuns, AClickLeadsToTheRunThatTheRowNames) {
    ask("SELECT run, id, rank FROM slice WHERE run = 'FourWorkers' AND class = 'compute' LIMIT 1");
    clickCell(0, 1);
    const auto* slice = std::get_if<SliceSelection>(&timeline().selection());
    ASSERT_NE(slice, nullptr);
    EXPECT_EQ(workspace().runs()[slice->run]->run->name, "FourWorkers");
    ask("SELECT rank FROM steps LIMIT 1");
    EXPECT_FALSE(table().model()->index(0, 0).data(Qt::ForegroundRole).isValid())
        << "the row does not say which run it is about";
}

TEST_F(QueryOfTwoRuns, TheSearchBoxOfAComparisonLeadsToThePageToo) {
    trigger("compare.open-runs");
    ASSERT_TRUE(QTest::qWaitFor([this] { return window().comparing().active(); }, kPatience));
    trigger("search.open");
    for (auto* bar : window().findChildren<SearchBar*>()) {
        if (bar->isVisible()) {
            bar->setText(QStringLiteral("SELECT count(DISTINCT run) FROM slice"));
            QTest::keyClick(bar->findChild<QLineEdit*>(), Qt::Key_Return);
            break;
        }
    }
    ASSERT_TRUE(waitForAnswer());
    EXPECT_TRUE(page().isVisible());
    EXPECT_EQ(cell(0, 0), QStringLiteral("2"));
}

}  // namespace
}  // namespace rankscope::ui
