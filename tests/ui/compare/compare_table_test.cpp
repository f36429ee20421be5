// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_table.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rankscope::ui
