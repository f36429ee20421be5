// SPDX-License-Identifier: GPL-3.0-or-later
// Files in Perfetto's format that no profiler writes, that are cut, or that other programs wrote.
#include <chrono>
#include <string>
#include <vector>

#include "core/ingest/load.h"
#include "core/ingest/perfetto/packet_cutter.h"
#include "core/ingest/perfetto/packet_reader.h"
#include "core/ingest/perfetto/perfetto.h"
#include "core/ingest/perfetto/wire.h"
#include "tests/support/loading.h"
#include "tests/support/memory_stream.h"
#include "tests/support/perfetto_trace.h"
#include "tests/support/random.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using perfetto::Field;
using perfetto::Message;

const std::string kHuge = "\xff\xff\xff\xff\xff\xff\xff\xff\x3f";  // a varint of 2^62 - 1

TEST(WireFormat, ReadsEachTypeOfField) {
    const std::string bytes = numberField(1, 300) + fixedField(2, 0x8000000000000001ULL) + bytesField(3, "ab") +
                              std::string("\x25\x01\x00\x00\x00", 5) + realField(5, 0.5);
    Message message(bytes);
    Field field;
    ASSERT_TRUE(message.next(field));
    EXPECT_EQ(field.value, 300U);
    ASSERT_TRUE(message.next(field));
    EXPECT_EQ(field.value, 0x8000000000000001ULL);
    ASSERT_TRUE(message.next(field));
    EXPECT_EQ(field.bytes, "ab");
    EXPECT_FALSE(field.isNumber());
    ASSERT_TRUE(message.next(field));
    EXPECT_EQ(field.number, 4U);
    EXPECT_EQ(field.value, 1U);
    ASSERT_TRUE(message.next(field));
    EXPECT_EQ(field.real(), 0.5);
    EXPECT_FALSE(message.next(field));
    EXPECT_FALSE(message.isDamaged());
}

TEST(WireFormat, StopsAtWhatMakesNoSense) {
    const std::string eleven = "\x08" + std::string(10, '\x80') + "\x01";
    const std::string beyond_64_bits = "\x08" + std::string(9, '\xff') + "\x02";
    const std::string cut_varint = "\x08\x80";
    const std::string long_bytes = "\x0a\x05" + std::string("ab");
    const std::string huge_bytes = "\x0a" + kHuge + "ab";
    const std::string group = "\x0b\x0c";
    const std::string type_seven = "\x0f";
    const std::string field_zero("\x00\x01", 2);
    const std::string cut_fixed = "\x09\x01\x02";
    for (const std::string& bytes :
         {eleven, beyond_64_bits, cut_varint, long_bytes, huge_bytes, group, type_seven, field_zero, cut_fixed}) {
        Message message(bytes);
        Field field;
        EXPECT_FALSE(message.next(field)) << bytes.size();
        EXPECT_TRUE(message.isDamaged());
        EXPECT_FALSE(message.next(field));
    }
}

TEST(WireFormat, TakesTheLargestVarint) {
    std::string_view bytes = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    EXPECT_EQ(perfetto::takeVarint(bytes), ~std::uint64_t{0});
    EXPECT_TRUE(bytes.empty());
}

TEST(PerfettoFiles, AreRecognisedByTheirFirstPacket) {
    EXPECT_TRUE(perfetto::isPerfetto(smallPerfettoTrace().bytes()));
    EXPECT_TRUE(perfetto::isPerfetto(smallPerfettoTrace().bytes().substr(0, 10)));
    // The length of a packet may look like the bracket of JSON.
    const std::string looks_like_json =
        packetOf(numberField(8, 1) + bytesField(60, numberField(1, 1) + bytesField(2, std::string(0x7b - 9, 'n'))));
    ASSERT_EQ(looks_like_json.substr(0, 2), "\n{");
    EXPECT_TRUE(perfetto::isPerfetto(looks_like_json));
    for (const std::string& other :
         {std::string(), std::string("\n"), std::string("\n{\"traceEvents\": []}"), std::string("\n\n  [ {\"ph\": 1"),
          std::string("\n[\n]"), std::string("\nDate: Sat Nov 28 2026\nHost: node3, 8 ranks of the job\n"),
          std::string("\n\x04NSYS"), std::string(4096, '\n'), std::string("\x0a\x00", 2), "\x0a" + kHuge}) {
        EXPECT_FALSE(perfetto::isPerfetto(other)) << other.substr(0, 40);
    }
}

