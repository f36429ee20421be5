// SPDX-License-Identifier: GPL-3.0-or-later
// What the compare panel says of two runs whose work is divided in different ways.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "ui/compare/compare_text.h"
#include "ui/compare/compared_runs.h"

namespace rankscope::ui {
namespace {

/// Two ranks that stand in a grid made by hand.
SharedRun runIn(const std::vector<GridDimension>& dimensions, const std::vector<std::vector<int>>& places) {
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    for (int r = 0; r < 2; ++r) {
        test::ModelBuilder model;
        model.rank(r, 4);
        const auto main = model.thread("1");
        const auto stream = model.stream("7");
        for (int i = 0; i < 4; ++i) {
            model.step(main, i, i * 1000, 1000);
            model.kernel(main, i * 1000 + 10, 5, stream, "gemm", i * 1000 + 20, 800);
        }
        ranks.push_back(model.build());
    }
    AnalysedRun run = test::analyse(test::runOf(std::move(ranks)));
    JobGrid& grid = run.facts.parallelism.grid;
    grid.dimensions = dimensions;
    grid.places.clear();
    for (const std::vector<int>& place : places) {
        grid.places.emplace_back(place.begin(), place.end());
    }
    return std::make_shared<const AnalysedRun>(std::move(run));
}

TEST(ComparedGrids, AreReportedAndRanksAreNextToThoseOfTheirPlace) {
    const SharedRun a = runIn({{Role::Data, 2, 2}, {Role::Tensor, 2, 1}}, {{1, 0}, {0, 1}});
    const SharedRun b = runIn({{Role::Data, 4, 1}}, {{0}, {1}});
    const auto runs = compared({a}, {b});
    const QString verdict = verdictHtml(*runs, Theme::darkTheme());
    EXPECT_TRUE(verdict.contains(QStringLiteral("Grid")));
    EXPECT_TRUE(verdict.contains(QStringLiteral("ranks are paired by place"))) << verdict.toStdString();
    EXPECT_TRUE(verdict.contains(QStringLiteral("rank 1 (dp 0, tp 1)"))) << "it has no counterpart";
    const report::DataTable& ranks = *runs->table(ComparePage::Ranks);
    ASSERT_EQ(ranks.rows.size(), 3U);
    EXPECT_EQ(ranks.columns[1].key, "a_place");
    EXPECT_EQ(std::get<std::string>(ranks.rows[0][1]), "dp 1, tp 0");
    EXPECT_EQ(ranks.columns[0].title, "Rank in A");
    EXPECT_EQ(ranks.columns[1].title, "Place in A");
    EXPECT_EQ(ranks.columns[2].title, "Rank in B");
    EXPECT_EQ(std::get<std::int64_t>(ranks.rows[0][0]), 0);
    EXPECT_EQ(std::get<std::int64_t>(ranks.rows[0][2]), 1) << "rank 1 of the other run";
    EXPECT_EQ(std::get<std::string>(ranks.rows[0][3]), "dp 1");
    for (std::size_t row = 1; row < ranks.rows.size(); ++row) {
        EXPECT_NE(std::holds_alternative<std::monostate>(ranks.rows[row][0]),
                  std::holds_alternative<std::monostate>(ranks.rows[row][2]))
            << "it stands in one run alone";
        const bool of_a = std::holds_alternative<std::monostate>(ranks.rows[row][2]);
        const QString title = lineHtml(*runs, ComparePage::Ranks, static_cast<std::uint32_t>(row), Theme::darkTheme());
        EXPECT_TRUE(title.contains(of_a ? QStringLiteral(" of A<") : QStringLiteral(" of B<"))) << title.toStdString();
    }
    EXPECT_TRUE(lineHtml(*runs, ComparePage::Ranks, 0, Theme::darkTheme())
                    .contains(QStringLiteral("Rank 0 of A, rank 1 of B")));
}

TEST(ComparedGrids, ThatAreTheSameAddNothing) {
    const std::vector<GridDimension> grid = {{Role::Data, 4, 1}};
    const auto runs = compared({runIn(grid, {{0}, {1}})}, {runIn(grid, {{0}, {1}})});
    EXPECT_FALSE(verdictHtml(*runs, Theme::darkTheme()).contains(QStringLiteral("by place")));
    EXPECT_NE(runs->table(ComparePage::Ranks)->columns[1].key, "a_place");
}

}  // namespace
}  // namespace rankscope::ui
