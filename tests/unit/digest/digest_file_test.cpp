// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/digest_file.h"

#include "tests/support/loading.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/same_trace.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

std::string digestOf(const std::filesystem::path& trace, const TempFolder& folder) {
    return makeDigests(trace, folder.path()).at(0);
}

void expectSameAsDigest(const std::filesystem::path& trace) {
    SCOPED_TRACE(trace.string());
    const TempFolder folder;
    const std::string digest = digestOf(trace, folder);
    const auto of_trace = loadAllRanks(std::filesystem::absolute(trace).lexically_normal().string());
    const auto of_digest = loadAllRanks(digest);
    ASSERT_EQ(of_trace.size(), of_digest.size());
    for (std::size_t r = 0; r < of_trace.size(); ++r) {
        expectSameTrace(*of_trace[r], *of_digest[r]);
    }
}

TEST(DigestFile, HasItsTraceToTheNanosecond) {
    for (const std::filesystem::path& trace : allTraceFiles()) {
        expectSameAsDigest(trace);
    }
}

std::string firstTrace() {
    return (sample("ZeroWorkers") / "rank0.pt.trace.json.gz").string();
}

Result<std::vector<RankTrace>> readContent(const std::string& content) {
    const TempFolder folder;
    return readDigest(folder.write("bad.digest", content));
}

/// Why a digest with this content cannot be read.
std::string whyNoDigest(const std::string& content) {
    const Result<std::vector<RankTrace>> read = readContent(content);
    return read.ok() ? "" : read.error().text();
}

/// The texts that name slices and collectives, in their order.
std::vector<std::string> namesIn(const RankTrace& trace) {
    std::vector<std::string> names;
    for (const Track& track : trace.tracks) {
        names.emplace_back(trace.strings.view(track.lane));
        for (const StringId name : track.slices.name) {
            names.emplace_back(trace.strings.view(name));
        }
        for (const CollectiveArgs& args : track.collectives.value) {
            for (const StringId text : {args.name, args.dtype, args.group_name, args.group_ranks, args.comms_id}) {
                names.emplace_back(trace.strings.view(text));
            }
        }
        for (const OperatorInputs& inputs : track.inputs.value) {
            names.emplace_back(trace.strings.view(inputs.shapes));
        }
    }
    return names;
}

TEST(DigestFile, OfOneStepTakesTheNamesAndTheMemoryOfThatStepOfItsTrace) {
    const TempFolder folder;
    const std::string digest = digestOf(firstTrace(), folder);
    const Database database = openDigest(digest);
    Statement step = database.statement("SELECT number FROM step ORDER BY number LIMIT 1 OFFSET 1");
    ASSERT_TRUE(step.next());
    LoadOptions options;
    options.first_step = options.last_step = step.number(0);
    LoadObserver nobody;
    const Result<RankTrace> of_digest = loadFile({digest, "", 0}, options, nobody, {});
    const Result<RankTrace> of_trace = loadFile({firstTrace(), "", 0}, options, nobody, {});
    ASSERT_TRUE(of_digest.ok() && of_trace.ok());
    EXPECT_EQ(namesIn(of_digest.value()), namesIn(of_trace.value()));
    EXPECT_LE(of_digest.value().strings.size(), of_trace.value().strings.size());
    const Result<RankTrace> whole = loadFile({digest, "", 0}, {}, nobody, {});
    EXPECT_LT(of_digest.value().strings.size(), whole.value().strings.size());
    EXPECT_LT(of_digest.value().memoryBytes(), whole.value().memoryBytes());
}

TEST(DigestFile, SaysWhyItCannotBeReadWhereItIsCut) {
    const TempFolder folder;
    const std::string content = contentOf(digestOf(firstTrace(), folder));
    for (const std::size_t part : {2U, 4U, 8U, 16U}) {
        const std::string why = whyNoDigest(content.substr(0, content.size() * (part - 1) / part));
        EXPECT_THAT(why, HasSubstr("bad.digest: cannot be read as a digest: ")) << part;
    }
}

TEST(DigestFile, GivesTheTraceOrAnErrorWhereABitIsTurned) {
    const TempFolder folder;
    const std::string content = contentOf(digestOf(firstTrace(), folder));
    const Result<std::vector<RankTrace>> whole = readContent(content);
    std::size_t errors = 0;
    for (std::size_t at = 101; at < content.size(); at += content.size() / 150) {
        SCOPED_TRACE(at);
        std::string damaged = content;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        const Result<std::vector<RankTrace>> read = readContent(damaged);
        errors += read.ok() ? 0U : 1U;
        if (read.ok() && !read.value().empty()) {  // the bit stands in a table for other tools, or in no use
            expectSameTrace(read.value().front(), whole.value().front());
        }
    }
    EXPECT_GT(errors, 0U);
}

TEST(DigestFile, IsNoneWhereTheFileIsATextOrEmpty) {
    EXPECT_THAT(whyNoDigest("a text that is called a digest, and long enough to be looked at as one"),
                testing::EndsWith("bad.digest: is not a digest"));
    EXPECT_THAT(whyNoDigest(""), testing::EndsWith("bad.digest: is not a digest"));
}

TEST(DigestFile, ReadsTimesOfChangeOfTheFirstDigestsAsUnixTime) {
    constexpr std::int64_t kSpring2026 = 1'775'000'000'000'000'000;
    EXPECT_EQ(modifiedInUnixTime(kSpring2026), kSpring2026);
    EXPECT_EQ(modifiedInUnixTime(kSpring2026 - 6'437'664'000'000'000'000), kSpring2026);
    EXPECT_EQ(modifiedInUnixTime(0), 0) << "unknown";
}

TEST(DigestFile, RefusesTheDatabaseOfAnotherProgramAndAnotherVersion) {
    const TempFolder folder;
    const std::string content = contentOf(digestOf(firstTrace(), folder));
    std::string other = content;
    other[68] = 'X';
    EXPECT_THAT(whyNoDigest(other), HasSubstr("a database of another program"));
    std::string newer = content;
    newer[63] = 99;  // the lowest byte of user_version
    EXPECT_THAT(whyNoDigest(newer), HasSubstr("it has format 99, but this version reads format 1"));
}

}  // namespace
}  // namespace rankscope::test
