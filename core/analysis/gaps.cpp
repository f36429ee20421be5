// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps.h"

#include <algorithm>

namespace rankscope {
namespace {

GapPart inWords(const RankTrace& rank, const CausePart& part, const TimeSpan& span) {
    GapPart said{.cause = part.cause,
                 .span = span,
                 .label = std::string(rank.strings.view(part.label)),
                 .evidence = {},
                 .long_stretch = part.long_stretch,
                 .code = part.code,
                 .code_name = part.code.valid() ? std::string(rank.name(part.code)) : std::string()};
    said.evidence.reserve(static_cast<std::size_t>(std::ranges::count_if(part.evidence, &SliceRef::valid)));
    for (const SliceRef& ref : part.evidence) {
        if (ref.valid()) {
            said.evidence.push_back(ref);
        }
    }
    return said;
}

}  // namespace

const GapFinder::Stretch& GapFinder::stretchOf(const TimeSpan& gap, const TimeSpan& step) {
    const std::span<const TimeSpan> busy = work_.busy.spans();
    const auto next = std::ranges::lower_bound(busy, gap.end_ns, {}, &TimeSpan::start_ns);
    const TimeSpan whole{next == busy.begin() ? std::min(gap.start_ns, step.start_ns) : (next - 1)->end_ns,
                         next == busy.end() ? gap.end_ns : next->start_ns};
    if (whole == last_.span && !last_.parts.empty()) {
        return last_;
    }
    last_ = {whole, nullptr, {}};
    const auto releasing =
        std::ranges::lower_bound(work_.events, whole.end_ns, {}, [](const DeviceEvent& e) { return e.span.start_ns; });
    if (next != busy.end() && releasing != work_.events.end()) {
        last_.releasing = &*releasing;
    }
    // Of the work just before, the last to start ended last on one stream; with several it is near enough.
    const DeviceEvent* before = nullptr;
    for (auto it = releasing; it != work_.events.begin() && before == nullptr;) {
        --it;
        before = it->span.end_ns == whole.start_ns ? &*it : nullptr;
    }
    last_.parts = causes_.divide(whole, before, last_.releasing);
    return last_;
}

std::vector<Gap> GapFinder::gapsIn(const TimeSpan& step) {
    std::vector<Gap> gaps;
    const IntervalSet idle = work_.busy.gapsIn(step);
    gaps.reserve(idle.spans().size());
    for (const TimeSpan& span : idle.spans()) {
        const Stretch& stretch = stretchOf(span, step);
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
        gaps.push_back(std::move(gap));
    }
    return gaps;
}

}  // namespace rankscope
