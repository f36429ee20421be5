// SPDX-License-Identifier: GPL-3.0-or-later
//
// What no profiler writes but a file may hold: each costs time in proportion to its size, the memory of what is in it,
// and itself alone. The sizes are such that what grows faster than them would run for minutes.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <new>
#include <thread>

#include "core/ingest/bounds.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/kineto/json_text.h"
#include "tests/support/loading.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

using ::testing::Contains;
using ::testing::SizeIs;

std::string repeated(std::string_view text, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) {
        out += text;
    }
    return out;
}

constexpr std::size_t kTenMegabytes = 10'000'000;

TEST(NoTrace, AListOfOtherObjectsIsRefusedForWhatItIs) {
    const std::string list = "[" + repeated(R"({"step":1,"loss":0.1},)", kTenMegabytes) + "{}]";
    EXPECT_THAT(whyNot(list), HasSubstr("a JSON list, but not of trace events"));
    EXPECT_THAT(whyNot("[1, 2, 3]"), HasSubstr("a JSON list, but not of trace events"));
}

TEST(NoTrace, ObjectsThatAreNoEventsAreEachLookedAtOnce) {
    const std::string objects = repeated(R"({"step":1,"loss":0.1},)", 5'000'000);
    EXPECT_THAT(whyNot("{\"traceEvents\": [" + objects + "{}]}"), HasSubstr("contains no complete events"));
    EXPECT_THAT(whyNot("[" + repeated(R"({"ph":1},)", 2'000'000) + "{}]"), HasSubstr("contains no complete events"));
}

TEST(NoTrace, WhatIsNestedAndNeverClosedIsLookedAtAFewTimes) {
    for (const char* piece : {R"({"a":)", R"({"a":{"b":1},"c":)", "[", R"({"s":)", R"({"ph":)"}) {
        const std::string nested = repeated(piece, 2'000'000);
        EXPECT_NE(whyNot(nested), "") << piece;
        EXPECT_NE(whyNot("{\"x\": " + nested), "") << piece;
        EXPECT_NE(whyNot("{\"traceEvents\": [" + nested), "") << piece;
        EXPECT_NE(whyNot("{\"traceEvents\": [" + nested + "}]}"), "") << piece;
    }
}

TEST(NoTrace, BrokenTextIsMendedInTimeInProportionToIt) {
    for (const char* piece : {"a,", R"(\"}\")", R"("\",)", "]", "],{\"ph\":1},", "\"traceEvents\": [],", "} ", "\" "}) {
        const std::string text = repeated(piece, 1'000'000);
        EXPECT_NE(whyNot("{\"traceEvents\": [{\"ph\":" + text), "") << piece;
        EXPECT_NE(whyNot("{\"traceEvents\": [" + text + "]}"), "") << piece;
    }
}

TEST(NoTrace, WhiteSpaceWithoutEndIsGivenUpEarly) {
    EXPECT_THAT(whyNot(std::string(100, ' ')), HasSubstr("is empty"));
    EXPECT_THAT(whyNot(std::string(kTenMegabytes, '\n')), HasSubstr("more than 1 MiB of white space"));
    const auto trace = loadText(std::string(5000, ' ') + traceJson({eventJson(named("behind blanks"))}));
    EXPECT_EQ(sliceNames(*trace), "behind blanks");
}

TEST(NoTrace, WhiteSpaceWithoutEndIsGivenUpEarlyAlsoWhereItIsPacked) {
    const std::string blanks(kTenMegabytes, ' ');
    EXPECT_THAT(whyNot(gzip(blanks)), HasSubstr("more than 1 MiB of white space"));
    EXPECT_THAT(whyNot(zstd(blanks)), HasSubstr("more than 1 MiB of white space"));
}

TEST(NoTrace, OneWrongFileCostsOnlyItself) {
    const TempFolder folder;
    folder.write("run/rank0.json", traceJson({eventJson(named("op"))}));
    folder.write("run/results.json", "[" + repeated(R"({"step":1,"loss":0.1},)", kTenMegabytes) + "{}]");
    const auto run = loadRunAt((folder.path() / "run").string());
    EXPECT_THAT(run->ranks, SizeIs(1));
    EXPECT_THAT(run->unreadable, IsEmpty());
    EXPECT_THAT(run->notes, testing::ElementsAre(HasSubstr("results.json: is a JSON list, but not of trace events")));
}

