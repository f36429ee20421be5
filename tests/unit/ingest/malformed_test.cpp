// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each malformation that the field knows: a bad event costs that event only, and the loss is counted with its place.

#include "tests/support/loading.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

/// A trace with `bad` between two sound events "first" and "last".
std::string around(const std::string& bad) {
    return traceJson({eventJson(named("first")), bad, eventJson(named("last"))});
}

/// What is kept of such a trace, and how many events were repaired and skipped.
struct Outcome {
    std::string names;
    std::uint64_t recovered;
    std::uint64_t skipped;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

void PrintTo(const Outcome& o, std::ostream* out) {
    *out << o.names << ", " << o.recovered << " recovered, " << o.skipped << " skipped";
}

Outcome outcomeOf(const std::string& text) {
    const auto trace = loadText(text);
    return {sliceNames(*trace), trace->health.recovered, trace->health.skipped};
}

TEST(BadEvents, ControlCharactersInANameAreEscaped) {
    EXPECT_EQ(outcomeOf(around(eventJson(named("a\x01z")))), (Outcome{"first|a\x01z|last", 1, 0}));
}

TEST(BadEvents, ANewlineInANameIsEscaped) {
    EXPECT_EQ(outcomeOf(around(eventJson(named("a\nz")))), (Outcome{"first|a\nz|last", 1, 0}));
}

TEST(BadEvents, UnescapedQuotesInANameAreKept) {
    EXPECT_EQ(outcomeOf(around(eventJson(named(R"(call("x", "y"))")))),
              (Outcome{R"(first|call("x", "y")|last)", 1, 0}));
}

TEST(BadEvents, AnOddUnescapedQuoteCostsNoNeighbour) {
    EXPECT_EQ(outcomeOf(around(eventJson(named(R"(5" disk)")))), (Outcome{R"(first|5" disk|last)", 1, 0}));
}

TEST(BadEvents, WindowsBackslashesAreKeptAsWritten) {
    EXPECT_EQ(outcomeOf(around(eventJson(named(R"(torch\cuda\nn\x.py)")))),
              (Outcome{R"(first|torch\cuda\nn\x.py|last)", 1, 0}));
}

TEST(BadEvents, ABackslashBeforeTheClosingQuoteCostsNoNeighbour) {
    const Outcome outcome = outcomeOf(around(eventJson(named(R"(C:\dir\)"))));
    EXPECT_TRUE(outcome.names.starts_with("first|") && outcome.names.ends_with("|last")) << outcome.names;
    EXPECT_EQ(outcome.recovered + outcome.skipped, 1U);
}

TEST(BadEvents, EscapesAreUndone) {
    EXPECT_EQ(outcomeOf(around(eventJson(named(R"(a\"b\\c\u00e9\ud83d\ude00)")))),
              (Outcome{"first|a\"b\\c\u00e9\U0001F600|last", 0, 0}));
}

TEST(BadEvents, InvalidUtf8IsReplaced) {
    EXPECT_EQ(outcomeOf(around(eventJson(named("a\xff\xc3z")))), (Outcome{"first|a\uFFFD\uFFFDz|last", 1, 0}));
}

TEST(BadEvents, BareWordsInArgsCostNothing) {
    for (const char* word : {"inf", "-inf", "nan", "NaN", "N/A", "Infinity"}) {
        EventLine event = named("copy");
        event.category = "gpu_memcpy";
        event.args = std::string("\"stream\": 7, \"memory bandwidth (GB/s)\": ") + word;
        const auto trace = loadText(around(eventJson(event)));
        EXPECT_EQ(sliceNames(*trace, TrackKind::Stream), "copy") << word;
        EXPECT_EQ(trace->health.skipped, 0U) << word;
    }
}

TEST(BadEvents, ABareWordForATimeCostsThatEvent) {
    EventLine event = named("bad");
    event.dur = "NaN";
    EXPECT_EQ(outcomeOf(around(eventJson(event))), (Outcome{"first|last", 0, 1}));
}

TEST(BadEvents, AMissingValueCostsThatEvent) {
    for (const char* args : {R"("stream": 7, "correlation": )", R"("stream": , "correlation": 5)"}) {
        EventLine event = named("bad");
        event.category = "kernel";
        event.args = args;
        EXPECT_EQ(outcomeOf(around(eventJson(event))), (Outcome{"first|last", 0, 1})) << args;
    }
}

TEST(BadEvents, AKeyWithoutItsOpeningQuoteIsRepaired) {
    std::string event = eventJson(named("bad"));
    event.replace(event.find("\"cat\""), 5, "cat\"");
    EXPECT_EQ(outcomeOf(around(event)), (Outcome{"first|bad|last", 1, 0}));
}

TEST(BadEvents, LeadingTrailingAndDoubledCommasCostNothing) {
    const std::string good = eventJson(named("first"));
    for (const std::string& text : {"{\"traceEvents\": [ ," + good + "]}", "{\"traceEvents\": [" + good + ", ]}",
                                    "{\"traceEvents\": [" + good + ",," + eventJson(named("last")) + "]}"}) {
        const Outcome outcome = outcomeOf(text);
        EXPECT_TRUE(outcome.names.starts_with("first")) << text;
        EXPECT_EQ(outcome.skipped, 0U) << text;
    }
}

TEST(BadEvents, AMissingCommaBetweenEventsCostsNothing) {
    const std::string text = "{\"traceEvents\": [" + eventJson(named("first")) + eventJson(named("last")) + "]}";
    EXPECT_EQ(outcomeOf(text), (Outcome{"first|last", 0, 0}));
}

TEST(BadEvents, AMissingCommaBetweenKeysIsRepaired) {
    std::string event = eventJson(named("bad"));
    event.erase(event.find(", \"cat\""), 1);
    EXPECT_EQ(outcomeOf(around(event)), (Outcome{"first|bad|last", 1, 0}));
}

TEST(BadEvents, AMissingEndIsReportedAndCostsNothing) {
    const std::string text = "{\"traceEvents\": [" + eventJson(named("first")) + ",\n" + eventJson(named("last"));
    const auto trace = loadText(text);
    EXPECT_EQ(sliceNames(*trace), "first|last");
    EXPECT_TRUE(trace->health.truncated);
}

TEST(BadEvents, AnEventCutOffAtTheEndIsSkippedWithItsPlace) {
    const std::string start = "{\"traceEvents\": [" + eventJson(named("first")) + ",\n";
    const auto trace = loadText(start + eventJson(named("last")).substr(0, 60));
    EXPECT_EQ(sliceNames(*trace), "first");
    EXPECT_EQ(trace->health.skipped, 1U);
    ASSERT_EQ(trace->health.parse_issues.size(), 1U);
    EXPECT_EQ(trace->health.parse_issues[0].byte_offset, start.size() + 2);  // the `{` behind its indentation
    EXPECT_TRUE(trace->health.truncated);
}

TEST(BadEvents, SeveralObjectsOneAfterTheOtherAreAllRead) {
    const std::string text = traceJson({eventJson(named("first"))}) + traceJson({eventJson(named("last"))});
    EXPECT_EQ(outcomeOf(text), (Outcome{"first|last", 0, 0}));
}

TEST(BadEvents, LogTextBetweenEventsCostsNoEvent) {
    const std::string text = "{\"traceEvents\": [" + eventJson(named("first")) + ",\nINFO: 2023 something \"odd\"\n" +
                             eventJson(named("last")) + "]}";
    const Outcome outcome = outcomeOf(text);
    EXPECT_EQ(outcome.names, "first|last");
    EXPECT_EQ(outcome.skipped, 1U);
}

TEST(BadEvents, TwoRanksWritingIntoOneFileLoseOnlyTornEvents) {
    const std::string whole = eventJson(named("torn"));
    const std::string text = "{\"traceEvents\": [" + eventJson(named("first")) + ",\n" + whole.substr(0, 40) +
                             eventJson(named("other")) + ",\n" + whole.substr(40) + ",\n" + eventJson(named("last")) +
                             "]}";
    const Outcome outcome = outcomeOf(text);
    EXPECT_TRUE(outcome.names.starts_with("first|") && outcome.names.ends_with("|last")) << outcome.names;
    EXPECT_GE(outcome.skipped + outcome.recovered, 1U);
}

TEST(BadEvents, AKernelThatTheDeviceNeverFilledInIsSkipped) {
    EventLine kernel = named("k");
    kernel.category = "kernel";
    kernel.ts = "0";
    kernel.dur = "0";
    EXPECT_EQ(outcomeOf(around(eventJson(kernel))), (Outcome{"first|last", 0, 1}));
}

TEST(BadEvents, ANegativeDurationIsKeptWithLengthZeroAndCounted) {
    EventLine event = named("bad");
    event.dur = "-3";
    const auto trace = loadText(around(eventJson(event)));
    EXPECT_EQ(trace->health.negative_durations, 1U);
    EXPECT_EQ(trace->span(sliceNamed(*trace, "bad")).length(), 0);
}

TEST(BadEvents, NumbersBeyondSixtyFourBitsCostTheirEvent) {
    EventLine event = named("bad");
    event.ts = "99999999999999999999999";
    EXPECT_EQ(outcomeOf(around(eventJson(event))), (Outcome{"first|last", 0, 1}));
}

TEST(BadEvents, ATimeAsATextOfNineteenDigitsCostsItsEvent) {
    EventLine event = named("bad");
    event.ts = "\"1614800519473220123\"";
    EXPECT_EQ(outcomeOf(around(eventJson(event))), (Outcome{"first|last", 0, 1}));
}

TEST(BadEvents, SixtyFourBitThreadIdsKeepTheirTracksApart) {
    EventLine one = named("one");
    EventLine two = named("two");
    one.tid = "140737353971520123";
    two.tid = "140737353971520124";
    const auto trace = loadText(traceJson({eventJson(one), eventJson(two)}));
    EXPECT_EQ(trace->tracks.size(), 2U);
}

TEST(BadEvents, AStreamThatIsNoNumberIsASeparateTrack) {
    EventLine kernel = named("k");
    kernel.category = "kernel";
    kernel.args = R"("device": 0, "stream": "default")";
    const auto trace = loadText(around(eventJson(kernel)));
    EXPECT_EQ(trace->tracks.back().name, "stream default");
}

TEST(BadEvents, ADurationThatOverrunsTheNextKernelIsKeptOnAnExtraRow) {
    EventLine one = named("one");
    one.category = "kernel";
    one.dur = "5000000";
    one.args = R"("device": 0, "stream": 7)";
    EventLine two = one;
    two.name = "two";
    two.ts = "20";
    two.dur = "5";
    const auto trace = loadText(traceJson({eventJson(one), eventJson(two)}));
    EXPECT_EQ(trace->health.overlapping, 1U);
    EXPECT_EQ(trace->tracks[0].slices.depth[1], 1);
    EXPECT_EQ(trace->span(sliceNamed(*trace, "one")).length(), 5'000'000'000);
}

TEST(BadEvents, TheFirstTwentyAreKeptWithTheirPlacesAndAllAreCounted) {
    const std::vector<std::string> events(50, eventJson(named("a\x02z")));
    const auto trace = loadText(traceJson(events));
    EXPECT_EQ(trace->health.recovered, 50U);
    EXPECT_EQ(trace->health.parse_issues.size(), Health::kParseIssuesKept);
}

TEST(BadFiles, AreRefusedWithNameAndReason) {
    EXPECT_NE(whyNot("").find("is empty"), std::string::npos);
    EXPECT_NE(whyNot("hello").find("is not JSON"), std::string::npos);
    EXPECT_NE(whyNot("{\"nodes\": [], \"schema\": \"1\"}").find("execution trace"), std::string::npos);
    EXPECT_NE(whyNot("{\"a\": 1}").find("not a profiler trace"), std::string::npos);
    EXPECT_NE(whyNot("{\"traceEvents\": []}").find("contains no complete events"), std::string::npos);
    EXPECT_NE(whyNot("SQLite format 3").find("trace.json"), std::string::npos) << "the file is named";
}

/// Why a file of that name cannot be loaded.
std::string whyNotNamed(const std::string& name, const std::string& text) {
    const TempFolder folder;
    LoadObserver observer;
    const Result<RankTrace> trace = loadFile({folder.write(name, text), "", text.size()}, {}, observer, {});
    return trace.ok() ? std::string() : trace.error().text();
}

TEST(BadFiles, NamedAsPicklesAreNoPicklesOfAProtocolThatIsRead) {
    const std::string protocol_0 = "(dp0\nVsegments\np1\n(lp2\ns.";
    EXPECT_NE(whyNotNamed("old.pickle", protocol_0).find("is not a pickle of protocol 2 or later"), std::string::npos);
    for (const char* name : {"weights.pickle", "weights.pickle.gz"}) {
        const std::string pickle("\x80\x04}.", 4);
        EXPECT_THAT(whyNotNamed(name, std::string(name).ends_with("gz") ? gzip(pickle) : pickle),
                    HasSubstr("is a Python pickle, not a profiler trace"))
            << name;
    }
    EXPECT_NE(whyNotNamed("words.pkl", "hello").find("is not a pickle of protocol 2 or later"), std::string::npos);
    EXPECT_NE(whyNotNamed("old.json", protocol_0).find("is not JSON"), std::string::npos);
}

TEST(BadFiles, OfOtherToolsAreNamed) {
    const std::string plugin = R"([{"name": "Group", "cat": "GROUP", "ph": "b", "id": 0, "pid": 1, "tid": 1, "ts": 4.5},
        {"name": "AllReduce", "cat": "COLL", "ph": "b", "id": 0, "pid": 1, "tid": 1, "ts": 7.2, "args": {"SeqNum": 0,
        "CommHash": 673864846479792718, "Rank": 1, "Count": 32768}}, {}])";
    EXPECT_THAT(whyNot(plugin), HasSubstr("is a trace of a profiler plugin of NCCL"));
    const std::string inspector = R"({"header": {"id": "0x1", "rank": 0}, "metadata":
        {"inspector_output_format_version": "v4.0"}, "coll_perf": {"coll": "AllReduce"}})";
    EXPECT_THAT(whyNot(inspector), HasSubstr("output of NCCL Inspector"));
    EXPECT_THAT(whyNot("[" + inspector + "]"), HasSubstr("output of NCCL Inspector"));
    EXPECT_THAT(whyNot(inspector + "\n" + inspector + "\n"), HasSubstr("output of NCCL Inspector"));
    EXPECT_THAT(whyNotNamed("report1.nsys-rep", std::string(200, '\x07')),
                HasSubstr("export it: nsys export --type sqlite --output report.sqlite report.nsys-rep"));
    const std::string scalars(
        "\x18\0\0\0\0\0\0\0\1\2\3\4\x09\0\0\0\0\0\0\xd9\x41\x1a\x0d"
        "brain.Event:2\5\6\7\x08",
        40);
    EXPECT_THAT(whyNotNamed("events.out.tfevents.1700000000.host.1.0", scalars),
                HasSubstr("is an event file of TensorBoard"));
}

