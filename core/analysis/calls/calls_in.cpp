// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>
#include <utility>

#include "core/analysis/calls/call_tree.h"
#include "core/analysis/calls/call_tree_builder.h"
#include "core/trace/rounded_times.h"
#include "core/trace/step_numbers.h"

namespace rankscope {
namespace {

constexpr SliceIndex kSlicesBetweenLooks = 65'536;
constexpr std::string_view kBackward = "(backward)";
constexpr std::string_view kNotRecorded = "(launch not recorded)";

/// Adds the calls of one rank to a tree.
class RankCalls {
  public:
    RankCalls(const RankTrace& trace, const CallPart& part, CallSource source, CallTreeBuilder& tree)
        : trace_(trace),
          part_(part),
          window_(
              part.window.value_or(TimeSpan{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()})),
          source_(source),
          tree_(tree),
          names_(trace.strings.size()),
          node_of_(trace.tracks.size()) {}

    /// False if stopped.
    [[nodiscard]] bool add(const std::stop_token& stop) {
        for (std::uint32_t t = 0; t < trace_.tracks.size(); ++t) {
            if (isWanted(TrackId(t)) && !addThread(t, stop)) {
                return false;
            }
        }
        if (source_ == CallSource::Modules) {
            std::ranges::copy(trace_.flows, std::back_inserter(backward_));
            std::ranges::sort(backward_, {}, &Flow::to);
        }
        for (std::uint32_t t = 0; t < trace_.tracks.size(); ++t) {
            if (stop.stop_requested()) {
                return false;
            }
            addDeviceWork(t);
        }
        return true;
    }

  private:
    /// A call that has begun and not ended.
    struct Open {
        TimeNs end_ns = 0;
        std::uint32_t node = 0;
    };

    [[nodiscard]] bool isWanted(TrackId id) const {
        return trace_.tracks[id.value].kind == TrackKind::CpuThread &&
               (part_.threads.empty() || std::ranges::binary_search(part_.threads, id));
    }

    CallName nameOf(StringId id) {
        if (!id.valid()) {
            return tree_.nameOf("");
        }
        CallName& known = names_[id.value];
        if (!known.valid()) {
            known = tree_.nameOf(nameOverSteps(trace_.strings.view(id)));
        }
        return known;
    }

    /// Adds a slice to its node.
    void count(std::uint32_t node, SliceRef slice, DurationNs length_ns) {
        CallNode& counted = tree_.node(node);
        ++counted.calls;
        if (length_ns > counted.longest_ns) {
            counted.longest_ns = length_ns;
            counted.longest = slice;
            counted.rank = part_.rank;
        }
    }

    bool addThread(std::uint32_t track, const std::stop_token& stop) {
        const SliceTable& slices = trace_.tracks[track].slices;
        std::vector<std::uint32_t>& nodes = node_of_[track];
        nodes.assign(slices.size(), CallTreeBuilder::kRoot);
        open_.clear();
        at_ns_ = window_.start_ns;
        for (SliceIndex i = 0; i < slices.size() && slices.start_ns[i] < window_.end_ns; ++i) {
            if (i % kSlicesBetweenLooks == 0 && stop.stop_requested()) {
                return false;
            }
            const SliceIndex parent = slices.parent[i];
            nodes[i] = parent == kNoSlice ? CallTreeBuilder::kRoot : nodes[parent];
            // A slice of zero length belongs to the window in which it begins.
            const bool touches = slices.end_ns[i] > window_.start_ns || slices.start_ns[i] >= window_.start_ns;
            if (!touches || !isCall(source_, slices.category[i], trace_.strings.view(slices.name[i]))) {
                continue;
            }
            nodes[i] = tree_.child(nodes[i], nameOf(slices.name[i]), slices.category[i]);
            begin(slices.span(i), nodes[i]);
            count(nodes[i], {TrackId(track), i}, slices.span(i).length());
        }
        while (!open_.empty()) {
            closeInnermost();
        }
        return true;
    }

