// SPDX-License-Identifier: GPL-3.0-or-later
// What of a file with many ranks is lost where one of them is damaged, or was cut before its digest was made.

#include "core/digest/database.h"
#include "core/digest/digest_file.h"
#include "core/digest/merge_digests.h"
#include "tests/support/loading.h"
#include "tests/support/places.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

namespace fs = std::filesystem;

using testing::Contains;
using testing::SizeIs;

/// Turns a bit in the middle of the columns of a rank.
void damage(const std::string& digest, int rank) {
    const Database database = Database::create(digest);  // opens what is there, to be written
    std::string columns;
    std::int64_t id = 0;
    {
        Statement row =
            database.statement("SELECT id, columns FROM rank JOIN trace ON trace.rank = id WHERE number = ?");
        ASSERT_TRUE(row.bind(std::int64_t{rank}).next());
        id = row.number(0);
        columns = row.blob(1);
    }
    char& middle = columns[columns.size() / 2];
    middle = static_cast<char>(middle ^ 0x10);
    database.statement("UPDATE trace SET columns = ? WHERE rank = ?").bindBlob(columns).bind(id).run();
}

class DamagedRank : public testing::Test {
  protected:
    /// The digests of these traces in one file.
    [[nodiscard]] std::string merged(const fs::path& traces) const {
        std::string to = (folder.path() / "all.digest").string();
        const Result<MergedDigests> result = mergeDigests(makeDigests(traces, folder.path() / "digests"), to);
        EXPECT_TRUE(result.ok());
        return to;
    }
    /// A copy of a sample in which the trace of rank 1 is cut in the middle.
    [[nodiscard]] fs::path cutSample() const {
        const fs::path traces = folder.path() / "traces";
        fs::copy(sample("ZeroWorkers"), traces);
        const fs::path second = traces / "rank1.pt.trace.json.gz";
        fs::permissions(second, fs::perms::owner_all);
        fs::resize_file(second, fs::file_size(second) / 2);
        return folder.path() / "traces";
    }

    TempFolder folder;
};

TEST_F(DamagedRank, CostsItselfAloneAndIsNamedWithItsFileAndCause) {
    const std::string digest = merged(sample("ZeroWorkers"));
    const std::size_t all = loadRunAt(digest)->ranks.size();
    damage(digest, 1);
    const auto run = loadRunAt(digest);
    EXPECT_THAT(run->ranks, SizeIs(all - 1));
    EXPECT_THAT(run->missing_ranks, ElementsAre(RankNumber(1)));
    ASSERT_THAT(run->unreadable, SizeIs(1));
    EXPECT_THAT(run->unreadable.front().text(),
                AllOf(HasSubstr("all.digest: rank 1 cannot be read: its column "), HasSubstr("damaged")));
}

TEST_F(DamagedRank, IsNotAskedForWhereOnlyOthersAreWanted) {
    const std::string digest = merged(sample("ZeroWorkers"));
    damage(digest, 1);
    LoadOptions options;
    options.ranks = {RankNumber(0)};
    const auto run = loadRunAt(digest, options);
    EXPECT_THAT(run->ranks, SizeIs(1));
    EXPECT_THAT(run->unreadable, IsEmpty());
}

TEST_F(DamagedRank, IsMissingToo) {
    const std::string digest = merged(sample("ZeroWorkers"));
    Database::create(digest).run("DELETE FROM trace WHERE rank = (SELECT id FROM rank WHERE number = 1)");
    const auto run = loadRunAt(digest);
    EXPECT_THAT(run->missing_ranks, ElementsAre(RankNumber(1)));
    ASSERT_THAT(run->unreadable, SizeIs(1));
    EXPECT_THAT(run->unreadable.front().text(), HasSubstr("rank 1 cannot be read: its trace is missing"));
}

TEST_F(DamagedRank, FailsTheFileWhereNoneIsLeft) {
    const fs::path only = folder.path() / "one.digest";
    fs::copy(makeDigests(sample("ZeroWorkers") / "rank0.pt.trace.json.gz", folder.path() / "digests").at(0), only);
    damage(only.string(), 0);
    const Result<std::vector<RankTrace>> read = readDigest(only.string(), {});
    ASSERT_TRUE(read.failed());
    EXPECT_THAT(read.error().text(), HasSubstr("one.digest: cannot be read as a digest: rank 0 cannot be read"));
}

TEST_F(DamagedRank, OfATruncatedTraceIsIncompleteAtAnyPlaceInTheFile) {
    const auto of_traces = loadRunAt(cutSample().string());
    const auto of_digest = loadRunAt(merged(folder.path() / "traces"));
    ASSERT_THAT(of_traces->incomplete, SizeIs(1));
    ASSERT_THAT(of_digest->incomplete, SizeIs(1));
    EXPECT_THAT(of_digest->incomplete.front().text(), HasSubstr("rank1.pt.trace.json.gz"));
    EXPECT_EQ(of_digest->incomplete.front().cause, of_traces->incomplete.front().cause);
}

TEST_F(DamagedRank, OrNotTheRunSaysThatADigestWasReadAndWhereItsTracesWere) {
    const auto of_digest = loadRunAt(merged(sample("ZeroWorkers")));
    const std::string folder_of_traces = fs::absolute(sample("ZeroWorkers")).lexically_normal().string();
    EXPECT_THAT(of_digest->notes, Contains(AllOf(HasSubstr("all.digest instead of"),
                                                 HasSubstr(" were recorded in " + folder_of_traces))));
    EXPECT_THAT(loadRunAt(sample("ZeroWorkers").string())->notes, Not(Contains(HasSubstr("instead of"))));
}

}  // namespace
}  // namespace rankscope::test
