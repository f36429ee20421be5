// SPDX-License-Identifier: GPL-3.0-or-later
//
// What belongs to a job next to its traces, packed to be copied.
#include "core/companions/pack_companions.h"

#include <algorithm>

#include "core/base/format.h"
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

class PackCompanions : public testing::Test {
  protected:
    PackCompanions() {
        folder.write("job/rank0.json", R"({"traceEvents": []})");
        folder.write("job/it's \"one\" $(touch x)\n.log", LogText(1).start().text());
        folder.write("job/logs/rank1.log.gz", gzip(LogText(2).start().text()));
        folder.write("job/dumps/rank_0.json", dumpJson(2).dump());
        (void)writeSnapshot(folder, "job/memory/rank0.bin");
        folder.write("job/model.pickle", std::string("\x80\x02}q\x00.", 6));
    }
    [[nodiscard]] Result<PackedCompanions> pack(std::uint64_t most_bytes = kMostPackedBytes) const {
        return packCompanions((folder.path() / "job").string(), archive, most_bytes);
    }
    /// The companions of the archive, by their names in it.
    [[nodiscard]] CompanionFiles inArchive() const {
        CompanionFiles files;
        const std::vector<std::string> paths{archive};
        Discovery found = discoverRuns(paths);
        takeCompanionsInside(paths, found, files);
        EXPECT_TRUE(found.runs.empty());
        EXPECT_TRUE(found.refused.empty());
        for (auto* names : {&files.snapshots, &files.logs, &files.dumps}) {
            for (std::string& name : *names) {
                name.erase(0, archive.size() + 1);
            }
        }
        return files;
    }

    TempFolder folder;
    std::string archive = (folder.path() / "job.companions.zip").string();
};

using Members = std::vector<std::string>;

TEST_F(PackCompanions, OfAFolderAreTheSameInTheArchive) {
    const Result<PackedCompanions> packed = pack();
    ASSERT_TRUE(packed.ok()) << packed.error().text();
    EXPECT_EQ(packed.value().logs, 2U);
    EXPECT_EQ(packed.value().dumps, 1U);
    EXPECT_EQ(packed.value().snapshots, 1U);
    EXPECT_EQ(packed.value().bytes, std::filesystem::file_size(archive));
    EXPECT_THAT(packed.value().left_out, IsEmpty());
    const CompanionFiles files = inArchive();
    EXPECT_EQ(files.logs, (Members{"it's \"one\" $(touch x)\n.log", "logs/rank1.log.gz"}))
        << "any name is stored as it is";
    EXPECT_EQ(files.dumps, Members{"dumps/rank_0.json"});
    EXPECT_EQ(files.snapshots, Members{"memory/rank0.bin"});
    const auto logs = readLogs({archive + ":" + files.logs[0], archive + ":" + files.logs[1]});
    EXPECT_EQ(logs->logs.processes.size(), 2U);
    EXPECT_TRUE(logs->unreadable.empty());
    EXPECT_EQ(readDumps({archive + ":" + files.dumps[0]})->dumps.at(0).calls.size(), 2U);
    EXPECT_TRUE(loadSnapshot(archive + ":" + files.snapshots[0]).ok());
}

TEST_F(PackCompanions, OfTheSameFilesAreTheSameBytes) {
    ASSERT_TRUE(pack().ok());
    const std::string first = contentOf(archive);
    std::filesystem::last_write_time(folder.path() / "job/dumps/rank_0.json",
                                     std::filesystem::file_time_type::clock::now());
    ASSERT_TRUE(pack().ok());
    EXPECT_EQ(contentOf(archive), first);
}

TEST_F(PackCompanions, LeaveOutTheLargestWhereAllAreTooLarge) {
    const std::string large = folder.write("job/large.log", LogText(3).start().text() + std::string(200'000, ' '));
    const std::string huge = folder.write("job/huge.log", LogText(4).start().text() + std::string(900'000, ' '));
    const Result<PackedCompanions> packed = pack(100'000);
    ASSERT_TRUE(packed.ok()) << packed.error().text();
    EXPECT_EQ(packed.value().logs, 2U);
    EXPECT_EQ(packed.value().dumps, 1U);
    ASSERT_EQ(packed.value().left_out.size(), 2U);
    EXPECT_EQ(packed.value().left_out[0].path, huge);
    EXPECT_EQ(packed.value().left_out[1].path, large);
    EXPECT_THAT(packed.value().left_out[1].cause, HasSubstr(formatBytes(std::filesystem::file_size(large))))
        << "each with its size";
}

TEST_F(PackCompanions, OfAnArchiveAreMeasuredUnpacked) {
    const std::string text = LogText(1).start().text();
    writeZip(folder.path() / "job/logs.zip", {{"a/one.log", text}, {"a/bomb.log", text + std::string(300'000, ' ')}});
    const Result<PackedCompanions> packed = pack(100'000);
    ASSERT_TRUE(packed.ok()) << packed.error().text();
    EXPECT_EQ(packed.value().logs, 3U);
    ASSERT_EQ(packed.value().left_out.size(), 1U);
    EXPECT_THAT(packed.value().left_out[0].path, HasSubstr("logs.zip:a/bomb.log"));
    EXPECT_THAT(inArchive().logs, testing::Contains("logs.zip/a/one.log"));
}

TEST_F(PackCompanions, DoNotTakeAnEarlierArchiveAgain) {
    archive = (folder.path() / "job/all.zip").string();
    ASSERT_TRUE(pack().ok());
    const Result<PackedCompanions> again = pack();
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value().logs, 2U);
}

TEST_F(PackCompanions, OfNothingWriteNothing) {
    folder.write("empty/rank0.json", "{}");
    const Result<PackedCompanions> packed = packCompanions((folder.path() / "empty").string(), archive);
    ASSERT_TRUE(packed.ok());
    EXPECT_EQ(packed.value().bytes, 0U);
    EXPECT_FALSE(std::filesystem::exists(archive));
}

TEST_F(PackCompanions, DoNotReplaceOneOfThem) {
    const std::string log = (folder.path() / "job/logs/rank1.log.gz").string();
    const std::string before = contentOf(log);
    const Result<PackedCompanions> packed = packCompanions((folder.path() / "job").string(), log);
    ASSERT_TRUE(packed.failed());
    EXPECT_EQ(contentOf(log), before);
}

TEST_F(PackCompanions, ThatCannotBeWrittenSayWhyAndLeaveNothing) {
    const Result<PackedCompanions> packed =
        packCompanions((folder.path() / "job").string(), (folder.path() / "no/such/folder.zip").string());
    ASSERT_TRUE(packed.failed());
    EXPECT_THAT(packed.error().text(), HasSubstr("cannot be written: No such file or directory"));
    const Result<PackedCompanions> onto_a_folder =
        packCompanions((folder.path() / "job").string(), (folder.path() / "job/logs").string());
    ASSERT_TRUE(onto_a_folder.failed());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
        EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
    }
}

}  // namespace
}  // namespace rankscope::test
