// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of tables that have less room than they would like.
#include <gtest/gtest.h>

#include <QApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QHelpEvent>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolTip>
#include <numeric>

#include "ui/theme/text_scale.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

int sum(const std::vector<int>& widths) {
    return std::accumulate(widths.begin(), widths.end(), 0);
}

TEST(WidthsOfColumns, AreThePreferredOnesWhereThereIsRoom) {
    EXPECT_EQ(widthsIn(300, {{100, 50, 50}, {200, 80, 80}}), (std::vector<int>{100, 200}));
}

TEST(WidthsOfColumns, LoseTheSpaceAroundTheirContentsFirst) {
    const std::vector<int> widths = widthsIn(250, {{100, 80, 20}, {200, 120, 120}});
    EXPECT_EQ(sum(widths), 250) << "all of the room is used";
    EXPECT_EQ(widths, (std::vector<int>{90, 160})) << "in proportion to 20 and 80";
}

TEST(WidthsOfColumns, ThenCutTextTheWidestFirstAndNeverANumber) {
    const std::vector<int> widths = widthsIn(300, {{300, 250, 60}, {120, 120, 60}, {80, 80, 80}});
    EXPECT_EQ(widths, (std::vector<int>{110, 110, 80}));
    EXPECT_EQ(widthsIn(100, {{300, 250, 60}, {120, 120, 60}, {80, 80, 80}}), (std::vector<int>{60, 60, 80}))
        << "the rest is scrolled to";
}

class FittedTable : public testing::Test {
  protected:
    FittedTable() {
        model.setHorizontalHeaderLabels({QStringLiteral("Name"), QStringLiteral("Time"), QStringLiteral("Notes")});
        auto* time = new QStandardItem(QStringLiteral("123.4 ms"));
        time->setTextAlignment(Qt::AlignRight);
        model.appendRow({new QStandardItem(name), time, new QStandardItem(QStringLiteral("none"))});
        table.setModel(&model);
        dressTable(table);
        fit = new ColumnFit(table);
        fit->setPreferred({400, 150, 100}, 2);
        table.show();
        resize(1'000);
    }
    void resize(int width) {
        table.resize(width, 200);
        QCoreApplication::processEvents();
    }
    [[nodiscard]] int all() const { return table.columnWidth(0) + table.columnWidth(1) + table.columnWidth(2); }

    const QString name = QStringLiteral("a name with many letters that is long enough to be cut");
    QStandardItemModel model;
    QTableView table;
    ColumnFit* fit = nullptr;
};

TEST_F(FittedTable, GivesOneColumnTheRest) {
    EXPECT_EQ(table.columnWidth(0), 400);
    EXPECT_EQ(table.columnWidth(1), 150);
    EXPECT_EQ(all(), table.viewport()->width());
}

TEST_F(FittedTable, IsNotScrolledSidewaysWhileNumbersAreWhole) {
    resize(320);
    EXPECT_EQ(table.horizontalScrollBar()->maximum(), 0);
    EXPECT_LT(table.columnWidth(0), 400);
    EXPECT_GE(table.columnWidth(1),
              table.fontMetrics().horizontalAdvance(QStringLiteral("123.4 ms")) + 2 * kCellPadding);
    resize(1'000);
    EXPECT_EQ(table.columnWidth(0), 400) << "and wide again where there is room";
}

TEST_F(FittedTable, KeepsTheWidthThatTheUserGaveAColumn) {
    table.setColumnWidth(1, 140);
    resize(320);
    EXPECT_EQ(table.columnWidth(1), 140);
    resize(900);
    EXPECT_EQ(table.columnWidth(1), 140);
}

TEST_F(FittedTable, TellsTheWholeTextOfACellThatIsCut) {
    const auto tip_of = [this](int column) {
        QToolTip::hideText();
        const QPoint at = table.visualRect(model.index(0, column)).center();
        QHelpEvent help(QEvent::ToolTip, at, table.viewport()->mapToGlobal(at));
        QApplication::sendEvent(table.viewport(), &help);
        return QToolTip::text();
    };
    resize(1'000);
    EXPECT_TRUE(tip_of(0).isEmpty()) << "all of it can be read";
    resize(320);
    EXPECT_TRUE(tip_of(1).isEmpty());
    EXPECT_TRUE(tip_of(0).contains(QStringLiteral("long enough"))) << tip_of(0).toStdString();
}

}  // namespace
}  // namespace rankscope::ui
