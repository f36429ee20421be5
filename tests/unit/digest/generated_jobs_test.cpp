// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of generated jobs of each kind, and of planted faults, from their digests against their traces.

#include "core/diagnosis/frame/analysed_run.h"
#include "core/digest/merge_digests.h"
#include "core/report/reports.h"
#include "tests/accuracy/matrix.h"
#include "tests/support/loading.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/trace_files.h"
#include "tests/tracegen/write_run.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

namespace fs = std::filesystem;
namespace machine = tracegen::machine;

/// The whole report of what is at `path`, but for its name and the note that says that digests were read.
std::string reportOf(const std::string& path) {
    Run run = *loadRunAt(path);
    run.name = "job";
    std::erase_if(run.notes, [](const std::string& note) { return note.find(".digest") != std::string::npos; });
    AnalysisOptions options;
    options.threads = 2;
    const Result<AnalysedRun> analysed = analyseRun(std::make_shared<const Run>(std::move(run)), options, {}, {});
    if (!analysed.ok()) {
        return analysed.failed() ? "failed: " + analysed.error().text() : "cancelled";
    }
    ReportInput input;
    input.runs = {&analysed.value()};
    return jsonReport(input);
}

/// Expects that the merged digests of the traces in a folder tell byte for byte what these tell.
void expectSameReport(const fs::path& traces) {
    const TempFolder folder;
    const std::string merged = (folder.path() / "all.digest").string();
    ASSERT_TRUE(mergeDigests(makeDigests(traces, folder.path() / "digests"), merged).ok());
    const std::string of_traces = reportOf(traces.string());
    ASSERT_TRUE(of_traces.starts_with("{")) << of_traces.substr(0, 200);
    const std::string of_digests = reportOf(merged);
    const auto [a, b] = std::ranges::mismatch(of_traces, of_digests);
    const auto at = a - of_traces.begin();
    EXPECT_TRUE(of_traces == of_digests) << of_traces.substr(
                                                static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - 200)), 300)
                                         << "\n...and of the digests...\n"
                                         << of_digests.substr(
                                                static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - 200)), 300);
}

TEST(GeneratedJobs, HaveTheSameResultsFromDigestsAsFromTraces) {
    for (const machine::JobPreset& preset : machine::allJobPresets()) {
        if (preset.ranks > 64) {
            continue;
        }
        SCOPED_TRACE(std::string(preset.name));
        const TempFolder folder;
        machine::Config config = machine::jobConfig(preset.name, 7);
        config.steps = std::min(config.steps, 3);
        machine::writeFiles(machine::simulate(config), {}, folder.path(), false);
        expectSameReport(folder.path());
    }
}

TEST(GeneratedJobs, OfTheAccuracyMatrixHaveTheSameResultsFromDigestsAsFromTraces) {
    std::vector<accuracy::Case> cases = accuracy::matrix();
    std::erase_if(cases, [](const accuracy::Case& one) { return one.config.ranks > 8; });
    constexpr std::size_t kCompared = 12;  // spread over all faults, dialects and numbers of ranks
    ASSERT_GT(cases.size(), kCompared);
    for (std::size_t i = 0; i < kCompared; ++i) {
        const accuracy::Case& one = cases[i * (cases.size() - 1) / (kCompared - 1)];
        SCOPED_TRACE(one.name);
        const TempFolder folder;
        tracegen::writeRun(one.config, folder.path(), true);
        expectSameReport(folder.path());
    }
}

}  // namespace
}  // namespace rankscope::test
