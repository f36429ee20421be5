// SPDX-License-Identifier: GPL-3.0-or-later
//
// What belongs to a job next to its traces, found by content.
#include "core/companions/find_companions.h"
#include "core/companions/read_companions.h"
#include "core/ingest/snapshot/load_snapshot.h"
#include "tests/support/memory_snapshot.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/hang/dump_json.h"
#include "tests/unit/network/log_text.h"

namespace rankscope::test {
namespace {

const std::string kTrace = R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "dur": 1, "pid": 1, "tid": 1}]})";
const std::string kOtherPickle("\x80\x02}q\x00.", 6);

struct Found {
    explicit Found(std::vector<std::string> paths) {
        companions = takeNamedCompanions(paths);
        left = paths;
        runs = paths.empty() ? Discovery() : discoverRuns(paths);
        takeCompanionsInside(paths, runs, companions);
    }
    CompanionFiles companions;
    std::vector<std::string> left;
    Discovery runs;
};

/// A folder with one file of each kind, and a trace.
struct JobFolder {
    JobFolder() {
        trace = folder.write("job/rank0.json", kTrace);
        log = folder.write("job/logs/rank0.json.gz", gzip(LogText(1).start().text()));
        text = folder.write("job/logs/rank0.err.gz", gzip("a warning\n"));
        dump = folder.write("job/dumps/rank_0.json", dumpJson(2).dump());
        snapshot = writeSnapshot(folder, "job/memory/rank0.bin");
        other = folder.write("job/checkpoints/model.pickle", kOtherPickle);
        path = (folder.path() / "job").string();
    }
    TempFolder folder;
    std::string path, trace, log, text, dump, snapshot, other;
};

using Names = std::vector<std::string>;

TEST(Companions, InAFolderAreToldApartByContent) {
    const JobFolder job;
    const Found found({job.path});
    EXPECT_EQ(found.companions.logs, Names{job.log});
    EXPECT_EQ(found.companions.dumps, Names{job.dump});
    EXPECT_EQ(found.companions.snapshots, Names{job.snapshot}) << "and not another pickle, whatever its name";
    ASSERT_EQ(found.runs.runs.size(), 1) << "neither a log nor other output next to it is a trace";
    ASSERT_EQ(found.runs.runs[0].files.size(), 1);
    EXPECT_EQ(found.runs.runs[0].files[0].path, job.trace);
    EXPECT_TRUE(found.runs.refused.empty());
}

TEST(Companions, ThatAreNamedLeaveThePaths) {
    const JobFolder job;
    const Found found({job.trace, job.log, job.dump, job.snapshot, job.other, job.text});
    EXPECT_EQ(found.left, (Names{job.trace, job.text}));
    EXPECT_EQ(found.companions.snapshots, (Names{job.snapshot, job.other})) << "a named pickle is meant";
    EXPECT_EQ(found.companions.logs, Names{job.log});
    EXPECT_EQ(found.companions.dumps, Names{job.dump});
    EXPECT_EQ(Found({"is/not/there"}).left.size(), 1);
}

TEST(Companions, NamedAndInANamedFolderAreThereOnce) {
    const JobFolder job;
    const Found found({job.log, job.path});
    EXPECT_EQ(found.companions.logs, Names{job.log});
}

TEST(Companions, AloneInAFolderAreNoError) {
    const TempFolder folder;
    folder.write("dumps/rank_0.pickle", dumpJson(1).dump());
    const Found found({(folder.path() / "dumps").string()});
    EXPECT_EQ(found.companions.dumps.size(), 1);
    EXPECT_TRUE(found.runs.runs.empty());
    EXPECT_TRUE(found.runs.refused.empty());
    const Found none({folder.write("empty/a.txt", "x").substr(0, folder.path().string().size()) + "/empty"});
    EXPECT_EQ(none.runs.refused.size(), 1) << "a folder with neither";
}

/// The archive of a job: a trace, and one companion of each kind.
std::vector<std::pair<std::string, std::string>> membersOfJob(const TempFolder& folder) {
    return {{"job/rank0.json", kTrace},
            {"job/logs/rank0.log", LogText(1).start().text()},
            {"job/dumps/rank_0.json", dumpJson(2).dump()},
            {"job/dumps/rank_1.json.gz", gzip(dumpJson(1).dump())},
            {"job/memory/rank0.pickle", contentOf(writeSnapshot(folder, "one.pickle"))},
            {"job/model.pickle", kOtherPickle}};
}

/// Writes the archive as `name` says.
std::string writeArchive(const TempFolder& folder, const std::string& name) {
    const auto members = membersOfJob(folder);
    const std::filesystem::path path = folder.path() / name;
    if (name.ends_with(".zip")) {
        writeZip(path, members);
        return path.string();
    }
    const std::string text = tar(members);
    return folder.write(name, name.ends_with(".gz") ? gzip(text) : name.ends_with(".zst") ? zstd(text) : text);
}

class CompanionsInArchives : public testing::TestWithParam<const char*> {};

TEST_P(CompanionsInArchives, AreFoundAndReadAsInFolders) {
    const TempFolder folder;
    const std::string archive = writeArchive(folder, GetParam());
    const Found found({archive});
    EXPECT_TRUE(found.runs.refused.empty());
    ASSERT_EQ(found.runs.runs.size(), 1);
    ASSERT_EQ(found.runs.runs[0].files.size(), 1);
    EXPECT_EQ(found.runs.runs[0].files[0].member, "job/rank0.json");
    EXPECT_EQ(found.companions.logs, Names{archive + ":job/logs/rank0.log"});
    EXPECT_EQ(found.companions.dumps,
              (Names{archive + ":job/dumps/rank_0.json", archive + ":job/dumps/rank_1.json.gz"}));
    ASSERT_EQ(found.companions.snapshots, Names{archive + ":job/memory/rank0.pickle"});
    const auto logs = readLogs(found.companions.logs);
    EXPECT_TRUE(logs->unreadable.empty());
    ASSERT_EQ(logs->logs.files.size(), 1);
    EXPECT_EQ(logs->logs.files[0].path, archive + ":job/logs/rank0.log");
    EXPECT_TRUE(logs->any());
    const auto dumps = readDumps(found.companions.dumps);
    EXPECT_TRUE(dumps->unreadable.empty());
    ASSERT_EQ(dumps->dumps.size(), 2);
    EXPECT_EQ(dumps->dumps[1].calls.size(), 1);
    EXPECT_TRUE(loadSnapshot(found.companions.snapshots[0]).ok());
    EXPECT_EQ(readDumps({archive})->dumps.size(), 2) << "the archive itself may be named to look for a hang";
}

INSTANTIATE_TEST_SUITE_P(Every, CompanionsInArchives,
                         testing::Values("job.zip", "job.tar", "job.tar.gz", "job.tar.zst"));

TEST(CompanionsInArchives, ThatAreDamagedAreAnError) {
    const TempFolder folder;
    const std::string whole = contentOf(writeArchive(folder, "whole.tar"));
    const std::string cut = folder.write("cut.tar", whole.substr(0, 1500));
    const Found found({cut});
    EXPECT_EQ(found.runs.refused.size(), 1);
    const auto read = readLogs({cut + ":not/there.log"});
    ASSERT_EQ(read->unreadable.size(), 1);
    EXPECT_NE(read->unreadable[0].text().find("cut.tar"), std::string::npos) << read->unreadable[0].text();
}

}  // namespace
}  // namespace rankscope::test