TEST(PerfettoFiles, WithAnotherContentAreNamedForTheirName) {
    const TempFolder folder;
    LoadObserver nobody;
    const Result<RankTrace> result = loadFile({folder.write("a.pftrace", "no packet"), "", 0}, {}, nobody, {});
    ASSERT_TRUE(result.failed());
    EXPECT_EQ(result.error().cause, "is named as a Perfetto trace, but does not begin with a packet of one");
    const std::string json = R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1, "dur": 1,
                                 "pid": 1, "tid": 1}]})";
    EXPECT_EQ(sliceNames(*load(folder.write("json.pftrace", json))), "a");
}

TEST(PerfettoFiles, OfOtherProgramsAreRefusedByName) {
    PerfettoTrace android;
    android.packet(numberField(8, 1) + bytesField(1, "events")).packet(numberField(8, 2) + bytesField(2, ""));
    EXPECT_THAT(whyNot(android.bytes()),
                HasSubstr("is a Perfetto trace of a system (Android, Linux), without a slice"));
    PerfettoTrace chrome;
    chrome.packet(numberField(8, 1) +
                  bytesField(60, numberField(1, 2) + bytesField(2, "thread 1") + bytesField(7, numberField(1, 2))));
    chrome.slice(2, 10, 20, "toplevel", "ThreadControllerImpl::RunTask");
    EXPECT_THAT(whyNot(chrome.bytes()), HasSubstr("is a Perfetto trace of Chrome: none of its 1 slices "
                                                  "(\"ThreadControllerImpl::RunTask\") has a category of PyTorch's"));
    PerfettoTrace other = threadAndStream();
    other.slice(2, 10, 20, "rendering", "frame");
    EXPECT_THAT(whyNot(other.bytes()), HasSubstr("is a Perfetto trace of another tool: none of its 1 slices"));
}

TEST(PerfettoFiles, WithEventsOfASystemToo_AreReadIfTheProfilerWroteSome) {
    PerfettoTrace made = smallPerfettoTrace();
    made.packet(numberField(8, 1) + bytesField(1, "events"));
    EXPECT_EQ(sliceNames(*loadText(made.bytes())), "aten::mm|cudaLaunchKernel");
}

TEST(PerfettoFiles, ThatAreCutAnywhereKeepWhatIsBefore) {
    const std::string whole = smallPerfettoTrace().bytes();
    std::uint64_t most = 0;
    for (std::size_t size = 1; size < whole.size(); ++size) {
        MemoryStream stream(std::string_view(whole).substr(0, size));
        LoadObserver nobody;
        FileSource file;
        file.path = "cut.pftrace";
        const Result<RankTrace> result = loadStream(stream, file, {}, nobody, {});
        if (result.ok()) {
            EXPECT_GE(result.value().health.slices, most);
            most = result.value().health.slices;
            const bool at_packet = !result.value().health.truncated;
            EXPECT_TRUE(at_packet || result.value().health.notes.back().starts_with("The file ends before it should"));
        } else {
            EXPECT_FALSE(result.error().text().empty());
        }
    }
    EXPECT_EQ(most, 3U);
}

TEST(PerfettoFiles, ThatAreCutInsideAPacketSaySo) {
    const std::string whole = smallPerfettoTrace().bytes();
    const auto rank = loadText(whole.substr(0, whole.size() - 3));
    EXPECT_TRUE(rank->health.truncated);
    EXPECT_THAT(rank->health.notes.back(), HasSubstr("(the last packet ends early)"));
}

TEST(PerfettoFiles, GoOnAfterADamagedPacket) {
    PerfettoTrace made = threadAndStream();
    made.slice(2, 10, 20, "cpu_op", "first");
    const std::size_t damaged_at = made.bytes().size();
    made.packet("\x08\x80").packet(bytesField(11, "\xff")).slice(2, 30, 40, "cpu_op", "last");
    const auto rank = loadText(made.bytes());
    EXPECT_EQ(sliceNames(*rank), "first|last");
    EXPECT_EQ(rank->health.skipped, 2U);
    EXPECT_EQ(rank->health.parse_issues[0].byte_offset, damaged_at);
    EXPECT_EQ(rank->health.parse_issues[0].cause, "the packet is damaged");
}

