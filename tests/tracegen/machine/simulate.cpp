// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/simulate.h"

#include <algorithm>
#include <stdexcept>

#include "tests/tracegen/machine/host_thread.h"
#include "tests/tracegen/machine/job_step.h"
#include "tests/tracegen/machine/training_step.h"

namespace rankscope::tracegen::machine {
namespace {

/// The training process of one rank, with its device and its DataLoader.
class Rank {
  public:
    Rank(const Config& config, int rank, EventQueue& queue, Scheduler& scheduler, Network& network, StringPool& names)
        : config_(config),
          rank_(rank),
          names_(names),
          device_(queue, network, rank, seeded(config, rank),
                  [this](const Event& event, const DeviceWork& work) { recording_.addDevice(event, work); }),
          parts_{queue, scheduler, device_, recording_, {}, nullptr},
          main_(parts_, Thread::Main),
          autograd_(parts_, Thread::Autograd) {
        const LoaderSpec& loader = config.ranks[static_cast<std::size_t>(rank)].loader;
        if (loader.workers > 0 && !config.job) {
            loader_.emplace(queue, scheduler, network, loader, rank, config.seed);
            parts_.loader = &*loader_;
        }
    }
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;
    ~Rank() = default;

    void runFrom(int step) {
        const auto tell = [this, step] {
            recording_.endStep(step, parts_.queue.now());
            runFrom(step + 1);
        };
        if (step == config_.steps) {
            main_.run(buildWindowEnd(config_, rank_, names_), step - 1, nullptr, {}, [this] { done_ = true; });
            return;
        }
        recording_.beginStep(step, parts_.queue.now());
        StepProgram program = config_.job ? buildJobStep(config_, rank_, step, names_, counters_)
                                          : buildStep(config_, rank_, step, names_);
        main_.run(std::move(program.main), step, &autograd_, std::move(program.backward), tell);
    }
    [[nodiscard]] bool done() const { return done_; }
    [[nodiscard]] Recording& recording() { return recording_; }

  private:
    static DeviceSpec seeded(const Config& config, int rank) {
        DeviceSpec spec = config.ranks[static_cast<std::size_t>(rank)].device;
        spec.seed = config.seed;
        return spec;
    }

