// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/search_slices.h"

#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

/// Two ranks: a thread with operators, a stream with kernels; the second rank's clock is 1 ms behind.
struct TwoRanks {
    TwoRanks() {
        std::vector<std::shared_ptr<const RankTrace>> ranks;
        for (int rank = 0; rank < 2; ++rank) {
            test::ModelBuilder model;
            model.rank(rank, RankPosition(2));
            const auto thread = model.thread("main");
            const auto stream = model.stream("7");
            model.op(thread, "aten::conv2d", 10, 50);
            model.op(thread, "aten::add", 70, 10);
            model.op(thread, "aten::conv2d", 100, 50);
            model.slice(stream, Category::Kernel, "Gemm_kernel", 30, 10);
            const auto reduce = model.slice(stream, Category::Kernel, "ncclDevKernel_Generic", 60, 10);
            model.collective(reduce, "allreduce", 1'000);
            ranks.push_back(model.build());
        }
        run = test::runOf(std::move(ranks));
        clock.ranks.resize(2);
        clock.ranks[1].offset_ns = 1'000'000;
    }

    [[nodiscard]] SearchHits search(std::string_view text, std::size_t limit = 1'000) const {
        const Result<SearchHits> hits = searchSlices(*run, clock, text, {limit, 2}, {});
        EXPECT_TRUE(hits.ok());
        return hits.value();
    }

    std::shared_ptr<const Run> run;
    RunClock clock;
};

std::vector<std::string> namesOf(const Run& run, const SearchHits& found) {
    std::vector<std::string> names;
    for (const SearchHit& hit : found.hits) {
        names.push_back(std::to_string(hit.rank) + " " + std::string(run.ranks[hit.rank]->name(hit.slice)));
    }
    return names;
}

TEST(SearchSlices, FindsAllOfANameOnAllRanksInOrderOfTheRunsClock) {
    const TwoRanks two;
    const SearchHits found = two.search("conv2d");
    EXPECT_EQ(found.total, 4U);
    EXPECT_EQ(namesOf(*two.run, found),
              (std::vector<std::string>{"0 aten::conv2d", "0 aten::conv2d", "1 aten::conv2d", "1 aten::conv2d"}));
    ASSERT_EQ(found.hits.size(), 4U);
    EXPECT_EQ(found.hits[2].start_ns, two.run->ranks[1]->span(found.hits[2].slice).start_ns + 1'000'000);
    EXPECT_TRUE(std::ranges::is_sorted(found.hits, {}, &SearchHit::start_ns));
}

TEST(SearchSlices, CaseDoesNotMatter) {
    const TwoRanks two;
    EXPECT_EQ(two.search("gEMM_k").total, 2U);
    EXPECT_EQ(two.search("ATEN::").total, 6U);
}

TEST(SearchSlices, FindsByTheArgsThatTheModelKeepsEachSliceOnce) {
    const TwoRanks two;
    const SearchHits found = two.search("allreduce");
    EXPECT_EQ(namesOf(*two.run, found),
              (std::vector<std::string>{"0 ncclDevKernel_Generic", "1 ncclDevKernel_Generic"}));
    EXPECT_EQ(two.search("e").total, 10U) << "name and args of one slice are one hit";
}

TEST(SearchSlices, WhatIsNotThereIsNotFound) {
    const TwoRanks two;
    EXPECT_EQ(two.search("conv3d").total, 0U);
    EXPECT_EQ(two.search("").total, 0U);
}

TEST(SearchSlices, KeepsTheEarliestAndCountsAll) {
    const TwoRanks two;
    const SearchHits found = two.search("aten", 2);
    EXPECT_EQ(found.total, 6U);
    EXPECT_EQ(namesOf(*two.run, found), (std::vector<std::string>{"0 aten::conv2d", "0 aten::add"}));
}

TEST(SearchSlices, ReportsTheCountBeforeThePlacesAndTestsEachTextOfTheRunOnce) {
    const TwoRanks two;
    const auto names = RunNames::of(*two.run, 2, {}).value();
    EXPECT_TRUE(names->isOf(*two.run));
    EXPECT_EQ(names->texts().size(), two.run->ranks[0]->strings.size()) << "both ranks have the same texts";
    for (RankPosition rank{0}; rank < 2; ++rank) {
        const StringPool& strings = two.run->ranks[rank]->strings;
        ASSERT_EQ(names->ofRank(rank).size(), strings.size());
        for (std::uint32_t id = 0; id < strings.size(); ++id) {
            EXPECT_EQ(names->texts()[names->ofRank(rank)[id]], strings.view(StringId(id)));
        }
    }
    std::uint64_t told = 0;
    SearchOptions options;
    options.names = names;
    options.counted = [&told](std::uint64_t total) { told = total; };
    const Result<SearchHits> hits = searchSlices(*two.run, two.clock, "aten", options, {});
    ASSERT_TRUE(hits.ok());
    EXPECT_EQ(told, 6U);
    EXPECT_EQ(hits.value().hits.size(), 6U);
    EXPECT_EQ(hits.value().hits, two.search("aten").hits);
}

TEST(SearchSlices, TextsOfAnotherRunAreNotTakenForItsOwn) {
    const TwoRanks two;
    const TwoRanks other;
    SearchOptions options;
    options.names = RunNames::of(*other.run, 1, {}).value();
    EXPECT_FALSE(options.names->isOf(*two.run));
    EXPECT_EQ(searchSlices(*two.run, two.clock, "aten", options, {}).value().total, 6U);
}

TEST(SearchSlices, StopsWhenItIsAskedTo) {
    const TwoRanks two;
    std::stop_source stop;  // NOLINT(misc-const-correctness)
    stop.request_stop();
    EXPECT_TRUE(searchSlices(*two.run, two.clock, "aten", {}, stop.get_token()).cancelled());
}

}  // namespace
}  // namespace rankscope
