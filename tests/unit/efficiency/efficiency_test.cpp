// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/efficiency.h"

#include "core/report/check/check.h"
#include "core/report/reports.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"
#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

constexpr std::string_view kA100 =
    R"("deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85000000000, "numSms": 108}],)";

/// A trace whose steps of 1 ms hold operators that launch kernels, all written by hand.
class StepText {
  public:
    /// An operator at `at_us` of the first step, `long_us` long.
    StepText& op(const std::string& name, int at_us, int long_us, const std::string& args = "") {
        events_.push_back(
            eventJson({.name = name, .ts = std::to_string(at_us), .dur = std::to_string(long_us), .args = args}));
        return *this;
    }
    /// A kernel that a call at `call_us` launches.
    StepText& kernel(const std::string& name, int call_us, int at_us, int long_us) {
        const std::string id = R"("correlation": )" + std::to_string(++correlation_);
        events_.push_back(eventJson({.category = "cuda_runtime",
                                     .name = "cudaLaunchKernel",
                                     .ts = std::to_string(call_us),
                                     .dur = "1",
                                     .args = id}));
        events_.push_back(eventJson({.category = "kernel",
                                     .name = name,
                                     .pid = "0",
                                     .tid = "7",
                                     .ts = std::to_string(at_us),
                                     .dur = std::to_string(long_us),
                                     .args = id + R"(, "device": 0, "stream": 7)"}));
        return *this;
    }
    [[nodiscard]] std::shared_ptr<const Run> loaded(std::string_view header = kA100, int steps = 1) {
        for (int s = 0; s < steps; ++s) {
            events_.push_back(eventJson({.category = "user_annotation",
                                         .name = "ProfilerStep#" + std::to_string(s + 1),
                                         .ts = std::to_string(1'000 * s),
                                         .dur = "1000",
                                         .args = {}}));
        }
        Run run;
        run.name = "job";
        run.ranks = {loadText(traceJson(events_, header))};
        return std::make_shared<const Run>(std::move(run));
    }
    [[nodiscard]] AnalysedRun run(std::string_view header = kA100, int steps = 1) {
        return analyse(loaded(header, steps));
    }

  private:
    std::vector<std::string> events_;
    int correlation_ = 0;
};

std::string inputs(const std::string& shapes, const std::string& type = "c10::BFloat16") {
    return R"("Input Dims": )" + shapes + R"(, "Input type": [")" + type + R"(", ")" + type + R"("])";
}

constexpr double kSquare = 2.0 * 1024 * 1024 * 1024;
const std::string kSquares = "[[1024, 1024], [1024, 1024]]";

const StepEfficiency& only(const AnalysedRun& run) {
    return run.facts.efficiency.ranks.at(0).steps.at(0);
}

TEST(Efficiency, CountsAnOperatorInsideAnotherOnce) {
    StepText step;
    step.op("aten::linear", 100, 50, inputs(kSquares))
        .op("aten::addmm", 110, 30, inputs("[[], [1024, 1024], [1024, 1024]]"));
    step.kernel("ampere_bf16_s16816gemm_bf16_128x128_tn", 120, 200, 100);
    const AnalysedRun run = step.run();
    EXPECT_DOUBLE_EQ(only(run).model_flops, kSquare);
    EXPECT_EQ(run.facts.efficiency.ranks[0].operators, 1U);
    EXPECT_EQ(only(run).counted_ns, 100'000);
}

TEST(Efficiency, DoesNotCountWhatTheHostMultiplies) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares)).kernel("elementwise", 200, 300, 100);
    const AnalysedRun run = step.run();
    EXPECT_FALSE(run.facts.efficiency.any());
    EXPECT_EQ(run.facts.efficiency.no_flops, NoFlops::NoLaunch);
}

TEST(Efficiency, OfAStepWithoutCountedProductsIsNotKnownRatherThanNone) {
    StepText step;
    step.op("aten::relu", 100, 50).kernel("elementwise", 120, 200, 100);
    const AnalysedRun run = step.run();
    EXPECT_EQ(only(run).mfu(), std::nullopt);
    EXPECT_EQ(only(run).hfu(), std::nullopt);
    EXPECT_EQ(only(run).tflops(), std::nullopt);
    const report::DataTable table = report::efficiencyStepsTable(run);
    for (const char* key : {"mfu", "hfu", "tflop_per_s"}) {
        const auto column = std::ranges::find(table.columns, key, &report::Column::key) - table.columns.begin();
        EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows.at(0).at(static_cast<std::size_t>(column))))
            << key;
    }
    const nlohmann::json out = nlohmann::json::parse(jsonReport({{&run}, {}}))["runs"][0]["efficiency"];
    const nlohmann::json& total = out["ranks"][0]["total"];
    EXPECT_TRUE(total["mfu"].is_null());
    EXPECT_TRUE(total["tflop_per_s"].is_null());
}

