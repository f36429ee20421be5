// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/analysis/hta_rules.h"

#include "core/analysis/stages.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// What HTA 0.6.1 computed of a file, in microseconds (README.md of the traces).
struct FromHta {
    const char* path;
    double idle, compute, non_compute, window;
    double overlap_percent;
};

void PrintTo(const FromHta& expected, std::ostream* out) {
    *out << expected.path;
}

class HtaValues : public testing::TestWithParam<FromHta> {};

TEST_P(HtaValues, AreOursUnderItsRules) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const FromHta& expected = GetParam();
    const auto trace = load((realTraces() / expected.path).string());
    const HtaBreakdown ours = htaBreakdown(*trace);
    // HTA adds floating-point microseconds, and the table is rounded to the nanosecond: a twentieth of one a row.
    const double tolerance_us = 1e-3 * (1 + 0.05 * static_cast<double>(ours.rows));
    const auto us = [](DurationNs ns) { return static_cast<double>(ns) / 1e3; };
    EXPECT_NEAR(us(ours.idle_ns), expected.idle, tolerance_us);
    EXPECT_NEAR(us(ours.compute_ns), expected.compute, tolerance_us);
    EXPECT_NEAR(us(ours.non_compute_ns), expected.non_compute, tolerance_us);
    EXPECT_NEAR(us(ours.window_ns), expected.window, tolerance_us);
    ASSERT_TRUE(ours.overlap_percent.has_value());
    EXPECT_NEAR(*ours.overlap_percent, expected.overlap_percent, 0.005);
}

INSTANTIATE_TEST_SUITE_P(
    ReadMe, HtaValues,
    testing::Values(
        FromHta{"hta/nccl_parser_config/nccl_data.json.gz", 336419.715, 76935.828, 22232.019, 435587.562, 14.76},
        FromHta{"hta/df_index_resolver/df_index_resolver.json.gz", 643612, 496485, 256572, 1396669, 0.0},
        FromHta{"resnet_ddp_4ranks_rocm/rank0.pt.trace.json.gz", 25302.808, 32940.552, 33850.195, 92093.556, 39.31},
        FromHta{"resnet_ddp_4ranks_rocm/rank1.pt.trace.json.gz", 38231.783, 29430.766, 23879.981, 91542.531, 21.25},
        FromHta{"resnet_ddp_4ranks_rocm/rank2.pt.trace.json.gz", 37515.953, 29372.637, 24660.199, 91548.789, 19.59},
        FromHta{"resnet_ddp_4ranks_rocm/rank3.pt.trace.json.gz", 61292.636, 28601.484, 3981.643, 93875.763, 5.68},
        FromHta{"dlrm_8ranks_v100/worker0_step_12.1694128201545.pt.trace.json.gz", 6419, 1034, 5556, 13009, 4.5},
        FromHta{"dlrm_8ranks_v100/worker1_step_12.1694128201556.pt.trace.json.gz", 6428, 1246, 11075, 18749, 2.47},
        FromHta{"dlrm_8ranks_v100/worker2_step_12.1694128201554.pt.trace.json.gz", 7046, 1068, 3236, 11350, 7.88},
        FromHta{"dlrm_8ranks_v100/worker3_step_12.1694128201557.pt.trace.json.gz", 8145, 1240, 9468, 18853, 3.31},
        FromHta{"dlrm_8ranks_v100/worker4_step_12.1694128201547.pt.trace.json.gz", 8887, 1126, 6576, 16589, 0.56},
        FromHta{"dlrm_8ranks_v100/worker5_step_12.1694128201549.pt.trace.json.gz", 9121, 1041, 6230, 16392, 0.64}));

TEST(HtaRules, DifferFromOursOnlyByTheClasses) {
    // A kernel of SyncBatchNorm is compute here and nothing there; both count it as busy.
    auto [builder, main, stream] = threadAndStream("main");
    builder.kernel(main, 0, 5, stream, "gemm", 10, 20);
    builder.kernel(main, 6, 5, stream, "batch_norm_SyncBatchNorm", 40, 30);
    builder.kernel(main, 12, 5, stream, "ncclDevKernel_AllReduce", 80, 10);
    const auto trace = builder.build();
    const HtaBreakdown hta = htaBreakdown(*trace);
    EXPECT_EQ(hta.window_ns, 80'000);
    EXPECT_EQ(hta.idle_ns, 20'000);
    EXPECT_EQ(hta.compute_ns, 20'000);
    EXPECT_EQ(hta.non_compute_ns, 40'000);
    const AnalysedRank ours = analyseRank(trace, NameRules::builtIn());
    EXPECT_EQ(ours.work.device.busy.length(), hta.compute_ns + hta.non_compute_ns);
    EXPECT_EQ(ours.facts.compute.length(), 50'000);
}

TEST(HtaRules, DropWhatTheLastOfSeveralStepsLaunched) {
    auto [builder, main, stream] = threadAndStream("main");
    builder.step(main, 1, 0, 100);
    builder.step(main, 2, 100, 100);
    builder.kernel(main, 10, 5, stream, "gemm", 20, 30);
    builder.kernel(main, 90, 5, stream, "gemm", 110, 40);
    builder.kernel(main, 120, 5, stream, "gemm", 160, 30);
    const HtaBreakdown hta = htaBreakdown(*builder.build());
    EXPECT_EQ(hta.rows, 2U);
    EXPECT_EQ(hta.window_ns, 130'000);
    EXPECT_EQ(hta.compute_ns, 70'000);
    EXPECT_FALSE(hta.overlap_percent.has_value());
}

}  // namespace
}  // namespace rankscope::test
