// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/truncated_timestamps.h"

#include <algorithm>

namespace rankscope {
namespace {

constexpr DurationNs kMicrosecond = 1'000;

}  // namespace

TruncatedTimestamps::TruncatedTimestamps(const RankContext& work, const WorkClasses& classes)
    : work_(work), classes_(classes) {
    const auto is_whole = [](const DeviceEvent& event) { return event.span.length() % kMicrosecond == 0; };
    whole_ = !work.device.events.empty() && std::ranges::all_of(work.device.events, is_whole);
    for (std::size_t t = 0; t < classes.size() && whole_; ++t) {
        const SliceTable& slices = work.trace->tracks[t].slices;
        for (SliceIndex i = 0; i < classes[t].size(); ++i) {
            const bool counts = classes[t][i] != WorkClass::None && work.trace->tracks[t].device == work.device.device;
            without_length_ += counts && slices.span(i).empty() ? 1U : 0U;
        }
    }
}

DurationNs TruncatedTimestamps::likelyLength(const ReplayEvent& event) const {
    const DurationNs recorded_ns = event.span.length();
    if (!whole_) {
        return recorded_ns;
    }
    const SliceTable& slices = work_.trace->track(event.ref).slices;
    const std::vector<WorkClass>& classes = classes_[event.ref.track.value];
    DurationNs cut_ns = kMicrosecond / 2;
    SliceIndex next = event.ref.slice + 1;
    for (; next < slices.size() && (classes[next] == WorkClass::None || slices.span(next).empty()); ++next) {
        cut_ns += classes[next] == WorkClass::None ? 0 : kMicrosecond / 2;
    }
    const TimeNs until_ns = next < slices.size() ? slices.start_ns[next] : event.span.end_ns + cut_ns;
    return recorded_ns + std::clamp<DurationNs>(until_ns - event.span.end_ns, 0, cut_ns);
}

}  // namespace rankscope