TEST(Efficiency, IsTheTimeAtPeakOverTheTimeOfTheStep) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares)).kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100);
    const AnalysedRun run = step.run();
    const double seconds = static_cast<double>(only(run).time_ns) / 1e9;
    EXPECT_NEAR(*run.facts.efficiency.mfu(), kSquare / 312e12 / seconds, 1e-9);
    EXPECT_EQ(run.facts.efficiency.mfu(), run.facts.efficiency.hfu());
    EXPECT_NEAR(*only(run).tflops(), kSquare / seconds / 1e12, 1e-9);
}

TEST(Efficiency, OfFloat32UsesTheTypeThatKernelsRoundTo) {
    const auto type_of = [](const std::string& kernel) {
        StepText step;
        step.op("aten::mm", 100, 50, inputs(kSquares, "float")).kernel(kernel, 120, 200, 100);
        return step.run().facts.efficiency.products.at(0).type;
    };
    EXPECT_EQ(type_of("ampere_sgemm_128x64_tn"), NumberType::Float32);
    EXPECT_EQ(type_of("sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n"), NumberType::Tf32);
}

TEST(Efficiency, PartsAddUpToTheStepAndShowWhereItWent) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares)).kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100);
    step.kernel("elementwise_kernel", 160, 290, 60);  // 10 us beside the product, 50 alone
    const AnalysedRun run = step.run();
    const PartTimes& parts = only(run).parts;
    EXPECT_EQ(parts.total(), only(run).time_ns);
    EXPECT_EQ(parts[TimePart::Useful], 6'883);  // 2^31 / 312e12 s
    EXPECT_EQ(parts[TimePart::ComputeBound], 100'000 - 6'883);
    EXPECT_EQ(parts[TimePart::MemoryBound], 0);
    EXPECT_EQ(parts[TimePart::Uncounted], 50'000);
}

TEST(Efficiency, OfThinProductsIsBoundByTheMemory) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs("[[1, 4096], [4096, 4096]]")).kernel("gemv2T_kernel", 120, 200, 100);
    const AnalysedRun run = step.run();
    const ProductRow& row = run.facts.efficiency.products.at(0);
    EXPECT_EQ(row.bound(), RoofBound::Memory);
    EXPECT_NEAR(*row.intensity(), 1.0, 0.01);
    EXPECT_GT(only(run).parts[TimePart::MemoryBound], 99'000);
}

TEST(Efficiency, CountsAForwardInsideABackwardAsRecomputed) {
    StepText step;
    step.op("aten::linear", 100, 20, inputs(kSquares)).kernel("ampere_bf16_s16816gemm_bf16_tn", 110, 200, 100);
    step.op("autograd::engine::evaluate_function: AddmmBackward0", 300, 200)
        .op("AddmmBackward0", 310, 180)
        .op("aten::linear", 320, 30, inputs(kSquares))
        .kernel("ampere_bf16_s16816gemm_bf16_tn", 330, 400, 100)
        .op("aten::mm", 360, 30, inputs(kSquares))
        .kernel("ampere_bf16_s16816gemm_bf16_nt", 370, 500, 100);
    const AnalysedRun run = step.run();
    EXPECT_DOUBLE_EQ(only(run).model_flops, 2 * kSquare);
    EXPECT_DOUBLE_EQ(only(run).recomputed_flops, kSquare);
    EXPECT_NEAR(*run.facts.efficiency.hfu(), 1.5 * *run.facts.efficiency.mfu(), 1e-12);
}

