// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/selection_table.h"

#include <gtest/gtest.h>

#include <utility>

#include "core/analysis/device/area_sums.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/unit/query/answers.h"

namespace rankscope {
namespace {

using query::Database;
using test::answerOf;
using test::numberOf;

class SelectionTable : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        run_of_corpus = new AnalysedRun(test::loadAndAnalyseAll(test::corpusRuns().front()).front());
    }
    static void TearDownTestSuite() { delete std::exchange(run_of_corpus, nullptr); }

    /// Half of the tracks of a rank, for a third of the run's time.
    static Area someArea() {
        const RankTrace& rank = *run_of_corpus->run->ranks[RankPosition(0)];
        Area area;
        TimeSpan all{INT64_MAX, INT64_MIN};
        for (std::uint32_t track = 0; track < rank.tracks.size(); ++track) {
            const SliceTable& slices = rank.tracks[track].slices;
            if (track % 2 == 0) {
                area.tracks.push_back({RankPosition(0), TrackId(track)});
            }
            for (SliceIndex i = 0; i < slices.size(); ++i) {
                all = {std::min(all.start_ns, slices.start_ns[i]), std::max(all.end_ns, slices.end_ns[i])};
            }
        }
        const DurationNs third = all.length() / 3;
        area.span = run_of_corpus->clock.ranks[RankPosition(0)].toRun(
            FileSpan(TimeSpan{all.start_ns + third, all.start_ns + 2 * third}));
        return area;
    }

    static inline AnalysedRun* run_of_corpus = nullptr;
    std::optional<tables::AreaOfRun> area;
    Database database{{run_of_corpus}, {}, {tables::selectionTable([this] { return area; })}};
};

TEST_F(SelectionTable, IsEmptyWithoutAnArea) {
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM selection"), 0);
}

TEST_F(SelectionTable, HasTheSlicesThatTheSumsOfTheAreaCount) {
    area = {0, someArea()};
    const auto sums = sumArea(*run_of_corpus->run, run_of_corpus->facts, run_of_corpus->clock, area->area, {});
    ASSERT_TRUE(sums.ok());
    ASSERT_GT(sums.value().slices, 0U);
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM selection"), static_cast<long long>(sums.value().slices));
    EXPECT_LT(sums.value().slices, static_cast<std::uint64_t>(numberOf(database, "SELECT count(*) FROM slice")));
}

TEST_F(SelectionTable, HasTheCellsOfSlice) {
    area = {0, someArea()};
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM (SELECT * FROM selection EXCEPT SELECT * FROM slice)"), 0);
    EXPECT_EQ(answerOf(database, "SELECT * FROM selection LIMIT 0").columns,
              answerOf(database, "SELECT * FROM slice LIMIT 0").columns);
}

TEST_F(SelectionTable, FollowsTheAreaAfterItIsRenewed) {
    ASSERT_EQ(numberOf(database, "SELECT count(*) FROM selection"), 0);
    area = {0, someArea()};
    database.renew("selection");
    EXPECT_GT(numberOf(database, "SELECT count(*) FROM selection"), 0);
    area = {7, someArea()};  // a run that is not open
    database.renew("selection");
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM selection"), 0);
}

}  // namespace
}  // namespace rankscope
