// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/seek_index.h"
#include "tests/support/loading.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

/// `count` events of about 500 bytes that do not compress to nothing, named "event <i>".
std::vector<std::string> manyEvents(int count) {
    std::vector<std::string> events;
    std::uint64_t noise = 88172645463325252ULL;
    for (int i = 0; i < count; ++i) {
        EventLine line;
        line.name = "event " + std::to_string(i);
        line.ts = std::to_string(i);
        line.dur = "1";
        line.args = "\"noise\": \"";
        for (int k = 0; k < 24; ++k) {
            noise ^= noise << 13U;
            noise ^= noise >> 7U;
            noise ^= noise << 17U;
            line.args += std::to_string(noise);
        }
        line.args += "\"";
        events.push_back(eventJson(line));
    }
    return events;
}

/// Reads `samples` of the events back, the first and the last among them, and holds them to their text.
void expectReadBackWordForWord(const RankTrace& trace, const std::vector<std::string>& events, std::size_t samples) {
    ASSERT_EQ(trace.tracks.at(0).slices.size(), events.size());
    for (std::size_t k = 0; k < samples; ++k) {
        const std::size_t i = k * (events.size() - 1) / (samples - 1);
        const Result<std::string> text = readEventText(trace, {TrackId(0), static_cast<SliceIndex>(i)});
        ASSERT_TRUE(text.ok()) << text.error().text();
        ASSERT_EQ("  " + text.value(), events[i]);  // eventJson indents
    }
}

constexpr int kCount = 120'000;  // 70 MB: four checkpoints

TEST(ReadEventText, FindsEventsAcrossCheckpointsOfAGzip) {
    const TempFolder folder;
    const std::vector<std::string> events = manyEvents(kCount);
    const auto trace = load(folder.write("t.json.gz", gzip(traceJson(events))), 2);
    ASSERT_GE(trace->files[0].seek_index->checkpoints.size(), 3U);
    EXPECT_LT(trace->files[0].seek_index->memoryBytes(), 256U * 1024);
    expectReadBackWordForWord(*trace, events, 60);
}

TEST(ReadEventText, FindsEventsAcrossCheckpointsOfGzipMembersAndOfAZip) {
    const TempFolder folder;
    const std::vector<std::string> events = manyEvents(kCount / 2);
    const std::string text = traceJson(events);
    const std::size_t third = text.size() / 3;  // in the middle of an event
    const std::string members =
        gzip(text.substr(0, third)) + gzip(text.substr(third, third)) + gzip(text.substr(2 * third));
    const auto trace = load(folder.write("t.json.gz", members), 2);
    ASSERT_GE(trace->files[0].seek_index->checkpoints.size(), 2U);
    expectReadBackWordForWord(*trace, events, 200);
    writeZip(folder.path() / "t.zip", {{"a.json", text}});
    const auto zipped = loadRunAt((folder.path() / "t.zip").string());
    ASSERT_GE(zipped->ranks.at(0)->files[0].seek_index->checkpoints.size(), 2U);
    expectReadBackWordForWord(*zipped->ranks.at(0), events, 60);
}

TEST(ReadEventText, FindsEventsInPlainFilesZipsAndGzipsOfSeveralMembers) {
    const TempFolder folder;
    const std::vector<std::string> events = manyEvents(2000);
    const std::string text = traceJson(events);
    expectReadBackWordForWord(*load(folder.write("t.json", text)), events, 5);
    const std::size_t half = text.size() / 2;
    const std::string members = gzip(text.substr(0, half)) + gzip(text.substr(half));
    expectReadBackWordForWord(*load(folder.write("t.json.gz", members)), events, 5);
    writeZip(folder.path() / "t.zip", {{"a.json", text}});
    expectReadBackWordForWord(*loadRunAt((folder.path() / "t.zip").string())->ranks.at(0), events, 5);
}