TEST(Efficiency, CountsACheckpointsForwardAsRecomputedButNotItsBackward) {
    StepText step;
    step.op("autograd::engine::evaluate_function: CheckpointFunctionBackward", 100, 300)
        .op("CheckpointFunctionBackward", 110, 280)
        .op("aten::bmm", 120, 20, inputs("[[4, 1024, 1024], [4, 1024, 1024]]"))
        .kernel("ampere_bf16_s16816gemm_bf16_tn", 125, 200, 100)
        .op("autograd::engine::evaluate_function: BmmBackward0", 200, 100)
        .op("aten::bmm", 210, 20, inputs("[[1, 1024, 1024], [1, 1024, 1024]]"))
        .kernel("ampere_bf16_s16816gemm_bf16_nt", 215, 300, 100);
    const AnalysedRun run = step.run();
    EXPECT_DOUBLE_EQ(only(run).recomputed_flops, 4 * kSquare);
    EXPECT_DOUBLE_EQ(only(run).model_flops, kSquare);
}

TEST(Efficiency, TakesRecordedFlopsWhereShapesDoNotTell) {
    StepText step;
    step.op("aten::conv2d", 100, 50, inputs("[[1, 3, 8, 8], [4, 3, 3, 3]]") + R"(, "flops": 5000000)")
        .kernel("sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32", 120, 200, 100);
    EXPECT_DOUBLE_EQ(only(step.run()).model_flops, 5e6);
}

/// The types that are counted of one call, which tells its FLOPs and no shapes.
std::vector<NumberType> typesOfRecordedFlops(const std::string& name, const std::string& types,
                                             const std::string& kernel) {
    StepText step;
    step.op(name, 100, 50, types + (types.empty() ? "" : ", ") + R"("flops": 5000000)").kernel(kernel, 120, 200, 100);
    const AnalysedRun run = step.run();
    EXPECT_EQ(run.facts.efficiency.ranks.at(0).operators, 1U);
    std::vector<NumberType> counted;
    for (const ProductRow& row : run.facts.efficiency.products) {
        counted.push_back(row.type);
        EXPECT_DOUBLE_EQ(row.flops, 5e6);
        EXPECT_EQ(row.intensity(), std::nullopt);
    }
    return counted;
}

TEST(Efficiency, OfRecordedFlopsHasTheTypeOfTheInputs) {
    const auto types = [](const std::string& one) { return R"("Input type": ["", ")" + one + R"(", "Scalar"])"; };
    EXPECT_THAT(typesOfRecordedFlops("aten::addmm", types("c10::BFloat16"), "some_gemm"),
                ElementsAre(NumberType::BFloat16));
    EXPECT_THAT(typesOfRecordedFlops("aten::bmm", types("c10::Half"), "elementwise"), ElementsAre(NumberType::Float16));
    EXPECT_THAT(typesOfRecordedFlops("aten::mm", types("float"), "sm80_xmma_gemm_f32f32_tf32f32_f32_tn"),
                ElementsAre(NumberType::Tf32));
}

TEST(Efficiency, OfRecordedFlopsWithoutTypesUsesTheKernelsNamesOrIsUnknown) {
    EXPECT_THAT(typesOfRecordedFlops("aten::conv2d", "", "sm80_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwc"),
                ElementsAre(NumberType::BFloat16));
    EXPECT_THAT(typesOfRecordedFlops("aten::mm", R"("Input type": ["TensorList"])", "volta_sgemm_64x64_nt"),
                ElementsAre(NumberType::Float32));
    EXPECT_THAT(typesOfRecordedFlops("aten::mm", "", "nvjet_tst_128x256_64x4_2x1_v_bz_coopA_TNN"), IsEmpty());
    EXPECT_THAT(typesOfRecordedFlops("aten::mm", "", "elementwise_bf16"), IsEmpty());
}

TEST(Efficiency, OfRecordedFlopsWhoseKernelsContradictEachOtherIsUnknown) {
    StepText step;
    step.op("aten::mm", 100, 50, R"("flops": 5000000)")
        .kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100)
        .kernel("ampere_sgemm_128x64_tn", 130, 300, 100);
    EXPECT_FALSE(step.run().facts.efficiency.any());
}

TEST(Efficiency, CountsRecordedFlopsOfAnOperatorInsideAnotherOnce) {
    const std::string recorded = R"("Input type": ["c10::BFloat16", "c10::BFloat16"], "flops": 5000000)";
    StepText step;
    step.op("aten::conv2d", 100, 50, recorded)
        .op("aten::convolution", 105, 40, recorded)
        .kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100)
        .op("aten::matmul", 200, 50)
        .op("aten::mm", 205, 40, recorded)
        .kernel("ampere_bf16_s16816gemm_bf16_tn", 220, 400, 100);
    const AnalysedRun run = step.run();
    EXPECT_DOUBLE_EQ(only(run).model_flops, 1e7);
    EXPECT_EQ(run.facts.efficiency.ranks.at(0).untold, 0U);
}

