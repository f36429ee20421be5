// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "tests/tracegen/machine/network.h"
#include "tests/tracegen/machine/scheduler.h"

namespace rankscope::tracegen::machine {

/// The storage that stalls: of every `every` batches in a row one, drawn by chance, is read `ns` more slowly, on all
/// ranks alike.
struct ReadStalls {
    int every = 6;
    DurationNs ns = 120'000'000;
};

/// How batches are made.
struct LoaderSpec {
    int workers = 4;                 ///< processes; 0: the main thread does it all
    int prefetch = 2;                ///< batches that each worker works ahead
    DurationNs read_ns = 8'000'000;  ///< of a batch, in which the worker waits for storage
    DurationNs cpu_ns = 25'000'000;  ///< of a batch, in which it needs a core
    int spread_per_mille = 200;      ///< how far batches differ
    DurationNs pin_ns = 250'000;     ///< of the thread that copies a batch into pinned memory
    std::optional<ReadStalls> stalls;
    DurationNs hand_over_ns = 50'000;  ///< of the main thread, which takes a batch from the workers
    DurationNs main_pin_ns = 0;        ///< of the main thread, which pins each batch where there are no workers
};

/// What making a batch takes.
struct BatchCost {
    DurationNs read_ns = 0;
    DurationNs cpu_ns = 0;
};
/// Worker `worker` makes batch number `batch` of `rank`. Workers have their own speeds.
[[nodiscard]] BatchCost costOf(const LoaderSpec& spec, std::uint64_t seed, int rank, int worker, int batch);

/// One rank's DataLoader: workers get batches in turns, make them at their own speed, and are given a new one whenever
/// one was taken; the pinning thread hands them on one by one; the main thread gets them in order.
class Loader {
  public:
    using Action = EventQueue::Action;

    Loader(EventQueue& queue, Scheduler& scheduler, Network& network, const LoaderSpec& spec, int rank,
           std::uint64_t seed);
    Loader(const Loader&) = delete;
    Loader& operator=(const Loader&) = delete;
    ~Loader() = default;

    /// The main thread wants the next batch; `got` happens when it is there.
    void take(Action got);

  private:
    struct Worker {
        Scheduler::ThreadId thread = 0;
        std::deque<int> batches;
        bool busy = false;
    };

    void ask();
    void workOn(std::size_t index);
    void made(int batch);
    void pin();
    void deliver();

    EventQueue& queue_;
    Scheduler& scheduler_;
    Network& network_;
    LoaderSpec spec_;
    int rank_;
    std::uint64_t seed_;
    std::vector<Worker> workers_;
    Scheduler::ThreadId pinning_thread_;
    std::deque<int> to_pin_;
    bool pinning_ = false;
    std::set<int> ready_;
    int asked_ = 0;
    int taken_ = 0;
    Action waiting_;
};

}  // namespace rankscope::tracegen::machine
