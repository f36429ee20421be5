// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/efficiency.h"
#include "core/report/tables/missing_share.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// FLOPs of each step of the first rank, of the model and recomputed.
void expectFlops(const AnalysedRun& run, double model, double recomputed) {
    for (const StepEfficiency& step : run.facts.efficiency.ranks.at(0).steps) {
        EXPECT_NEAR(step.model_flops / model, 1, 0.02);
        if (recomputed > 0) {
            EXPECT_NEAR(step.recomputed_flops / recomputed, 1, 0.02);
        } else {
            EXPECT_EQ(step.recomputed_flops, 0);
        }
    }
}

TEST(RealEfficiency, OfResnet50IsThreeTimesItsForwardButForTheFirstInputsGradient) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    constexpr double kForward = 2 * 4.09e9;  // an image: 4.09 thousand million multiplications and additions
    constexpr double kFirst = 2 * 112 * 112 * 64.0 * 3 * 49;
    for (const char* folder : {"resnet50_workers/ZeroWorkers", "resnet50_workers/FourWorkers"}) {
        const AnalysedRun run = loadAndAnalyse(realTraces() / folder);
        expectFlops(run, 32 * (3 * kForward - kFirst), 0);
        EXPECT_EQ(run.facts.efficiency.products.at(0).type, NumberType::Float32);
        EXPECT_NEAR(run.facts.efficiency.mfu().value_or(0), 0.33, 0.07);
    }
}

TEST(RealEfficiency, OfATransformerIsWhatItsLayersSizesGive) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // torchtitan: 6 layers of width 256 with 16 heads and a hidden width of 768, 8 sequences of 2,048 tokens, 2,048
    // words; every second layer is recomputed.
    constexpr double kTokens = 8 * 2048;
    constexpr double kLinears = 2 * kTokens * (4 * 256.0 * 256 + 3 * 256.0 * 768);
    constexpr double kAttention = 4.0 * 8 * 16 * 2048 * 2048 * 16;
    constexpr double kWords = 2 * kTokens * 256 * 2048;
    expectFlops(loadAndAnalyse(realTraces() / "unseen_1/fsdp2_4ranks"),
                6 * (3 * kLinears + 3.5 * kAttention) + 3 * kWords, 3 * (kLinears + kAttention));
}

TEST(RealEfficiency, OfMegatronsForwardIsWhatItsLayersSizesGive) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // 40 layers of width 4,096 and a hidden width of 16,384 in eight parts, 4 sequences of 2,048 tokens, 32 heads of 64
    // (a rank's part of all sequences), and its part of 51,200 words.
    constexpr double kTokens = 4 * 2048;
    constexpr double kLinears = 2 * kTokens * 4096.0 * (1536 + 512 + 2048 + 2048);
    constexpr double kAttention = 4.0 * 32 * 2048 * 2048 * 64;
    constexpr double kWords = 2 * kTokens * 4096.0 * 6400;
    expectFlops(loadAndAnalyse(realTraces() / "unseen_1/megatron_tp8"), 40 * (kLinears + kAttention) + kWords, 0);
}

TEST(RealEfficiency, OfResnet50AdvisesMixedPrecisionAtMostAndBehindTheLoader) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // A V100: no TF32, float32 kernels, and tensor cores for float16.
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet50_workers/ZeroWorkers");
    EXPECT_EQ(findingOf(run, "no-tensor-cores"), nullptr);
    const Finding& narrow = findingIn(run, "low-precision-unused");
    EXPECT_TRUE(narrow.at_most);
    EXPECT_NE(narrow.remedies.at(0).action.find("float16"), std::string::npos);
    EXPECT_EQ(run.diagnosis.findings.front().id, FindingId::DataloaderStall);
}

TEST(RealEfficiency, TablesOfARankAreThatRanksAndThoseOfAllRanksTheirSum) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/fsdp2_4ranks");
    const EfficiencyFacts& facts = run.facts.efficiency;
    const auto sum = [](const auto& rows) {
        DurationNs sum_ns = 0;
        for (const auto& row : rows) {
            sum_ns += row.time_ns;
        }
        return sum_ns;
    };
    DurationNs products_ns = 0;
    DurationNs kernels_ns = 0;
    DurationNs uncounted_ns = 0;
    for (RankPosition rank{0}; rank < facts.ranks.size(); ++rank) {
        const ProductTables& own = facts.tablesOf(rank);
        ASSERT_FALSE(own.products.empty());
        products_ns += sum(own.products);
        kernels_ns += sum(own.kernels);
        uncounted_ns += sum(own.uncounted);
        for (const ProductRow& row : own.products) {
            EXPECT_EQ(row.longest.rank, rank);
        }
        for (const report::MissingPart& part : report::missingShare(run, rank).parts) {
            if (part.longest.slice.valid()) {
                EXPECT_EQ(part.longest.rank, rank) << timePartName(part.part);
            }
        }
    }
    EXPECT_EQ(products_ns, sum(facts.tablesOf({}).products));
    EXPECT_EQ(kernels_ns, sum(facts.tablesOf({}).kernels));
    EXPECT_EQ(uncounted_ns, sum(facts.tablesOf({}).uncounted));
}

TEST(RealEfficiency, OfOperatorsWhoseCallsDifferUsesAllOfThem) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // Shapes of inputs do not tell filters of 1x1 from those of 3x3: one row has both, and is bound as its sums say.
    constexpr double kRidge = 15.7e12 / 900e9;  // FLOPs a byte of a V100, float32
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet50_workers/ZeroWorkers");
    std::size_t rows = 0;
    for (const ProductRow& row : run.facts.efficiency.products) {
        if (row.bound() && row.type == NumberType::Float32) {
            EXPECT_EQ(row.bound() == RoofBound::Memory, *row.intensity() < kRidge) << row.name << ' ' << row.shapes;
            ++rows;
        }
    }
    EXPECT_GT(rows, 10U);
}

TEST(RealEfficiency, PartsAddUpToTheStepOnEveryRank) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const std::filesystem::path& path : realRuns()) {
        for (const AnalysedRun& run : loadAndAnalyseAll(path)) {
            for (const RankEfficiency& rank : run.facts.efficiency.ranks) {
                for (const StepEfficiency& step : rank.steps) {
                    EXPECT_EQ(step.parts.total(), step.time_ns) << path;
                    EXPECT_EQ(step.parts.communication.total(), step.parts[TimePart::Communication]) << path;
                    EXPECT_GE(step.parts[TimePart::Uncounted], 0) << path;
                    EXPECT_LE(step.tensor_ns + step.plain_ns, step.counted_ns) << path;
                }
            }
        }
    }
}

}  // namespace
}  // namespace rankscope::test