TEST(Efficiency, OfAKernelHasNoIntensityWhereTheBytesOfSomeOfItsCallsAreNotKnown) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares)).kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100);
    step.op("aten::mm", 200, 50, R"("Input type": ["c10::BFloat16", "c10::BFloat16"], "flops": 5000000)")
        .kernel("ampere_bf16_s16816gemm_bf16_tn", 220, 400, 100);
    const AnalysedRun run = step.run();
    ASSERT_EQ(run.facts.efficiency.kernels.size(), 1U);
    EXPECT_DOUBLE_EQ(run.facts.efficiency.kernels[0].flops, kSquare + 5e6);
    EXPECT_EQ(run.facts.efficiency.kernels[0].intensity(), std::nullopt);
}

TEST(Efficiency, AsksForShapesWhereNoneWereRecorded) {
    StepText step;
    step.op("aten::mm", 100, 50).kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100);
    const AnalysedRun run = step.run();
    EXPECT_EQ(run.facts.efficiency.no_flops, NoFlops::NoShapes);
    EXPECT_THAT(textReport(run), HasSubstr("record_shapes=True"));
}

TEST(Efficiency, SaysThatInputsDoNotShowTheWorkOfTheOperator) {
    StepText step;
    step.op("aten::mm", 100, 50, R"("Input Dims": [[1024, 1024], [1, 2]], "Input type": ["float", "float"])")
        .kernel("some_gemm", 120, 200, 100);
    const AnalysedRun run = step.run();
    EXPECT_EQ(run.facts.efficiency.ranks.at(0).untold, 1U);
    EXPECT_EQ(run.facts.efficiency.no_flops, NoFlops::Untold);
    const std::string why = report::efficiencyLines(run).at(0);
    EXPECT_THAT(why, HasSubstr("do not show how much"));
    EXPECT_THAT(why, HasSubstr("with_flops=True"));
    const std::string report = jsonReport({{&run}, {}});
    EXPECT_EQ(nlohmann::json::parse(report)["runs"][0]["efficiency"]["no_flops"], "untold");
    RANKSCOPE_EXPECT_REPORT_HOLDS(report);
}

TEST(Efficiency, OfAnUnknownDeviceAsksForItsPeak) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares)).kernel("some_gemm", 120, 200, 100);
    const AnalysedRun run = step.run("");
    EXPECT_FALSE(run.facts.efficiency.mfu());
    EXPECT_EQ(only(run).parts[TimePart::Unrated], 100'000);
    EXPECT_EQ(only(run).parts.total(), only(run).time_ns);
    EXPECT_THAT(textReport(run), HasSubstr("--peak-tflops"));
}

TEST(Efficiency, SaysWhichFiguresAreAtLeastWhatTheyAreWhereFlopsAreMissing) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares)).kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100);
    step.kernel("ampere_sgemm_128x64_tn", 160, 400, 100);
    const AnalysedRun known = StepText(step).run();
    EXPECT_THAT(report::efficiencyLines(known), testing::Contains(HasSubstr("MFU and HFU are lower bounds")));
    const AnalysedRun unknown = StepText(step).run("");
    EXPECT_THAT(report::efficiencyLines(unknown), testing::Contains(HasSubstr("the TFLOP/s are lower bounds")));
    EXPECT_THAT(report::efficiencyLines(unknown), Not(testing::Contains(HasSubstr("MFU and HFU are lower bounds"))));
}

TEST(Efficiency, ThatIsSmallIsTheSameNumberInTheReportAndTheCheck) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs("[[256, 256], [256, 256]]"))
        .kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100);
    const AnalysedRun run = step.run();  // 2^25 / 312e12 of a step of 1 ms
    const std::string mfu = report::precisePercent(*run.facts.efficiency.mfu());
    EXPECT_THAT(mfu, testing::StartsWith("0.01"));
    EXPECT_THAT(report::efficiencyLines(run).at(0), HasSubstr("MFU " + mfu + ", HFU " + mfu));
    EXPECT_THAT(report::efficiencyTable(run, 1).rows.at(0), testing::Contains("33.6 MFLOP"));
    const report::Check check = report::checkOf(run);
    ASSERT_NE(check.line("mfu"), nullptr);
    EXPECT_THAT(check.line("mfu")->text, HasSubstr("MFU " + mfu + ", HFU " + mfu));
}

