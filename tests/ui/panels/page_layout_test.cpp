// SPDX-License-Identifier: GPL-3.0-or-later
// Pages, heads and tables of panels where there is little room for them, and in large text.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QVBoxLayout>
#include <memory>

#include "tests/support/analysed.h"
#include "tests/support/pipeline_job.h"
#include "ui/panels/communication/pipeline_legend.h"
#include "ui/panels/shared/sorted_table.h"
#include "ui/panels/shared/sum_table.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/turning_splitter.h"
#include "ui/widgets/waterfall_delegate.h"

namespace rankscope::ui {
namespace {

TEST(PanelPages, PartsAboveEachOtherHaveRoomForSomeLinesEach) {
    QWidget panel;
    QVBoxLayout* column = makePanelPage(panel);
    auto* parts = new TurningSplitter(QStringLiteral("Two parts"));
    auto* first = new QTableWidget(9, 2);
    auto* second = new QTableWidget(9, 2);
    parts->addWidget(first);
    parts->addWidget(second);
    column->addWidget(parts, 1);
    panel.resize(240, 120);
    panel.show();
    QCoreApplication::processEvents();
    ASSERT_EQ(parts->orientation(), Qt::Vertical);
    const int line = panel.fontMetrics().lineSpacing();
    EXPECT_TRUE(QTest::qWaitFor([&] { return parts->height() >= 2 * 6 * line; })) << "the page scrolls instead";
    EXPECT_GE(first->height(), 5 * line);
    EXPECT_GE(second->height(), 5 * line);
}

TEST(PanelPages, WordsOfAHeadWrapWhereThePanelIsNarrow) {
    QWidget panel;
    QVBoxLayout* column = makePanelPage(panel);
    QLabel* title = plainLabel();
    QLabel* about = plainLabel();
    auto* box = new QComboBox;
    box->addItem(QStringLiteral("Over all steps that are complete and steady"));
    column->addLayout(makePanelHead(*title, *about, {box}));
    column->addWidget(new QWidget, 1);
    title->setText(QStringLiteral("4 stages, 8 micro-batches, unknown schedule"));
    about->setText(QStringLiteral("bubble 11 % of this step, 12 % of all steady steps, 27 % with equal stages"));
    panel.resize(1'600, 300);
    panel.show();
    QCoreApplication::processEvents();
    EXPECT_EQ(title->y() + title->height() / 2, about->y() + about->height() / 2) << "one row where there is room";
    EXPECT_LT(title->height(), 2 * title->fontMetrics().lineSpacing() + box->height());
    EXPECT_GE(title->width(), title->fontMetrics().horizontalAdvance(title->text()));
    panel.resize(220, 300);
    const auto* page = panel.findChild<QScrollArea*>();
    const auto right = [&] { return box->mapTo(page->widget(), box->rect().bottomRight()).x(); };
    // What stands in what is laid out anew is laid out in an event of its own.
    EXPECT_TRUE(QTest::qWaitFor([&] { return right() <= page->viewport()->width(); })) << right();
    EXPECT_EQ(page->horizontalScrollBar()->maximum(), 0);
    for (const QLabel* words : {title, about}) {
        EXPECT_GT(words->height(), words->fontMetrics().lineSpacing()) << words->text().toStdString();
        EXPECT_GE(words->height(), words->heightForWidth(words->width())) << words->text().toStdString();
        EXPECT_LE(words->geometry().right(), page->viewport()->width());
    }
}

TEST(PanelPages, WhatCannotBeNarrowerIsScrolledToSideways) {
    QWidget panel;
    QVBoxLayout* column = makePanelPage(panel);
    auto* wide = new QWidget;
    wide->setMinimumSize(400, 40);
    column->addWidget(wide);
    panel.layout()->setSizeConstraint(QLayout::SetNoConstraint);  // as where others say how wide it is
    panel.resize(200, 200);
    panel.show();
    QCoreApplication::processEvents();
    EXPECT_GE(panel.findChild<QScrollArea*>()->horizontalScrollBar()->maximum(), 200);
}

TEST(PanelTables, RowsOfSumsAreAsHighAsTheirTextAtAnySize) {
    const std::unique_ptr<QTableWidget> table(makeSumTable({QStringLiteral("Name"), QStringLiteral("Sum")}, {}));
    table->setRowCount(1);
    table->show();
    const int before = table->rowHeight(0);
    QFont large = table->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    table->setFont(large);
    QCoreApplication::processEvents();
    EXPECT_GE(table->rowHeight(0), QFontMetrics(large).height() + 4);
    large.setPointSizeF(large.pointSizeF() / 2);
    table->setFont(large);
    QCoreApplication::processEvents();
    EXPECT_EQ(table->rowHeight(0), before);
}

TEST(PanelTables, NumbersNextToADrawnColumnAreWhole) {
    const Theme theme = Theme::darkTheme();
    auto* model = new DataTableModel(theme);
    SortedTable table(QStringLiteral("The way"), model);
    auto rows = std::make_shared<report::DataTable>();
    rows->columns = {{"part", "Part", report::Unit::Text},
                     {"calls", "n", report::Unit::Count},
                     {"way", "Way down", report::Unit::Text}};
    rows->rows.push_back({std::string("Idle"), std::int64_t{123'456'789'012}, std::string()});
    table.set(rows, {});
    table.setNarrow(true);
    auto* way = new WaterfallDelegate(&table);
    way->set({{.from_ns = 10, .to_ns = 0, .whole = false, .colour = theme.accent}}, 0, theme);
    table.drawLast(way);
    table.resize(300, 200);
    table.show();
    QCoreApplication::processEvents();
    const QString number = model->index(0, 1).data().toString();
    EXPECT_GE(table.view().columnWidth(1), QFontMetrics(theme.mono_font).horizontalAdvance(number) + 2 * kCellPadding)
        << number.toStdString();
}

TEST(PanelLegends, OfAPipelineGoesOnInFurtherLinesWhereThePanelIsNarrow) {
    const AnalysedRun run = test::analyse(test::runOf(test::gpipeJob()));
    ASSERT_FALSE(run.facts.pipeline.pipelines.empty());
    PipelineLegend legend(Theme::darkTheme());
    legend.setStep(&run.facts.pipeline.pipelines.front(), 0);
    const int line = legend.heightForWidth(10'000);
    const int wide = legend.sizeHint().width();
    EXPECT_EQ(legend.sizeHint().height(), line) << "all in one where there is room";
    const int narrow = wide / 2;
    EXPECT_GE(legend.heightForWidth(narrow), 2 * line);
    const std::vector<QRect> places = legend.places(narrow);
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_LE(places[i].right(), narrow) << i;
        EXPECT_LE(places[i].bottom(), legend.heightForWidth(narrow)) << i;
        for (std::size_t other = 0; other < i; ++other) {
            EXPECT_FALSE(places[i].intersects(places[other])) << i << " and " << other;
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