TEST(ReadEventText, ReturnsTheArgsWordForWord) {
    EventLine line;
    line.args = R"("ratio": 1.50000000000000000001, "odd":   [ 1 ,2],  "t": "a\u00e9\\")";
    const TempFolder folder;
    const auto trace = load(folder.write("t.json", traceJson({eventJson(line)})));
    const Result<std::string> text = readEventText(*trace, {TrackId(0), 0});
    ASSERT_TRUE(text.ok());
    EXPECT_NE(text.value().find(line.args), std::string::npos);
}

TEST(ReadEventText, SaysSoWhereTheFileChangedOrIsGone) {
    const TempFolder folder;
    const std::string path = folder.write("t.json", traceJson({eventJson({})}));
    const auto trace = load(path);
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(5));
    const Result<std::string> changed = readEventText(*trace, {TrackId(0), 0});
    ASSERT_TRUE(changed.failed());
    EXPECT_NE(changed.error().text().find("changed"), std::string::npos);
    std::filesystem::remove(path);
    EXPECT_TRUE(readEventText(*trace, {TrackId(0), 0}).failed());
}

TEST(ReadEventText, SaysSoWhereAZstdHasOneFrameOnly) {
    const TempFolder folder;
    const auto trace = load(folder.write("t.json.zst", zstd(traceJson(manyEvents(kCount)))));
    EXPECT_TRUE(readEventText(*trace, {TrackId(0), 10}).ok());
    const Result<std::string> far = readEventText(*trace, {TrackId(0), kCount - 1});
    ASSERT_TRUE(far.failed());
    EXPECT_NE(far.error().text().find("one frame"), std::string::npos);
}

TEST(ReadEventText, FindsEverySliceOfARealTrace) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto trace =
        load((realTraces() / "resnet50_workers/ZeroWorkers/worker0.1623143089861.pt.trace.json.gz").string());
    for (std::uint32_t t = 0; t < trace->tracks.size(); ++t) {
        const auto last = static_cast<SliceIndex>(trace->tracks[t].slices.size() - 1);
        for (const SliceIndex i : {SliceIndex{0}, last / 2, last}) {
            const SliceRef slice{TrackId(t), i};
            const Result<std::string> text = readEventText(*trace, slice);
            ASSERT_TRUE(text.ok());
            EXPECT_NE(text.value().find(trace->name(slice)), std::string::npos);
        }
    }
}

/// Writes a gzip of more than `bytes` of text in almost no time: the same compressed member again and again.
void writeHugeGzip(const std::filesystem::path& path, std::uint64_t bytes) {
    std::string block;
    for (int i = 0; i < 1000; ++i) {
        EventLine line;
        line.name = "repeated";
        line.ts = std::to_string(i + 10);
        line.dur = "1";
        line.args = "\"filler\": \"" + std::string(64'000, 'x') + "\"";
        block += eventJson(line) + ",\n";
    }
    const std::string packed = gzip(block);
    std::ofstream out(path, std::ios::binary);
    out << gzip("{\"traceEvents\": [\n");
    for (std::uint64_t written = 0; written < bytes; written += block.size()) {
        out << packed;
    }
    EventLine last;
    last.name = "the last one";
    last.ts = "5";
    out << gzip(eventJson(last) + "]}");
}

TEST(HugeFiles, BeyondFourGigabytesAreReadWholeWithBoundedMemoryAndReadBack) {
    const TempFolder folder;
    const std::filesystem::path path = folder.path() / "huge.json.gz";
    constexpr std::uint64_t kBytes = 4'400'000'000;
    writeHugeGzip(path, kBytes);
    const auto trace = load(path.string(), 2);
    EXPECT_GT(trace->files[0].json_bytes, kBytes);
    EXPECT_EQ(trace->health.skipped, 0U);
    EXPECT_LT(trace->memoryBytes(), 32U * 1024 * 1024);
    const SliceRef last = sliceNamed(*trace, "the last one");
    EXPECT_GT(trace->track(last).slices.source[last.slice].offset(), kBytes);
    const Result<std::string> text = readEventText(*trace, last);
    ASSERT_TRUE(text.ok()) << text.error().text();
    EXPECT_NE(text.value().find("the last one"), std::string::npos);
}

}  // namespace
}  // namespace rankscope::test
