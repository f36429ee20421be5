// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs whose work is divided in a grid: that the machine runs them as such jobs run.

#include "tests/support/testing.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/job_truth.h"
#include "tests/tracegen/machine/schedule.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::tracegen::machine {
namespace {

// Without chance, and without what communication takes of the computation beside it.
Config exactly(const JobSpec& job) {
    Config config;
    config.job = job;
    config.ranks.resize(static_cast<std::size_t>(job.ranks()));
    for (RankSpec& rank : config.ranks) {
        rank.device.beside_communication = 1;
    }
    config.noise = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    config.background.threads = 0;
    config.steps = 3;
    config.warmup_steps = 1;
    return config;
}

JobSpec stages(int pipeline, Schedule schedule, int chunks, int micro_batches) {
    JobSpec job;
    job.pipeline = pipeline;
    job.schedule = schedule;
    job.chunks = chunks;
    job.micro_batches = micro_batches;
    job.layers = pipeline * chunks;
    job.layer_ns = 8'000'000;
    job.activations = 262'144;
    job.brief = true;
    return job;
}

JobSpec shards(Sharing sharing, bool prefetch) {
    JobSpec job;
    job.framework = Framework::Torchtitan;
    job.data = 4;
    job.sharing = sharing;
    job.prefetch = prefetch;
    job.layers = 6;
    job.layer_ns = 4'000'000;
    job.layer_parameters = 40'000'000;
    return job;
}

// Of the last step of all ranks, in the mean.
double meanBubble(const TrueRun& run) {
    double sum = 0;
    for (const std::vector<JobStepTruth>& rank : jobTruthOf(run)) {
        sum += static_cast<double>(rank.back().bubble_ns) / static_cast<double>(rank.back().pipeline_ns);
    }
    return sum / run.config.rankCount();
}

TEST(MachineJob, BubbleOfEqualStagesIsThatOfTheory) {
    for (const auto& [schedule, chunks] : {std::pair(Schedule::GPipe, 1), std::pair(Schedule::OneForwardOneBackward, 1),
                                           std::pair(Schedule::Interleaved, 2), std::pair(Schedule::ZeroBubble, 1),
                                           std::pair(Schedule::ZeroBubbleV, 2), std::pair(Schedule::DualPipeV, 2)}) {
        for (const auto& [pipeline, micro_batches] : {std::pair(2, 4), std::pair(4, 8), std::pair(4, 16)}) {
            const JobSpec job = stages(pipeline, schedule, chunks, micro_batches);
            // What a message takes, and what the host needs between two passes, is a percent of a pass.
            EXPECT_NEAR(meanBubble(simulate(exactly(job))), bubbleOfTheory(job), 0.02)
                << nameOf(schedule) << ' ' << pipeline << " stages, " << micro_batches << " micro-batches";
        }
    }
}

TEST(MachineJob, SendsABatchOfMessagesInOneKernelThatTellsNoneOfThem) {
    JobSpec job = stages(4, Schedule::OneForwardOneBackward, 1, 8);
    job.batched = true;
    const TrueRun run = simulate(exactly(job));
    EXPECT_NEAR(meanBubble(run), bubbleOfTheory(job), 0.03);
    std::size_t kernels = 0;
    std::size_t calls = 0;
    for (const Event& event : run.events[1]) {
        kernels += event.kind == EventKind::Kernel && event.stream == Stream::Next && event.step == 1 ? 1U : 0U;
        calls += event.kind == EventKind::Operator && event.collective.isMessage() && event.step == 1 ? 1U : 0U;
        EXPECT_FALSE(event.kind == EventKind::Kernel && event.collective.isMessage());
    }
    EXPECT_EQ(calls, 4U * 8) << "both ways with both neighbours";
    EXPECT_LT(kernels, calls);
    EXPECT_GT(kernels, calls / 4);
}

TEST(MachineJob, NamesActionsAsPyTorchsPipelinesDo) {
    const auto ranges = [](Schedule schedule, int chunks) {
        JobSpec job = stages(2, schedule, chunks, 2);
        job.framework = Framework::Torchtitan;
        const TrueRun run = simulate(exactly(job));
        std::set<std::string> names;
        for (const Event& event : run.events[1]) {
            const std::string name(run.names->view(event.name));
            if (name.starts_with("PP:") || name.starts_with("Forward ") || name.starts_with("Backward ")) {
                names.insert(name);
            }
        }
        return names;
    };
    EXPECT_EQ(ranges(Schedule::Interleaved, 2),
              (std::set<std::string>{"PP:1F0", "PP:1F1", "PP:3F0", "PP:3F1", "PP:1B0", "PP:1B1", "PP:3B0", "PP:3B1"}));
    EXPECT_EQ(ranges(Schedule::GPipe, 1),
              (std::set<std::string>{"Forward 0", "Forward 1", "Backward 0", "Backward 1"}));
    EXPECT_TRUE(ranges(Schedule::OneForwardOneBackward, 1).empty());
}

TEST(MachineJob, BubbleGrowsWhereAStageIsSlowOrMicroBatchesAreFew) {
    const JobSpec job = stages(4, Schedule::OneForwardOneBackward, 1, 8);
    JobSpec few = stages(4, Schedule::OneForwardOneBackward, 1, 2);
    few.layer_ns *= 4;
    Config slow = exactly(job);
    slow.job->stage_factors = {1, 1.5};
    const TrueRun equal = simulate(exactly(job));
    const TrueRun uneven = simulate(slow);
    const TrueRun coarse = simulate(exactly(few));
    EXPECT_NEAR(meanBubble(coarse), 3.0 / 5, 0.02);
    EXPECT_GT(coarse.meanStep(), equal.meanStep() * 13 / 10);
    EXPECT_GT(uneven.meanStep(), equal.meanStep() * 12 / 10);
    const auto truth = jobTruthOf(uneven);
    EXPECT_LT(truth[1].back().bubble_ns, truth[0].back().bubble_ns / 2) << "the slow stage waits least";
}

TEST(MachineJob, EachPassComesAfterWhatItNeedsInTheSlotsOfASchedule) {
    for (const auto& [schedule, chunks] : {std::pair(Schedule::GPipe, 1), std::pair(Schedule::OneForwardOneBackward, 1),
                                           std::pair(Schedule::Interleaved, 3), std::pair(Schedule::ZeroBubble, 1),
                                           std::pair(Schedule::ZeroBubbleV, 2), std::pair(Schedule::DualPipeV, 2)}) {
        const JobSpec job = stages(4, schedule, chunks, 8);
        std::set<std::tuple<int, bool, int, int>> done;
        std::size_t messages = 0;
        std::size_t weight_passes = 0;
        for (const Slot& slot : slotsOf(job)) {
            for (int stage = 0; stage < job.pipeline; ++stage) {
                for (const StageAction& action : slot.actions[static_cast<std::size_t>(stage)]) {
                    if (const auto needed = neededBy(job, stage, action)) {
                        const auto& [from, pass] = *needed;
                        EXPECT_TRUE(done.contains({from, pass.forward, pass.micro_batch, pass.chunk}));
                    }
                }
            }
            for (int stage = 0; stage < job.pipeline; ++stage) {
                for (const StageAction& action : slot.actions[static_cast<std::size_t>(stage)]) {
                    const bool weights = action.gradient == Gradient::Weight;
                    weight_passes += weights ? 1U : 0U;
                    if (!weights) {
                        done.insert({stage, action.forward, action.micro_batch, action.chunk});
                    }
                }
            }
            messages += slot.messages.size();
        }
        EXPECT_EQ(done.size(), static_cast<std::size_t>(2 * job.pipeline * chunks * job.micro_batches));
        const int local = isFolded(schedule) ? 2 : 1;  // the last stage of a folded pipeline hands over to itself
        EXPECT_EQ(messages, static_cast<std::size_t>(2 * (job.pipeline * chunks - local) * job.micro_batches));
        EXPECT_EQ(weight_passes > 0, splitsBackward(schedule));
    }
}

TEST(MachineJob, HoldsFewMicroBatchesAtATimeWithOneForwardOneBackward) {
    const auto most = [](Schedule schedule, int stage) {
        int held = 0;
        int most_held = 0;
        for (const StageAction& action : orderOf(stages(4, schedule, 1, 8), stage)) {
            held += action.forward ? 1 : -1;
            most_held = std::max(most_held, held);
        }
        return most_held;
    };
    EXPECT_EQ(most(Schedule::GPipe, 0), 8);
    EXPECT_EQ(most(Schedule::OneForwardOneBackward, 0), 4);
    EXPECT_EQ(most(Schedule::OneForwardOneBackward, 3), 1);
}

TEST(MachineJob, HidesGathersWithPrefetchAndExposesThemWithout) {
    for (const Sharing sharing : {Sharing::Fsdp1, Sharing::Fsdp2}) {
        const auto share = [&](bool prefetch) {
            const auto truth = jobTruthOf(simulate(exactly(shards(sharing, prefetch))));
            ExposedTime all;
            for (const auto& [unit, gather] : truth[1].back().gathers) {
                all.ns += gather.ns;
                all.exposed_ns += gather.exposed_ns;
            }
            EXPECT_EQ(truth[1].back().gathers.size(), 8U);
            return static_cast<double>(all.exposed_ns) / static_cast<double>(all.ns);
        };
        EXPECT_LT(share(true), 0.15) << nameOf(sharing);
        EXPECT_GT(share(false), 0.85) << nameOf(sharing);
    }
}

TEST(MachineJob, GathersSeveralLayersAtOnceWhereTheyAreOneUnit) {
    JobSpec job = shards(Sharing::Fsdp2, true);
    job.unit_layers = 4;
    const auto truth = jobTruthOf(simulate(exactly(job)));
    const auto single = jobTruthOf(simulate(exactly(shards(Sharing::Fsdp2, true))));
    const std::map<int, ExposedTime>& gathers = truth[0].back().gathers;
    ASSERT_EQ(gathers.size(), 4U) << "four layers, two layers, and what stands before and after them";
    EXPECT_GT(gathers.at(0).ns, 2 * single[0].back().gathers.at(0).ns);
    EXPECT_LT(gathers.at(4).ns, gathers.at(0).ns);
}

TEST(MachineJob, GivesAStageMoreLayersWhereTheyAreNotDividedEvenly) {
    JobSpec job = stages(4, Schedule::OneForwardOneBackward, 1, 8);
    job.layers = 8;
    job.stage_layers = {1, 2, 4, 1};
    const TrueRun run = simulate(exactly(job));
    const auto truth = jobTruthOf(run);
    EXPECT_LT(truth[2].back().bubble_ns, truth[1].back().bubble_ns);
    EXPECT_LT(truth[1].back().bubble_ns, truth[3].back().bubble_ns);
    job.stage_layers = {1, 2, 4, 2};
    EXPECT_THROW(validate(job), std::invalid_argument);
}

TEST(MachineJob, LetsBothSidesOfAMessageMeet) {
    JobSpec job = stages(3, Schedule::OneForwardOneBackward, 1, 4);
    job.tensor = 2;
    const TrueRun run = simulate(exactly(job));
    std::map<std::tuple<int, int, std::uint64_t>, std::vector<const Event*>> messages;
    for (std::size_t r = 0; r < run.events.size(); ++r) {
        const int rank = static_cast<int>(r);
        for (const Event& event : run.events[r]) {
            const CollectiveCall& call = event.collective;
            if (event.kind == EventKind::Kernel && event.step >= 0 && call.isMessage()) {
                const bool sends = call.kind == CollectiveKind::Send;
                messages[{sends ? rank : call.peer, sends ? call.peer : rank, call.message}].push_back(&event);
                EXPECT_EQ(placeOf(job, call.peer).tensor, placeOf(job, rank).tensor);
            }
        }
    }
    ASSERT_EQ(messages.size(), 3U * 4 * 2 * 4) << "steps, micro-batches, both ways, two pairs of stages twice";
    for (const auto& [key, sides] : messages) {
        ASSERT_EQ(sides.size(), 2U);
        EXPECT_NE(sides[0]->collective.kind, sides[1]->collective.kind);
        EXPECT_LT(std::max(sides[0]->start_ns, sides[1]->start_ns), std::min(sides[0]->end_ns, sides[1]->end_ns));
    }
}

TEST(MachineJob, DividesItsRanksIntoTheGroupsOfEachKind) {
    JobSpec job = stages(2, Schedule::OneForwardOneBackward, 1, 2);
    job.data = 4;
    job.tensor = 3;
    job.expert = 2;
    const std::vector<ProcessGroup> groups = groupsOf(job);
    for (int rank = 0; rank < job.ranks(); ++rank) {
        EXPECT_EQ(rankAt(job, placeOf(job, rank)), rank);
        std::map<std::string, std::vector<std::size_t>> of_rank;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            EXPECT_EQ(groups[i].name, std::to_string(i));
            if (groups[i].placeOf(rank) >= 0) {
                of_rank[groups[i].description].push_back(i);
            }
        }
        EXPECT_EQ(of_rank.size(), 7U);
        EXPECT_TRUE(std::ranges::all_of(of_rank, [](const auto& entry) { return entry.second.size() == 1; }));
        EXPECT_EQ(of_rank["TENSOR_MODEL_PARALLEL_GROUP"].front(), groupOf(job, GroupKind::Tensor, rank));
        EXPECT_EQ(of_rank["EXPERT_MODEL_PARALLEL_GROUP"].front(), groupOf(job, GroupKind::Expert, rank));
    }
    EXPECT_EQ(groups[groupOf(job, GroupKind::Pipeline, 1)].ranks, (std::vector<int>{1, 13}));
    EXPECT_EQ(groups[groupOf(job, GroupKind::Data, 1)].ranks, (std::vector<int>{1, 4, 7, 10}));
}

