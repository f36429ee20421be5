// SPDX-License-Identifier: GPL-3.0-or-later
//
// Zips as people make and break them: packed members, archives that were cut, names of any length and number.

#include "core/ingest/files/archive.h"
#include "tests/support/loading.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

using ::testing::SizeIs;

/// A zip member by member as a streaming writer or a simple one leaves it, stored.
std::string storedZip(const std::vector<std::pair<std::string, std::string>>& members) {
    std::string out;
    const auto number = [&](std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            out += static_cast<char>(value & 0xff);
            value >>= 8;  // of eight bytes and more: nothing is left
        }
    };
    for (const auto& [name, text] : members) {
        out += "PK\x03\x04";
        number(20, 2);  // version
        number(0, 2 + 2 + 2 + 2 + 4);
        number(text.size(), 4);
        number(text.size(), 4);
        number(name.size(), 2);
        number(0, 2);
        out += name + text;
    }
    return out;
}

class ZipTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::filesystem::path path() const { return folder.path() / "job.zip"; }
    void write(const std::vector<std::pair<std::string, std::string>>& members) const { writeZip(path(), members); }
    [[nodiscard]] Discovery discovered() const { return discoverRuns({path().string()}); }
    TempFolder folder;
};

TEST_F(ZipTest, WithoutTracesNamesWhatElseIsInIt) {
    write({{"snapshot.pickle", "words"}, {"__MACOSX/._snapshot.pickle", "words"}});
    const Discovery found = discovered();
    ASSERT_THAT(found.refused, SizeIs(1));
    EXPECT_THAT(found.refused[0].text(), HasSubstr(std::string(kContainsNoTrace)));
    ASSERT_THAT(found.members, SizeIs(1));
    EXPECT_EQ(found.members[0].name(), path().string() + ":snapshot.pickle");
}

TEST_F(ZipTest, PackedMembersAreUnpackedAndReadBack) {
    write({{"rank0.json", traceOfRank(0)},
           {"rank1.json.gz", gzip(traceOfRank(1))},
           {"rank2.json.zst", zstd(traceOfRank(2))}});
    const auto run = loadRunAt(path().string());
    ASSERT_THAT(run->ranks, SizeIs(3));
    for (const auto& rank : run->ranks) {
        EXPECT_EQ(rank->health.slices, 200U);
        const auto text = readEventText(*rank, {TrackId(0), 100});
        ASSERT_TRUE(text.ok()) << text.error().text();
        EXPECT_THAT(text.value(), HasSubstr("\"op 791900 of rank " + std::to_string(rank->rank->value)));
    }
}

TEST_F(ZipTest, PackedMembersThatAreStoredAreReadAsFilesAre) {
    folder.write("job.zip", storedZip({{"rank0.json", traceOfRank(0)},
                                       {"1.json.gz", gzip(traceOfRank(1))},
                                       {"2.json.zst", zstd(traceOfRank(2))}}));
    const auto run = loadRunAt(path().string());
    ASSERT_THAT(run->ranks, SizeIs(3));
    for (const auto& rank : run->ranks) {
        EXPECT_EQ(rank->health.slices, 200U);
        EXPECT_TRUE(readEventText(*rank, {TrackId(0), 100}).ok());
    }
}

TEST_F(ZipTest, MessagesNameTheMember) {
    write({{"rank0.json", traceOfRank(0)}, {"logs/rank1.json", "nothing"}, {"logs/rank2.json", traceOfRank(2)}});
    const Discovery found = discovered();
    ASSERT_THAT(found.runs, SizeIs(1));
    LoadObserver observer;
    const auto run = loadRun(found.runs.at(0), {}, observer, {});
    ASSERT_TRUE(run.ok());
    ASSERT_THAT(run.value().unreadable, SizeIs(1));
    EXPECT_EQ(run.value().unreadable[0].path, path().string() + ":logs/rank1.json");
}

