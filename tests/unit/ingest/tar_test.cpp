// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tars as people make and break them: plain and packed, with links, long names and members that are packed themselves.

#include "core/ingest/files/archive.h"
#include "core/ingest/files/content_hash.h"
#include "tests/support/loading.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

using ::testing::SizeIs;
using Members = std::vector<std::pair<std::string, std::string>>;

/// A tar as it is, packed with gzip and with zstd: the same in all three.
class TarTest : public ::testing::TestWithParam<std::string> {
  protected:
    [[nodiscard]] std::string path() const { return (folder.path() / ("job" + GetParam())).string(); }
    void write(const std::string& text) const {
        const bool is_gzip = GetParam() == ".tar.gz" || GetParam() == ".tgz";
        folder.write("job" + GetParam(), is_gzip ? gzip(text) : GetParam() == ".tar.zst" ? zstd(text) : text);
    }
    [[nodiscard]] Discovery discovered() const { return discoverRuns({path()}); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const RunSource& run : discovered().runs) {
            std::ranges::transform(run.files, std::back_inserter(out), &FileSource::member);
        }
        return out;
    }
    TempFolder folder;
};

INSTANTIATE_TEST_SUITE_P(As, TarTest, ::testing::Values(".tar", ".tar.gz", ".tgz", ".tar.zst"), [](const auto& ending) {
    std::string name = ending.param.substr(1);
    std::ranges::replace(name, '.', '_');
    return name;
});

TEST_P(TarTest, MembersAreReadAndReadBack) {
    write(tar({{"rank0.json", traceOfRank(0)},
               {"rank1.json.gz", gzip(traceOfRank(1))},
               {"rank2.json.zst", zstd(traceOfRank(2))},
               {"notes.txt", "hello"}}));
    const auto run = loadRunAt(path());
    EXPECT_EQ(run->name, "job");
    ASSERT_THAT(run->ranks, SizeIs(3));
    for (const auto& rank : run->ranks) {
        EXPECT_EQ(rank->health.slices, 200U);
        EXPECT_FALSE(rank->health.truncated);
        const auto text = readEventText(*rank, {TrackId(0), 100});
        ASSERT_TRUE(text.ok()) << text.error().text();
        EXPECT_THAT(text.value(), HasSubstr("\"op 791900 of rank " + std::to_string(rank->rank->value)));
    }
}

