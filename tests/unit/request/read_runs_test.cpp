// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/read_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "core/request/digests.h"
#include "tests/support/places.h"
#include "tests/support/temp_files.h"

namespace rankscope {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Keeps what a request reports.
class Kept : public RequestObserver {
  public:
    void progress(const Progress& at) override {
        const std::scoped_lock lock(mutex_);
        stages.push_back(at.stage);
    }
    void note(const std::string& text) override { notes.push_back(text); }
    void failure(const Error& error) override { failures.push_back(error.text()); }

    std::vector<std::string> stages;
    std::vector<std::string> notes;
    std::vector<std::string> failures;

  private:
    std::mutex mutex_;
};

RunRequest requestFor(const std::vector<std::string>& paths, PathsAre paths_are = PathsAre::Together) {
    RunRequest request;
    request.paths = paths;
    request.paths_are = paths_are;
    request.bucket_sizes = false;
    return request;
}

TEST(Requests, ReadAnalyseAndReportWhatTheyAreAt) {
    const RunRequest request = requestFor({test::sample("ZeroWorkers").string(), "gone.json"});
    Kept kept;
    const ReadRuns read = readRuns(request, discover(request), kept);
    ASSERT_EQ(read.runs.size(), 1U);
    EXPECT_FALSE(read.runs.front().diagnosis.findings.empty());
    EXPECT_FALSE(read.complete());
    EXPECT_THAT(kept.failures, ElementsAre(StartsWith("gone.json: does not exist")));
    EXPECT_THAT(kept.stages, Contains("reading ZeroWorkers"));
    EXPECT_THAT(kept.notes, IsEmpty());
}

TEST(Requests, SayWhatOfTheirRanksAndStepsIsNotThere) {
    RunRequest request = requestFor({test::sample("ZeroWorkers").string()});
    request.load.ranks = {RankNumber(0), RankNumber(9)};
    request.load.first_step = 82;
    request.load.last_step = 84;
    request.clock_offsets[RankNumber(5)] = 7;
    Kept kept;
    const ReadRuns read = readRuns(request, discover(request), kept);
    EXPECT_THAT(kept.notes, ElementsAre(HasSubstr("there is no step 84"), HasSubstr("There is no file of rank 9"),
                                        HasSubstr("--clock-offset: there is no rank 5")));
}

TEST(Requests, WithOneRunPerPathRefuseAFolderOfSeveral) {
    const std::string both = test::sample().string();
    const std::string one = test::sample("FourWorkers").string();
    Kept kept;
    const RunRequest each = requestFor({both, one}, PathsAre::OneRunEach);
    const ReadRuns read = readRuns(each, discover(each), kept);
    EXPECT_EQ(read.runs.size(), 1U);
    EXPECT_THAT(read.path_of, ElementsAre(1U));
    EXPECT_THAT(kept.failures, ElementsAre(HasSubstr("contains 2 runs; name one of them")));
    const RunRequest all = requestFor({both, one}, PathsAre::RecordingsEach);
    EXPECT_THAT(readRuns(all, discover(all), kept).path_of, ElementsAre(0U, 0U, 1U));
}

TEST(Requests, EndAtAStop) {
    const std::stop_source stop;
    stop.request_stop();
    const RunRequest request = requestFor({test::sample("ZeroWorkers").string()});
    Kept kept;
    const ReadRuns read = readRuns(request, discover(request), kept, stop.get_token());
    EXPECT_TRUE(read.runs.empty());
    EXPECT_THAT(kept.failures, ElementsAre(HasSubstr("cancelled")));
}

TEST(Requests, MakeADigestOfEachTraceOrNoneAfterAStop) {
    const test::TempFolder folder;
    const auto tasks = planDigests({test::sample("ZeroWorkers").string()}, folder.path().string());
    ASSERT_TRUE(tasks.ok());
    std::mutex mutex;
    std::size_t made = 0;
    std::size_t cancelled = 0;
    const auto count = [&](const DigestTask& /*task*/, const Result<MadeDigest>& result, DurationNs /*took_ns*/) {
        const std::scoped_lock lock(mutex);
        made += result.ok() ? 1U : 0U;
        cancelled += result.cancelled() ? 1U : 0U;
    };
    const std::stop_source stop;
    stop.request_stop();
    makeDigests(tasks.value(), 2, count, stop.get_token());
    EXPECT_EQ(made, 0U);
    EXPECT_EQ(cancelled, 4U);
    makeDigests(tasks.value(), 2, count);
    EXPECT_EQ(made, 4U);
}

}  // namespace
}  // namespace rankscope
