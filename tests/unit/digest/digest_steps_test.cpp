// SPDX-License-Identifier: GPL-3.0-or-later
// Some steps of a digest against the same steps of its trace.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "core/ingest/load.h"
#include "tests/support/loading.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

/// What of a trace's health is of the steps that are read.
auto countsOf(const RankTrace& trace) {
    const Health& health = trace.health;
    return std::tuple(health.slices, health.unlinked_launches, health.unlinked_device, health.early_kernels,
                      trace.launches.all().size());
}

std::vector<RankTrace> stepsOf(const std::string& path, std::int64_t first, std::int64_t last) {
    LoadOptions options;
    options.threads = 1;
    options.first_step = first;
    options.last_step = last;
    LoadObserver nobody;
    Result<std::vector<RankTrace>> read = loadRanks({path, "", std::filesystem::file_size(path)}, options, nobody, {});
    return read.ok() ? std::move(read).value() : std::vector<RankTrace>();
}

TEST(DigestSteps, CountLaunchesAndDeviceWorkAsTheTraceDoes) {
    std::size_t compared = 0;
    for (const std::filesystem::path& trace : allTraceFiles()) {
        SCOPED_TRACE(trace.string());
        const TempFolder folder;
        const std::string digest = makeDigests(trace, folder.path()).at(0);
        for (const std::int64_t step : {1, 2, 5, 17}) {
            SCOPED_TRACE(step);
            const std::vector<RankTrace> of_trace = stepsOf(trace.string(), step, step + 1);
            const std::vector<RankTrace> of_digest = stepsOf(digest, step, step + 1);
            ASSERT_EQ(of_trace.size(), of_digest.size());
            for (std::size_t r = 0; r < of_trace.size(); ++r) {
                EXPECT_EQ(countsOf(of_trace[r]), countsOf(of_digest[r]));
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 0U);
}

}  // namespace
}  // namespace rankscope::test
