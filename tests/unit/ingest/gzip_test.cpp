// SPDX-License-Identifier: GPL-3.0-or-later
//
// A gzip of several members is one text. Of one that is not whole, all that came before the damage is shown, and the
// damage is named.
#include <zlib.h>

#include "tests/support/loading.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

/// Events named by their number, and what they are as a file: half a megabyte, more than an inflater holds back.
std::vector<std::string> numbered(int count) {
    std::vector<std::string> events;
    for (int i = 0; i < count; ++i) {
        EventLine event;
        event.name = "event " + std::to_string(i * 7919);
        event.ts = std::to_string(10 * i);
        events.push_back(eventJson(event));
    }
    return events;
}

constexpr int kEvents = 5000;

std::shared_ptr<const RankTrace> loadGzip(const std::string& packed) {
    const TempFolder folder;
    return load(folder.write("t.json.gz", packed));
}

/// A gzip member of `text` with a name in its header; with `flush` Z_SYNC_FLUSH it is left open behind a whole block.
std::string gzipMember(std::string text, std::string name, int flush) {
    constexpr int kGzip = 15 + 16;
    z_stream zip{};
    deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY);
    gz_header header{};
    header.name = reinterpret_cast<Bytef*>(name.data());
    deflateSetHeader(&zip, &header);
    std::string out(deflateBound(&zip, text.size()) + 64, '\0');
    zip.next_in = reinterpret_cast<Bytef*>(text.data());
    zip.avail_in = static_cast<uInt>(text.size());
    zip.next_out = reinterpret_cast<Bytef*>(out.data());
    zip.avail_out = static_cast<uInt>(out.size());
    deflate(&zip, flush);
    out.resize(zip.total_out);
    deflateEnd(&zip);
    return out;
}

TEST(Gzip, ManyMembersWithLongHeadersAreOneText) {
    const std::vector<std::string> events = numbered(kEvents);
    const std::string text = traceJson(events);
    constexpr std::size_t kPiece = 10'000;
    std::string packed;
    for (std::size_t at = 0; at < text.size(); at += kPiece) {
        packed += gzipMember(text.substr(at, kPiece), std::string(20'000, 'n'), Z_FINISH);
    }
    ASSERT_GT(packed.size(), 1'000'000U) << "nearly all of it headers, wherever a piece of the file ends that is read";
    const auto trace = loadGzip(packed);
    EXPECT_EQ(trace->health.slices, static_cast<std::uint64_t>(kEvents));
    EXPECT_FALSE(trace->health.truncated);
}

void expectAllEventsAnd(const std::string& packed, const std::string& note) {
    const auto trace = loadGzip(packed);
    EXPECT_EQ(trace->health.slices, static_cast<std::uint64_t>(kEvents));
    EXPECT_EQ(trace->health.skipped, 0U);
    EXPECT_TRUE(trace->health.truncated);
    ASSERT_FALSE(trace->health.notes.empty());
    EXPECT_THAT(trace->health.notes.back(), HasSubstr(note));
}

TEST(DamagedGzip, AWrongChecksumIsNamedAndCostsNoEvent) {
    std::string packed = gzip(traceJson(numbered(kEvents)));
    packed[packed.size() - 8] = static_cast<char>(packed[packed.size() - 8] ^ 1);
    expectAllEventsAnd(packed, "incorrect data check");
}

TEST(DamagedGzip, AWrongLengthIsNamedAndCostsNoEvent) {
    std::string packed = gzip(traceJson(numbered(kEvents)));
    packed[packed.size() - 4] = static_cast<char>(packed[packed.size() - 4] ^ 1);
    expectAllEventsAnd(packed, "incorrect data check");
}

TEST(DamagedGzip, AWrongChecksumOfAnEarlierMemberEndsTheTextThere) {
    const std::vector<std::string> events = numbered(kEvents);
    const std::string text = traceJson(events);
    const std::size_t border = text.find(events[kEvents / 2]);
    std::string first = gzip(text.substr(0, border));
    first[first.size() - 8] = static_cast<char>(first[first.size() - 8] ^ 1);
    const auto trace = loadGzip(first + gzip(text.substr(border)));
    EXPECT_TRUE(trace->health.truncated);
    EXPECT_EQ(trace->health.slices, static_cast<std::uint64_t>(kEvents / 2));
}

TEST(DamagedGzip, ATrailerThatIsCutOffCostsNoEvent) {
    const std::string packed = gzip(traceJson(numbered(kEvents)));
    for (const std::size_t missing : {1U, 4U, 8U}) {
        expectAllEventsAnd(packed.substr(0, packed.size() - missing), "the compressed data ends early");
    }
}

TEST(DamagedGzip, AllBeforeABrokenBlockIsShownAndItsPlaceIsNamed) {
    constexpr char kNoSuchBlock = 0x07;  // the last block, of the type that is none
    std::string text = traceJson(numbered(kEvents));
    text.resize(text.rfind('}', text.rfind(']')) + 1);
    const std::string packed = gzipMember(text, "t.json", Z_SYNC_FLUSH);
    expectAllEventsAnd(packed + kNoSuchBlock + std::string(100, '\x55'),
                       "damaged at byte " + std::to_string(packed.size() + 1) + " of the file (invalid block)");
}

TEST(DamagedGzip, ZerosAndJunkBehindTheEndAreNoDamage) {
    const std::string packed = gzip(traceJson(numbered(kEvents)));
    for (const std::string& more : {std::string(512, '\0'), std::string("junk")}) {
        const auto trace = loadGzip(packed + more);
        EXPECT_EQ(trace->health.slices, static_cast<std::uint64_t>(kEvents));
        EXPECT_FALSE(trace->health.truncated);
    }
}

}  // namespace
}  // namespace rankscope::test
