// SPDX-License-Identifier: GPL-3.0-or-later
// Args of slices that a digest leaves in its trace, where that is reached here by another name, or not at all.

#include <chrono>

#include "tests/support/loading.h"
#include "tests/support/places.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

namespace fs = std::filesystem;

/// A digest of a trace that was moved after that.
class MappedTraces : public testing::Test {
  protected:
    MappedTraces() {
        fs::create_directories(there);
        fs::copy(sample("ZeroWorkers") / "rank0.pt.trace.json.gz", there);
        digest = makeDigests(there, folder.path() / "digests").at(0);
        fs::rename(there, here);
    }
    [[nodiscard]] std::shared_ptr<const rankscope::Run> loaded(const PathMap& map) const {
        LoadOptions options;
        options.path_map = map;
        return loadRunAt(digest, options);
    }
    [[nodiscard]] static Result<std::string> firstEvent(const rankscope::Run& run) {
        return readEventText(*run.ranks.front(), {TrackId(0), 0});
    }

    TempFolder folder;
    fs::path there = folder.path() / "lustre/job";
    fs::path here = folder.path() / "lustre/moved";
    std::string digest;
};

TEST_F(MappedTraces, AreReadWhereTheMapLeads) {
    const auto run = loaded({{there.string(), here.string()}});
    const Result<std::string> event = firstEvent(*run);
    ASSERT_TRUE(event.ok()) << event.error().text();
    const auto of_trace = loadRunAt((here / "rank0.pt.trace.json.gz").string());
    EXPECT_EQ(event.value(), firstEvent(*of_trace).value());
    EXPECT_EQ(run->ranks.front()->files.front().path, (here / "rank0.pt.trace.json.gz").string());
}

TEST_F(MappedTraces, ThatAreMissingSayWhereTheyWereAndHowToMapThem) {
    const Result<std::string> event = firstEvent(*loaded({}));
    ASSERT_TRUE(event.failed());
    EXPECT_THAT(event.error().text(),
                AllOf(HasSubstr((there / "rank0.pt.trace.json.gz").string()), HasSubstr("--map")));
}

TEST_F(MappedTraces, ThatWereCopiedOrTouchedAreReadWhereTheirContentIsTheSame) {
    const fs::path trace = here / "rank0.pt.trace.json.gz";
    fs::last_write_time(trace, fs::last_write_time(trace) + std::chrono::hours(5));
    const auto run = loaded({{there.string(), here.string()}});
    const Result<std::string> event = firstEvent(*run);
    EXPECT_TRUE(event.ok()) << event.error().text();
    // Another content of the same size is another trace, whatever its time.
    std::string bytes = contentOf(trace);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    std::ofstream(trace, std::ios::binary) << bytes;
    const Result<std::string> changed = firstEvent(*run);
    ASSERT_TRUE(changed.failed());
    EXPECT_THAT(changed.error().text(), HasSubstr("has changed since its digest was made"));
}

TEST_F(MappedTraces, AreNotConfusedWithFilesOfAnotherJobWithTheSameNames) {
    const fs::path other = folder.path() / "other";
    fs::create_directories(other);
    (void)folder.write("other/rank0.pt.trace.json.gz", "another job's");
    const PathMap map = {{there.string(), here.string()}, {there.string(), other.string()}};
    EXPECT_EQ(loaded(map)->ranks.front()->files.front().path, (here / "rank0.pt.trace.json.gz").string());
    const TraceFile file = loaded({})->ranks.front()->files.front();
    EXPECT_EQ(mappingInto(other.string(), file), std::nullopt);
    EXPECT_EQ(mappingInto(here.string(), file), (MappedFolder{there.string(), here.string()}));
}

}  // namespace
}  // namespace rankscope::test
