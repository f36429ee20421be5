// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/loader.h"

#include <utility>

#include "tests/tracegen/dice.h"

namespace rankscope::tracegen::machine {
namespace {

/// What chance is drawn for.
enum class Draw : std::uint64_t { Batch = 0x10ad, Worker, Stall };

Dice diceFor(std::uint64_t seed, Draw key, int a, int b) {
    return Dice(seed, {static_cast<std::uint64_t>(key), static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)});
}

}  // namespace

BatchCost costOf(const LoaderSpec& spec, std::uint64_t seed, int rank, int worker, int batch) {
    Dice dice = diceFor(seed, Draw::Batch, rank, batch);
    constexpr int kWorkersDifferBy = 80;  // per mille
    const DurationNs of_worker = diceFor(seed, Draw::Worker, rank, worker).around(spec.cpu_ns, kWorkersDifferBy);
    BatchCost cost{dice.around(spec.read_ns, spec.spread_per_mille), dice.around(of_worker, spec.spread_per_mille)};
    if (spec.stalls) {
        const auto every = static_cast<std::uint64_t>(spec.stalls->every);
        Dice stall = diceFor(seed, Draw::Stall, batch / spec.stalls->every, 0);
        cost.read_ns += stall.below(every) == static_cast<std::uint64_t>(batch) % every ? spec.stalls->ns : 0;
    }
    return cost;
}

Loader::Loader(EventQueue& queue, Scheduler& scheduler, Network& network, const LoaderSpec& spec, int rank,
               std::uint64_t seed)
    : queue_(queue),
      scheduler_(scheduler),
      network_(network),
      spec_(spec),
      rank_(rank),
      seed_(seed),
      pinning_thread_(scheduler.addThread()) {
    workers_.resize(static_cast<std::size_t>(spec_.workers));
    for (Worker& worker : workers_) {
        worker.thread = scheduler_.addThread();
    }
    for (int i = 0; i < spec_.workers * spec_.prefetch; ++i) {
        ask();
    }
}

void Loader::ask() {
    const std::size_t worker = static_cast<std::size_t>(asked_) % workers_.size();
    workers_[worker].batches.push_back(asked_++);
    workOn(worker);
}

void Loader::workOn(std::size_t index) {
    Worker& worker = workers_[index];
    if (worker.busy || worker.batches.empty()) {
        return;
    }
    worker.busy = true;
    const int batch = worker.batches.front();
    worker.batches.pop_front();
    const BatchCost cost = costOf(spec_, seed_, rank_, static_cast<int>(index), batch);
    network_.changeReaders(1);
    queue_.after(cost.read_ns, [this, index, batch, cost] {
        network_.changeReaders(-1);
        scheduler_.work(workers_[index].thread, cost.cpu_ns, [this, index, batch] {
            // It goes on with its next batch once it is off its core.
            queue_.after(0, [this, index] {
                workers_[index].busy = false;
                workOn(index);
            });
            made(batch);
        });
    });
}

void Loader::made(int batch) {
    to_pin_.push_back(batch);
    pin();
}

void Loader::pin() {
    if (pinning_ || to_pin_.empty()) {
        return;
    }
    pinning_ = true;
    scheduler_.work(pinning_thread_, spec_.pin_ns, [this] {
        ready_.insert(to_pin_.front());
        to_pin_.pop_front();
        queue_.after(0, [this] {
            pinning_ = false;
            pin();
        });
        deliver();
    });
}

void Loader::take(Action got) {
    waiting_ = std::move(got);
    deliver();
}

void Loader::deliver() {
    if (!waiting_ || !ready_.contains(taken_)) {
        return;
    }
    ready_.erase(taken_++);
    ask();
    queue_.after(0, std::exchange(waiting_, nullptr));
}

}  // namespace rankscope::tracegen::machine