    const Config& config_;
    int rank_;
    StringPool& names_;
    Recording recording_;
    Device device_;
    RankParts parts_;
    HostThread main_;
    HostThread autograd_;
    std::optional<Loader> loader_;
    JobCounters counters_;
    bool done_ = false;
};

/// A process that has nothing to do with the training.
void runBackground(const Config& config, EventQueue& queue, Scheduler& scheduler, Scheduler::ThreadId thread, int host,
                   std::uint64_t turn) {
    Dice dice = diceOf(config, Key::Background, host, static_cast<int>(thread), turn);
    queue.after(dice.around(config.background.every_ns, 500), [&config, &queue, &scheduler, thread, host, turn, dice] {
        Dice own = dice;
        const DurationNs cpu_ns = own.around(config.background.cpu_ns, 800);
        scheduler.work(thread, cpu_ns, [&config, &queue, &scheduler, thread, host, turn] {
            runBackground(config, queue, scheduler, thread, host, turn + 1);
        });
    });
}

void validate(const Config& config) {
    if (config.ranks.empty() || config.hosts.empty() || config.steps < 1 || config.warmup_steps < 1 ||
        config.hosts.size() > config.ranks.size()) {
        throw std::invalid_argument("a machine needs ranks, hosts with ranks, steps and a step of warm-up");
    }
    if (config.job) {
        validate(*config.job);
        if (config.job->ranks() != config.rankCount()) {
            throw std::invalid_argument("the grid of a job has as many places as there are ranks");
        }
    }
}

// Whether a group puts together what its ranks have of each layer or sequence.
bool joinsLayers(const JobSpec& job, std::size_t group) {
    for (const GroupKind kind : {GroupKind::Tensor, GroupKind::Context}) {
        for (int rank = 0; hasGroup(job, kind) && rank < job.ranks(); ++rank) {
            if (groupOf(job, kind, rank) == group) {
                return true;
            }
        }
    }
    return false;
}

// A group on one host has the links inside it, and those of one tensor group may be slow.
std::vector<GroupLinks> linksOf(const Config& config) {
    const JobSpec& job = *config.job;
    std::vector<GroupLinks> links;
    std::optional<std::size_t> slow;
    if (job.slow_tensor_group && hasGroup(job, GroupKind::Tensor)) {
        slow = groupOf(job, GroupKind::Tensor, 0) + static_cast<std::size_t>(*job.slow_tensor_group);
    }
    for (const ProcessGroup& group : groupsOf(job)) {
        const bool inside = std::ranges::all_of(
            group.ranks, [&](int rank) { return config.hostOf(rank) == config.hostOf(group.ranks.front()); });
        const double factor = slow == links.size() ? job.slow_link : 1;
        links.push_back({group.ranks, (inside ? job.inner_bytes_per_ns : config.network.bytes_per_ns) / factor,
                         inside ? job.inner_latency_ns : config.network.latency_ns,
                         inside ? Plane::Inner : Plane::Outer, job.free_layers && joinsLayers(job, links.size())});
    }
    return links;
}

std::unique_ptr<Network> networkOf(const Config& config, EventQueue& queue) {
    NetworkSpec spec = config.network;
    spec.seed = config.seed;
    return config.job ? std::make_unique<Network>(queue, spec, config.rankCount(), linksOf(config))
                      : std::make_unique<Network>(queue, spec, config.rankCount());
}

/// All of it.
class Machine {
  public:
    explicit Machine(const Config& config)
        : config_(config), network_(networkOf(config, queue_)), names_(std::make_shared<StringPool>()) {
        for (const HostSpec& host : config_.hosts) {
            schedulers_.push_back(std::make_unique<Scheduler>(queue_, host));
            for (int i = 0; i < config_.background.threads; ++i) {
                const Scheduler::ThreadId thread = schedulers_.back()->addThread();
                runBackground(config_, queue_, *schedulers_.back(), thread, static_cast<int>(schedulers_.size()), 0);
            }
        }
        for (int rank = 0; rank < config_.rankCount(); ++rank) {
            Scheduler& scheduler = *schedulers_[static_cast<std::size_t>(config_.hostOf(rank))];
            ranks_.push_back(std::make_unique<Rank>(config_, rank, queue_, scheduler, *network_, *names_));
        }
    }

    TrueRun run() {
        for (const auto& rank : ranks_) {
            rank->runFrom(-config_.warmup_steps);
        }
        constexpr TimeNs kForEver = 600'000'000'000;
        while (!std::ranges::all_of(ranks_, &Rank::done)) {
            if (!queue_.runOne() || queue_.now() > kForEver) {
                throw std::logic_error("the ranks wait for each other for ever");
            }
        }
        return result();
    }

  private:
    [[nodiscard]] TimeNs lastEnd(int step) const {
        TimeNs end = 0;
        for (const auto& rank : ranks_) {
            end = std::max(end, rank->recording().end(step));
        }
        return end;
    }

    TrueRun result() {
        TrueRun run;
        run.config = config_;
        run.names = names_;
        run.window_start_ns = lastEnd(-1);
        for (int step = 0; step < config_.steps; ++step) {
            run.step_ends.push_back(lastEnd(step));
        }
        for (const auto& rank : ranks_) {
            run.events.push_back(rank->recording().takeWindow());
        }
        for (const auto& scheduler : schedulers_) {
            run.most_running.push_back(scheduler->mostRunning());
        }
        return run;
    }

    Config config_;
    EventQueue queue_;
    std::unique_ptr<Network> network_;
    std::shared_ptr<StringPool> names_;
    std::vector<std::unique_ptr<Scheduler>> schedulers_;
    std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace

TrueRun simulate(const Config& config) {
    validate(config);
    return Machine(config).run();
}

}  // namespace rankscope::tracegen::machine