TEST(LongEvent, OneThatIsLongerThanABatchCostsItself) {
    EventLine giant = named("giant");
    giant.args = "\"list\": [" + repeated("1,", 2 * kLongestEvent) + "1]";
    const auto trace = loadText(traceJson({eventJson(named("first")), eventJson(giant), eventJson(named("last"))}));
    EXPECT_THAT(sliceNames(*trace), HasSubstr("last"));
    EXPECT_THAT(sliceNames(*trace), HasSubstr("first"));
    EXPECT_GE(trace->health.skipped, 1U);
}

TEST(LongEvent, OneOfSomeMegabytesIsReadWhole) {
    EventLine large = named("large");
    large.args = "\"list\": [" + repeated("1,", 3'000'000) + "1]";
    const auto trace = loadText(traceJson({eventJson(named("first")), eventJson(large), eventJson(named("last"))}));
    EXPECT_EQ(sliceNames(*trace), "first|large|last");
    EXPECT_EQ(trace->health.skipped, 0U);
}

std::string distributed(const std::string& info) {
    return traceJson({eventJson(named("op"))}, "\"distributedInfo\": " + info + ",\n");
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(DeepNesting, OfMetadataIsNotReadAndSaid) {
    const std::string deep = nested(1'000'000);
    for (const std::string& info :
         {"{\"rank\": 1, \"backend\": " + deep + "}", "{\"rank\": 1, \"pg_config\": [{\"ranks\": " + deep + "}]}"}) {
        const auto trace = loadText(distributed(info));
        EXPECT_FALSE(trace->rank.has_value());
        EXPECT_THAT(trace->health.notes, ElementsAre(HasSubstr("distributedInfo is nested deeper than 64 levels")));
    }
}

TEST(DeepNesting, OfAListInAStringCostsThatList) {
    const auto trace = loadText(
        distributed("{\"rank\": 1, \"pg_config\": [{\"pg_name\": \"0\", \"ranks\": \"" + nested(1'000'000) + "\"}]}"));
    EXPECT_EQ(trace->rank, RankNumber(1));
    ASSERT_THAT(trace->groups, SizeIs(1));
    EXPECT_THAT(trace->groups[0].ranks, IsEmpty());
    EXPECT_THAT(trace->health.notes, ElementsAre(HasSubstr("pg_config.ranks is nested deeper")));
}

TEST(Bounds, AWorldThatCannotBeIsUnknownAndSaid) {
    for (const char* size : {"100000000", "2147483647", "4294967300", "18446744073709551615", "-5"}) {
        const TempFolder folder;
        folder.write("run/a.json", distributed(std::string("{\"rank\": 0, \"world_size\": ") + size + "}"));
        const auto run = loadRunAt((folder.path() / "run").string());
        EXPECT_FALSE(run->ranks.at(0)->world_size.has_value()) << size;
        EXPECT_THAT(run->missing_ranks, IsEmpty());
        ASSERT_THAT(run->ranks[0]->health.notes, SizeIs(1));
        EXPECT_THAT(run->ranks[0]->health.notes[0], HasSubstr(std::string("a.json: world_size ") + size));
    }
}

TEST(Bounds, MissingRanksOfALargeWorldAreCountedAndTheFirstListed) {
    const TempFolder folder;
    folder.write("run/a.json", distributed("{\"rank\": 3, \"world_size\": 1000000}"));
    const auto run = loadRunAt((folder.path() / "run").string());
    EXPECT_EQ(run->missing_count, 999'999U);
    EXPECT_THAT(run->missing_ranks, SizeIs(kMissingRanksListed));
    EXPECT_THAT(run->notes, Contains(HasSubstr("no file for 999999 of the 1000000 ranks")));
}

TEST(Bounds, ArgsOfCollectivesThatCannotBeAreUnknown) {
    EventLine op = named("record_param_comms");
    op.args = R"("Collective name": "allreduce", "Group size": 1000000000, "Rank": 2000000, "Seq": 99999999999999999999,
        "Global rank start": 1000000, "Global rank stride": 1000000, "In msg nelems": 9223372036854775807)";
    const auto trace = loadText(traceJson({eventJson(op), eventJson(op)}));
    const CollectiveArgs& args = trace->tracks.at(0).collectives.value.at(0);
    EXPECT_EQ(args.group_size, -1);
    EXPECT_EQ(args.rank, -1);
    EXPECT_EQ(args.sequence, -1);
    EXPECT_EQ(args.in_elements, -1);
    EXPECT_THAT(trace->health.notes,
                Contains(testing::AllOf(HasSubstr("trace.json: \"Group size\" 1000000000 at byte"),
                                        HasSubstr("limit of 1048576"), HasSubstr("(2 such values)"))));
}

TEST(Bounds, AGroupThatReachesBeyondAllRanksHasNoPlace) {
    EventLine op = named("record_param_comms");
    op.args = R"("Collective name": "allreduce", "Group size": 1000000, "Rank": 7, "Global rank start": 5,
        "Global rank stride": 1000000)";
    const auto trace = loadText(traceJson({eventJson(op)}));
    const CollectiveArgs& args = trace->tracks.at(0).collectives.value.at(0);
    EXPECT_EQ(args.group_size, 1'000'000);
    EXPECT_EQ(args.global_start, -1);
    EXPECT_EQ(args.global_stride, -1);
    EXPECT_FALSE(trace->rank.has_value());
    EXPECT_THAT(trace->health.notes, ElementsAre(HasSubstr("the last rank of a group")));
}

