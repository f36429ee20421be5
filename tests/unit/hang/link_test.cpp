// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dumps linked with the traces of their job: by proof, or not at all.
#include <nlohmann/json.hpp>

#include "core/hang/link_traces.h"
#include "core/report/hang.h"
#include "core/report/linked_traces.h"
#include "tests/support/analysed.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/kineto_writer.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::test {
namespace {

using hang::GroupLink;
using hang::LinkState;
using hang::TraceLinks;

constexpr int kRanks = 4;

/// A run of four ranks, steps 10 to 12 of its job, and what it truly called.
struct TracedHang {
    explicit TracedHang(const tracegen::Config& config) : result(tracegen::simulate(config)) {
        const TempFolder folder;
        for (int rank = 0; rank < kRanks; ++rank) {
            folder.write("run/" + tracegen::fileName(rank, false), tracegen::kinetoText(result, rank));
        }
        run = loadAndAnalyse(folder.path() / "run");
    }
    [[nodiscard]] std::size_t collectives() const { return run.facts.collectives.collectives.size(); }

    tracegen::RunResult result;
    AnalysedRun run;
};

const TracedHang& numbered() {
    static const TracedHang job(tracegen::configOf(kRanks, 3));
    return job;
}

/// The same without numbers and sizes of collectives in the traces.
const TracedHang& unnumbered() {
    static const TracedHang job = [] {
        tracegen::Config config = tracegen::configOf(kRanks, 3);
        config.dialect = tracegen::Dialect::Old;
        return TracedHang(config);
    }();
    return job;
}

/// The dumps of the job at the end of the recorded steps, from the true events. The ring of each has these last calls.
std::vector<FlightDump> dumpsOf(const TracedHang& job) {
    std::vector<FlightDump> dumps;
    for (int rank = 0; rank < kRanks; ++rank) {
        FlightDump& dump = dumps.emplace_back();
        dump.path = "rank_" + std::to_string(rank) + ".pickle";
        dump.rank = rank;
        dump.groups.push_back({"0", "default_pg", {0, 1, 2, 3}, {}, {}});
        std::map<std::uint64_t, tracegen::Event> calls;
        for (const tracegen::Event& event : job.result.events.at(static_cast<std::size_t>(rank))) {
            if (event.kind == tracegen::EventKind::Kernel && event.collective.valid()) {
                calls.emplace(event.collective.sequence, event);
            }
        }
        for (const auto& [sequence, event] : calls) {
            FlightCall& call = dump.calls.emplace_back();
            call.record = static_cast<std::int64_t>(dump.calls.size());
            call.number = static_cast<std::int64_t>(sequence);
            call.kind = event.collective.kind == tracegen::CollectiveKind::Broadcast ? "broadcast" : "all_reduce";
            call.state = FlightState::Completed;
            call.inputs = {{event.collective.elements}};
            call.outputs = call.inputs;
            call.types = {event.collective.type == tracegen::ElementType::Float ? "Float"
                          : event.collective.type == tracegen::ElementType::Int ? "Int"
                                                                                : "BFloat16"};
        }
    }
    return dumps;
}

TraceLinks linksOf(const TracedHang& job, const std::vector<FlightDump>& dumps) {
    return hang::linkTraces(dumps, *job.run.run, job.run.facts.collectives);
}

GroupLink onlyGroup(const TraceLinks& links) {
    EXPECT_EQ(links.groups.size(), 1);
    return links.groups.at(0);
}

TEST(LinkedDumps, HaveTheCollectiveOfEachCallByItsNumber) {
    const std::vector<FlightDump> dumps = dumpsOf(numbered());
    const TraceLinks links = linksOf(numbered(), dumps);
    const GroupLink group = onlyGroup(links);
    ASSERT_EQ(group.state, LinkState::Linked);
    EXPECT_TRUE(group.by_sequence);
    EXPECT_EQ(group.ranks, 4);
    EXPECT_EQ(group.linked, numbered().collectives());
    ASSERT_EQ(links.calls.size(), 4 * numbered().collectives());
    for (const hang::CallLink& link : links.calls) {
        const Collective& collective = numbered().run.facts.collectives.collectives[link.collective];
        EXPECT_EQ(dumps[link.dump].calls[link.call].number, collective.sequence);
        EXPECT_NE(collective.memberOf(link.rank), nullptr);
        EXPECT_EQ(links.of(link.dump, link.call), &link);
    }
    EXPECT_EQ(links.of(0, dumps[0].calls.size()), nullptr);
}

TEST(LinkedDumps, HaveOnlyTheCallsThatTheRingKept) {
    std::vector<FlightDump> dumps = dumpsOf(numbered());
    for (FlightDump& dump : dumps) {
        dump.calls.erase(dump.calls.begin(), dump.calls.end() - 2);
    }
    dumps.pop_back();
    const GroupLink group = onlyGroup(linksOf(numbered(), dumps));
    EXPECT_EQ(group.state, LinkState::Linked);
    EXPECT_EQ(group.linked, 2);
    EXPECT_EQ(group.ranks, 3) << "one has no dump";
    for (FlightDump& dump : dumps) {
        for (FlightCall& call : dump.calls) {
            call.number += 1'000;
        }
    }
    EXPECT_EQ(onlyGroup(linksOf(numbered(), dumps)).state, LinkState::NotInDumps);
}

TEST(LinkedDumps, AreRefusedIfACallWithTheSameNumberDiffers) {
    using Change = void (*)(FlightCall&);
    for (const Change change : {Change([](FlightCall& call) { call.kind = "_all_gather_base"; }),
                                Change([](FlightCall& call) { call.inputs[0][0] += 1; }),
                                Change([](FlightCall& call) { call.types = {"Double"}; })}) {
        std::vector<FlightDump> dumps = dumpsOf(numbered());
        change(dumps[2].calls.back());
        const TraceLinks links = linksOf(numbered(), dumps);
        const GroupLink group = onlyGroup(links);
        EXPECT_EQ(group.state, LinkState::CallDiffers);
        ASSERT_TRUE(group.conflict);
        EXPECT_EQ(group.conflict->dump, 2);
        EXPECT_TRUE(links.calls.empty());
        const RunWithDumps with{numbered().run, dumps, links};
        EXPECT_NE(report::linkWords(with, group).find("rank 2"), std::string::npos) << report::linkWords(with, group);
    }
}

TEST(LinkedDumps, AreRefusedIfTheyAreOfAnotherTime) {
    std::vector<FlightDump> dumps = dumpsOf(numbered());
    const auto set_times = [&dumps](std::int64_t ns) {
        for (FlightDump& dump : dumps) {
            for (FlightCall& call : dump.calls) {
                call.created_ns = ns;
            }
        }
    };
    set_times(tracegen::kWindowEpochNs + 1'000'000);
    EXPECT_EQ(onlyGroup(linksOf(numbered(), dumps)).state, LinkState::Linked);
    set_times(tracegen::kWindowEpochNs + 3'600'000'000'000);
    EXPECT_EQ(onlyGroup(linksOf(numbered(), dumps)).state, LinkState::OtherTime) << "a restarted job counts anew";
}

TEST(LinkedDumps, NeedAGroupOfTheSameRanks) {
    std::vector<FlightDump> dumps = dumpsOf(numbered());
    dumps[1].groups[0].ranks = {0, 1};
    EXPECT_EQ(onlyGroup(linksOf(numbered(), dumps)).state, LinkState::NoGroup);
    dumps = dumpsOf(numbered());
    dumps[1].groups[0].description = "mesh_tp";
    EXPECT_EQ(onlyGroup(linksOf(numbered(), dumps)).state, LinkState::NoGroup);
    dumps = dumpsOf(numbered());
    dumps[1].groups.push_back({"7", "default_pg", {0, 1, 2, 3}, {}, {}});
    EXPECT_EQ(onlyGroup(linksOf(numbered(), dumps)).state, LinkState::Linked) << "its name says which";
    dumps[1].groups[1].name = "0";
    EXPECT_EQ(onlyGroup(linksOf(numbered(), dumps)).state, LinkState::Ambiguous);
    EXPECT_TRUE(linksOf(numbered(), {}).groups.empty()) << "no rank has a dump";
}

TEST(LinkedDumps, WithoutNumbersInTheTraceNeedTheOnlyPlaceThatFits) {
    const std::vector<FlightDump> dumps = dumpsOf(unnumbered());
    const TraceLinks links = linksOf(unnumbered(), dumps);
    const GroupLink group = onlyGroup(links);
    ASSERT_EQ(group.state, LinkState::Linked) << report::linkWords({unnumbered().run, dumps, links}, group);
    EXPECT_FALSE(group.by_sequence);
    EXPECT_EQ(links.calls.size(), 4 * unnumbered().collectives());
    std::vector<FlightDump> longer = dumps;
    for (FlightDump& dump : longer) {
        dump.calls.push_back(dump.calls.back());
        dump.calls.back().number += 1;
        dump.calls.back().record += 1;
        dump.calls.back().kind = "all_reduce";
    }
    EXPECT_EQ(onlyGroup(linksOf(unnumbered(), longer)).state, LinkState::SeveralPlaces);
    for (FlightDump& dump : longer) {
        dump.calls.erase(dump.calls.begin(), dump.calls.begin() + 2);
    }
    EXPECT_EQ(onlyGroup(linksOf(unnumbered(), longer)).state, LinkState::NotInDumps) << "the ring lost the first calls";
    longer = dumps;
    longer[3].calls[1].number = longer[3].calls[0].number;
    EXPECT_EQ(onlyGroup(linksOf(unnumbered(), longer)).state, LinkState::Unnumbered);
}

TEST(LinkedDumps, PairCoalescedCallsOfOneNumberInOrder) {
    std::vector<FlightDump> dumps = dumpsOf(numbered());
    const std::size_t before = linksOf(numbered(), dumps).calls.size();
    dumps[0].calls.push_back(dumps[0].calls.back());
    dumps[0].calls.back().record += 1;
    const TraceLinks links = linksOf(numbered(), dumps);
    EXPECT_EQ(onlyGroup(links).state, LinkState::Linked);
    EXPECT_EQ(links.calls.size(), before - 1) << "which of the two the trace has is unknown";
}

TEST(LinkedDumps, SayWhereTheLastCallOfARankIsInTheTrace) {
    std::vector<FlightDump> dumps = dumpsOf(numbered());
    dumps[1].calls.pop_back();
    for (FlightDump& dump : dumps) {
        if (dump.rank != 1) {
            dump.calls.back().state = FlightState::Scheduled;
        }
    }
    const hang::Hang hang = hang::findHang(dumps);
    ASSERT_EQ(hang.culprits.size(), 1);
    const std::vector<RunWithDumps> traces = runsWithDumps({&numbered().run}, dumps);
    const std::string screen = hangScreen(hang, {}, false, traces);
    EXPECT_NE(screen.find("1 of 1 process group of run run linked with the dumps"), std::string::npos) << screen;
    EXPECT_NE(screen.find("Its last call in the trace: rank 1 at"), std::string::npos) << screen;
    const auto json = nlohmann::json::parse(jsonHang(hang, {}, traces));
    EXPECT_EQ(json["traces"][0]["groups"][0]["state"], "linked");
    const auto place = json["culprits"][0]["last_call"]["trace"];
    const auto at = place["collective"].get<std::size_t>();
    EXPECT_EQ(numbered().run.facts.collectives.collectives[CollectivePosition(at)].sequence,
              dumps[1].calls.back().number);
    EXPECT_TRUE(place["slice"].is_number_integer());
    EXPECT_EQ(place["step"], 12);
    EXPECT_TRUE(nlohmann::json::parse(jsonHang(hang, {}))["culprits"][0]["last_call"]["trace"].is_null());
}

}  // namespace
}  // namespace rankscope::test
