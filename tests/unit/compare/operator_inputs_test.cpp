// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/operator_inputs.h"

#include "core/compare/compare_runs.h"
#include "core/ingest/load.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

using testing::Field;

/// What a job calls aten::conv2d with in each step.
struct Job {
    std::string shapes = "[[64, 3, 224, 224], [64, 3, 7, 7], []]";
    std::string types = R"(["float", "float", "Scalar"])";
    /// A call of the same name without device work before it, as a DataLoader in the process makes.
    std::string loader_shapes;
};

std::string us(int at) {
    return std::to_string(at);
}

/// A file with four steps, each with one operator that launches one kernel.
std::string traceOf(const Job& job) {
    std::vector<std::string> events;
    const auto inputs = [](const std::string& shapes, const std::string& types) {
        return R"("Input Dims": )" + shapes + R"(, "Input type": )" + types;
    };
    for (int step = 0; step < 4; ++step) {
        const int at = 1'000 * step;
        const std::string id = R"("correlation": )" + us(step + 1);
        events.push_back(eventJson({.category = "user_annotation",
                                    .name = "ProfilerStep#" + us(step),
                                    .ts = us(at),
                                    .dur = "990",
                                    .args = {}}));
        if (!job.loader_shapes.empty()) {
            events.push_back(eventJson({.name = "aten::conv2d",
                                        .ts = us(at + 10),
                                        .dur = "20",
                                        .args = inputs(job.loader_shapes, R"(["unsigned char"])")}));
        }
        events.push_back(eventJson(
            {.name = "aten::conv2d", .ts = us(at + 100), .dur = "100", .args = inputs(job.shapes, job.types)}));
        events.push_back(eventJson(
            {.category = "cuda_runtime", .name = "cudaLaunchKernel", .ts = us(at + 120), .dur = "10", .args = id}));
        events.push_back(eventJson({.category = "kernel",
                                    .name = "gemm",
                                    .pid = "0",
                                    .tid = "7",
                                    .ts = us(at + 150),
                                    .dur = "600",
                                    .args = id + R"(, "device": 0, "stream": 7)"}));
    }
    return traceJson(events);
}

class ComparedInputs : public testing::Test {
  protected:
    [[nodiscard]] AnalysedRun run(const std::string& name, const Job& job) const {
        return loadAndAnalyse(folder.write(name + ".json", traceOf(job)));
    }
    static std::vector<Aspect> respectsOf(const RunComparison& comparison) {
        std::vector<Aspect> respects;
        for (const ConfigDifference& one : comparison.differs) {
            respects.push_back(one.aspect);
        }
        return respects;
    }

    TempFolder folder;
};

TEST_F(ComparedInputs, AnotherBatchSizeIsReportedAboveTheVerdict) {
    Job larger;
    larger.shapes = "[[128, 3, 224, 224], [64, 3, 7, 7], []]";
    const RunComparison comparison = compareRuns(run("a", {}), run("b", larger), readEventText);
    ASSERT_THAT(respectsOf(comparison), ElementsAre(Aspect::TensorShapes));
    EXPECT_EQ(comparison.differs.front().a, "aten::conv2d [[64,3,224,224],[64,3,7,7]]");
    EXPECT_EQ(comparison.differs.front().b, "aten::conv2d [[128,3,224,224],[64,3,7,7]]");
    EXPECT_EQ(comparison.differs.front().impact, Impact::Qualifies);
}

TEST_F(ComparedInputs, AnotherPrecisionIsReportedAboveTheVerdict) {
    Job half;
    half.types = R"(["c10::Half", "c10::Half", "Scalar"])";
    EXPECT_THAT(respectsOf(compareRuns(run("a", {}), run("b", half), readEventText)), ElementsAre(Aspect::TensorTypes));
}

TEST_F(ComparedInputs, NumbersThatVersionsWriteDifferentlyAreNoDifference) {
    Job newer;
    newer.shapes = "[[64, 3, 224, 224], [64, 3, 7, 7], [], []]";
    newer.types = R"(["float", "float", "Int", ""])";
    EXPECT_THAT(respectsOf(compareRuns(run("a", {}), run("b", newer), readEventText)), IsEmpty());
}

TEST_F(ComparedInputs, ShapesNestedBeyondReasonAreNotKnown) {
    Job deep;
    deep.shapes = std::string(200'000, '[') + std::string(200'000, ']');
    EXPECT_THAT(respectsOf(compareRuns(run("a", {}), run("b", deep), readEventText)), IsEmpty());
}

TEST_F(ComparedInputs, CallsWithoutDeviceWorkAreNotConfusedWithThoseOfTheStep) {
    Job loads_itself;
    loads_itself.loader_shapes = "[[3, 224, 224]]";
    EXPECT_THAT(respectsOf(compareRuns(run("a", loads_itself), run("b", {}), readEventText)), IsEmpty());
}

TEST_F(ComparedInputs, FilesThatAreGoneSayNothing) {
    Job larger;
    larger.shapes = "[[128, 3, 224, 224], [64, 3, 7, 7], []]";
    const AnalysedRun a = run("a", {});
    const AnalysedRun b = run("b", larger);
    std::filesystem::remove(folder.path() / "b.json");
    const InputsDiffer inputs = compareInputs(a, b, readEventText);
    EXPECT_EQ(inputs.shapes_known, 0U);
    EXPECT_THAT(inputs.shapes, IsEmpty());
}

TEST(ComparedInputsOfRealRuns, TheSameJobWithOtherWorkersHasTheSameTensors) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const InputsDiffer inputs =
        compareInputs(loadAndAnalyse(realTraces() / "resnet50_workers/ZeroWorkers"),
                      loadAndAnalyse(realTraces() / "resnet50_workers/FourWorkers"), readEventText);
    EXPECT_GT(inputs.shapes_known, 5U);
    EXPECT_THAT(inputs.shapes, IsEmpty());
    EXPECT_THAT(inputs.types, IsEmpty());
}

TEST(ComparedInputsOfRealRuns, AnotherBatchAndPrecisionAreSeen) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const InputsDiffer inputs = compareInputs(loadAndAnalyse(realTraces() / "resnet50_workers/ZeroWorkers"),
                                              loadAndAnalyse(realTraces() / "resnet_ddp_4ranks_rocm"), readEventText);
    ASSERT_THAT(inputs.shapes, Not(IsEmpty()));
    EXPECT_THAT(inputs.shapes.front().a, testing::StartsWith("[[32,"));
    EXPECT_THAT(inputs.shapes.front().b, testing::StartsWith("[[256,"));
    ASSERT_THAT(inputs.types, Not(IsEmpty()));
    EXPECT_THAT(inputs.types.front().b, testing::HasSubstr("Half"));
}

}  // namespace
}  // namespace rankscope::test