TEST_P(TarTest, ALargeMemberFarInsideIsReadBack) {
    const std::string first = traceOfRank(0, 200'000);
    ASSERT_GT(first.size(), 16U << 20U) << "farther than the first checkpoint";
    write(tar({{"rank0.json", first}, {"rank1.json", traceOfRank(1)}}));
    const auto run = loadRunAt(path());
    ASSERT_THAT(run->ranks, SizeIs(2));
    EXPECT_EQ(run->ranks[0]->health.slices, 200'000U);
    const auto text = readEventText(*run->ranks[1], {TrackId(0), 199});
    ASSERT_TRUE(text.ok()) << text.error().text();
    EXPECT_THAT(text.value(), HasSubstr("of rank 1"));
}

TEST_P(TarTest, LinksFoldersAndNamesThatLeadElsewhereAreNamesOnly) {
    write(tarEntry("job/", "", '5') + tarEntry("link.json", "", '2', "/etc/passwd") +
          tarEntry("hard.json", "", '1', "job/rank0.json") + tarEntry("./job/rank0.json", traceOfRank(0)) +
          tarEntry("job/../../../rank1.json", traceOfRank(1)) + tarEntry("/rank2.json", traceOfRank(2)) +
          tarEntry("job/._rank0.json", "resource") + std::string(1024, '\0'));
    EXPECT_THAT(names(), ::testing::UnorderedElementsAre("./job/rank0.json", "job/../../../rank1.json", "/rank2.json"));
}

TEST_P(TarTest, LongNamesAreWhole) {
    const std::string name = std::string(300, 'n') + "/rank3.json";
    const std::string record = " path=pax/" + name + "\n";
    write(tarEntry("././@LongLink", name + std::string(1, '\0'), 'L') + tarEntry("n", traceOfRank(3, 1)) +
          tarEntry("PaxHeaders/m", std::to_string(record.size() + 3) + record, 'x') + tarEntry("m", traceOfRank(2, 1)) +
          std::string(1024, '\0'));
    EXPECT_THAT(names(), ::testing::UnorderedElementsAre(name, "pax/" + name));
    EXPECT_THAT(loadRunAt(path())->ranks, SizeIs(2));
}

TEST_P(TarTest, ArchivesInsideAreNamedAndNotOpened) {
    write(tar({{"node0.tar.gz", gzip(tar({{"rank0.json", traceOfRank(0)}}))}}));
    const Discovery found = discovered();
    EXPECT_TRUE(found.runs.empty());
    ASSERT_THAT(found.refused, SizeIs(1));
    EXPECT_THAT(found.refused[0].text(), HasSubstr("unpack the archives in it first"));
}

TEST_P(TarTest, MessagesNameArchiveMemberAndCause) {
    write(tar({{"run/rank0.json", traceOfRank(0)}, {"run/rank1.json", "nothing"}}));
    const auto run = loadRunAt(path());
    ASSERT_THAT(run->unreadable, SizeIs(1));
    EXPECT_EQ(run->unreadable[0].text(), path() + ":run/rank1.json, byte 0: is not JSON");
}

TEST_P(TarTest, EveryCutIsReadOrRefusedInWords) {
    const std::string whole = tar({{"rank0.json", traceOfRank(0, 20)}, {"rank1.json", traceOfRank(1, 20)}});
    write(whole);
    const std::string bytes = contentOf(path());
    for (std::size_t size = 0; size + 1024 < bytes.size(); size += 97) {
        folder.write("job" + GetParam(), bytes.substr(0, size));
        const Discovery found = discovered();
        for (const RunSource& run : found.runs) {
            LoadObserver observer;
            const auto read = loadRun(run, {}, observer, {});
            EXPECT_TRUE(read.ok() || !read.error().text().empty()) << size;
        }
        EXPECT_TRUE(!found.refused.empty() || !found.runs.empty()) << size;
    }
}

TEST_P(TarTest, AFileThatIsNoTarIsReported) {
    write(std::string(5000, 'P'));
    EXPECT_THAT(discovered().refused.at(0).text(), HasSubstr("is not a tar archive, or is damaged"));
}

TEST_P(TarTest, TheHashIsThatOfTheMember) {
    write(tar({{"rank0.json", traceOfRank(0)}, {"rank1.json", traceOfRank(1)}}));
    FileSource alone;
    alone.path = folder.write("rank1.json", traceOfRank(1));
    const std::vector<FileSource> files = discovered().runs.at(0).files;
    EXPECT_EQ(contentHash(files.at(1)).value(), contentHash(alone).value());
    EXPECT_NE(contentHash(files.at(0)).value(), contentHash(alone).value());
}

TEST(Tar, APlainOneThatIsCutSaysWhereAndReadsWhatIsBefore) {
    const TempFolder folder;
    const std::string whole = tar({{"rank0.json", traceOfRank(0)}, {"rank1.json", traceOfRank(1)}});
    const std::string path = folder.write("job.tar", whole.substr(0, whole.size() * 3 / 4));
    EXPECT_THAT(discoverRuns({path}).refused.at(0).text(), HasSubstr("job.tar: is cut off or damaged"));
    const auto run = loadRunAt(path);
    ASSERT_THAT(run->ranks, SizeIs(2));
    EXPECT_FALSE(run->ranks[0]->health.truncated);
    EXPECT_TRUE(run->ranks[1]->health.truncated);
}

TEST(Tar, ThatUnpacksToFarMoreThanATraceCouldIsRefused) {
    const TempFolder folder;
    const std::uint64_t huge = std::uint64_t{2} << 30U;
    std::string header = tarEntry("rank0.json", "");
    const std::string size = "20000000000";  // 2 GiB in octal
    header.replace(124, size.size(), size);
    std::uint64_t sum = 0;
    header.replace(148, 8, 8, ' ');
    std::ranges::for_each(header, [&sum](char byte) { sum += static_cast<unsigned char>(byte); });
    std::array<char, 8> digits{};
    (void)std::snprintf(digits.data(), digits.size(), "%06o", static_cast<unsigned>(sum));
    header.replace(148, 7, std::string(digits.data(), 6) + std::string(1, '\0'));
    std::string bomb = zstd(header);
    for (int i = 0; i < 64; ++i) {
        bomb += zstd(std::string(huge / 64, ' '));
    }
    ASSERT_LT(bomb.size(), 1U << 20U);
    const std::string path = folder.write("job.tar.zst", bomb);
    EXPECT_THAT(discoverRuns({path}).refused.at(0).text(), HasSubstr("unpacks to more than 1032 times its size"));
}

TEST(Tar, OfAnotherNameSaysHowToNameIt) {
    const TempFolder folder;
    const std::string path = folder.write("traces.gz", gzip(tar({{"rank0.json", traceOfRank(0)}})));
    LoadObserver observer;
    EXPECT_THAT(loadRun(discoverRuns({path}).runs.at(0), {}, observer, {}).error().text(),
                HasSubstr("is a tar archive; name it .tar, .tar.gz, .tgz or .tar.zst"));
}

TEST(Tar, AHugeNumberOfMembersTakesTimeInProportion) {
    const TempFolder folder;
    Members members;
    for (int i = 0; i < 2000; ++i) {
        members.emplace_back("rank" + std::to_string(i) + ".json", traceOfRank(i, 1));
    }
    const std::string path = folder.write("job.tar.gz", gzip(tar(members)));
    EXPECT_THAT(loadRunAt(path)->ranks, SizeIs(2000));
}

}  // namespace
}  // namespace rankscope::test
