// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/check.h"

#include "core/base/format.h"
#include "core/report/check/check_limits.h"
#include "core/report/words/summary.h"
#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/places.h"
#include "tests/support/rebuilt_files.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"
#include "tests/unit/check/planted.h"

namespace rankscope::test {
namespace {

using report::Check;
using report::CheckLine;
using report::checkOf;
using report::CheckStatus;

/// The keys of the lines that say "look here".
std::set<std::string> looked(const Check& check) {
    std::set<std::string> keys;
    for (const CheckLine& line : check.lines) {
        if (line.status == CheckStatus::Look) {
            keys.insert(line.key);
        }
    }
    return keys;
}

/// The line of this key. Throws where there is none.
const CheckLine& lineOf(const Check& check, const std::string& key) {
    const CheckLine* const line = check.line(key);
    return line != nullptr ? *line : throw std::out_of_range("there is no line " + key);
}

CheckStatus statusOf(const Check& check, const std::string& key) {
    return lineOf(check, key).status;
}

TEST(HealthCheck, SaysWhichStepIsTheRunsAndWhichOneARanks) {
    const Check check = checkOf(plantedJob({"dataloader"}));
    EXPECT_THAT(lineOf(check, "steps").text, HasSubstr(" step takes "));
    EXPECT_THAT(lineOf(check, "budget").text, HasSubstr("the mean step of a rank"));
}

TEST(HealthCheck, SaysLookNowhereInAHealthyJob) {
    const Check check = checkOf(plantedJob({}));
    EXPECT_THAT(looked(check), testing::IsEmpty());
    EXPECT_EQ(statusOf(check, "steps"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(check, "own-work"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(check, "memory"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(check, "ranks"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(check, "files"), CheckStatus::Ok);
}

TEST(HealthCheck, SaysLookAtTheRankWhoseOwnWorkIsSlow) {
    const AnalysedRun run = plantedJob({"slow-kernels:ranks=2,amount=1.3"});
    const Check check = checkOf(run);
    const CheckLine& line = lineOf(check, "own-work");
    EXPECT_EQ(line.status, CheckStatus::Look);
    EXPECT_EQ(line.place.rank, RankPosition(2));
    EXPECT_GT(line.value.value_or(0), report::kSlowRank);
    EXPECT_NE(line.text.find("rank 2"), std::string::npos) << line.text;
    EXPECT_NE(line.text.find("its peers' median (limit 1.1). That is "), std::string::npos)
        << "what costs so much: " << line.text;
    ASSERT_TRUE(line.place.finding.has_value());
    EXPECT_EQ(run.diagnosis.findings[*line.place.finding].id, FindingId::StragglerRank);
    for (const report::CheckRank& rank : check.ranks) {
        EXPECT_EQ(rank.look, rank.rank == RankPosition(2));
    }
    // The length of the step does not tell: it is the same on all ranks.
    const auto [least, most] = std::ranges::minmax(check.ranks, {}, &report::CheckRank::mean_ns);
    EXPECT_LT(static_cast<double>(most.mean_ns), 1.05 * static_cast<double>(least.mean_ns));
}

TEST(HealthCheck, ComparesTheOwnWorkOfARankWithTheMedianOfTheOthers) {
    const Check pair = checkOf(plantedJob({"slow-kernels:ranks=1,amount=1.3"}, 2));
    ASSERT_TRUE(pair.ranks[0].own_ns && pair.ranks[1].own_ns);
    const auto fast = static_cast<double>(*pair.ranks[0].own_ns);
    const auto slow = static_cast<double>(*pair.ranks[1].own_ns);
    EXPECT_NEAR(pair.ranks[1].over_median.value_or(0), slow / fast, 1e-9) << "half of it would be its own";
    EXPECT_NEAR(pair.ranks[0].over_median.value_or(0), fast / slow, 1e-9);
    EXPECT_NE(pair.line("own-work")->text.find(formatDuration(*pair.ranks[1].own_ns - *pair.ranks[0].own_ns)),
              std::string::npos)
        << pair.line("own-work")->text;
    const Check four = checkOf(plantedJob({"slow-kernels:ranks=2,amount=1.3"}));
    std::vector<DurationNs> others = {four.ranks[0].own_ns.value_or(0), four.ranks[1].own_ns.value_or(0),
                                      four.ranks[3].own_ns.value_or(0)};
    std::ranges::sort(others);
    EXPECT_NEAR(four.ranks[2].over_median.value_or(0),
                static_cast<double>(four.ranks[2].own_ns.value_or(0)) / static_cast<double>(others[1]), 1e-9);
}

TEST(HealthCheck, ComparesOneOfTwoRanksWithTheOtherAndNotWithAMedian) {
    const std::string two = lineOf(checkOf(plantedJob({"slow-kernels:ranks=1,amount=1.3"}, 2)), "own-work").text;
    EXPECT_THAT(two, HasSubstr(" times that of rank 0 "));
    EXPECT_THAT(two, Not(HasSubstr("median")));
    const std::string four = lineOf(checkOf(plantedJob({"slow-kernels:ranks=2,amount=1.3"})), "own-work").text;
    EXPECT_THAT(four, HasSubstr(" times its peers' median "));
}

/// The run with segments of this length on rank 0 of two.
AnalysedRun withOwnWork(AnalysedRun run, DurationNs of_first_ns) {
    for (SegmentTime& step : run.facts.stragglers.ranks[0].steps) {
        step.segment_ns = of_first_ns;
    }
    return run;
}

TEST(HealthCheck, PrintsNoRatioToARankThatHasNextToNothingToDo) {
    const AnalysedRun run = plantedJob({"slow-kernels:ranks=1,amount=1.3"}, 2);
    const Check check = checkOf(withOwnWork(run, run.facts.pricedStep() / 200));
    const CheckLine& line = lineOf(check, "own-work");
    EXPECT_EQ(line.status, CheckStatus::Look);
    EXPECT_THAT(line.text, HasSubstr(" more than that of rank 0: "));
    EXPECT_THAT(line.text, Not(HasSubstr("times")));
    EXPECT_FALSE(line.value.has_value());
    EXPECT_FALSE(check.ranks[1].over_median.has_value());
}

TEST(HealthCheck, SaysWhyMostOfWhatIsExposedIs) {
    AnalysedRun run = plantedJob({"late-all-reduce"});
    const std::string text = lineOf(checkOf(run), "overlap").text;
    EXPECT_THAT(text, HasSubstr(" Main reason ("));
    for (Finding& finding : run.diagnosis.findings) {
        finding.cause = ExposedBecause::SameStream;
        finding.cause_share = 0.9;
    }
    EXPECT_THAT(lineOf(checkOf(run), "overlap").text, HasSubstr(" Main reason (90 %): it runs on the compute stream."));
}

TEST(HealthCheck, SaysWhyNoFindingNamesARankThatItCallsSlow) {
    AnalysedRun run = plantedJob({"slow-kernels:ranks=2,amount=1.3"});
    EXPECT_THAT(lineOf(checkOf(run), "own-work").text, Not(HasSubstr("No finding names")));
    run.diagnosis.findings.clear();
    EXPECT_THAT(
        lineOf(checkOf(run), "own-work").text,
        HasSubstr(" No finding names rank 2: simulated as fast as its peers, a step would save less than 1.0 %"));
    run.facts.stragglers.ranks[2].saving_ns = run.facts.pricedStep() / 100;
    EXPECT_THAT(lineOf(checkOf(run), "own-work").text, HasSubstr("because other ranks are late too"));
}

TEST(HealthCheck, SaysWhatOfTheRecordsDoesNotFitTogether) {
    const AnalysedRun run = loadAndAnalyse(sample("ZeroWorkers"));
    const std::string text = checkOf(run).line("records")->text;
    std::uint64_t unlinked = 0;
    for (const auto& rank : run.run->ranks) {
        unlinked += rank->health.unlinked_device;
    }
    ASSERT_GT(unlinked, 0U);
    EXPECT_THAT(text, testing::HasSubstr(std::to_string(unlinked) + " pieces of GPU work without a launch call"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("fit together")));
    EXPECT_THAT(checkOf(plantedJob({})).line("records")->text, testing::HasSubstr("fit together"));
}

TEST(HealthCheck, SaysOneOfAThingAsOne) {
    const AnalysedRun run = plantedJob({});
    std::uint64_t left = 1;
    for (const auto& rank : run.run->ranks) {
        Health& health = std::const_pointer_cast<RankTrace>(rank)->health;
        health.events = health.slices = std::exchange(left, 0);
    }
    const Check check = checkOf(run);
    EXPECT_THAT(check.line("files")->text, testing::EndsWith(" read completely, 1 event."));
    EXPECT_THAT(check.line("records")->text, testing::HasSubstr("records of 1 slice fit together"));
}

TEST(HealthCheck, CallsClocksByWords) {
    const std::string text = checkOf(plantedJob({})).line("clocks")->text;
    EXPECT_THAT(text, testing::HasSubstr("1 as in the file"));
    EXPECT_THAT(text, testing::Not(testing::AnyOf(testing::HasSubstr("file-times"), testing::HasSubstr("one-clock"),
                                                  testing::HasSubstr("shared-host"))));
}

TEST(HealthCheck, SaysAMeanOnceAndOfOneFindingThatItIsTheOnlyOne) {
    AnalysedRun run = plantedJob({"dataloader"});
    run.facts.basis = StepBasis::Mean;
    EXPECT_THAT(checkOf(run).line("steps")->text, testing::Not(testing::HasSubstr("on average")));
    run.facts.basis = StepBasis::Median;
    EXPECT_THAT(checkOf(run).line("steps")->text, testing::HasSubstr("on average"));
    run.diagnosis.findings.resize(1);
    EXPECT_THAT(checkOf(run).line("findings")->text, testing::StartsWith("1 finding: \""));
}

TEST(HealthCheck, SaysLookAtTheInputOfALoaderThatIsLate) {
    const Check check = checkOf(plantedJob({"dataloader"}));
    EXPECT_THAT(looked(check), testing::IsSupersetOf({"input", "idle", "findings"}));
    EXPECT_EQ(statusOf(check, "exposed-communication"), CheckStatus::Ok);
}

TEST(HealthCheck, SaysLookAtCommunicationOverASlowNetwork) {
    const Check check = checkOf(plantedJob({"slow-network"}));
    EXPECT_THAT(looked(check), testing::IsSupersetOf({"exposed-communication", "findings"}));
    EXPECT_EQ(statusOf(check, "input"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(check, "own-work"), CheckStatus::Ok);
}

TEST(HealthCheck, SaysLookAtAFullDevice) {
    const Check check = checkOf(plantedJob({"memory-pressure"}));
    const CheckLine& line = lineOf(check, "memory");
    EXPECT_EQ(line.status, CheckStatus::Look);
    EXPECT_NEAR(line.value.value_or(0), 0.97, 0.02);
}

TEST(HealthCheck, SaysLookAtAHostThatLaunchesLate) {
    EXPECT_THAT(looked(checkOf(plantedJob({"tiny-kernels"}))), testing::IsSupersetOf({"idle"}));
}

TEST(HealthCheck, SaysWhatWouldTellWhereItCannotTell) {
    for (const auto& faults : {std::vector<std::string>(), std::vector<std::string>{"dataloader"}}) {
        for (const CheckLine& line : checkOf(plantedJob(faults, 1, 1)).lines) {
            EXPECT_FALSE(line.text.empty()) << line.key;
            EXPECT_EQ(line.record.empty(), line.status != CheckStatus::CannotTell) << line.key;
            EXPECT_EQ(line.text.find('{'), std::string::npos) << line.text;
        }
    }
}

TEST(HealthCheck, CannotTellWhatALoaderCostsWhereNoOperatorsWereRecorded) {
    const TempFolder folder;
    for (int rank = 0; rank < 2; ++rank) {
        const std::string name = "rank" + std::to_string(rank) + ".pt.trace.json";
        folder.write(name, withoutOperators(unpackedText(sample("ZeroWorkers") / (name + ".gz"))));
    }
    const Check check = checkOf(loadAndAnalyse(folder.path()));
    EXPECT_EQ(statusOf(check, "input"), CheckStatus::CannotTell);
    EXPECT_THAT(lineOf(check, "input").text, HasSubstr("No operators were recorded"));
}

TEST(HealthCheck, SaysThatNoLoaderWasRecordedRatherThanThatNoneIsWaitedFor) {
    auto [model, main, stream] = threadAndStream();
    for (int step = 0; step < 4; ++step) {
        const double at_us = 100 * step;
        model.op(main, "aten::mm", at_us + 2, 12);
        model.kernel(main, at_us + 6, 5, stream, "gemm", at_us + 13, 85);
        model.step(main, step, at_us, 100);
    }
    const Check check = checkOf(analyse(runOf({model.build()})));
    EXPECT_EQ(lineOf(check, "input").text, "No DataLoader was recorded. Waits for another loader count as CPU time.");
}

TEST(HealthCheck, SaysThatNothingCostsMuchOnlyWhereItIsKnownWhatLimitsTheStep) {
    const TempFolder folder;
    folder.write("rank0.json", unpackedText(sample("ZeroWorkers") / "rank0.pt.trace.json.gz"));
    const AnalysedRun one = loadAndAnalyse(folder.path());
    ASSERT_TRUE(one.diagnosis.findings.empty() && !one.diagnosis.headline.known);
    EXPECT_EQ(statusOf(checkOf(one), "findings"), CheckStatus::CannotTell);
    EXPECT_EQ(report::noFindings(one), "None: no recorded cause costs 1 % of the step or more.");
    EXPECT_EQ(statusOf(checkOf(plantedJob({})), "findings"), CheckStatus::Ok);
}

TEST(HealthCheck, OfOneOfSeveralRanksCannotTellWhoIsSlow) {
    const AnalysedRun run = plantedJob({}, 4, 8);
    auto one = std::make_shared<rankscope::Run>(*run.run);
    one->ranks.resize(1);
    one->missing_count = 3;
    const AnalysedRun alone = analyse(one);
    const Check check = checkOf(alone);
    EXPECT_EQ(statusOf(check, "own-work"), CheckStatus::CannotTell);
    EXPECT_EQ(statusOf(check, "ranks"), CheckStatus::CannotTell);
}

TEST(HealthCheck, OfAHostThatCallsCollectivesCannotTellWhetherItIsTheOnlyRank) {
    const auto host = [](const std::string& name) {
        rankscope::Run run;
        run.ranks = {
            loadText(traceJson({eventJson({.category = "cpu_op", .name = name, .ts = "0", .dur = "50", .args = {}})}))};
        return analyse(std::make_shared<const rankscope::Run>(std::move(run)));
    };
    const AnalysedRun calls = host("nccl:all_to_all");
    EXPECT_EQ(statusOf(checkOf(calls), "ranks"), CheckStatus::CannotTell);
    EXPECT_EQ(statusOf(checkOf(calls), "own-work"), CheckStatus::CannotTell);
    EXPECT_EQ(statusOf(checkOf(calls), "z-scores"), CheckStatus::CannotTell);
    const AnalysedRun alone = host("aten::mm");
    EXPECT_EQ(statusOf(checkOf(alone), "ranks"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(checkOf(alone), "own-work"), CheckStatus::Ok);
}

TEST(HealthCheck, OfAJobOfOneRankHasNobodyToCompare) {
    AnalysedRun run = plantedJob({}, 1, 8);
    run.facts.collectives = {};
    for (RankFacts& rank : run.facts.ranks) {
        rank.communication = {};
    }
    const Check check = checkOf(run);
    EXPECT_EQ(statusOf(check, "own-work"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(check, "z-scores"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(check, "clocks"), CheckStatus::Ok);
    EXPECT_EQ(statusOf(check, "exposed-communication"), CheckStatus::Ok);
}

TEST(HealthCheck, ZScoresOfFewRanksSayNothing) {
    const Check check = checkOf(plantedJob({"slow-kernels:ranks=2,amount=1.5"}));
    const CheckLine& line = lineOf(check, "z-scores");
    EXPECT_EQ(line.status, CheckStatus::CannotTell);
    EXPECT_NE(line.text.find("1.73"), std::string::npos) << "the square root of three: " << line.text;
}

TEST(HealthCheck, ZScoresOfManyRanksNameTheOddOne) {
    const Check check = checkOf(plantedJob({"slow-kernels:ranks=5,amount=1.5"}, 16, 4));
    const CheckLine& line = lineOf(check, "z-scores");
    EXPECT_EQ(line.status, CheckStatus::Look);
    EXPECT_EQ(line.place.rank, RankPosition(5));
}

TEST(HealthCheck, PartsOfTheBudgetAddUpToTheSteps) {
    for (const char* fault : {"dataloader", "slow-network", "host-sync"}) {
        const report::StepBudget budget = checkOf(plantedJob({fault})).budget;
        EXPECT_GT(budget.steps, 0U);
        EXPECT_EQ(budget.compute_ns + budget.exposed_comm_ns + budget.exposed_copy_ns + budget.idle_ns, budget.step_ns);
        EXPECT_EQ(budget.idle_causes.total(), budget.idle_ns);
        EXPECT_GE(budget.hiddenCommunication(), 0);
        EXPECT_GE(budget.withoutOverlap(), budget.step_ns);
    }
}

TEST(HealthCheck, DoesNotCountWaitingForLateRanksAsWhatOverlapCouldHide) {
    const Check check = checkOf(plantedJob({"slow-kernels:ranks=2,amount=1.3"}));
    const report::StepBudget& budget = check.budget;
    ASSERT_GT(budget.exposed_wait_ns.value_or(0), 0);
    const CheckLine& line = lineOf(check, "overlap");
    const double transfers = budget.share(budget.exposed_comm_ns - budget.exposed_wait_ns.value_or(0)).value_or(0);
    EXPECT_LE(line.value.value_or(1), transfers + 1e-6);
    EXPECT_EQ(line.status, CheckStatus::Ok) << line.text;
}

TEST(HealthCheck, DoesNotTakeWhatCannotBeDividedForWhatOverlapCouldHide) {
    const AnalysedRun whole = plantedJob({"slow-kernels:ranks=2,amount=1.5"});
    auto some = std::make_shared<rankscope::Run>(*whole.run);
    some->ranks.erase(some->ranks.begin() + 2);  // for whom the others wait
    some->missing_count = 1;
    const Check check = checkOf(analyse(some));
    EXPECT_EQ(check.budget.exposed_unsplit_ns, check.budget.exposed_comm_ns);
    const CheckLine& communication = lineOf(check, "exposed-communication");
    EXPECT_EQ(communication.status, CheckStatus::Look);
    EXPECT_THAT(communication.text, testing::HasSubstr("cannot be divided"));
    const CheckLine& overlap = lineOf(check, "overlap");
    EXPECT_EQ(overlap.status, CheckStatus::CannotTell) << overlap.text;
    EXPECT_FALSE(overlap.value.has_value());
    EXPECT_THAT(overlap.text, testing::HasSubstr("cannot be divided"));
    EXPECT_THAT(overlap.record, testing::HasSubstr("all ranks"));
}

TEST(HealthCheck, NeedsAMarkedStep) {
    AnalysedRun run = plantedJob({}, 1, 1);
    run.facts.steps.clear();
    run.facts.ranks[0].steps.clear();
    run.facts.median_step_ns = 0;
    run.facts.mean_step_ns = 0;
    const Check check = checkOf(run);
    EXPECT_EQ(statusOf(check, "steps"), CheckStatus::CannotTell);
    EXPECT_EQ(statusOf(check, "budget"), CheckStatus::CannotTell);
    EXPECT_EQ(statusOf(check, "findings"), CheckStatus::CannotTell);
    EXPECT_EQ(statusOf(check, "recorded-steps"), CheckStatus::CannotTell);
}

}  // namespace
}  // namespace rankscope::test