TEST(BadFiles, ATruncatedGzipGivesWhatCameBeforeItsEnd) {
    std::vector<std::string> events;
    for (int i = 0; i < 3000; ++i) {
        events.push_back(eventJson(named("event " + std::to_string(i * 7919))));
    }
    const std::string packed = gzip(traceJson(events));
    const TempFolder folder;
    const auto trace = load(folder.write("t.json.gz", packed.substr(0, packed.size() / 2)));
    EXPECT_TRUE(trace->health.truncated);
    EXPECT_GT(trace->health.slices, 500U);
    EXPECT_LT(trace->health.slices, 3000U);
    EXPECT_LE(trace->health.skipped, 1U);
}

TEST(BadFiles, ADamagedGzipGivesWhatCameBeforeTheDamage) {
    std::vector<std::string> events;
    for (int i = 0; i < 3000; ++i) {
        events.push_back(eventJson(named("event " + std::to_string(i * 7919))));
    }
    std::string packed = gzip(traceJson(events));
    packed.replace(packed.size() / 2, 200, 200, '\x55');
    const TempFolder folder;
    const auto trace = load(folder.write("t.json.gz", packed));
    EXPECT_TRUE(trace->health.truncated);
    EXPECT_GT(trace->health.slices, 100U);
}

TEST(BadFiles, TheMalformedTracesOfTheFieldAreReadOrRefused) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto path = [](const char* name) { return (realTraces() / "malformed" / name).string(); };
    EXPECT_EQ(load(path("kineto105_bare_inf.json"))->health.slices, 1U);
    EXPECT_EQ(load(path("kineto128_bare_NA.json"))->health.slices, 1U);
    EXPECT_EQ(load(path("perfetto598_control_char_0x01.json"))->health.recovered, 1U);
    EXPECT_EQ(sliceNames(*load(path("pytorch98432_windows_backslashes.json"))),
              R"(torch\cuda\__init__.py(219): _lazy_init)");
    const auto cut = load(path("truncated_after_comma.json"));
    EXPECT_EQ(cut->health.slices, 2U);
    EXPECT_TRUE(cut->health.truncated);
    for (const char* name : {"empty_167601.json.gz", "truncated_gzip.json.gz"}) {
        LoadObserver observer;
        const Result<RankTrace> result = loadFile({path(name), "", 0}, {}, observer, {});
        ASSERT_TRUE(result.failed()) << name;
        EXPECT_NE(result.error().text().find(name), std::string::npos);
    }
}

}  // namespace
}  // namespace rankscope::test
