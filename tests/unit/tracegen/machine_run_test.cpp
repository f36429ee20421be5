// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs on the machine: what must hold of each, whatever the fault.

#include "tests/support/testing.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/simulate.h"
#include "tests/tracegen/machine/training_step.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr std::uint64_t kSeed = 41;

Config shortRun(int ranks) {
    Config config = healthyConfig(kSeed, ranks);
    config.steps = 10;
    return config;
}

TEST(MachineRun, NeverRunsMoreThreadsThanAHostHasCores) {
    Config config = shortRun(4);
    for (HostSpec& host : config.hosts) {
        host.cores = 2;
    }
    const TrueRun run = simulate(config);
    for (const int most : run.most_running) {
        EXPECT_EQ(most, 2);
    }
}

TEST(MachineRun, OrdersAndSeparatesTheWorkOfEachStream) {
    const TrueRun run = simulate(shortRun(2));
    for (const auto& events : run.events) {
        std::map<Stream, const Event*> before;
        std::map<Stream, std::uint64_t> launched;
        for (const Event& event : events) {
            if (event.kind != EventKind::Kernel && event.kind != EventKind::Memcpy) {
                continue;
            }
            const Event*& last = before[event.stream];
            if (last != nullptr) {
                ASSERT_GT(event.start_ns, last->end_ns);
                ASSERT_GE(event.correlation, last->correlation);
            }
            last = &event;
        }
    }
}

TEST(MachineRun, StartsNoWorkBeforeItsLaunchAndEndsCollectivesTogether) {
    const TrueRun run = simulate(shortRun(4));
    std::map<std::uint64_t, std::vector<const Event*>> members;
    for (const auto& events : run.events) {
        std::map<std::uint64_t, TimeNs> launches;
        for (const Event& event : events) {
            if (event.kind == EventKind::Runtime) {
                launches[event.correlation] = event.start_ns;
            } else if (event.kind == EventKind::Kernel) {
                if (const auto launch = launches.find(event.correlation); launch != launches.end()) {
                    EXPECT_GT(event.start_ns, launch->second);
                }
                if (event.collective.valid()) {
                    members[event.collective.sequence].push_back(&event);
                }
            }
        }
    }
    ASSERT_GT(members.size(), 20U);
    for (const auto& [sequence, all] : members) {
        if (all.size() < 4) {
            continue;  // began before the window of a rank
        }
        const auto [first, last] = std::ranges::minmax(all, {}, &Event::end_ns);
        EXPECT_LT(last->end_ns - first->end_ns, run.config.network.tail_ns);
        for (const Event* member : all) {
            EXPECT_LT(member->start_ns, first->end_ns);
        }
    }
}

TEST(MachineRun, IsTheSameForEqualSeedsAndAnotherForOthers) {
    const auto shape = [](const TrueRun& run) {
        std::vector<std::tuple<TimeNs, TimeNs, std::uint64_t>> all;
        for (const auto& events : run.events) {
            for (const Event& event : events) {
                all.emplace_back(event.start_ns, event.end_ns, event.correlation);
            }
        }
        return all;
    };
    Config other = shortRun(2);
    ++other.seed;
    EXPECT_EQ(shape(simulate(shortRun(2))), shape(simulate(shortRun(2))));
    EXPECT_NE(shape(simulate(shortRun(2))), shape(simulate(other)));
}

TEST(MachineRun, MeasuresStepsFromTheEndOfOneToTheEndOfTheNext) {
    const TrueRun run = simulate(shortRun(2));
    ASSERT_EQ(run.step_ends.size(), 10U);
    EXPECT_TRUE(std::ranges::is_sorted(run.step_ends));
    EXPECT_EQ(run.meanStep(), (run.step_ends.back() - run.window_start_ns) / 10);
    const auto expected = static_cast<double>(expectedStep(run.config));
    EXPECT_NEAR(static_cast<double>(run.meanStep()), expected, 0.2 * expected);
}

TEST(MachineRun, TakesLongerWithEachOfTheFaultsAtItsStrongest) {
    for (const Fault& fault : allFaults()) {
        Config healthy = healthyConfig(kSeed, std::max(4, fault.least_ranks));
        if (fault.prepare != nullptr) {
            fault.prepare(healthy, fault.strengths.back());
        }
        Config planted = healthy;
        fault.plant(planted, fault.strengths.back());
        EXPECT_GT(simulate(planted).meanStep(), simulate(healthy).meanStep() * 103 / 100) << fault.name;
        EXPECT_FALSE(ranksOf(fault, planted).empty()) << fault.name;
        EXPECT_TRUE(std::ranges::is_sorted(fault.strengths) || std::ranges::is_sorted(fault.strengths, std::greater{}))
            << fault.name;
    }
}

TEST(MachineRun, PacksBucketsAsDdpDoes) {
    ModelSpec model;
    const std::vector<Bucket> buckets = bucketsOf(model);
    std::int64_t elements = 0;
    for (const Bucket& bucket : buckets) {
        elements += bucket.elements;
    }
    EXPECT_EQ(elements, model.blocks * model.block_parameters);
    EXPECT_LT(buckets.front().elements, buckets[1].elements) << "the first is the smallest";
    EXPECT_EQ(buckets.back().last_block, 0);
    model.bucket_mb = 1000;
    EXPECT_EQ(bucketsOf(model).size(), 1U);
}

TEST(MachineRun, RefusesAMachineThatCannotRun) {
    Config config;
    config.ranks.clear();
    EXPECT_THROW((void)simulate(config), std::invalid_argument);
    config = Config{};
    config.warmup_steps = 0;
    EXPECT_THROW((void)simulate(config), std::invalid_argument);
}

}  // namespace
}  // namespace rankscope::tracegen::machine