TEST_F(ZipTest, OfMembersOfOneNameTheLastIsReadAndTheOthersAreSaid) {
    folder.write("job.zip", storedZip({{"rank0.json", traceOfRank(0, 3)}, {"rank0.json", traceOfRank(0, 5)}}));
    Discovery found = discovered();
    ASSERT_THAT(found.runs, SizeIs(1));
    ASSERT_THAT(found.runs[0].files, SizeIs(1));
    EXPECT_THAT(found.refused.at(0).text(), HasSubstr("job.zip:rank0.json: is in the archive more than once"));
    for (const bool known : {true, false}) {
        found.runs[0].files[0].place = known ? found.runs[0].files[0].place : nullptr;
        LoadObserver observer;
        EXPECT_EQ(loadRun(found.runs[0], {}, observer, {}).value().ranks.at(0)->health.slices, 5U);
    }
}

TEST_F(ZipTest, ACutArchiveIsReadAsFarAsItGoes) {
    write({{"rank0.json", traceOfRank(0)}, {"rank1.json", traceOfRank(1)}, {"rank2.json", traceOfRank(2)}});
    const std::string whole = contentOf(path());
    const std::size_t second = whole.find("rank1.json");
    const std::size_t third = whole.find("rank2.json");
    folder.write("job.zip", whole.substr(0, second + (third - second) / 2));
    const Discovery found = discovered();
    ASSERT_THAT(found.refused, SizeIs(1));
    EXPECT_THAT(found.refused[0].text(), HasSubstr("job.zip: is cut off or damaged"));
    const auto run = loadRunAt(path().string());
    ASSERT_THAT(run->ranks, SizeIs(2));
    EXPECT_EQ(run->ranks[0]->health.slices, 200U);
    EXPECT_FALSE(run->ranks[0]->health.truncated);
    EXPECT_GT(run->ranks[1]->health.slices, 10U);
    EXPECT_TRUE(run->ranks[1]->health.truncated);
    EXPECT_THAT(run->incomplete, SizeIs(1));
}

TEST_F(ZipTest, EveryCutOfAnArchiveIsReadOrRefusedInWords) {
    write({{"rank0.json", traceOfRank(0, 20)}, {"rank1.json", traceOfRank(1, 20)}});
    const std::string whole = contentOf(path());
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        folder.write("job.zip", whole.substr(0, size));
        const Discovery found = discovered();
        EXPECT_THAT(found.refused, testing::Not(IsEmpty())) << size;
        for (const RunSource& run : found.runs) {
            LoadObserver observer;
            EXPECT_TRUE(loadRun(run, {}, observer, {}).ok() || size < 600) << size;
        }
    }
}

TEST_F(ZipTest, NamesOfAnyLengthOpen) {
    const std::string name = std::string(5000, 'n') + "/" + std::string(40'000, 'm') + "_rank3.json";
    write({{name, traceJson({eventJson({})})}});
    const auto run = loadRunAt(path().string());
    EXPECT_EQ(run->ranks.at(0)->health.slices, 1U);
}

TEST_F(ZipTest, ThousandsOfMembersTakeTimeInProportion) {
    std::vector<std::pair<std::string, std::string>> members;
    for (int i = 0; i < 4000; ++i) {
        members.emplace_back("rank" + std::to_string(i) + ".json", traceOfRank(i, 1));
    }
    write(members);
    EXPECT_THAT(loadRunAt(path().string())->ranks, SizeIs(4000));
}

TEST_F(ZipTest, AFileWithoutMembersIsNoArchive) {
    for (const std::string& bytes : {std::string(), std::string("PK\x03\x04"), std::string(100'000, 'P')}) {
        folder.write("job.zip", bytes);
        EXPECT_THAT(discovered().refused.at(0).text(), HasSubstr("is not a zip archive, or is damaged"));
    }
}

}  // namespace
}  // namespace rankscope::test
