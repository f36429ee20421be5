// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/missing_share.h"

#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

void expectWhole(const AnalysedRun& run, std::optional<RankPosition> rank) {
    const report::MissingShare share = report::missingShare(run, rank);
    DurationNs sum_ns = 0;
    for (const report::MissingPart& part : share.parts) {
        sum_ns += part.ns;
        EXPECT_NE(part.ns, 0) << report::missingPartTitle(part);
        if (part.longest.slice.valid()) {
            ASSERT_LT(part.longest.rank, run.run->ranks.size());
            EXPECT_FALSE(run.run->ranks[part.longest.rank]->name(part.longest.slice).empty());
        }
        EXPECT_TRUE(!part.finding || *part.finding < run.diagnosis.findings.size());
    }
    EXPECT_EQ(sum_ns, share.time_ns);
}

TEST(MissingShare, AddsUpOverEveryRunAndEveryRankToTheNanosecond) {
    std::vector<std::filesystem::path> places = corpusRuns();
    if (std::filesystem::exists(realTraces())) {
        for (const char* folder : {"resnet50_workers", "resnet_ddp_4ranks_rocm", "dlrm_8ranks_v100", "tracelens", "hta",
                                   "unseen_1", "param"}) {
            places.push_back(realTraces() / folder);
        }
    }
    std::size_t told = 0;
    for (const std::filesystem::path& place : places) {
        SCOPED_TRACE(place);
        for (const AnalysedRun& run : loadAndAnalyseAll(place)) {
            expectWhole(run, {});
            for (RankPosition rank{0}; rank < run.facts.efficiency.ranks.size(); ++rank) {
                expectWhole(run, rank);
            }
            told += report::missingShare(run).parts.empty() ? 0U : 1U;
        }
    }
    EXPECT_GT(told, 3U);
}

TEST(MissingShare, OfAStarvedRunLeadsToTheFindingAboutItsLoader) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet50_workers/ZeroWorkers");
    const report::MissingShare share = report::missingShare(run);
    const auto part_of = [&](TimePart part) {
        const auto at = std::ranges::find(share.parts, part, &report::MissingPart::part);
        return at != share.parts.end() ? *at : report::MissingPart{};
    };
    const report::MissingPart input = part_of(TimePart::Input);
    ASSERT_TRUE(input.finding.has_value());
    EXPECT_EQ(run.diagnosis.findings[*input.finding].id, FindingId::DataloaderStall);
    EXPECT_GT(share.shareOf(input).value_or(0), 0.3) << "70 of 176 ms";
    const report::MissingPart below = part_of(TimePart::ComputeBound);
    EXPECT_TRUE(below.longest.slice.valid());
    EXPECT_GT(below.longest.ns, 0);
}

}  // namespace
}  // namespace rankscope::test
