// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/merge_digests.h"

#include <atomic>

#include "core/digest/digest_file.h"
#include "core/digest/tables.h"
#include "tests/support/places.h"
#include "tests/support/same_trace.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

using testing::SizeIs;

/// All rows of a digest's table, one a line, but for the columns of traces.
std::vector<std::string> rowsOf(const std::string& path, const std::string& table) {
    const Database digest = openDigest(path);
    std::string columns;
    Statement names = digest.statement("SELECT name FROM pragma_table_info(?)");
    names.bind(std::string_view(table));
    while (names.next()) {
        columns += (columns.empty() ? "quote(" : " || '|' || quote(") + std::string(names.text(0)) + ")";
    }
    Statement rows = digest.statement("SELECT " + columns + " FROM " + table + " ORDER BY 1");
    std::vector<std::string> out;
    while (rows.next()) {
        out.emplace_back(rows.text(0));
    }
    return out;
}

void expectSameDigests(const std::string& a, const std::string& b) {
    for (const char* table : {"source", "rank"}) {
        EXPECT_EQ(rowsOf(a, table), rowsOf(b, table)) << table;
    }
    for (const std::string_view table : tablesOfRanks()) {
        EXPECT_TRUE(rowsOf(a, std::string(table)) == rowsOf(b, std::string(table))) << table;
    }
}

class MergeDigests : public testing::Test {
  protected:
    [[nodiscard]] std::string at(const std::string& name) const { return (folder.path() / name).string(); }
    /// Merges them into a file of that name.
    [[nodiscard]] std::string merged(const std::vector<std::string>& digests, const std::string& name) const {
        const Result<MergedDigests> result = mergeDigests(digests, at(name));
        EXPECT_TRUE(result.ok()) << (result.failed() ? result.error().text() : "");
        EXPECT_THAT(result.value().refused, IsEmpty());
        return at(name);
    }

    TempFolder folder;
    std::vector<std::string> parts = makeDigests(sample("ZeroWorkers"), folder.path());
};

TEST_F(MergeDigests, HaveTheTracesOfAllParts) {
    const Result<std::vector<RankTrace>> together = readDigest(merged(parts, "all.digest"));
    ASSERT_TRUE(together.ok());
    ASSERT_THAT(together.value(), SizeIs(parts.size()));
    for (std::size_t r = 0; r < parts.size(); ++r) {
        expectSameTrace(together.value()[r], readDigest(parts[r]).value().front());
    }
}

TEST_F(MergeDigests, AreTheSameInAnyOrderAndInAnyTree) {
    ASSERT_THAT(parts, SizeIs(4));
    const std::string at_once = merged(parts, "at_once.digest");
    expectSameDigests(at_once, merged({parts[2], parts[0], parts[3], parts[1]}, "turned.digest"));
    const std::string left = merged({parts[3], parts[1]}, "left.digest");
    const std::string right = merged({parts[2], parts[0]}, "right.digest");
    expectSameDigests(at_once, merged({left, right}, "tree.digest"));
    expectSameDigests(at_once, merged({right, parts[3], left, parts[0]}, "twice.digest"));
}

TEST_F(MergeDigests, OfOnlySomeRanksAreReadAlone) {
    const Result<std::vector<RankTrace>> two =
        readDigest(merged(parts, "all.digest"), {.ranks = {RankNumber(1), RankNumber(3)}});
    ASSERT_TRUE(two.ok());
    ASSERT_THAT(two.value(), SizeIs(2));
    EXPECT_EQ(two.value()[1].rank, RankNumber(3));
}

TEST_F(MergeDigests, GiveTheSameByRankOnSeveralThreadsEachTraceCondensedBeforeItIsKept) {
    const std::string all = merged(parts, "all.digest");
    std::atomic<std::size_t> condensed{0};
    const auto take_metadata = [&](RankTrace& trace) {
        trace.metadata.clear();
        ++condensed;
    };
    const Result<std::vector<RankTrace>> read = readDigest(all, {.threads = 3, .condense = take_metadata});
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(condensed, parts.size());
    ASSERT_THAT(read.value(), SizeIs(parts.size()));
    for (std::size_t r = 0; r < parts.size(); ++r) {
        RankTrace alone = std::move(readDigest(parts[r]).value().front());
        ASSERT_FALSE(alone.metadata.empty());
        alone.metadata.clear();
        expectSameTrace(read.value()[r], alone);
    }
}

TEST_F(MergeDigests, OfWhichOneRankIsDamagedLoseItAloneOnAnyThread) {
    const std::string all = merged(parts, "all.digest");
    std::ifstream file(all, std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    const std::size_t frame = bytes.rfind("\x28\xb5\x2f\xfd");
    ASSERT_NE(frame, std::string::npos);
    bytes[frame] = 'X';
    std::vector<std::string> damaged;
    const auto name = [&damaged](const Error& error) { damaged.push_back(error.text()); };
    const Result<std::vector<RankTrace>> read =
        readDigest(folder.write("bad.digest", bytes), {.threads = 2, .damaged = name});
    ASSERT_TRUE(read.ok());
    EXPECT_THAT(read.value(), SizeIs(parts.size() - 1));
    EXPECT_THAT(damaged, testing::ElementsAre(HasSubstr("is damaged")));
}

TEST_F(MergeDigests, LeaveOutAPartThatCannotBeReadAndNameIt) {
    const std::string bad = folder.write("bad.digest", "no digest");
    const Result<MergedDigests> result = mergeDigests({parts[0], bad, parts[1]}, at("all.digest"));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result.value().ranks, 2U);
    ASSERT_THAT(result.value().refused, SizeIs(1));
    EXPECT_THAT(result.value().refused.front().text(), HasSubstr("bad.digest: is not a digest"));
    EXPECT_FALSE(mergeDigests({bad}, at("none.digest")).ok());
    EXPECT_FALSE(std::filesystem::exists(at("none.digest")));
}

TEST_F(MergeDigests, LeaveNothingOfAPartOfWhichATableCannotBeRead) {
    {
        const Database part = Database::create(parts[1]);
        part.run("DROP TABLE kernel");
    }
    const Result<MergedDigests> result = mergeDigests(parts, at("all.digest"));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result.value().ranks, parts.size() - 1);
    EXPECT_EQ(result.value().sources, parts.size() - 1);
    ASSERT_THAT(result.value().refused, SizeIs(1));
    EXPECT_THAT(result.value().refused.front().text(), HasSubstr("kernel"));
    const Database all = openDigest(at("all.digest"));
    for (const std::string_view table : tablesOfRanks()) {
        Statement left =
            all.statement("SELECT count(*) FROM " + std::string(table) + " WHERE rank NOT IN (SELECT id FROM rank)");
        ASSERT_TRUE(left.next());
        EXPECT_EQ(left.number(0), 0) << table;
    }
    EXPECT_THAT(readDigest(at("all.digest")).value(), SizeIs(parts.size() - 1));
}

TEST_F(MergeDigests, HaveTheStepsOfAllRanksTogetherAtTheHeadOfTheFile) {
    const Database digest = openDigest(merged(parts, "all.digest"));
    const auto page = [&](const std::string& sql) {
        Statement found = digest.statement(sql);
        EXPECT_TRUE(found.next());
        return found.number(0);
    };
    EXPECT_LT(page("SELECT max(pageno) FROM dbstat WHERE name = 'step'"),
              page("SELECT min(pageno) FROM dbstat WHERE name = 'trace' AND pagetype = 'overflow'"));
}

}  // namespace
}  // namespace rankscope::test
