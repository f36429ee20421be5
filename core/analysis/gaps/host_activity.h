// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/gaps/host_names.h"
#include "core/analysis/gaps/host_threads.h"

namespace rankscope {

/// What a host thread was doing at an instant, as a cause of a late launch (design 4.4).
struct HostActivity {
    Cause cause = Cause::Unrecorded;
    StringId label;      ///< a name of the rank trace: an operator, a call or a Python line
    SliceRefs evidence;  ///< most telling first
    SliceRef wait;       ///< the call that waits for the device, if it is one
    /// The thread itself did nothing that keeps it busy: plain Python, a named range, or nothing recorded. Another
    /// thread of the process may have been at work for it.
    bool soft = true;
};

/// Reads activities off the host threads of one rank.
class HostActivities {
  public:
    /// All must outlive it. O(slices) of threads that nest deeply, else O(tracks).
    HostActivities(const RankTrace& rank, const HostNames& names, const HostThreads& threads);

    /// The activity of `track` while `innermost` is its innermost slice; kNoSlice where nothing is recorded.
    [[nodiscard]] HostActivity of(TrackId track, SliceIndex innermost) const;

    /// What a sync or copy call is: HostSync, BlockingCopy, or Launch for a copy that does not make the host wait.
    [[nodiscard]] HostActivity ofWait(SliceRef call) const;

    /// The innermost operator, named range or Python function of `track` around more than half of `span`, by the slice
    /// whose name tells most; an invalid ref where there is none.
    [[nodiscard]] SliceRef codeAround(TrackId track, const TimeSpan& span) const;

    /// The range of DDP's reducer around a slice, if it stands in one that has a price of its own; else an invalid ref.
    [[nodiscard]] SliceRef reducerAround(SliceRef slice) const;

    /// The DataLoader wait of `track` that holds the instant, or kNoSlice.
    [[nodiscard]] SliceIndex loaderAt(TrackId track, TimeNs at_ns) const;

    /// When the next DataLoader wait of `track` starts after the instant, never at it: who walks on by it always gets
    /// further. The end of time where none does.
    [[nodiscard]] TimeNs nextLoader(TrackId track, TimeNs at_ns) const;

    /// The last call of `track` that starts before the instant and may wait for the device, or an invalid ref.
    [[nodiscard]] SliceRef lastWaitBefore(TrackId track, TimeNs at_ns) const;

  private:
    /// What the slices around one say, itself included; those around the user's own code no more.
    struct Chain {
        SliceIndex innermost_op = kNoSlice;
        SliceIndex outermost_aten = kNoSlice;
        SliceIndex python = kNoSlice;
        SliceIndex reducer = kNoSlice;
        bool reads_device = false;
        bool in_user_code = false;  ///< `python` is a line of the user's

        /// The slice whose name tells users most: a part of DDP's reducer, which has a price of its own, else ATen's
        /// outermost operator, else the innermost one, else Python.
        [[nodiscard]] SliceIndex telling(SliceIndex otherwise) const;
    };

    /// Of a slice of `track`. O(1) where slices nest deeply, else O(depth).
    [[nodiscard]] Chain chainOf(TrackId track, SliceIndex slice) const;
    /// The chain of a slice from that of its parent.
    [[nodiscard]] Chain chainWith(const SliceTable& slices, SliceIndex slice, const Chain& around) const;
    [[nodiscard]] bool isUserCode(const SliceTable& slices, SliceIndex slice) const;
    [[nodiscard]] HostActivity named(Cause cause, TrackId track, SliceIndex label, SliceIndex proof,
                                     SliceIndex python) const;
    [[nodiscard]] HostActivity ofLaunch(SliceRef call) const;
    [[nodiscard]] SliceIndex copyBefore(const SliceTable& slices, SliceIndex sync) const;
    [[nodiscard]] SliceRef copyOf(SliceRef call) const;

    const RankTrace& rank_;
    const HostNames& names_;
    const HostThreads& threads_;
    std::vector<std::vector<Chain>> chains_;  // by track and slice; empty of tracks that do not nest deeply
};

}  // namespace rankscope
