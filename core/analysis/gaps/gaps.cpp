// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/gaps.h"

#include <algorithm>
#include <iterator>

namespace rankscope {
namespace {

GapPart inWords(const RankTrace& rank, const CausePart& part, const TimeSpan& span) {
    return {.cause = part.cause,
            .span = span,
            .label = rank.strings.view(part.label),
            .evidence = part.evidence,
            .long_stretch = part.long_stretch,
            .code = part.code,
            .code_name = part.code.valid() ? rank.name(part.code) : std::string_view()};
}

}  // namespace

const GapFinder::Stretch& GapFinder::stretchOf(const TimeSpan& whole, bool ends) {
    if (whole == last_.span && !last_.parts.empty()) {
        return last_;
    }
    last_.span = whole;
    last_.releasing = nullptr;
    const std::vector<DeviceEvent>& events = work_.events;
    while (next_event_ < events.size() && events[next_event_].span.start_ns < whole.end_ns) {
        ++next_event_;
    }
    if (ends && next_event_ < events.size()) {
        last_.releasing = &events[next_event_];
    }
    // The previous work: on one stream, the last to start also ended last; with several streams that is close enough.
    const DeviceEvent* before = nullptr;
    for (std::size_t i = next_event_; i > 0 && before == nullptr; --i) {
        before = events[i - 1].span.end_ns == whole.start_ns ? &events[i - 1] : nullptr;
    }
    causes_.divide(whole, before, last_.releasing, last_.parts);
    return last_;
}

Gap GapFinder::explain(const TimeSpan& span, const Stretch& stretch) const {
    Gap gap{.span = span, .device = work_.device, .releasing = {}, .launch = {}, .parts = {}};
    if (stretch.releasing != nullptr) {
        gap.releasing = stretch.releasing->ref;
        gap.launch = stretch.releasing->launch;
    }
    gap.parts.reserve(stretch.parts.size());
    for (const CausePart& part : stretch.parts) {
        const TimeSpan inside = intersect(part.span, span);
        if (!inside.empty()) {
            gap.parts.push_back(inWords(rank_, part, inside));
        }
    }
    return gap;
}

std::vector<Gap> GapFinder::gapsIn(const TimeSpan& step) {
    std::vector<Gap> gaps;
    const std::span<const TimeSpan> busy = work_.busy.spans();
    auto next = std::ranges::upper_bound(busy, step.start_ns, {}, &TimeSpan::end_ns);
    const auto first_event =
        std::ranges::lower_bound(work_.events, step.start_ns, {}, [](const DeviceEvent& e) { return e.span.start_ns; });
    next_event_ = static_cast<std::size_t>(first_event - work_.events.begin());
    for (TimeNs at_ns = step.start_ns; at_ns < step.end_ns; ++next) {
        const bool ends = next != busy.end() && !windows_.holeBetween(step.start_ns, next->start_ns);
        const TimeSpan span{at_ns, ends ? std::min(next->start_ns, step.end_ns) : step.end_ns};
        if (!span.empty()) {
            const bool first = next == busy.begin() || windows_.holeBetween(std::prev(next)->end_ns, step.start_ns);
            const TimeSpan whole{first ? step.start_ns : std::prev(next)->end_ns, ends ? next->start_ns : step.end_ns};
            gaps.push_back(explain(span, stretchOf(whole, ends)));
        }
        if (!ends) {
            break;
        }
        at_ns = next->end_ns;
    }
    return gaps;
}

}  // namespace rankscope
