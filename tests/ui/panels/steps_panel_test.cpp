// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QFontMetrics>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/steps/steps_model.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/table_look.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

TEST(StepsPanel, HasARowForEachRankOfAStepWithItsFourParts) {
    StepsModel model(Theme::darkTheme());
    model.setRuns({HandMadeRun::make()});
    ASSERT_EQ(model.rowCount(), 1);
    const auto cell = [&](int column) { return model.index(0, column).data().toString(); };
    EXPECT_EQ(cell(StepsModel::kStep), QStringLiteral("3"));
    EXPECT_EQ(cell(StepsModel::kStepTime), QStringLiteral("100.0 ms"));
    EXPECT_EQ(cell(StepsModel::kIdle), QStringLiteral("60.1 ms"));
    const std::vector<BarPart> parts = model.parts(0);
    ASSERT_EQ(parts.size(), 4U);
    EXPECT_EQ(parts[0].ns + parts[1].ns + parts[2].ns + parts[3].ns, 100'000'000);
}

TEST(StepsPanel, ShowsTheRanksOwnStepThatItsPartsAddUpToNextToTheRunsLongerOne) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->facts.steps.front().duration_ns = 103'000'000;  // another rank begins sooner
    StepsModel model(Theme::darkTheme());
    model.setRuns({run});
    const auto exact = [&](int column) { return model.index(0, column).data(kExactRole).toLongLong(); };
    EXPECT_EQ(exact(StepsModel::kStepTime), 103'000'000);
    EXPECT_EQ(exact(StepsModel::kRankTime), 100'000'000);
    EXPECT_EQ(exact(StepsModel::kCompute) + exact(StepsModel::kExposedComm) + exact(StepsModel::kExposedCopy) +
                  exact(StepsModel::kIdle),
              exact(StepsModel::kRankTime));
    EXPECT_EQ(model.index(0, StepsModel::kRankTime).data().toString(), QStringLiteral("100.0 ms"));
    const QString why = model.headerData(StepsModel::kStepTime, Qt::Horizontal, Qt::ToolTipRole).toString();
    const QString said = QString(why).replace(QLatin1Char('\n'), QLatin1Char(' '));  // it has several lines
    EXPECT_TRUE(said.contains(QStringLiteral("differs from a rank's step"))) << why.toStdString();
}

TEST(StepsPanel, SaysWhatAnIterationWorksOn) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->facts.steps.front().kind = IterationKind::Decode;
    StepsModel model(Theme::darkTheme());
    model.setRuns({run});
    EXPECT_EQ(model.index(0, StepsModel::kNotes).data().toString(), QStringLiteral("decode"));
    run->facts.steps.front().other_kind = true;
    run->facts.ranks.front().steps.front().outlier = true;
    run->facts.ranks.front().steps.front().outlier_reason =
        "it is a decode iteration; only prefill iterations are priced";
    model.setRuns({run});
    EXPECT_EQ(model.index(0, StepsModel::kNotes).data().toString(),
              QStringLiteral("it is a decode iteration; only prefill iterations are priced"));
}

TEST(StepsPanel, HasAColumnOfNotesOnlyIfThereIsANote) {
    StepsPanel panel(Theme::darkTheme());
    panel.show();
    const auto* table = panel.findChild<QTableView*>();
    panel.setRuns({HandMadeRun::make()});
    EXPECT_TRUE(table->isColumnHidden(StepsModel::kNotes));
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->facts.ranks.front().steps.front().outlier = true;
    panel.setRuns({run});
    EXPECT_FALSE(table->isColumnHidden(StepsModel::kNotes));
}

TEST(StepsPanel, TimesOfATenthOfASecondHaveRoomInTheirColumnsInTextOfAnySize) {
    StepsPanel panel(Theme::darkTheme());
    const auto* table = panel.findChild<QTableView*>();
    for (const double size : {1.0, 1.5, 2.0, 1.0}) {
        const Theme theme = Theme::darkTheme().withTextSize(size);
        panel.setTheme(theme);
        const int needed =
            QFontMetrics(theme.mono_font).horizontalAdvance(QStringLiteral("230.4 ms")) + 2 * kCellPadding;
        for (const int column : {StepsModel::kStepTime, StepsModel::kRankTime, StepsModel::kCompute,
                                 StepsModel::kExposedComm, StepsModel::kExposedCopy, StepsModel::kIdle}) {
            EXPECT_GE(table->columnWidth(column), needed) << "column " << column << ", text " << size;
        }
    }
}

TEST(StepsPanel, ADoubleClickAsksForTheStepsMark) {
    StepsPanel panel(Theme::darkTheme());
    panel.resize(1000, 300);
    panel.setRuns({HandMadeRun::make()});
    panel.show();
    const QSignalSpy asked(&panel, &StepsPanel::sliceActivated);
    auto* table = panel.findChild<QTableView*>();
    const QPoint at = table->visualRect(table->model()->index(0, StepsModel::kStep)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
    EXPECT_EQ(asked.value(0).value(0).value<SliceSelection>(),
              (SliceSelection{0, RankPosition(0), HandMadeRun::kOperator}));
}

TEST(StepsPanel, IsSavedWithWholeNumbersWhoseUnitTheTitlesHave) {
    StepsPanel panel(Theme::darkTheme());
    panel.resize(1000, 300);
    panel.setRuns({HandMadeRun::make()});
    panel.show();
    const std::string csv = csvOf(*panel.findChild<QTableView*>());
    EXPECT_NE(csv.find("Step,Step time (ns),Rank,Rank's step (ns),Compute (ns),"), std::string::npos) << csv;
    EXPECT_NE(csv.find("3,100000000,rank 0,100000000,39950000,0,0,60050000\r\n"), std::string::npos) << csv;
}

}  // namespace
}  // namespace rankscope::ui
