// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/simulate.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tests/tracegen/host.h"
#include "tests/tracegen/step_program.h"

namespace rankscope::tracegen {
namespace {

/// The true bounds of a rank's steps, from its events in the order in which they become known.
class StepClock {
  public:
    void see(const Event& event, const StringPool& names) {
        if (event.step < 0) {
            before_ns_ = std::max(before_ns_, event.end_ns);
            return;
        }
        const auto step = static_cast<std::size_t>(event.step);
        if (steps_.size() <= step) {
            steps_.resize(step + 1);
            device_ends_.resize(step + 1, 0);
        }
        if (event.kind == EventKind::UserAnnotation && names.view(event.name).starts_with("ProfilerStep#")) {
            steps_[step].host = {event.start_ns, event.end_ns};
        } else if (onDevice(event.kind) && event.kind != EventKind::GpuAnnotation) {
            device_ends_[step] = std::max(device_ends_[step], event.end_ns);
        }
    }

    [[nodiscard]] std::vector<StepTruth> finish() const {
        std::vector<StepTruth> steps = steps_;
        TimeNs before = before_ns_;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i].span.start_ns = std::max(steps[i].host.start_ns, before);
            steps[i].span.end_ns = std::max({steps[i].host.end_ns, device_ends_[i], steps[i].span.start_ns});
            before = steps[i].span.end_ns;
        }
        return steps;
    }

  private:
    std::vector<StepTruth> steps_;
    std::vector<TimeNs> device_ends_;
    TimeNs before_ns_ = 0;  ///< end of the recorded work that was launched before the window
};

/// One rank: host, device and what joins them.
class Rank {
  public:
    Rank(const Config& config, const Model& model, int rank, CollectiveBoard& board)
        : loader_(config.loader.workers, config.loader.prefetch,
                  [&config, &model, rank](std::size_t batch) {
                      return batchTime({config, model, rank, static_cast<int>(batch) - config.warmup_steps});
                  }),
          device_(rank, board, [this](const Event& work, const LaunchRecord& launch) { finished(work, launch); }),
          host_(device_, annotations_, loader_) {}
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;
    ~Rank() = default;

    [[nodiscard]] Host& host() { return host_; }
    /// Whether anything came of it.
    bool advance() {
        const bool host = host_.run();
        const bool device = device_.advance();
        return host || device;
    }
    /// The profiler begins to record here.
    void beginWindow() {
        window_ns_ = host_.now();
        std::erase_if(device_events_, [this](const Event& work) { return work.start_ns < window_ns_; });
        for (Event& work : device_events_) {
            work.external_id = 0;  // its operator is not in the window
        }
        (void)host_.takeEvents();
        (void)annotations_.takeEvents();
    }
    [[nodiscard]] std::vector<Event> takeEvents(const StringPool& names) {
        std::vector<Event> events = host_.takeEvents();
        events.insert(events.end(), device_events_.begin(), device_events_.end());
        device_events_.clear();
        const std::vector<Event> annotations = annotations_.takeEvents();
        events.insert(events.end(), annotations.begin(), annotations.end());
        for (const Event& event : events) {
            clock_.see(event, names);
        }
        return events;
    }
    [[nodiscard]] std::vector<StepTruth> steps() const { return clock_.finish(); }

  private:
    void finished(const Event& work, const LaunchRecord& launch) {
        device_events_.push_back(work);
        for (const std::uint32_t annotation : launch.annotations) {
            annotations_.finished(annotation, work);
        }
    }

    LoaderPool loader_;
    AnnotationTracker annotations_;
    Device device_;
    Host host_;
    std::vector<Event> device_events_;
    TimeNs window_ns_ = 0;
    StepClock clock_;
};

class Collector : public EventSink {
  public:
    explicit Collector(int ranks) : events(static_cast<std::size_t>(ranks)) {}
    void take(int rank, std::span<const Event> more) override {
        auto& mine = events[static_cast<std::size_t>(rank)];
        mine.insert(mine.end(), more.begin(), more.end());
    }
    std::vector<std::vector<Event>> events;
};

// Ranks wait for each other only through the board, so taking turns until nobody is left is enough.
void runAll(std::vector<std::unique_ptr<Rank>>& ranks) {
    const auto done = [](const std::unique_ptr<Rank>& rank) { return rank->host().done(); };
    for (bool any = true; any;) {
        any = false;
        for (const auto& rank : ranks) {
            any = rank->advance() || any;
        }
    }
    if (!std::all_of(ranks.begin(), ranks.end(), done)) {
        throw std::logic_error("the simulated ranks wait for each other for ever");
    }
}

}  // namespace

std::vector<DurationNs> RunResult::stepTimes() const {
    std::vector<DurationNs> times;
    TimeNs before = 0;
    for (std::size_t step = 0; step < steps.front().size(); ++step) {
        TimeNs first = steps.front()[step].span.start_ns;
        TimeNs last = 0;
        for (const auto& rank : steps) {
            first = std::min(first, rank[step].span.start_ns);
            last = std::max(last, rank[step].span.end_ns);
        }
        times.push_back(last - (step == 0 ? first : before));
        before = last;
    }
    return times;
}

RunResult simulate(const Config& config, const std::shared_ptr<StringPool>& names, EventSink& sink) {
    validate(config);
    const Model model = makeModel(config);
    CollectiveBoard board(config.ranks, config.chanceSeed());
    std::vector<std::unique_ptr<Rank>> ranks;
    for (int r = 0; r < config.ranks; ++r) {
        ranks.push_back(std::make_unique<Rank>(config, model, r, board));
    }
    const auto hand_over = [&] {
        for (int r = 0; r < config.ranks; ++r) {
            sink.take(r, ranks[static_cast<std::size_t>(r)]->takeEvents(*names));
        }
    };
    for (int step = -config.warmup_steps; step < config.steps; ++step) {
        for (int r = 0; r < config.ranks; ++r) {
            Rank& rank = *ranks[static_cast<std::size_t>(r)];
            if (step == 0) {
                rank.beginWindow();
            }
            rank.host().load(buildStep({config, model, r, step}, *names), step);
        }
        runAll(ranks);  // after it, every collective launched by now has ended
        board.forgetBefore(StepContext{config, model, 0, step + 1}.collectiveSequence(0));
        if (step >= 0) {
            hand_over();
        }
    }
    for (int r = 0; r < config.ranks; ++r) {
        ranks[static_cast<std::size_t>(r)]->host().load(buildWindowEnd(config, r, *names), config.steps - 1);
    }
    runAll(ranks);
    hand_over();
    RunResult result;
    result.config = config;
    result.names = names;
    for (const auto& rank : ranks) {
        result.steps.push_back(rank->steps());
    }
    return result;
}

RunResult simulate(const Config& config) {
    Collector collector(config.ranks);
    RunResult result = simulate(config, std::make_shared<StringPool>(), collector);
    result.events = std::move(collector.events);
    return result;
}

DurationNs median(std::vector<DurationNs> values) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace rankscope::tracegen
