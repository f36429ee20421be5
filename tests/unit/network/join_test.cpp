// SPDX-License-Identifier: GPL-3.0-or-later
//
// Logs joined with the run of their job: by proof, or not at all.
#include "core/ingest/nccl_log/nccl_log.h"
#include "core/network/call_places.h"
#include "tests/support/analysed.h"
#include "tests/support/memory_stream.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/nccl_log.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::test {
namespace {

using network::GroupJoin;
using network::JoinState;
using network::RunJoin;
using tracegen::JobLog;

/// A recorded run of four ranks, steps 10 to 12 of the job.
struct Recorded {
    explicit Recorded(const tracegen::Config& config) : result(tracegen::simulate(config)) {
        const TempFolder folder;
        for (int rank = 0; rank < config.ranks; ++rank) {
            folder.write("run/" + tracegen::fileName(rank, false), tracegen::kinetoText(result, rank));
        }
        run = loadAndAnalyse(folder.path() / "run");
    }

    tracegen::RunResult result;
    AnalysedRun run;
};

const Recorded& modern() {
    static const Recorded recorded(tracegen::configOf(4, 3));
    return recorded;
}

/// The same without numbers and sizes of collectives in the traces.
const Recorded& old() {
    static const Recorded recorded = [] {
        tracegen::Config config = tracegen::configOf(4, 3);
        config.dialect = tracegen::Dialect::Old;
        return Recorded(config);
    }();
    return recorded;
}

struct Joined {
    Joined(const AnalysedRun& run, const std::string& text) {
        MemoryStream stream(text);
        logs = readNcclLog(stream, "job.log");
        network = network::analyseNetwork(logs);
        join = network::joinRun(logs, network, *run.run, run.facts);
    }
    Joined(const Recorded& recorded, const JobLog& log) : Joined(recorded.run, log.text()) {}

    [[nodiscard]] JoinState state() const {
        EXPECT_EQ(join.groups.size(), 1);
        return join.groups.at(0).state;
    }

