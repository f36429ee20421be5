// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/path_stretches.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/interval_set.h"

namespace rankscope {
namespace {

PathKind kindOf(WaitedFor what) {
    switch (what) {
        case WaitedFor::Compute: return PathKind::Compute;
        case WaitedFor::Communication: return PathKind::Transfer;
        case WaitedFor::Copy: return PathKind::Copy;
        case WaitedFor::Idle: return PathKind::Idle;
        case WaitedFor::Unknown: break;
    }
    return PathKind::Unsplit;
}

/// Computes the stretches of one rank in one window of one of its steps, and passes each to `take`.
template <class Take>
class WindowCutter {
  public:
    WindowCutter(RankPosition position, const TimeSpan& window, Take take)
        : position_(position), window_(window), take_(std::move(take)) {}

    void cut(const ExplainedRank& rank, const RankStep& step) {
        if (!step.partition || window_.empty()) {
            return;
        }
        const IntervalSet compute = rank.compute.clip(window_);
        const IntervalSet exposed = rank.exposed_communication.clip(window_);
        const IntervalSet transfer = rank.exposed_transfer.clip(window_);
        addAll(compute, PathKind::Compute);
        addAll(transfer, PathKind::Transfer);
        const IntervalSet waits = addWaits(step.waits);
        addAll(exposed.subtract(transfer).subtract(waits), PathKind::Unsplit);
        addAll(rank.copy.clip(window_).subtract(compute).subtract(exposed), PathKind::Copy);
        addGaps(step.gaps);
    }

  private:
    void addAll(const IntervalSet& spans, PathKind kind) {
        for (const TimeSpan& span : spans.spans()) {
            add({.rank = position_, .span = span, .kind = kind, .worker = position_});
        }
    }

    void addGaps(const std::vector<Gap>& gaps) {
        auto gap = std::ranges::upper_bound(gaps, window_.start_ns, {}, [](const Gap& g) { return g.span.end_ns; });
        for (; gap != gaps.end() && gap->span.start_ns < window_.end_ns; ++gap) {
            for (const GapPart& part : gap->parts) {
                const bool launch_unknown = !gap->launch.valid() && part.cause == Cause::Unrecorded;
                add({.rank = position_,
                     .span = part.span,
                     .kind = launch_unknown ? PathKind::Unknown : PathKind::Idle,
                     .cause = part.cause,
                     .worker = position_,
                     .label = part.label,
                     .slice = part.evidence.empty() ? SliceRef() : part.evidence.front()});
            }
        }
    }

    /// Returns what the waits cover.
    IntervalSet addWaits(const std::vector<ExposedWait>& waits) {
        std::vector<TimeSpan> covered;
        auto wait =
            std::ranges::upper_bound(waits, window_.start_ns, {}, [](const ExposedWait& w) { return w.span.end_ns; });
        for (; wait != waits.end() && wait->span.start_ns < window_.end_ns; ++wait) {
            covered.push_back(intersect(wait->span, window_));
            for (const WaitPart& part : wait->parts) {
                add({.rank = position_,
                     .span = part.span,
                     .kind = kindOf(part.what),
                     .cause = part.cause,
                     .worker = part.rank,
                     .label = part.label,
                     .slice = part.evidence});
            }
        }
        return IntervalSet::unionOf(std::move(covered));
    }

    void add(PathStretch stretch) {
        stretch.span = intersect(stretch.span, window_);
        if (!stretch.span.empty()) {
            take_(stretch);
        }
    }

    RankPosition position_;
    TimeSpan window_;
    Take take_;
};

}  // namespace

void addStretch(const PathStretch& stretch, PathTimes& times) {
    const DurationNs ns = stretch.length();
    switch (stretch.kind) {
        case PathKind::Compute: times.compute_ns += ns; return;
        case PathKind::Transfer: times.transfer_ns += ns; return;
        case PathKind::Copy: times.copy_ns += ns; return;
        case PathKind::Idle: times.idle[stretch.cause] += ns; return;
        case PathKind::Unknown: times.unknown_ns += ns; return;
        case PathKind::Unsplit: times.unsplit_ns += ns; return;
    }
}

void cutIntoStretches(const ExplainedRank& rank, RankPosition position, const RankStep& step, const TimeSpan& window,
                      std::vector<PathStretch>& out) {
    const std::size_t first = out.size();
    WindowCutter(position, window, [&out](const PathStretch& stretch) { out.push_back(stretch); }).cut(rank, step);
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
              [](const PathStretch& a, const PathStretch& b) { return a.span.start_ns < b.span.start_ns; });
}

void addStretches(const ExplainedRank& rank, const RankStep& step, const TimeSpan& window, PathTimes& times) {
    WindowCutter({}, window, [&times](const PathStretch& stretch) { addStretch(stretch, times); }).cut(rank, step);
}

}  // namespace rankscope