    void begin(const TimeSpan& span, std::uint32_t node) {
        closeUntil(span.start_ns);
        spendUntil(span.start_ns);
        at_ns_ = std::max(at_ns_, span.start_ns);
        // With rounded times a call can seem to extend into the one that follows it.
        const TimeNs followed_ns = endBefore(span, trace_.health.time_slack_ns);
        while (!open_.empty() && open_.back().end_ns <= followed_ns) {
            open_.pop_back();
        }
        open_.push_back({span.end_ns, node});
    }

    /// The time up to `until_ns` is the innermost open call's own.
    void spendUntil(TimeNs until_ns) {
        const TimeNs end_ns = std::min(until_ns, window_.end_ns);
        if (!open_.empty() && end_ns > at_ns_) {
            tree_.node(open_.back().node).self_ns += end_ns - at_ns_;
            at_ns_ = end_ns;
        }
    }

    void closeUntil(TimeNs until_ns) {
        while (!open_.empty() && open_.back().end_ns <= until_ns) {
            closeInnermost();
        }
    }

    void closeInnermost() {
        spendUntil(open_.back().end_ns);
        open_.pop_back();
    }

    void addDeviceWork(std::uint32_t track) {
        const SliceTable& slices = trace_.tracks[track].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (!isDeviceWork(slices.category[i])) {
                continue;
            }
            const SliceRef work{TrackId(track), i};
            const SliceRef launch = trace_.launches.launchOf(work);
            const bool launched = launch.valid() && trace_.track(launch).kind == TrackKind::CpuThread;
            const TimeNs began_ns = launched ? trace_.span(launch).start_ns : slices.start_ns[i];
            const bool wanted = launched ? isWanted(launch.track) : part_.threads.empty();
            if (!wanted || began_ns < window_.start_ns || began_ns >= window_.end_ns) {
                continue;
            }
            const std::uint32_t caller =
                launched ? callerOf(launch)
                         : tree_.child(CallTreeBuilder::kRoot, tree_.nameOf(kNotRecorded), Category::Other);
            const std::uint32_t node = tree_.child(caller, nameOf(slices.name[i]), slices.category[i]);
            tree_.node(node).device_self_ns += slices.span(i).length();
            count(node, work, slices.span(i).length());
        }
    }

    /// The node of the call that launched something.
    std::uint32_t callerOf(SliceRef launch) {
        const std::uint32_t node = node_of_[launch.track.value][launch.slice];
        if (source_ != CallSource::Modules || node != CallTreeBuilder::kRoot) {
            return node;
        }
        const SliceTable& slices = trace_.track(launch).slices;
        for (SliceIndex i = launch.slice; i != kNoSlice; i = slices.parent[i]) {
            const SliceRef op{launch.track, i};
            const auto flow = std::ranges::lower_bound(backward_, op, {}, &Flow::to);
            if (flow == backward_.end() || flow->to != op) {
                continue;
            }
            const std::vector<std::uint32_t>& forward = node_of_[flow->from.track.value];
            const std::uint32_t module =
                flow->from.slice < forward.size() ? forward[flow->from.slice] : CallTreeBuilder::kRoot;
            return module == CallTreeBuilder::kRoot ? module
                                                    : tree_.child(module, tree_.nameOf(kBackward), Category::Other);
        }
        return node;
    }

    const RankTrace& trace_;
    const CallPart& part_;
    TimeSpan window_;
    CallSource source_;
    CallTreeBuilder& tree_;
    std::vector<CallName> names_;  // by StringId
    std::vector<std::vector<std::uint32_t>>
        node_of_;                 // by track and slice: the innermost call around it, itself or root
    std::vector<Flow> backward_;  // by the operator of the backward
    std::vector<Open> open_;
    TimeNs at_ns_ = 0;  // the thread's time is distributed up to here
};

}  // namespace

Result<CallTree> callsIn(const Run& run, std::span<const CallPart> parts, CallSource source, CallMeasure measure,
                         const std::stop_token& stop) {
    CallTreeBuilder tree;
    for (const CallPart& part : parts) {
        if (!RankCalls(*run.ranks[part.rank], part, source, tree).add(stop)) {
            return Cancelled{};
        }
    }
    return tree.finish(measure);
}

}  // namespace rankscope