TEST(Bounds, TimesAndDurationsThatCannotBeCostTheirEvent) {
    EventLine late = named("late");
    late.ts = "9000000000000000";
    EventLine early = named("early");
    early.ts = "-9000000000000000";
    EventLine lasting = named("lasting");
    lasting.dur = "9000000000000";
    const auto trace =
        loadText(traceJson({eventJson(late), eventJson(early), eventJson(lasting), eventJson(named("op"))},
                           "\"baseTimeNanoseconds\": 2000000000000000000,\n"));
    EXPECT_EQ(sliceNames(*trace), "op");
    EXPECT_EQ(trace->health.skipped, 3U);
    EXPECT_THAT(trace->health.parse_issues.at(0).cause, HasSubstr("\"ts\" is 9000000000000000, more than"));
    EXPECT_THAT(trace->health.parse_issues.at(2).cause, HasSubstr("\"dur\" is 9000000000000, longer than"));
    EXPECT_EQ(trace->window.start_ns, 2'000'000'000'000'010'000);
}

TEST(Bounds, ABaseThatCannotBeIsNotAdded) {
    const auto trace = loadText(traceJson({eventJson({})}, "\"baseTimeNanoseconds\": 9000000000000000000,\n"));
    EXPECT_EQ(trace->window.start_ns, 10'000);
    EXPECT_THAT(trace->health.notes, ElementsAre(HasSubstr("baseTimeNanoseconds 9000000000000000000")));
}

TEST(Bounds, MemoryThatCannotBeIsUnknown) {
    const auto trace =
        loadText(traceJson({eventJson({}),
                            R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Device Id": 70000,
                       "Bytes": -9223372036854775808, "Total Allocated": 9223372036854775807}})"}));
    ASSERT_EQ(trace->memory.size(), 1U);
    EXPECT_EQ(trace->memory.bytes[0], 0);
    EXPECT_EQ(trace->memory.total_allocated[0], -1);
    EXPECT_EQ(trace->memory.device[0], -1);
    EXPECT_THAT(trace->health.notes, SizeIs(3));
}

TEST(RollBack, WhatIsReadAgainIsCountedOnce) {
    EventLine far = named("op");
    far.category = "gpu_memcpy";
    far.args = "\"stream\": 7, \"bytes\": 9223372036854775807";
    const auto trace = loadText(traceJson({eventJson(named(R"(torch\cuda)")), eventJson(far), "{\"ph\": \"X\"}"}));
    EXPECT_EQ(trace->health.recovered, 1U);
    EXPECT_EQ(trace->health.skipped, 1U);
    EXPECT_THAT(trace->health.parse_issues, SizeIs(2));
    ASSERT_THAT(trace->health.notes, SizeIs(1));
    EXPECT_THAT(trace->health.notes[0], testing::Not(HasSubstr("such values")));
}

TEST(SliceFlags, AMendedSliceThatOverlapsIsBoth) {
    EventLine one = named("one");
    one.dur = "100";
    EventLine two = named("t\x01wo");
    two.ts = "50";
    two.dur = "100";
    const auto trace = loadText(traceJson({eventJson(one), eventJson(two)}));
    const SliceFlag flag = trace->tracks.at(0).slices.flag.at(1);
    EXPECT_TRUE(has(flag, SliceFlag::Overlaps));
    EXPECT_TRUE(has(flag, SliceFlag::Recovered));
}

TEST(Overlaps, ManyCopiesOfOneEventTakeTimeInProportion) {
    EventLine kernel = named("k");
    kernel.category = "kernel";
    kernel.args = R"("stream": 7)";
    const std::vector<std::string> events(300'000, eventJson(kernel));
    const auto trace = loadText(traceJson(events));
    EXPECT_EQ(trace->health.overlapping, events.size() - 1);
    EXPECT_EQ(trace->tracks.at(0).row_count, kMostRows);
    EXPECT_THAT(trace->health.notes, ElementsAre(HasSubstr("share the last row")));
}

std::string why(const FileSource& file) {
    LoadObserver observer;
    const auto result = loadFile(file, {}, observer, {});
    return result.failed() ? result.error().text() : std::string();
}

TEST(SpecialFiles, APipeIsRefusedAndNotWaitedFor) {
    const TempFolder folder;
    folder.write("run/rank0.json", traceJson({eventJson({})}));
    const std::string pipe = (folder.path() / "run" / "rank1.json").string();
    const std::string zip = (folder.path() / "run" / "job.zip").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    ASSERT_EQ(mkfifo(zip.c_str(), 0600), 0);
    const Discovery found = discoverRuns({(folder.path() / "run").string()});
    ASSERT_THAT(found.refused, SizeIs(2));
    EXPECT_EQ(found.refused[0].text(), zip + ": is a pipe, not a file");
    EXPECT_EQ(found.refused[1].text(), pipe + ": is a pipe, not a file");
    EXPECT_THAT(found.runs.at(0).files, SizeIs(1));
    EXPECT_EQ(discoverRuns({pipe}).refused.at(0).cause, "is a pipe, not a file");
    EXPECT_THAT(why({pipe, "", 0}), HasSubstr("is a pipe"));
}

TEST(SpecialFiles, ALinkToADeviceThatNeverEndsIsRefused) {
    const TempFolder folder;
    const std::filesystem::path link = folder.path() / "rank0.json";
    std::filesystem::create_symlink("/dev/zero", link);
    EXPECT_EQ(discoverRuns({link.string()}).refused.at(0).cause, "is a device, not a file");
    EXPECT_THAT(why({link.string(), "", 0}), HasSubstr("is a device"));
}

TEST(SpecialFiles, AnUnreadableFolderIsReported) {
    const TempFolder folder;
    folder.write("run/rank0.json", "x");
    folder.write("run/closed/rank1.json", "x");
    const std::filesystem::path closed = folder.path() / "run" / "closed";
    chmod(folder.path().c_str(), 0755);
    chmod(closed.c_str(), 0);
    constexpr uid_t kNobody = 65534;
    const bool root = geteuid() == 0;
    if (root && seteuid(kNobody) != 0) {
        GTEST_SKIP() << "skipped: root may read everything, and cannot be another user here";
    }
    const Discovery found = discoverRuns({(folder.path() / "run").string()});
    if (root) {
        ASSERT_EQ(seteuid(0), 0);
    }
    chmod(closed.c_str(), 0700);
    ASSERT_THAT(found.refused, SizeIs(1));
    EXPECT_THAT(found.refused[0].text(), HasSubstr("closed: the folder cannot be read: Permission denied"));
    EXPECT_THAT(found.runs, SizeIs(1));
}

TEST(CutFiles, AreOfTheRunAndAreSaidToBeIncomplete) {
    const TempFolder folder;
    const std::string text = traceJson(std::vector<std::string>(10, eventJson({})));
    folder.write("run/rank0.json", text);
    folder.write("run/rank1.json", text.substr(0, text.size() / 3));
    const auto run = loadRunAt((folder.path() / "run").string());
    EXPECT_THAT(run->ranks, SizeIs(2));
    ASSERT_THAT(run->incomplete, SizeIs(1));
    EXPECT_THAT(run->incomplete[0].text(), HasSubstr("rank1.json: The file ends before it should"));
}

/// A stream of events without end.
class EndlessStream final : public ByteStream {
  public:
    explicit EndlessStream(std::string piece) : piece_(std::move(piece)) {}
    std::size_t read(std::span<char> to) override {
        for (char& c : to) {
            c = piece_[at_++ % piece_.size()];
        }
        reads_++;
        if (on_read) {
            on_read(reads_);
        }
        return to.size();
    }
    [[nodiscard]] std::uint64_t diskPosition() const override { return at_; }
    [[nodiscard]] SeekIndex seekIndex() const override { return {}; }

    std::function<void(std::size_t)> on_read;

  private:
    std::string piece_;
    std::size_t at_ = 0;
    std::size_t reads_ = 0;
};

Result<RankTrace> loadEndless(EndlessStream& stream, unsigned threads, std::stop_token stop) {
    LoadObserver observer;
    LoadOptions options;
    options.threads = threads;
    return loadStream(stream, {"endless.json", "", 0}, options, observer, std::move(stop));
}

TEST(Stop, EndsForAnyText) {
    for (const char* piece : {"{\"a\": 1, \"b\": ", "[{\"ph\": \"X\"},", "{\"traceEvents\": [{\"a\":1},", "x"}) {
        EndlessStream stream(piece);
        std::stop_source stop;
        stream.on_read = [&](std::size_t reads) {
            if (reads == 30) {
                stop.request_stop();
            }
        };
        const Result<RankTrace> result = loadEndless(stream, 2, stop.get_token());
        EXPECT_TRUE(result.cancelled()) << piece;
    }
}

TEST(Stop, InTheMiddleOfABatchThatIsBroken) {
    // One thread asks for the stop while the other is in a batch of 16 MiB of text that has to be repaired word for
    // word.
    EndlessStream stream("{\"traceEvents\": [{\"b\": [[[{\"a\":1},");
    std::stop_source stop;
    const std::jthread asking([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        stop.request_stop();
    });
    EXPECT_TRUE(loadEndless(stream, 1, stop.get_token()).cancelled());
}

TEST(OutOfMemory, CostsTheFileAndNamesIt) {
    EndlessStream stream("[{\"ph\": \"X\"},");
    stream.on_read = [](std::size_t reads) {
        if (reads == 5) {
            throw std::bad_alloc();
        }
    };
    const Result<RankTrace> result = loadEndless(stream, 3, {});
    ASSERT_TRUE(result.failed());
    EXPECT_EQ(result.error().text(), "endless.json: out of memory while reading this file");
}

TEST(ForwardSearch, FindsWhatFindFindsFromAnyPlaces) {
    const std::string text = "..a.aa....a";
    for (const std::string& places :
         {std::string("0123456789"), std::string("9876543210"), std::string("0505939120")}) {
        ForwardSearch search(text, "a");
        for (const char place : places) {
            const auto at = static_cast<std::size_t>(place - '0');
            EXPECT_EQ(search.from(at), text.find('a', at)) << places << " at " << place;
        }
    }
}

}  // namespace
}  // namespace rankscope::test