TEST(MachineJob, SlowsOnlyTheTensorGroupWhoseLinksAreSlow) {
    JobSpec job;
    job.data = 2;
    job.tensor = 2;
    job.layers = 4;
    job.slow_tensor_group = 1;
    job.slow_link = 20;
    const auto truth = jobTruthOf(simulate(exactly(job)));
    EXPECT_GT(truth[2].back().tensor.ns, 4 * truth[0].back().tensor.ns);
    EXPECT_EQ(truth[0].back().tensor.ns, truth[0].back().tensor.exposed_ns) << "nothing runs beside it";
}

TEST(MachineJob, SendsAHotExpertMoreAndKeepsItBusier) {
    JobSpec job;
    job.data = 4;
    job.expert = 4;
    job.layers = 4;
    job.hot_expert = 2;
    const TrueRun run = simulate(exactly(job));
    const auto truth = jobTruthOf(run);
    // Dispatch sends what combine receives: of both together each side counts.
    EXPECT_EQ(truth[0].back().sent_bytes, truth[0].back().received_bytes);
    EXPECT_NEAR(static_cast<double>(truth[0].back().sent_bytes) / static_cast<double>(truth[1].back().sent_bytes),
                (1 + 2.0) / (1 + 2.0 / 3), 0.01);
    EXPECT_LT(truth[0].back().exchange.ns, truth[1].back().exchange.ns / 2) << "the others wait for it";
}

