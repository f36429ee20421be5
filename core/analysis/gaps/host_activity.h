// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/gaps/host_names.h"
#include "core/analysis/gaps/host_threads.h"
#include "core/trace/recorded_windows.h"

namespace rankscope {

/// What a host thread was doing at an instant, as a cause of a late launch (design 4.4).
struct HostActivity {
    Cause cause = Cause::Unrecorded;
    StringId label;      ///< a name of the rank trace: an operator, a call or a Python line
    SliceRefs evidence;  ///< the most significant first
    SliceRef wait;       ///< the call that waits for the device, if there is one
    /// The thread itself was not busy: plain Python, a named range, or nothing recorded. Another thread of the process
    /// may have worked for it.
    bool soft = true;
};

/// Whether a sync or copy call makes the host wait for the device: all except copies (HostKind::AsyncCopy) that return
/// before their copy is done, such as those of pinned memory.
[[nodiscard]] bool holdsHost(const RankTrace& rank, const HostNames& names, SliceRef call);

/// Finds the activities of the host threads of one rank.
class HostActivities {
  public:
    /// All arguments must outlive it. O(slices of host threads) time, and 20 bytes per slice.
    HostActivities(const RankTrace& rank, const HostNames& names, const HostThreads& threads);
    /// Knows only the activities of `asked`, slices of host threads. As much memory for their threads; O(slices around
    /// them) time beyond that.
    HostActivities(const RankTrace& rank, const HostNames& names, const HostThreads& threads,
                   std::span<const SliceRef> asked);

    /// The activity of `track` while `innermost` is its innermost slice; kNoSlice if nothing is recorded.
    [[nodiscard]] HostActivity of(TrackId track, SliceIndex innermost) const;

    /// The activity of a sync or copy call: HostSync, BlockingCopy, or Launch for a copy that does not make the host
    /// wait.
    [[nodiscard]] HostActivity ofWait(SliceRef call) const;

    /// The innermost operator, named range or Python function of `track` around more than half of `span`, represented
    /// by the slice with the most significant name; an invalid ref if there is none.
    [[nodiscard]] SliceRef codeAround(TrackId track, const TimeSpan& span) const;

  private:
    /// What a slice and the slices around it say, up to the user's own code.
    struct Chain {
        SliceIndex innermost_op = kNoSlice;
        SliceIndex outermost_aten = kNoSlice;
        SliceIndex python = kNoSlice;
        SliceIndex reducer = kNoSlice;
        bool reads_device = false;
        bool in_user_code = false;  ///< `python` is a line of the user's code

        /// The slice with the most significant name for users: a part of DDP's reducer that has its own price, else
        /// ATen's outermost operator, else the innermost one, else Python.
        [[nodiscard]] SliceIndex telling(SliceIndex otherwise) const;
    };

    /// The chain of a slice of a host thread.
    [[nodiscard]] const Chain& chainOf(TrackId track, SliceIndex slice) const;
    /// The kind of a slice. A range around a whole window of the recording shows as little as a step mark does.
    [[nodiscard]] HostKind kindOf(const SliceTable& slices, SliceIndex slice) const;
    /// The chain of a slice from that of its parent.
    [[nodiscard]] Chain chainWith(const SliceTable& slices, SliceIndex slice, const Chain& around) const;
    [[nodiscard]] HostActivity named(Cause cause, TrackId track, SliceIndex label, SliceIndex proof,
                                     SliceIndex python) const;
    [[nodiscard]] HostActivity ofLaunch(SliceRef call) const;

    const RankTrace& rank_;
    const HostNames& names_;
    const HostThreads& threads_;
    RecordedWindows windows_;
    std::vector<std::vector<Chain>> chains_;  // by track and slice, for host threads
};

}  // namespace rankscope
