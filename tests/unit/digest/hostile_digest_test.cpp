// SPDX-License-Identifier: GPL-3.0-or-later
// Digests that somebody has changed: whose checksums are right, and whose content is not. They are read, or a reason is
// given that names the file; what is read holds together.

#include "core/digest/column.h"
#include "core/digest/database.h"
#include "core/digest/digest_file.h"
#include "core/digest/merge_digests.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

namespace fs = std::filesystem;

using Columns = std::map<std::string, std::string>;

Columns columnsOf(std::string_view packed) {
    Columns columns;
    for (ColumnReader all("list", packed); !all.atEnd();) {
        const std::string name(all.getText());
        const std::uint64_t size = all.get();
        columns[name] = Unpacker().unpack(name, all.getText(), size);
    }
    return columns;
}

std::string packed(const Columns& columns) {
    ColumnWriter all;
    for (const auto& [name, bytes] : columns) {
        all.putText(name);
        all.put(bytes.size());
        all.putText(packBytes(bytes));
    }
    return all.bytes();
}

/// What `bytes` may become: at some places a bit, a byte or a number is another, or bytes are missing or too many.
std::vector<std::string> changesOf(const std::string& bytes) {
    constexpr std::size_t kPlaces = 12;
    const std::string largest = std::string(9, '\xFF') + '\x01';  // 2^64 - 1
    std::vector<std::string> changed = {"", bytes + bytes, bytes + '\0', bytes.substr(0, bytes.size() / 2), largest};
    for (std::size_t k = 0; k < std::min(kPlaces, bytes.size()); ++k) {
        const std::size_t at = k * bytes.size() / std::min(kPlaces, bytes.size());
        for (const int byte : {bytes[at] ^ 0x01, bytes[at] ^ 0x40, bytes[at] ^ 0x80, 0x00, 0x7F, 0xFF}) {
            changed.push_back(bytes);
            changed.back()[at] = static_cast<char>(byte);
        }
        changed.push_back(bytes.substr(0, at) + bytes.substr(at + 1));
        changed.push_back(bytes.substr(0, at) + largest + bytes.substr(at + 1));
    }
    return changed;
}

void expectPlaces(const RankTrace& trace, SliceRef slice) {
    ASSERT_LT(slice.track.value, trace.tracks.size());
    ASSERT_LT(slice.slice, trace.track(slice).slices.size());
}

/// That nothing in a trace names what is not there.
void expectSound(const RankTrace& trace) {
    for (const Track& track : trace.tracks) {
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            ASSERT_LT(track.slices.name[i].value, trace.strings.size());
            ASSERT_TRUE(track.slices.parent[i] == kNoSlice || track.slices.parent[i] < i);
            ASSERT_LT(track.slices.source[i].file(), trace.files.size());
        }
    }
    for (const Launch& launch : trace.launches.all()) {
        expectPlaces(trace, launch.host);
        expectPlaces(trace, launch.device);
    }
    for (const Flow& flow : trace.flows) {
        expectPlaces(trace, flow.from);
        expectPlaces(trace, flow.to);
    }
}

class HostileDigest : public testing::Test {
  protected:
    [[nodiscard]] static fs::path smallestTrace() {
        const std::vector<fs::path> all = allTraceFiles();
        return *std::ranges::min_element(all, {}, [](const fs::path& path) { return fs::file_size(path); });
    }
    void run(const std::string& sql) const { Database::create(digest).run(sql); }
    [[nodiscard]] Columns columns() const {
        const Database database = openDigest(digest);
        Statement row = database.statement("SELECT columns FROM trace");
        EXPECT_TRUE(row.next());
        return columnsOf(row.blob(0));
    }
    void setColumns(const Columns& columns) const {
        Database::create(digest).statement("UPDATE trace SET columns = ?").bindBlob(packed(columns)).run();
    }
    /// Why it cannot be read; where it can, what is read holds together.
    [[nodiscard]] std::string why() const {
        const Result<std::vector<RankTrace>> read = readDigest(digest, {});
        if (read.ok()) {
            std::ranges::for_each(read.value(), expectSound);
            return "";
        }
        EXPECT_THAT(read.error().text(), HasSubstr(digest + ": "));
        return read.error().text();
    }

    TempFolder folder;
    std::string digest = makeDigests(smallestTrace(), folder.path()).at(0);
};

TEST_F(HostileDigest, IsReadOrRefusedWithAnyContentInItsColumns) {
    const Columns whole = columns();
    EXPECT_EQ(why(), "");
    std::size_t refused = 0;
    for (const auto& [name, bytes] : whole) {
        SCOPED_TRACE(name);
        for (const std::string& changed : changesOf(bytes)) {
            Columns columns = whole;
            columns[name] = changed;
            setColumns(columns);
            refused += why().empty() ? 0U : 1U;
        }
        Columns columns = whole;
        columns.erase(name);
        setColumns(columns);
        if (name == "grid.count" || name == "sensor.count") {
            EXPECT_EQ(why(), "") << "an earlier version of the program wrote none";
        } else {
            EXPECT_THAT(why(), HasSubstr("its column " + name + " is missing"));
        }
    }
    EXPECT_GT(refused, whole.size());
}

TEST_F(HostileDigest, IsNotBelievedToHaveMoreThanItsBytesAllow) {
    const Columns whole = columns();
    ColumnWriter all;
    for (const auto& [name, bytes] : whole) {
        all.putText(name);
        all.put(std::uint64_t{1} << 31U);
        all.putText(packBytes(bytes));
    }
    Database::create(digest).statement("UPDATE trace SET columns = ?").bindBlob(all.bytes()).run();
    EXPECT_THAT(why(), HasSubstr("it has the wrong length"));
}

TEST_F(HostileDigest, WithoutEndIsRefused) {
    run("ALTER TABLE rank RENAME TO other; CREATE VIEW rank AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
        "FROM n) SELECT i AS id, i AS number, 1 AS source FROM n");
    EXPECT_THAT(why(), HasSubstr("it has no plain table \"rank\""));
}

TEST_F(HostileDigest, WithColumnsThatAreMadeUpIsRefused) {
    run("DROP TABLE trace; CREATE TABLE trace (rank INTEGER PRIMARY KEY, columns BLOB AS (zeroblob(900000000)));"
        "INSERT INTO trace (rank) VALUES (1)");
    EXPECT_THAT(why(), HasSubstr("it has no plain table \"trace\""));
}

TEST_F(HostileDigest, WithOtherTablesIsRefused) {
    for (const char* const sql :
         {"DROP TABLE rank", "DROP TABLE source", "ALTER TABLE trace RENAME COLUMN columns TO c"}) {
        SCOPED_TRACE(sql);
        const std::string kept = (folder.path() / "kept").string();
        fs::copy_file(digest, kept);
        run(sql);
        EXPECT_NE(why(), "");
        fs::rename(kept, digest);
    }
}

TEST_F(HostileDigest, WithValuesOfOtherTypesIsReadOrRefused) {
    for (const char* const sql :
         {"UPDATE trace SET columns = 'text'", "UPDATE trace SET columns = 7", "UPDATE rank SET number = 'seven'",
          "UPDATE rank SET number = -9223372036854775808", "UPDATE source SET path = x'00ff', bytes = 'many'"}) {
        SCOPED_TRACE(sql);
        const std::string kept = (folder.path() / "kept").string();
        fs::copy_file(digest, kept);
        run(sql);
        (void)why();
        (void)readSources(digest);
        (void)mergeDigests({digest}, (folder.path() / "merged.digest").string());
        fs::rename(kept, digest);
    }
}

}  // namespace
}  // namespace rankscope::test