TEST(PerfettoFiles, EndWhereNoPacketBegins) {
    const PerfettoTrace made = smallPerfettoTrace();
    const std::string place = std::to_string(made.bytes().size());
    const auto rank = loadText(made.bytes() + "\x0f" + smallPerfettoTrace().bytes());
    EXPECT_EQ(rank->health.slices, 3U);
    EXPECT_TRUE(rank->health.truncated);
    EXPECT_THAT(rank->health.notes.back(), HasSubstr("byte " + place + " is not the start of a packet"));
    // Fields of a trace that are no packets are left out.
    EXPECT_EQ(loadText(made.bytes() + bytesField(7, "more") + numberField(9, 1) + made.bytes())->health.slices, 6U);
}

TEST(PerfettoFiles, TakeNoMemoryForLengthsThatAreNotThere) {
    const std::string whole = smallPerfettoTrace().bytes();
    for (const std::string& more :
         {"\x0a" + kHuge, "\x0a" + kHuge + "abc", "\x12" + kHuge, "\x0a" + std::string(10, '\xff'),
          "\x0a\xff\xff\xff\x1f" + std::string(1000, 'a')}) {
        const auto rank = loadText(whole + more);
        EXPECT_EQ(rank->health.slices, 3U);
        EXPECT_TRUE(rank->health.truncated);
    }
}

TEST(PerfettoFiles, SkipAPacketThatIsTooLong) {
    const std::string whole = smallPerfettoTrace().bytes();
    const auto rank = loadText(whole + packetOf(bytesField(99, std::string(perfetto::kLongestPacket, 'a'))) + whole);
    EXPECT_EQ(rank->health.slices, 6U);
    EXPECT_EQ(rank->health.skipped, 1U);
    EXPECT_EQ(rank->health.parse_issues[0].cause, "the packet is longer than 64 MiB");
    EXPECT_FALSE(rank->health.truncated);
}

TEST(PerfettoSlices, WithoutABeginOrAnEndAreCountedAndNotInvented) {
    PerfettoTrace made = threadAndStream();
    made.end(2, 5).slice(2, 10, 20, "cpu_op", "whole").end(99, 30).begin(2, 40, "cpu_op", "open");
    const auto rank = loadText(made.bytes());
    EXPECT_EQ(sliceNames(*rank), "whole");
    EXPECT_EQ(rank->health.skipped, 3U);
    EXPECT_EQ(rank->health.parse_issues[0].cause, "the end of a slice that does not begin in the file");
    EXPECT_EQ(rank->health.parse_issues[2].cause, "the slice does not end in the file");
}

TEST(PerfettoSlices, WithAnEndBeforeTheirBeginHaveNoLength) {
    const auto rank = loadText(threadAndStream().slice(2, 20, 10, "cpu_op", "backwards").bytes());
    EXPECT_EQ(rank->health.negative_durations, 1U);
    EXPECT_EQ(rank->track(sliceNamed(*rank, "backwards")).slices.end_ns[0], 20);
}

TEST(PerfettoSlices, NestWithoutEndInMemoryInProportion) {
    constexpr std::size_t kDeep = 50'000;
    PerfettoTrace made = threadAndStream();
    for (std::size_t i = 0; i < kDeep; ++i) {
        made.begin(2, static_cast<TimeNs>(i), "cpu_op", "a");
    }
    EXPECT_THAT(whyNot(made.bytes()), HasSubstr("50,000 events could not be read"));
    for (std::size_t i = 0; i < kDeep; ++i) {
        made.end(2, static_cast<TimeNs>(2 * kDeep + i));
    }
    EXPECT_EQ(loadText(made.bytes())->health.slices, kDeep);
}

TEST(PerfettoSlices, AreSkippedWhileTooManyAreOpen) {
    PartialTrace part;
    perfetto::PacketReader reader(part);
    const PerfettoTrace one = PerfettoTrace().begin(2, 10, "cpu_op", "a");
    const PerfettoTrace end = PerfettoTrace().end(2, 20);
    const perfetto::CutPacket begins{0, *perfetto::packetAtFront(one.bytes()), false};
    const perfetto::CutPacket ends{0, *perfetto::packetAtFront(end.bytes()), false};
    for (std::size_t i = 0; i < perfetto::kMostOpen + 5; ++i) {
        reader.read(begins);
    }
    EXPECT_EQ(part.health.skipped, 5U);
    for (std::size_t i = 0; i < perfetto::kMostOpen + 5; ++i) {
        reader.read(ends);
    }
    reader.finish();
    EXPECT_EQ(part.tracks.at(0).size(), perfetto::kMostOpen);
    EXPECT_EQ(part.health.skipped, 5U);
}

