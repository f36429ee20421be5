// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_table.h"

#include <gtest/gtest.h>

#include <QColor>
#include <QTableView>

namespace rankscope::ui {
namespace {

TEST(CompareTable, SaysInWordsWhatBecameOfAFindingAndLeavesItsIdAsItIs) {
    auto findings = std::make_shared<report::DataTable>();
    findings->columns = {{"change", "change", report::Unit::Word}, {"id", "id", report::Unit::Word}};
    findings->rows = {{std::string("cannot-tell"), std::string("launch-bound")}};
    CompareTable table(QStringLiteral("Findings"), Theme::darkTheme());
    table.set(findings, {});
    const QAbstractItemModel& shown = *table.view().model();
    EXPECT_EQ(shown.index(0, 0).data().toString(), QStringLiteral("cannot tell"));
    EXPECT_EQ(shown.index(0, 1).data().toString(), QStringLiteral("launch-bound"));
}

TEST(CompareTable, ANumberBelowZeroHasAMinusSignAsInTheSentences) {
    auto steps = std::make_shared<report::DataTable>();
    steps->columns = {{"name", "name", report::Unit::Name},
                      {"difference_ns", "difference", report::Unit::SignedDuration}};
    steps->rows = {{std::string("-1"), std::int64_t{-69'100'000}}};
    CompareTable table(QStringLiteral("Steps"), Theme::darkTheme());
    table.set(steps, {});
    EXPECT_EQ(table.view().model()->index(0, 1).data().toString(), QStringLiteral("−69.1 ms"));
    EXPECT_EQ(table.view().model()->index(0, 0).data().toString(), QStringLiteral("-1")) << "a name stays as it is";
}

TEST(CompareTable, AnUnknownDifferenceOfAFindingIsNeitherRedNorGreen) {
    auto findings = std::make_shared<report::DataTable>();
    findings->columns = {{"change", "change", report::Unit::Word},
                         {"difference_ns", "difference", report::Unit::SignedDuration}};
    findings->rows = {{std::string("cannot-tell"), std::int64_t{5'000'000}},
                      {std::string("worse"), std::int64_t{5'000'000}}};
    CompareTable table(QStringLiteral("Findings"), Theme::darkTheme());
    table.set(findings, {});
    const QAbstractItemModel& shown = *table.view().model();
    EXPECT_FALSE(shown.index(0, 1).data(Qt::ForegroundRole).isValid());
    EXPECT_EQ(shown.index(1, 1).data(Qt::ForegroundRole).value<QColor>(), Theme::darkTheme().severity_high);
}

}  // namespace
}  // namespace rankscope::ui
