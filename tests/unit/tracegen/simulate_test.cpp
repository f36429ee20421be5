// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/simulate.h"

#include "tests/support/testing.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::tracegen {
namespace {

Config smallRun(Vendor vendor = Vendor::Cuda) {
    Config config;
    config.vendor = vendor;
    config.steps = 4;
    return config;
}

bool isWork(const Event& event) {
    return onDevice(event.kind) && event.kind != EventKind::GpuAnnotation;
}

std::vector<Event> workOf(const RunResult& run, std::size_t rank) {
    std::vector<Event> work;
    std::copy_if(run.events[rank].begin(), run.events[rank].end(), std::back_inserter(work), isWork);
    std::sort(work.begin(), work.end(), [](const Event& a, const Event& b) { return a.start_ns < b.start_ns; });
    return work;
}

TEST(Simulation, TheSameSeedGivesTheSameBytes) {
    EXPECT_EQ(kinetoText(simulate(smallRun()), 1), kinetoText(simulate(smallRun()), 1));
}

TEST(Simulation, AnotherSeedGivesOtherTimes) {
    Config other = smallRun();
    other.seed = 2;
    EXPECT_NE(simulate(smallRun()).stepTimes(), simulate(other).stepTimes());
}

TEST(Simulation, SlicesOfOneStreamNeverOverlap) {
    const RunResult run = simulate(smallRun());
    for (std::size_t rank = 0; rank < run.events.size(); ++rank) {
        std::map<Stream, TimeNs> free;
        for (const Event& work : workOf(run, rank)) {
            EXPECT_GE(work.start_ns, free[work.stream]);
            EXPECT_GT(work.end_ns, work.start_ns);
            free[work.stream] = work.end_ns;
        }
        EXPECT_EQ(free.size(), 2U);
    }
}

TEST(Simulation, EveryDeviceEventStartsAfterTheStartOfItsLaunch) {
    const RunResult run = simulate(smallRun(Vendor::Rocm));
    for (std::size_t rank = 0; rank < run.events.size(); ++rank) {
        std::map<std::uint64_t, const Event*> launches;
        for (const Event& event : run.events[rank]) {
            if (event.kind == EventKind::Runtime && event.kernel.valid()) {
                EXPECT_TRUE(launches.emplace(event.correlation, &event).second);
            }
        }
        const std::vector<Event> work = workOf(run, rank);
        EXPECT_EQ(work.size(), launches.size());
        for (const Event& event : work) {
            ASSERT_TRUE(launches.contains(event.correlation));
            EXPECT_GT(event.start_ns, launches[event.correlation]->start_ns);
            EXPECT_EQ(event.external_id, launches[event.correlation]->external_id);
        }
    }
}

TEST(Simulation, SlicesOfOneThreadNest) {
    const RunResult run = simulate(smallRun());
    std::map<Thread, std::vector<Event>> by_thread;
    for (const Event& event : run.events.front()) {
        if (!onDevice(event.kind)) {
            by_thread[event.thread].push_back(event);
        }
    }
    for (auto& [thread, slices] : by_thread) {
        std::stable_sort(slices.begin(), slices.end(), [](const Event& a, const Event& b) {
            return std::tuple(a.start_ns, -a.end_ns) < std::tuple(b.start_ns, -b.end_ns);
        });
        std::vector<TimeNs> open;
        for (const Event& slice : slices) {
            while (!open.empty() && open.back() <= slice.start_ns) {
                open.pop_back();
            }
            EXPECT_TRUE(open.empty() || slice.end_ns <= open.back());
            open.push_back(slice.end_ns);
        }
    }
    EXPECT_EQ(by_thread.size(), 2U);
}

TEST(Simulation, ACollectiveEndsTogetherWithTheLastArriverLast) {
    Config config = smallRun();
    config.ranks = 5;
    const RunResult run = simulate(config);
    std::map<std::uint64_t, std::vector<Event>> matches;
    for (std::size_t rank = 0; rank < run.events.size(); ++rank) {
        for (const Event& work : workOf(run, rank)) {
            if (work.collective.valid()) {
                matches[work.collective.sequence].push_back(work);
            }
        }
    }
    EXPECT_GT(matches.size(), 4U);
    for (const auto& [sequence, members] : matches) {
        ASSERT_EQ(members.size(), 5U);
        const auto by_start = [](const Event& a, const Event& b) { return a.start_ns < b.start_ns; };
        const auto by_end = [](const Event& a, const Event& b) { return a.end_ns < b.end_ns; };
        const auto [first_end, last_end] = std::minmax_element(members.begin(), members.end(), by_end);
        const auto last_start = std::max_element(members.begin(), members.end(), by_start);
        EXPECT_LE(last_end->end_ns - first_end->end_ns, 24'000);
        EXPECT_EQ(last_start->end_ns, last_end->end_ns);
        EXPECT_GT(first_end->end_ns, last_start->start_ns);
    }
}

TEST(Simulation, TheOptimizerWaitsForAllAllReducesOfItsStep) {
    const RunResult run = simulate(smallRun());
    std::map<int, TimeNs> reduced;
    std::map<int, TimeNs> optimizer;
    for (const Event& work : workOf(run, 0)) {
        if (work.collective.valid()) {
            reduced[work.step] = std::max(reduced[work.step], work.end_ns);
        } else if (run.names->view(work.name).find("multi_tensor_apply") != std::string_view::npos) {
            optimizer.emplace(work.step, work.start_ns);
        }
    }
    ASSERT_EQ(optimizer.size(), 4U);
    for (const auto& [step, start] : optimizer) {
        EXPECT_GE(start, reduced[step]);
    }
}

TEST(Simulation, StepsFollowEachOtherAndHoldTheirDeviceWork) {
    const RunResult run = simulate(smallRun());
    for (std::size_t rank = 0; rank < run.steps.size(); ++rank) {
        ASSERT_EQ(run.steps[rank].size(), 4U);
        for (const Event& work : workOf(run, rank)) {
            EXPECT_LE(work.end_ns, run.steps[rank][static_cast<std::size_t>(work.step)].span.end_ns);
        }
        for (std::size_t step = 1; step < 4; ++step) {
            EXPECT_GE(run.steps[rank][step].span.start_ns, run.steps[rank][step - 1].span.end_ns);
        }
    }
}

TEST(Simulation, TheHostOfAHealthyRunIsAheadAndItsDeviceIsBusy) {
    const RunResult run = simulate(smallRun());
    TimeNs compute = 0;
    for (const Event& work : workOf(run, 0)) {
        compute += work.stream == Stream::Compute ? work.end_ns - work.start_ns : 0;
    }
    const auto& steps = run.steps.front();
    EXPECT_LT(steps.back().host.end_ns, steps.back().span.start_ns);
    EXPECT_GT(compute * 100, 97 * (steps.back().span.end_ns - steps.front().span.start_ns));
}

TEST(Simulation, StepsBeforeTheWindowAreNotRecordedButTheirLateKernelsAre) {
    Config config = smallRun();
    config.warmup_steps = 3;
    const RunResult run = simulate(config);
    EXPECT_EQ(run.stepTimes().size(), 4U);
    const TimeNs window = run.steps.front().front().host.start_ns;
    std::size_t late = 0;
    for (const Event& event : run.events.front()) {
        EXPECT_GE(event.start_ns, window);
        late += event.step < 0 ? 1U : 0U;
        EXPECT_TRUE(event.step >= 0 || isWork(event));
    }
    EXPECT_GT(late, 0U);
}

TEST(Simulation, PiecesAddUpToTheWhole) {
    class Counter : public EventSink {
      public:
        void take(int rank, std::span<const Event> events) override {
            pieces += rank == 0 ? 1U : 0U;
            count += rank == 0 ? events.size() : std::size_t{0};
        }
        std::size_t pieces = 0;
        std::size_t count = 0;
    } counter;
    (void)simulate(smallRun(), std::make_shared<StringPool>(), counter);
    EXPECT_EQ(counter.pieces, 5U);  // a step each, and the end of the window
    EXPECT_EQ(counter.count, simulate(smallRun()).events.front().size());
}

TEST(Simulation, AConfigurationOutOfRangeIsRefused) {
    Config config;
    config.ranks = 65;
    EXPECT_THROW((void)simulate(config), std::invalid_argument);
    config = {};
    config.faults.push_back(parseFault("slow-kernels:ranks=4"));
    EXPECT_THROW((void)simulate(config), std::invalid_argument);
}

}  // namespace
}  // namespace rankscope::tracegen