TEST(MachineJob, WritesGroupsPeersAndSplitsAsC10dDoes) {
    JobSpec job = stages(2, Schedule::OneForwardOneBackward, 1, 2);
    job.data = 2;
    job.expert = 2;
    const std::vector<TraceFile> files = writeFiles(simulate(exactly(job)), {});
    const auto file = nlohmann::json::parse(files.at(2).text);
    EXPECT_EQ(file["distributedInfo"]["pg_count"], 6);
    std::map<std::string, nlohmann::json> by_name;
    std::set<std::string> ranges;
    for (const auto& event : file["traceEvents"]) {
        if (event.value("cat", "") == "kernel" && event["args"].contains("Collective name")) {
            by_name[event["args"]["Collective name"]] = event;
        } else if (event.value("cat", "") == "user_annotation") {
            ranges.insert(event["name"]);
        }
    }
    EXPECT_EQ(by_name["recv"]["args"]["Src Rank"], 0);
    EXPECT_EQ(by_name["send"]["args"]["Dst Rank"], 0);
    EXPECT_EQ(by_name["send"]["args"]["Process Group Description"], "PIPELINE_MODEL_PARALLEL_GROUP");
    EXPECT_EQ(by_name["send"]["args"]["Process Group Ranks"], "[0, 2]");
    EXPECT_TRUE(by_name["send"]["name"].get<std::string>().starts_with("ncclDevKernel_SendRecv("));
    EXPECT_EQ(by_name["all_to_allv"]["args"]["In split size"], "[32, 32]");
    EXPECT_EQ(by_name["all_to_allv"]["args"]["dtype"], "BFloat16");
    EXPECT_TRUE(ranges.contains("nccl:send 1->0"));
    EXPECT_TRUE(ranges.contains("nccl:recv 1<-0"));
}