    NcclLogs logs;
    network::Network network;
    RunJoin join;
};

/// The log of the recorded steps alone, behind a call that no step has: its calls fit at one place only.
JobLog logOfWindow(const Recorded& recorded) {
    JobLog log = JobLog::of(recorded.result, 0);
    const std::size_t in_window = recorded.run.facts.collectives.collectives.size();
    for (auto& calls : log.calls) {
        calls.erase(calls.begin(), calls.end() - static_cast<std::ptrdiff_t>(in_window));
    }
    log.putInFront({"Broadcast", 77, 7});
    return log;
}

TEST(LoggedShape, HasTheBytesThatTracesHave) {
    const auto bytes = [](const char* kind, std::uint64_t count, int type) {
        return network::loggedShape({kind, count, type, 0, 0}, 4).bytes;
    };
    EXPECT_EQ(bytes("AllReduce", 100, 9), 200);
    EXPECT_EQ(bytes("AllGather", 100, 9), 800) << "NCCL counts what one rank sends, a trace what it gets";
    EXPECT_EQ(bytes("ReduceScatter", 100, 9), 800);
    EXPECT_EQ(bytes("AlltoAll", 100, 7), 1600);
    EXPECT_EQ(bytes("Broadcast", 100, 77), std::nullopt) << "an unknown type";
    EXPECT_EQ(bytes("AllGather", std::uint64_t{1} << 62, 8), std::nullopt) << "too much for a number";
}

TEST(CallPlaces, EndTheSearchWhereItWouldTakeTooLong) {
    const std::vector<network::LoggedShape> shapes = {{CollectiveKind::AllReduce, 4, 7}};
    network::RankCalls rank;
    rank.logged.assign(40'000, 0);
    rank.traced.assign(10'000, {CollectivePosition(0), CollectiveKind::AllReduce, 4, 0, -1});
    std::vector<network::RankCalls> ranks = {rank};
    EXPECT_EQ(network::PlaceFinder(ranks, shapes).find().fitting, (std::vector<std::uint64_t>{0, 1}));
    ranks[0].traced.back().bytes = 8;
    EXPECT_TRUE(network::PlaceFinder(ranks, shapes).find().is_cut_off);
}

TEST(JoinedRun, TakesEachCollectiveFromTheOnlyPlaceInTheLogThatFits) {
    const Joined joined(old(), logOfWindow(old()));
    ASSERT_EQ(joined.state(), JoinState::Joined);
    EXPECT_EQ(joined.join.groups[0].first, 1);
    EXPECT_EQ(joined.join.groups[0].ranks, 4);
    const std::vector<Collective>& collectives = old().run.facts.collectives.collectives;
    ASSERT_EQ(joined.join.calls.size(), collectives.size());
    EXPECT_EQ(joined.join.groups[0].collectives, collectives.size());
    // The truth: the elements of each call, which the old dialect does not record.
    std::vector<std::int64_t> truth;
    std::map<std::uint64_t, std::int64_t> by_number;
    for (const tracegen::Event& event : old().result.events[0]) {
        if (event.kind == tracegen::EventKind::Kernel && event.collective.valid()) {
            by_number[event.collective.sequence] = event.collective.elements;
        }
    }
    std::ranges::transform(by_number, std::back_inserter(truth), [](const auto& one) { return 4 * one.second; });
    for (std::size_t i = 0; i < collectives.size(); ++i) {
        EXPECT_FALSE(collectives[i].bytes) << "the trace alone does not have it";
        EXPECT_EQ(joined.join.calls[i].bytes, truth[i]) << i;
    }
}

TEST(JoinedRun, IsThatOfTheSequenceNumbersWhereEachStepFits) {
    const Joined joined(modern(), JobLog::of(modern().result));
    ASSERT_EQ(joined.state(), JoinState::Joined);
    const GroupJoin& join = joined.join.groups[0];
    EXPECT_TRUE(join.by_sequence);
    const std::size_t per_step = join.collectives / 3;
    EXPECT_EQ(join.first, 10 * per_step) << "ten steps came before the window";
}

TEST(JoinedRun, KnowsTheCommunicatorButNoCallIfThePatternRepeats) {
    const Joined joined(old(), JobLog::of(old().result));
    ASSERT_EQ(joined.state(), JoinState::SeveralPlaces);
    EXPECT_TRUE(joined.join.groups[0].isKnown());
    EXPECT_TRUE(joined.join.calls.empty());
}

TEST(JoinedRun, IsNotThatOfTheSequenceNumbersIfTheLogMayMissCalls) {
    const std::string text = JobLog::of(modern().result).text();
    const std::string cut = "node0:3194582:3194583 [0] NCCL INFO AllReduce: opCount 5 sendb\n";
    EXPECT_EQ(Joined(modern().run, text + cut).state(), JoinState::SeveralPlaces);
    // Without the start of the communicator its ranks do not belong together.
    std::string late = text;
    for (std::size_t at = late.find(" - Init"); at != std::string::npos; at = late.find(" - Init")) {
        late.replace(at, 7, " - Lost");
    }
    EXPECT_EQ(Joined(modern().run, late).state(), JoinState::NoCommunicator);
}

TEST(JoinedRun, IsRefusedIfOneCallOfOneRankIsMissingInTheLog) {
    JobLog log = logOfWindow(modern());
    log.calls[2].erase(log.calls[2].begin() + 3);
    log.calls[2].push_back({"AllReduce", 1, 7});
    const Joined joined(modern(), log);
    ASSERT_EQ(joined.state(), JoinState::CallDiffers);
    ASSERT_TRUE(joined.join.groups[0].conflict);
    EXPECT_EQ(joined.join.groups[0].conflict->rank, RankPosition(2));
    EXPECT_GE(joined.join.groups[0].conflict->number, 3) << "equal calls may follow the missing one";
    EXPECT_TRUE(joined.join.calls.empty());
    log.calls[2].resize(log.calls[2].size() - 2);
    EXPECT_EQ(Joined(modern(), log).state(), JoinState::LogTooShort);
}

TEST(JoinedRun, IsRefusedIfOneCallHasAnotherCountTypeOrKind) {
    for (const tracegen::LoggedCall& other : {tracegen::LoggedCall{"AllReduce", 5, 7}, tracegen::LoggedCall{"", 0, 8},
                                              tracegen::LoggedCall{"Reduce", 0, 7}}) {
        JobLog log = logOfWindow(modern());
        tracegen::LoggedCall& call = log.calls[3][4];
        call.kind = other.kind.empty() ? call.kind : other.kind;
        call.count = other.count == 0 ? call.count : other.count;
        call.type = other.type;
        const Joined joined(modern(), log);
        ASSERT_EQ(joined.state(), JoinState::CallDiffers) << other.kind;
        EXPECT_EQ(joined.join.groups[0].conflict->rank, RankPosition(3));
        EXPECT_EQ(joined.join.groups[0].conflict->number, 4);
    }
}

TEST(JoinedRun, IsRefusedIfItsProcessesAreNotInTheLog) {
    JobLog log = JobLog::of(modern().result);
    log.first_pid += 1;
    EXPECT_EQ(Joined(modern(), log).state(), JoinState::NoCommunicator);
    log.first_pid -= 1;
    log.hosts = {"a", "a", "a", "a"};
    EXPECT_EQ(Joined(modern(), log).state(), JoinState::NoCommunicator);
}

TEST(JoinedRun, IsRefusedIfTwoCommunicatorsFit) {
    JobLog other = logOfWindow(modern());
    other.pointer = "0x55a1dddd";
    other.id = "0x99";
    const Joined joined(modern().run, logOfWindow(modern()).text() + other.text());
    EXPECT_EQ(joined.state(), JoinState::Ambiguous);
}

TEST(JoinedRun, TellsTheCommunicatorsOfTwoGroupsOfTheSameRanksApartByTheirCalls) {
    // Every other collective is of a second group.
    RunFacts facts = modern().run.facts;
    facts.collectives.groups.push_back(facts.collectives.groups.at(0));
    JobLog first = logOfWindow(modern());
    JobLog second = first;
    second.pointer = "0x55a1dddd";
    second.id = "0x99";
    for (std::size_t rank = 0; rank < 4; ++rank) {
        const std::vector<tracegen::LoggedCall> all = first.calls[rank];
        first.calls[rank] = second.calls[rank] = {all.front()};
        for (std::size_t i = 1; i < all.size(); ++i) {
            (i % 2 == 1 ? first : second).calls[rank].push_back(all[i]);
        }
    }
    for (std::size_t i = 1; i < facts.collectives.collectives.size(); i += 2) {
        facts.collectives.collectives[i].group = 1;
    }
    // The second one starts first in the log.
    const Joined logs(modern().run, second.text() + first.text());
    const RunJoin join = network::joinRun(logs.logs, logs.network, *modern().run.run, facts);
    ASSERT_EQ(join.groups.size(), 2);
    for (const GroupJoin& group : join.groups) {
        ASSERT_EQ(group.state, JoinState::Joined) << group.group;
        EXPECT_EQ(logs.network.jobs.at(0).communicators.at(group.communicator).id,
                  group.group == 0 ? first.id : second.id);
    }
    EXPECT_EQ(join.calls.size(), facts.collectives.collectives.size());
    EXPECT_TRUE(std::ranges::is_sorted(join.calls, {}, &network::JoinedCall::collective));
}

TEST(JoinedRun, NeedsCallsAndSaysSo) {
    JobLog log = JobLog::of(modern().result);
    log.calls.assign(4, {});
    EXPECT_EQ(Joined(modern(), log).state(), JoinState::NoCalls);
    const std::string text = logOfWindow(modern()).text();
    EXPECT_EQ(Joined(modern().run, text + text).state(), JoinState::Incomplete) << "each call is there twice";
}

TEST(JoinedRun, LeavesOutAGroupWithACollectiveOfUnknownKind) {
    RunFacts facts = old().run.facts;
    facts.collectives.collectives.at(2).kind = CollectiveKind::Unknown;
    const Joined known(old(), logOfWindow(old()));
    EXPECT_EQ(known.join.groups.size(), 1);
    EXPECT_TRUE(network::joinRun(known.logs, known.network, *old().run.run, facts).groups.empty())
        << "any call would agree with it";
}

TEST(JoinedRun, IsProvenByTheRanksThatHaveLogs) {
    const JobLog log = logOfWindow(modern());
    const Joined joined(modern().run, log.text(1) + log.text(3));
    ASSERT_EQ(joined.state(), JoinState::Joined);
    EXPECT_EQ(joined.join.groups[0].ranks, 2);
}

TEST(JoinedRun, HasAnAlgorithmWhereTheLogSaysOnlyOne) {
    JobLog log = logOfWindow(modern());
    const std::int64_t bytes = 4 * log.calls[0][1].count;
    const std::string choice =
        "node0:3194582:3194583 [0] NCCL INFO AllReduce: " + std::to_string(bytes) + " Bytes -> Algo ";
    const Joined one(modern().run, log.text() + choice + "RING proto SIMPLE channel{Lo..Hi}={0..7}\n");
    ASSERT_EQ(one.state(), JoinState::Joined);
    ASSERT_TRUE(one.join.calls.front().choice);
    EXPECT_EQ(one.join.calls.front().choice->algorithm, "RING");
    EXPECT_FALSE(one.join.calls.at(1).choice) << "of another size";
    const Joined two(modern().run, log.text() + choice + "RING proto SIMPLE channel{Lo..Hi}={0..7}\n" + choice +
                                       "TREE proto LL channel{Lo..Hi}={0..7}\n");
    EXPECT_FALSE(two.join.calls.front().choice);
}

TEST(JoinedRun, GivesAFindingTheExposedTransfersThatTakeItsPath) {
    JobLog log = logOfWindow(modern());
    EXPECT_TRUE(Joined(modern(), log).join.costs.empty()) << "there is no finding";
    log.path = "SHM/direct/direct";
    const Joined slow(modern(), log);
    ASSERT_EQ(slow.network.jobs.at(0).findings.size(), 1);
    const network::PathCost* cost = slow.join.costOf(0, 0);
    ASSERT_NE(cost, nullptr);
    EXPECT_FALSE(cost->is_partial);
    // All collectives of the run are of this group: in each step, the rank with the longest exposed transfers.
    std::vector<DurationNs> steps;
    for (const RunStep& step : modern().run.facts.steps) {
        DurationNs most_ns = 0;
        for (RankPosition rank{0}; rank < 4; ++rank) {
            const RankStep* own = modern().run.facts.stepOf(step, rank);
            most_ns = std::max(most_ns, own->partition->exposed_transfer_ns.value_or(0));
        }
        if (step.complete && !step.outlier) {
            steps.push_back(most_ns);
        }
    }
    ASSERT_FALSE(steps.empty());
    EXPECT_GT(cost->exposed_ns, 0);
    EXPECT_EQ(cost->exposed_ns, tracegen::median(steps));
}

}  // namespace
}  // namespace rankscope::test