TEST(NoTensorCores, IsAFindingOfFloat32OnPlainCoresOfADeviceThatHasBetterOnes) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares, "float")).kernel("ampere_sgemm_128x64_tn", 120, 200, 400);
    const AnalysedRun run = step.run();
    const Finding& finding = findingIn(run, "no-tensor-cores");
    EXPECT_TRUE(finding.at_most);
    EXPECT_EQ(finding.confidence, Confidence::Low);
    EXPECT_EQ(finding.blocked_ns, 400'000);
    EXPECT_EQ(finding.saving_ns, 400'000 - 13'766);  // 2^31 / 156e12 s
    ASSERT_FALSE(finding.evidence.empty());
    EXPECT_EQ(run.run->ranks[0]->name(finding.evidence[0].slice), "aten::mm");
    EXPECT_THAT(finding.remedies.at(0).action, HasSubstr("set_float32_matmul_precision"));
}

TEST(NoTensorCores, IsPricedOverTheStepsThatItNames) {
    StepText step;
    for (int s = 0; s < 5; ++s) {
        step.op("aten::mm", 1'000 * s + 100, 50, inputs(kSquares, "float"))
            .kernel("ampere_sgemm_128x64_tn", 1'000 * s + 120, 1'000 * s + 200, s == 0 ? 100 : 400);
    }
    const AnalysedRun run = step.run(kA100, 5);
    EXPECT_EQ(run.facts.efficiency.products.at(0).calls, 5U) << "the first counts for the rest";
    const Finding& finding = findingIn(run, "no-tensor-cores");
    EXPECT_THAT(finding.steps, testing::ElementsAre(2, 3, 4, 5));
    EXPECT_EQ(finding.coverage.steps, 4U);
    EXPECT_EQ(finding.blocked_ns, 400'000);
    EXPECT_EQ(finding.saving_ns, 400'000 - 13'766);
    EXPECT_THAT(finding.steps, testing::Contains(finding.evidence.at(0).step));
}

TEST(NoTensorCores, IsNoFindingWithTf32OrWhereNoNameTells) {
    for (const char* kernel : {"sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n", "some_gemm"}) {
        StepText step;
        step.op("aten::mm", 100, 50, inputs(kSquares, "float")).kernel(kernel, 120, 200, 400);
        const AnalysedRun run = step.run();
        EXPECT_EQ(findingOf(run, "no-tensor-cores"), nullptr) << kernel;
    }
}

TEST(NoTensorCores, IsNoFindingWhereOtherProductsOfTheKindAreRounded) {
    const auto found = [](const std::string& other) {
        StepText step;
        step.op("aten::mm", 100, 50, inputs(kSquares, "float")).kernel("ampere_sgemm_128x64_tn", 120, 200, 400);
        step.op(other, 160, 20, inputs(kSquares, "float") + R"(, "flops": 1000)")
            .kernel("sm80_xmma_tf32f32_tf32f32_gemm", 165, 610, 50);
        const AnalysedRun run = step.run();
        return findingOf(run, "no-tensor-cores") != nullptr;
    };
    EXPECT_FALSE(found("aten::bmm"));
    EXPECT_TRUE(found("aten::conv2d")) << "convolutions have an option of their own";
}

TEST(LowPrecisionUnused, IsAFindingOf32BitsOnADeviceForSixteen) {
    StepText wide;
    wide.op("aten::mm", 100, 50, inputs(kSquares, "float")).kernel("sm80_xmma_gemm_tf32f32_tn_n", 120, 200, 400);
    const AnalysedRun run = wide.run();
    const Finding& finding = findingIn(run, "low-precision-unused");
    EXPECT_EQ(finding.saving_ns, 400'000 - 6'883);  // 2^31 / 312e12 s
    EXPECT_THAT(finding.remedies.at(0).action, HasSubstr("bfloat16"));
    StepText narrow;
    narrow.op("aten::mm", 100, 50, inputs(kSquares)).kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 400);
    const AnalysedRun narrow_run = narrow.run();
    EXPECT_EQ(findingOf(narrow_run, "low-precision-unused"), nullptr);
}

TEST(LowPrecisionUnused, DoesNotAddUpWithPlainCoresOfTheSameProducts) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares, "float")).kernel("ampere_sgemm_128x64_tn", 120, 200, 400);
    const AnalysedRun run = step.run();
    const Finding& plain = findingIn(run, "no-tensor-cores");
    const Finding& wide = findingIn(run, "low-precision-unused");
    EXPECT_THAT(plain.why, HasSubstr("\"" + wide.title + "\" is about the same products"));
    EXPECT_THAT(wide.why, HasSubstr("\"" + plain.title + "\" is about the same products"));
    StepText rounded;
    rounded.op("aten::mm", 100, 50, inputs(kSquares, "float")).kernel("sm80_xmma_gemm_tf32f32_tn_n", 120, 200, 400);
    const AnalysedRun other = rounded.run();
    ASSERT_NE(findingOf(other, "low-precision-unused"), nullptr);
    EXPECT_THAT(findingOf(other, "low-precision-unused")->why, Not(HasSubstr("the same products")));
}

