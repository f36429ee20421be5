// SPDX-License-Identifier: GPL-3.0-or-later
// The machine's processor: cores, turns and quotas.

#include "tests/support/durations.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/scheduler.h"

namespace rankscope::tracegen::machine {
namespace {

using test::kMs;

HostSpec hostWith(int cores) {
    HostSpec spec;
    spec.cores = cores;
    return spec;
}

void runAll(EventQueue& queue, TimeNs until = 10'000 * kMs) {
    while (queue.now() < until && queue.runOne()) {}
}

TEST(MachineScheduler, GivesAThreadThatIsAloneItsCoreAtOnce) {
    EventQueue queue;
    Scheduler scheduler(queue, hostWith(1));
    TimeNs done = 0;
    scheduler.work(scheduler.addThread(), 7 * kMs, [&] { done = queue.now(); });
    runAll(queue);
    EXPECT_EQ(done, 7 * kMs);
    EXPECT_EQ(scheduler.used(), 7 * kMs);
}

TEST(MachineScheduler, LetsThreadsTakeTurnsOnItsGridWhereCoresAreFew) {
    EventQueue queue;
    Scheduler scheduler(queue, hostWith(1));
    std::vector<TimeNs> done(2);
    for (TimeNs& end : done) {
        scheduler.work(scheduler.addThread(), 6 * kMs, [&] { end = queue.now(); });
    }
    runAll(queue);
    // 4 ms of the first, 4 ms of the second, the first's last 2, the second's.
    EXPECT_EQ(done[0], 10 * kMs);
    EXPECT_EQ(done[1], 12 * kMs);
}

TEST(MachineScheduler, NeverRunsMoreThreadsThanItHasCores) {
    EventQueue queue;
    Scheduler scheduler(queue, hostWith(3));
    int finished = 0;
    for (int i = 0; i < 20; ++i) {
        scheduler.work(scheduler.addThread(), (3 + i) * kMs, [&] { ++finished; });
    }
    while (queue.runOne()) {
        ASSERT_LE(scheduler.running(), 3);
    }
    EXPECT_EQ(finished, 20);
    EXPECT_EQ(scheduler.mostRunning(), 3);
    EXPECT_EQ(scheduler.used(), (20 * 3 + 190) * kMs) << "nothing of what was asked for is lost or done twice";
}

TEST(MachineScheduler, KeepsACoreBusyForAThreadThatSpins) {
    EventQueue queue;
    Scheduler scheduler(queue, hostWith(1));
    const Scheduler::ThreadId spinning = scheduler.addThread();
    TimeNs released = 0;
    TimeNs other = 0;
    scheduler.spin(spinning, [&] { released = queue.now(); });
    queue.at(kMs, [&] { scheduler.work(scheduler.addThread(), kMs, [&] { other = queue.now(); }); });
    queue.at(9 * kMs, [&] { scheduler.release(spinning); });
    runAll(queue);
    EXPECT_EQ(other, 5 * kMs) << "it waits for the tick at 4 ms";
    EXPECT_EQ(released, 9 * kMs);
}

TEST(MachineScheduler, StopsAllThreadsOnceAQuotaIsSpent) {
    EventQueue queue;
    HostSpec spec = hostWith(2);
    spec.quota = CpuQuota{60 * kMs, 100 * kMs};
    Scheduler scheduler(queue, spec);
    std::vector<TimeNs> done(2);
    for (TimeNs& end : done) {
        scheduler.work(scheduler.addThread(), 50 * kMs, [&] { end = queue.now(); });
    }
    runAll(queue, 1'000 * kMs);
    // 30 ms each until the 60 are spent, then nothing until 100 ms.
    EXPECT_EQ(done[0], 120 * kMs);
    EXPECT_EQ(done[1], 120 * kMs);
}

TEST(MachineScheduler, RefusesTwoThingsAtOnceForOneThread) {
    EventQueue queue;
    Scheduler scheduler(queue, hostWith(1));
    const Scheduler::ThreadId thread = scheduler.addThread();
    scheduler.work(thread, kMs, [] {});
    EXPECT_THROW(scheduler.work(thread, kMs, [] {}), std::logic_error);
}

}  // namespace
}  // namespace rankscope::tracegen::machine
