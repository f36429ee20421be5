// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay.h"

#include <algorithm>

namespace rankscope {
namespace {

/// Carries old host time to new host time: linear between knots, and after the last one it runs on at the same speed.
class HostMap {
  public:
    void add(TimeSpan old_span, TimeSpan new_span) {
        knots_.push_back({old_span.start_ns, new_span.start_ns});
        knots_.push_back({old_span.end_ns, new_span.end_ns});
    }
    /// The new time of `old_ns`, which must not be before the second to last knot.
    [[nodiscard]] TimeNs recent(TimeNs old_ns) const {
        return knots_.empty() ? old_ns : between(knots_.size() - 1, old_ns);
    }
    /// The new time of any `old_ns`. O(log n).
    [[nodiscard]] TimeNs at(TimeNs old_ns) const {
        const auto after = std::ranges::upper_bound(knots_, old_ns, {}, &Knot::old_ns);
        if (after == knots_.begin()) {
            return old_ns;
        }
        return between(static_cast<std::size_t>(after - knots_.begin()), old_ns);
    }

  private:
    struct Knot {
        TimeNs old_ns = 0;
        TimeNs new_ns = 0;
    };
    /// Between knots i - 1 and i, or after the last.
    [[nodiscard]] TimeNs between(std::size_t i, TimeNs old_ns) const {
        if (i >= knots_.size() || old_ns >= knots_[i].old_ns) {
            const Knot& last = i >= knots_.size() ? knots_.back() : knots_[i];
            return last.new_ns + (old_ns - last.old_ns);
        }
        const Knot& a = knots_[i - 1];
        const Knot& b = knots_[i];
        if (b.new_ns - a.new_ns == b.old_ns - a.old_ns) {
            return a.new_ns + (old_ns - a.old_ns);
        }
        const double part = static_cast<double>(old_ns - a.old_ns) / static_cast<double>(b.old_ns - a.old_ns);
        return a.new_ns + static_cast<DurationNs>(part * static_cast<double>(b.new_ns - a.new_ns));
    }
    std::vector<Knot> knots_;
};

/// One run through the launches and waits of a rank, in order of host time.
class Player {
  public:
    Player(const ReplayModel& model, const ReplayChange& change)
        : model_(model), change_(change), new_end_(model.events.size()), stream_end_(model.streams) {
        for (auto& end : stream_end_) {
            end = DeviceEvent::kBeforeAll;
        }
    }

    std::vector<TimeSpan> play() {
        std::size_t loader = 0;
        std::size_t wait = 0;
        while (loader < model_.loaders.size() || wait < model_.waits.size()) {
            const bool loader_first =
                wait == model_.waits.size() ||
                (loader < model_.loaders.size() && model_.loaders[loader].start_ns < model_.waits[wait].call.start_ns);
            if (loader_first) {
                passLoader(model_.loaders[loader++]);
            } else {
                passWait(model_.waits[wait++]);
            }
        }
        launchUntil(std::numeric_limits<TimeNs>::max());
        return steps();
    }

  private:
    void passLoader(const TimeSpan& loader) {
        launchUntil(loader.start_ns);
        const TimeNs start_ns = map_.recent(loader.start_ns);
        const DurationNs length_ns =
            change_.ready_batches ? std::min(loader.length(), ReplayChange::kReadyBatchNs) : loader.length();
        map_.add(loader, {start_ns, start_ns + length_ns});
    }

    void passWait(const ReplayWait& wait) {
        launchUntil(wait.call.start_ns);
        const TimeNs start_ns = map_.recent(wait.call.start_ns);
        TimeNs end_ns = start_ns + wait.cost_ns;
        if (!change_.no_wait || !change_.no_wait(wait)) {
            for (std::uint32_t i = 0; i < wait.dependencies; ++i) {
                const std::uint32_t event = model_.dependencies[wait.first_dependency + i];
                end_ns = std::max(end_ns, new_end_[event] + wait.return_ns);
            }
        }
        map_.add(wait.call, {start_ns, end_ns});
    }

    [[nodiscard]] DurationNs shortened(DurationNs gap_ns) const {
        return change_.queue_gap ? std::min(gap_ns, *change_.queue_gap) : gap_ns;
    }

    /// Starts all device work that was launched up to `old_ns`, included.
    void launchUntil(TimeNs old_ns) {
        for (; next_ < model_.events.size() && model_.events[next_].launched_ns <= old_ns; ++next_) {
            const ReplayEvent& event = model_.events[next_];
            TimeNs start_ns = event.span.start_ns;
            if (event.launched_ns != DeviceEvent::kBeforeAll) {
                start_ns = map_.recent(event.launched_ns) + event.latency_ns;
                TimeNs& stream_end = stream_end_[event.stream];
                if (stream_end != DeviceEvent::kBeforeAll) {
                    start_ns = std::max(start_ns, stream_end + shortened(event.stream_gap_ns));
                }
                if (event.waits_for != ReplayEvent::kNone) {
                    start_ns = std::max(start_ns, new_end_[event.waits_for] + shortened(event.wait_gap_ns));
                }
            }
            new_end_[next_] = start_ns + (change_.length ? change_.length(event) : event.span.length());
            stream_end_[event.stream] = std::max(stream_end_[event.stream], new_end_[next_]);
        }
    }

    [[nodiscard]] std::vector<TimeSpan> steps() const {
        std::vector<TimeSpan> hosts;
        for (const TimeSpan& host : model_.hosts) {
            hosts.push_back({map_.at(host.start_ns), map_.at(host.end_ns)});
        }
        std::vector<TimeNs> last_end(2 * hosts.size() + 1, DeviceEvent::kBeforeAll);
        for (std::size_t i = 0; i < model_.events.size() && !model_.whole_window; ++i) {
            TimeNs& end = last_end[model_.events[i].slot];
            end = std::max(end, new_end_[i]);
        }
        return boundSteps(hosts, last_end);
    }

    const ReplayModel& model_;
    const ReplayChange& change_;
    HostMap map_;
    std::vector<TimeNs> new_end_;     // of model_.events
    std::vector<TimeNs> stream_end_;  // by stream: so far
    std::size_t next_ = 0;            // first event that is not launched yet
};

}  // namespace

std::vector<TimeSpan> replay(const ReplayModel& model, const ReplayChange& change) {
    return Player(model, change).play();
}

}  // namespace rankscope
