// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/launched_work.h"
#include "core/diagnosis/prices/link_speeds.h"
#include "core/diagnosis/prices/price_remedy.h"
#include "core/trace/copied_bytes.h"

namespace rankscope {
namespace unpinned_memcpy {
namespace {

/// The slow copies to the device in one step: from pageable memory, or by a call that blocks.
struct SlowCopies {
    std::size_t count = 0;
    std::size_t pageable = 0;
    std::int64_t bytes = 0;  ///< 0 if no size was recorded
    DurationNs time_ns = 0;
};

bool isPageable(const RankContext& work, SliceRef copy) {
    return work.names.isPageable(work.trace->track(copy).slices.name[copy.slice]);
}

/// ROCm does not record which memory is pageable, but its blocking copy call shows it.
bool isBlockingCall(const RankContext& work, SliceRef call) {
    return call.valid() && work.names.kind(work.trace->track(call).slices.name[call.slice],
                                           work.trace->category(call)) == HostKind::BlockingCopy;
}

bool isSlowCopy(const RankContext& work, SliceRef copy) {
    const bool to_host = work.names.copiesToHost(work.trace->track(copy).slices.name[copy.slice]);
    return !to_host && (isPageable(work, copy) || isBlockingCall(work, work.trace->launches.launchOf(copy)));
}

/// The length of a copy from pinned memory; its recorded length if its size is unknown.
DurationNs pinnedLength(const RankContext& work, const ReplayEvent& event, double gb_per_s) {
    if (work.trace->category(event.ref) != Category::Memcpy || !isSlowCopy(work, event.ref)) {
        return event.span.length();
    }
    const std::int64_t bytes = copiedBytes(*work.trace, event.ref).value_or(0);
    const auto pinned_ns = static_cast<DurationNs>(static_cast<double>(bytes) / gb_per_s);
    return bytes > 0 ? std::min(event.span.length(), pinned_ns) : event.span.length();
}

/// The copies of the step with the median copy time.
SlowCopies medianCopies(const RuleContext& context) {
    const auto add = [](SlowCopies& copies, const RankContext& work, const DeviceEvent& event) {
        if (event.work == WorkClass::Copy && isSlowCopy(work, event.ref)) {
            ++copies.count;
            copies.pageable += isPageable(work, event.ref) ? 1U : 0U;
            copies.bytes += copiedBytes(*work.trace, event.ref).value_or(0);
            copies.time_ns += event.span.length();
        }
    };
    auto steps = sumLaunchedWork<SlowCopies>(context, add);
    std::ranges::sort(steps, {}, &SlowCopies::time_ns);
    return steps.empty() ? SlowCopies() : steps[(steps.size() - 1) / 2];
}

std::string speedText(const RuleContext& context, const SlowCopies& copies) {
    if (copies.bytes <= 0 || copies.time_ns <= 0) {
        return {};
    }
    const double bytes_per_second = 1e9 * static_cast<double>(copies.bytes) / static_cast<double>(copies.time_ns);
    return context.sentences.fill("unpinned-memcpy.speed",
                                  {{"bytes", formatBytes(static_cast<std::uint64_t>(copies.bytes))},
                                   {"bandwidth", formatBandwidth(bytes_per_second)}});
}

/// GB/s from pinned memory to the rank's device.
double linkSpeed(const RuleContext& context, RankPosition rank) {
    static const LinkSpeeds speeds = LinkSpeeds::builtIn();
    return speeds.of(*context.work[rank].trace, context.work[rank].device.device);
}

std::string pinnedText(const RuleContext& context, const SlowCopies& copies, const Price& price) {
    if (copies.bytes <= 0 || price.ranks.empty()) {
        return context.sentences.fill("unpinned-memcpy.pinned-unsized", {{"replay", replayText(context, price)}});
    }
    return context.sentences.fill("unpinned-memcpy.pinned",
                                  {{"gb_per_s", formatDecimal(linkSpeed(context, price.ranks.front()), 0)},
                                   {"replay", replayText(context, price)}});
}

Explanation explain(const RuleContext& context, const Price& price) {
    const SlowCopies copies = medianCopies(context);
    const bool pageable = copies.pageable > 0;
    const Sentences& say = context.sentences;
    const std::string count = std::to_string(copies.count) + (copies.count == 1 ? " copy" : " copies");
    return {
        .why = say.fill("unpinned-memcpy.why", {{"copies", count},
                                                {"how", pageable ? say.fill("unpinned-memcpy.from-pageable", {})
                                                                 : say.fill("unpinned-memcpy.by-blocking-call", {})},
                                                {"time", formatDuration(copies.time_ns)},
                                                {"speed", speedText(context, copies)},
                                                {"blocked", formatDuration(price.blocked_ns)},
                                                {"pinned", pinnedText(context, copies, price)}}),
        .conditions = pageable ? std::vector<std::string>{"pageable"} : std::vector<std::string>{}};
}

}  // namespace
}  // namespace unpinned_memcpy

std::vector<Problem> unpinnedCopies(const RuleContext& context) {
    using namespace unpinned_memcpy;
    const LedgerFilter owned = [&context](const LedgerEntry& e) {
        if (e.owner == Owner::ExposedCopy) {
            return !e.evidence.empty() && isSlowCopy(context.work[e.rank], e.evidence.front());
        }
        return e.owner == Owner::Blocked && e.cause == Cause::BlockingCopy;
    };
    const ChangeOfRank pinned = [&context](RankPosition rank) {
        ReplayChange change;
        change.no_wait = [](const ReplayWait& wait) { return wait.cause == Cause::BlockingCopy; };
        change.length = [&work = context.work[rank], gb_per_s = linkSpeed(context, rank)](const ReplayEvent& event) {
            return pinnedLength(work, event, gb_per_s);
        };
        return change;
    };
    return {{.id = FindingId::UnpinnedMemcpy,
             .owned = owned,
             .change = onEachRank(context, pinned),
             .cost =
                 [&context](const Price&) {
                     return costOfPinning(medianCopies(context).time_ns, std::ranges::all_of(context.work, hasWorkers));
                 },
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