TEST(MachineJob, TellsThePriceOfAFaultAndWhomItHits) {
    Config config = jobConfig("grid", 3);
    config.steps = 2;
    const TrueRun without = simulate(config);
    const PlantedFault fault = parsePlanted("slow-tensor-link:6");
    fault.fault->plant(config, fault.strength);
    const TrueRun run = simulate(config);
    const nlohmann::json truth = truthOf(run, {}, &fault, &without);
    EXPECT_EQ(truth["faults"][0]["saving_ns"], run.meanStep() - without.meanStep());
    EXPECT_GT(truth["faults"][0]["saving_ns"], 0);
    EXPECT_EQ(truth["faults"][0]["findings"][0], "slow-collective");
    const std::size_t group = truth["faults"][0]["groups"][0];
    EXPECT_EQ(truth["groups"][group]["ranks"], truth["faults"][0]["ranks"]);
    EXPECT_EQ(truth["steps"].size(), 2U);
    EXPECT_EQ(truth["clocks"][1]["first_ns"], fileClockOf(run, {}, 1).first_ns);
    EXPECT_THROW((void)parsePlanted("slow-device"), std::invalid_argument) << "that is one of DDP's";
    EXPECT_THROW((void)parsePlanted("slow-stage:x"), std::invalid_argument);
}

TEST(MachineJob, RefusesAGridThatDoesNotFit) {
    JobSpec job = stages(4, Schedule::Interleaved, 2, 8);
    EXPECT_NO_THROW(validate(job));
    job.micro_batches = 6;
    EXPECT_THROW(validate(job), std::invalid_argument);
    job = stages(4, Schedule::GPipe, 1, 8);
    job.layers = 6;
    EXPECT_THROW(validate(job), std::invalid_argument);
    Config config = exactly(stages(4, Schedule::GPipe, 1, 8));
    config.ranks.resize(3);
    EXPECT_THROW((void)simulate(config), std::invalid_argument);
    EXPECT_THROW((void)jobConfig("nothing", 1), std::invalid_argument);
}

}  // namespace
}  // namespace rankscope::tracegen::machine