/// What the text report says of 1e9 FLOPs a sample.
std::string enteredText(std::optional<double> batch) {
    StepText step;
    step.op("aten::relu", 100, 50).kernel("elementwise", 120, 200, 100);
    AnalysisOptions options;
    options.efficiency.model_flops = 1e9;
    options.efficiency.batch = batch;
    const Result<AnalysedRun> run = analyseRun(step.loaded(), options, {}, {});
    EXPECT_TRUE(run.ok());
    return textReport(run.value());
}

TEST(Efficiency, OfEnteredFlopsWithoutABatchSaysThatTheyAreOfOneSample) {
    EXPECT_THAT(enteredText({}), HasSubstr("These FLOPs are of 1"));
    EXPECT_THAT(enteredText(1), Not(HasSubstr("These FLOPs")));
    EXPECT_THAT(enteredText(8), Not(HasSubstr("These FLOPs")));
}

TEST(Efficiency, OfEnteredFlopsUsesFloat16OnADeviceWithoutBfloat16) {
    constexpr std::string_view kV100 =
        R"("deviceProperties": [{"id": 0, "name": "Tesla V100-SXM2-16GB", "totalGlobalMem": 16900000000, "numSms": 80}],)";
    StepText step;
    step.op("aten::mm", 100, 50).kernel("volta_sgemm_128x64_tn", 120, 200, 400);
    AnalysisOptions options;
    options.efficiency.model_flops = 12.5e9;
    const Result<AnalysedRun> run = analyseRun(step.loaded(kV100), options, {}, {});
    ASSERT_TRUE(run.ok());
    const std::optional<EnteredEfficiency>& entered = run.value().facts.efficiency.entered;
    ASSERT_TRUE(entered.has_value());
    EXPECT_EQ(entered->type, NumberType::Float16);
    EXPECT_EQ(entered->peak_tflops, 125);
    EXPECT_NEAR(entered->mfu.value_or(0), 0.1, 1e-3);
    const std::vector<CsvFile> files = csvReport({{&run.value()}, {}});
    const auto file = std::ranges::find(files, "efficiency_entered.csv", &CsvFile::name);
    ASSERT_NE(file, files.end());
    EXPECT_THAT(file->text, HasSubstr("1.25e+10,1,"));
    EXPECT_THAT(file->text, HasSubstr("float16,125"));
}

TEST(Efficiency, IsInEachReport) {
    StepText step;
    step.op("aten::mm", 100, 50, inputs(kSquares)).kernel("ampere_bf16_s16816gemm_bf16_tn", 120, 200, 100);
    const AnalysedRun run = step.run();
    const std::string json = jsonReport({{&run}, {}});
    const nlohmann::json out = nlohmann::json::parse(json)["runs"][0]["efficiency"];
    EXPECT_EQ(out["products"][0]["name"], "aten::mm");
    EXPECT_EQ(out["products"][0]["tensor_cores"], true);
    EXPECT_EQ(out["kernels"][0]["flops"], kSquare);
    EXPECT_THAT(textReport(run), HasSubstr("Compute-bound kernels"));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("<summary>Efficiency</summary>"));
    EXPECT_THAT(htmlReport({{&run}, {}}), HasSubstr("Where the GPU time went"));
    RANKSCOPE_EXPECT_REPORT_HOLDS(json);
}

}  // namespace
}  // namespace rankscope::test
