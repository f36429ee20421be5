// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/path_slices.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/device/work_class.h"

namespace rankscope {
namespace {

/// Work that began this many slices earlier on its stream, and still runs, is not found.
constexpr std::ptrdiff_t kLookBack = 256;

/// A kernel or copy.
struct Work {
    TimeSpan span;
    SliceRef slice;
};

WorkClass classOf(PathKind kind) {
    switch (kind) {
        case PathKind::Compute: return WorkClass::Compute;
        case PathKind::Transfer:
        case PathKind::Unsplit: return WorkClass::Communication;
        case PathKind::Copy: return WorkClass::Copy;
        case PathKind::Idle:
        case PathKind::Unknown: break;
    }
    return WorkClass::None;
}

/// The device work of a rank in a window, by class, from the last end backwards.
class WorkInWindow {
  public:
    WorkInWindow(const RankTrace& trace, const RankFacts& facts, const TimeSpan& window) {
        for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
            const Track& track = trace.tracks[t];
            if (track.kind == TrackKind::Stream && track.device == facts.device && !facts.work_classes[t].empty()) {
                addTrack(track, TrackId(t), facts.work_classes[t], window);
            }
        }
        for (ByEnd& works : by_class_) {
            std::ranges::sort(works.all, std::ranges::greater(), [](const Work& w) { return w.span.end_ns; });
        }
    }

    /// Among the work of a class that runs at least until `until_ns` and begins before it, the one that begins first;
    /// nullptr if there is none. Query times must descend.
    [[nodiscard]] const Work* reaching(WorkClass work, TimeNs until_ns) {
        ByEnd& works = by_class_[static_cast<std::size_t>(work)];
        for (; works.next < works.all.size() && works.all[works.next].span.end_ns >= until_ns; ++works.next) {
            if (works.first == nullptr || works.all[works.next].span.start_ns < works.first->span.start_ns) {
                works.first = &works.all[works.next];
            }
        }
        return works.first != nullptr && works.first->span.start_ns < until_ns ? works.first : nullptr;
    }

  private:
    struct ByEnd {
        std::vector<Work> all;
        std::size_t next = 0;         // the first that ends before the queried time
        const Work* first = nullptr;  // among the work before it, the one that begins first
    };

    void addTrack(const Track& track, TrackId id, const std::vector<WorkClass>& classes, const TimeSpan& window) {
        const SliceTable& slices = track.slices;
        const auto begin = std::ranges::lower_bound(slices.start_ns, window.start_ns) - slices.start_ns.begin();
        const auto end = std::ranges::lower_bound(slices.start_ns, window.end_ns) - slices.start_ns.begin();
        const std::ptrdiff_t back = track.row_count > 1 ? kLookBack : 1;
        for (auto i = static_cast<SliceIndex>(std::max<std::ptrdiff_t>(0, begin - back)); i < end; ++i) {
            if (classes[i] != WorkClass::None && slices.end_ns[i] > window.start_ns) {
                by_class_[static_cast<std::size_t>(classes[i])].all.push_back({slices.span(i), {id, i}});
            }
        }
    }

    std::array<ByEnd, 4> by_class_;  // by WorkClass
};

/// Appends the parts of `stretch`, the last one first.
void cutBackwards(const PathStretch& stretch, WorkInWindow& works, std::vector<PathStretch>& out) {
    const WorkClass work = classOf(stretch.kind);
    if (work == WorkClass::None || stretch.worker != stretch.rank) {
        out.push_back(stretch);
        return;
    }
    for (TimeNs until_ns = stretch.span.end_ns; until_ns > stretch.span.start_ns;) {
        PathStretch part = stretch;
        part.span.end_ns = until_ns;
        if (const Work* const found = works.reaching(work, until_ns)) {
            part.slice = found->slice;
            part.span.start_ns = std::max(stretch.span.start_ns, found->span.start_ns);
        }
        out.push_back(part);
        until_ns = part.span.start_ns;
    }
}

}  // namespace

void namePathSlices(const Run& run, const RunFacts& facts, CriticalPath& path) {
    std::vector<PathStretch> named;
    std::vector<PathStretch> backwards;
    auto turn = path.turns.begin();
    const std::span<const PathStretch> all = path.stretches;
    for (std::size_t first = 0; first < all.size();) {
        for (; turn != path.turns.end() && turn->stretch == first; ++turn) {
            turn->stretch = named.size();
        }
        // Up to the next turn the time is of one rank.
        const std::size_t last = turn != path.turns.end() ? turn->stretch : all.size();
        WorkInWindow works(*run.ranks[all[first].rank], facts.ranks[all[first].rank],
                           {all[first].span.start_ns, all[last - 1].span.end_ns});
        backwards.clear();
        for (std::size_t i = last; i-- > first;) {
            cutBackwards(all[i], works, backwards);
        }
        named.insert(named.end(), backwards.rbegin(), backwards.rend());
        first = last;
    }
    path.stretches = std::move(named);
}

}  // namespace rankscope
