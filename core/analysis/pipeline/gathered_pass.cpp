// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/gathered_pass.h"

#include <algorithm>
#include <map>

namespace rankscope {
namespace {

TimeSpan hull(const TimeSpan& one, const TimeSpan& other) {
    if (one.empty() || other.empty()) {
        return one.empty() ? other : one;
    }
    return {std::min(one.start_ns, other.start_ns), std::max(one.end_ns, other.end_ns)};
}

void addPiece(const DeviceEvent& event, PipelinePass& pass) {
    if (pass.pieces == 0) {
        pass.work = event.ref;
    }
    pass.span = hull(pass.span, event.span);
    ++pass.pieces;
}

}  // namespace

PassParts::PassParts(const DeviceWork& work, const std::vector<SliceRef>& inner) : inner_(&inner) {
    std::map<TrackId, DurationNs> computes;
    for (const DeviceEvent& event : work.events) {
        if (event.work == WorkClass::Compute) {
            computes[event.ref.track] += event.span.length();
        }
    }
    const auto most = std::ranges::max_element(computes, {}, [](const auto& stream) { return stream.second; });
    main_ = most == computes.end() ? TrackId() : most->first;
}

PassPart PassParts::of(const DeviceEvent& event) const {
    if (event.work == WorkClass::Communication) {
        return std::ranges::binary_search(*inner_, event.ref) ? PassPart::Inner : PassPart::None;
    }
    return event.ref.track == main_ ? PassPart::Work : PassPart::Aside;
}

void GatheredPass::add(const DeviceEvent& event, PassPart part) {
    switch (part) {
        case PassPart::Work: addPiece(event, pass_); break;
        case PassPart::Aside: addPiece(event, aside_); break;
        case PassPart::Inner: inner_ = hull(inner_, event.span); break;
        case PassPart::None: break;
    }
}

PipelinePass GatheredPass::whole() const {
    PipelinePass pass = pass_;
    if (pass.pieces == 0) {
        pass.work = aside_.work;
        pass.pieces = aside_.pieces;
        pass.span = aside_.span;
    }
    if (pass.pieces > 0) {
        pass.span = hull(pass.span, inner_);
    }
    return pass;
}

}  // namespace rankscope