TEST(PerfettoSlices, AtImpossibleTimesAreSkipped) {
    PerfettoTrace made = threadAndStream();
    for (const std::uint64_t time : {std::uint64_t{1} << 62U, ~std::uint64_t{0}}) {
        made.packet(numberField(8, time) + bytesField(11, numberField(9, 1) + numberField(11, 2)));
    }
    made.packet(bytesField(11, numberField(9, 1) + numberField(11, 2)));
    made.packet(numberField(8, 5) + numberField(58, 77) + bytesField(11, numberField(9, 1) + numberField(11, 2)));
    made.slice(2, 10, 20, "cpu_op", "sound");
    const auto rank = loadText(made.bytes());
    EXPECT_EQ(sliceNames(*rank), "sound");
    EXPECT_EQ(rank->health.skipped, 4U);
}

TEST(PerfettoTracks, InACircleAndWithoutADescriptionStayApart) {
    PerfettoTrace made;
    made.track(1, 2, "one").track(2, 1, "two").track(3, 3, "three");
    made.slice(1, 10, 20, "cpu_op", "a").slice(3, 10, 20, "cpu_op", "b").slice(77, 10, 20, "cpu_op", "c");
    const TempFolder folder;
    std::uint64_t slices = 0;
    for (const auto& rank : loadAllRanks(folder.write("circle.pftrace", made.bytes()))) {
        slices += rank->health.slices;
    }
    EXPECT_EQ(slices, 3U);
}

TEST(PerfettoTracks, TakeTheLastDescriptionOfAnId) {
    PerfettoTrace made = threadAndStream();
    made.track(2, 1, "thread 44");
    made.slice(2, 10, 20, "cpu_op", "a");
    EXPECT_EQ(loadText(made.bytes())->tracks.at(0).name, "thread 44");
}

TEST(PerfettoClocks, OfManySnapshotsDoNotOverflow) {
    PerfettoTrace made = threadAndStream();
    const auto clock = [](std::uint64_t id, std::uint64_t at) {
        return bytesField(1, numberField(1, id) + numberField(2, at));
    };
    for (int i = 0; i < 10; ++i) {
        made.packet(numberField(10, 7) + bytesField(6, clock(3, std::uint64_t{1} << 61U) + clock(5, 0)));
        made.packet(numberField(10, 7) + bytesField(6, clock(5, std::uint64_t{1} << 61U) + clock(3, 0)));
    }
    made.packet(numberField(8, std::uint64_t{1} << 61U) + numberField(10, 7) + numberField(58, 3) +
                bytesField(11, numberField(9, 1) + numberField(11, 2)));
    made.slice(2, 10, 20, "cpu_op", "a");
    EXPECT_EQ(sliceNames(*loadText(made.bytes())), "a");
}

TEST(PerfettoArgs, NestedWithoutEndAreReadSomeLevelsDeep) {
    std::string deep = numberField(4, 1);
    for (int i = 0; i < 20'000; ++i) {
        deep = bytesField(12, deep);
    }
    PerfettoTrace made = threadAndStream();
    made.slice(4, 10, 20, "kernel", "gemm", {bytesField(4, bytesField(10, "grid") + deep), argument("stream", 7)});
    const TempFolder folder;
    const auto rank = load(folder.write("deep.pftrace", made.bytes()));
    const Result<std::string> text = readEventText(*rank, sliceNamed(*rank, "gemm"));
    ASSERT_TRUE(text.ok());
    EXPECT_THAT(text.value(), HasSubstr("[[[[["));
    EXPECT_LT(text.value().size(), 400U);
}

TEST(PerfettoFiles, WithAChangedByteAreReadOrRefused) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const std::string sound =
        contentOf(realTraces() / "inputs/pftrace/hello_world_no_cuda_graphs.pftrace").substr(0, 20'000);
    LoadObserver nobody;
    LoadOptions options;
    options.threads = 1;
    FileSource file;
    file.path = "changed.pftrace";
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Random random(seed);
        std::string bytes = sound;
        for (int changes = 0; changes < 3; ++changes) {
            bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
        }
        MemoryStream stream(bytes);
        const Result<RankTrace> result = loadStream(stream, file, options, nobody, {});
        EXPECT_TRUE(result.ok() || !result.error().text().empty());
    }
}

TEST(PerfettoFiles, StopWhenAskedTo) {
    const std::string bytes = smallPerfettoTrace().bytes();
    MemoryStream stream(bytes);
    const std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(perfetto::readPackets(
                    stream, "a.pftrace", [](std::uint64_t, std::uint64_t) {}, stop.get_token())
                    .cancelled());
}

}  // namespace
}  // namespace rankscope::test
