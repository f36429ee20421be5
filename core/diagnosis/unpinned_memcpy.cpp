// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/launched_work.h"
#include "core/diagnosis/link_speeds.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// The copies to the device of one step that are slow by nature: from pageable memory, or by a call that blocks.
struct SlowCopies {
    std::size_t count = 0;
    std::size_t pageable = 0;
    std::int64_t bytes = 0;  ///< 0 where no size was recorded
    DurationNs time_ns = 0;
};

bool isPageable(const RankWork& work, SliceRef copy) {
    return work.names.isPageable(work.trace->track(copy).slices.name[copy.slice]);
}

/// ROCm does not say which memory is pageable; its blocking copy call does.
bool isBlockingCall(const RankWork& work, SliceRef call) {
    return call.valid() && work.names.kind(work.trace->track(call).slices.name[call.slice],
                                           work.trace->category(call)) == HostKind::BlockingCopy;
}

bool isSlowCopy(const RankWork& work, SliceRef copy) {
    const bool to_host = work.names.copiesToHost(work.trace->track(copy).slices.name[copy.slice]);
    return !to_host && (isPageable(work, copy) || isBlockingCall(work, work.trace->launches.launchOf(copy)));
}

/// Bytes of a copy; ROCm has them on the call. 0 where they were not recorded.
std::int64_t bytesOf(const RankTrace& rank, SliceRef copy, SliceRef call) {
    const std::int64_t* bytes = rank.track(copy).bytes.find(copy.slice);
    if (bytes == nullptr && call.valid()) {
        bytes = rank.track(call).bytes.find(call.slice);
    }
    return bytes == nullptr ? 0 : *bytes;
}

/// How long a copy would take from pinned memory; as it took where its size is not known.
DurationNs pinnedLength(const RankWork& work, const ReplayEvent& event, double gb_per_s) {
    if (work.trace->category(event.ref) != Category::Memcpy || !isSlowCopy(work, event.ref)) {
        return event.span.length();
    }
    const std::int64_t bytes = bytesOf(*work.trace, event.ref, work.trace->launches.launchOf(event.ref));
    const auto pinned_ns = static_cast<DurationNs>(static_cast<double>(bytes) / gb_per_s);
    return bytes > 0 ? std::min(event.span.length(), pinned_ns) : event.span.length();
}

/// The median step's copies, by their time.
SlowCopies usualCopies(const RuleContext& context) {
    const auto add = [](SlowCopies& copies, const RankWork& work, const DeviceEvent& event) {
        if (event.work == WorkClass::Copy && isSlowCopy(work, event.ref)) {
            ++copies.count;
            copies.pageable += isPageable(work, event.ref) ? 1U : 0U;
            copies.bytes += bytesOf(*work.trace, event.ref, event.launch);
            copies.time_ns += event.span.length();
        }
    };
    auto steps = sumLaunchedWork<SlowCopies>(context, add);
    std::ranges::sort(steps, {}, &SlowCopies::time_ns);
    return steps.empty() ? SlowCopies() : steps[(steps.size() - 1) / 2];
}

std::string speedText(const SlowCopies& copies) {
    if (copies.bytes <= 0 || copies.time_ns <= 0) {
        return {};
    }
    const double bytes_per_second = 1e9 * static_cast<double>(copies.bytes) / static_cast<double>(copies.time_ns);
    return formatBytes(static_cast<std::uint64_t>(copies.bytes)) + " at " + formatBandwidth(bytes_per_second);
}

}  // namespace

void findUnpinnedCopies(const RuleContext& context, Diagnosis& diagnosis) {
    const auto in_ledger = [&context](const LedgerEntry& e) {
        if (e.owner == Owner::ExposedCopy) {
            return !e.evidence.empty() && isSlowCopy(context.work[e.rank], e.evidence.front());
        }
        return e.owner == Owner::Blocked && e.cause == Cause::BlockingCopy;
    };
    const LinkSpeeds speeds = LinkSpeeds::builtIn();
    const auto link_speed = [&](std::uint32_t rank) {
        return speeds.of(*context.work[rank].trace, context.work[rank].device.device);
    };
    const auto pinned = [&](std::uint32_t rank) {
        ReplayChange change;
        change.no_wait = [](const ReplayWait& wait) { return wait.cause == Cause::BlockingCopy; };
        change.length = [&work = context.work[rank], gb_per_s = link_speed(rank)](const ReplayEvent& event) {
            return pinnedLength(work, event, gb_per_s);
        };
        return change;
    };
    const Price price = context.claims.price("unpinned-memcpy", in_ledger, pinned);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    Finding finding = makeFinding("unpinned-memcpy", price, context.facts.ranks.size());
    finding.title = context.advice.title(finding.id);
    const SlowCopies copies = usualCopies(context);
    const std::string speed = speedText(copies);
    finding.why = "The median step makes " + std::to_string(copies.count) + (copies.count == 1 ? " copy" : " copies") +
                  " to the device " +
                  (copies.pageable > 0 ? "from pageable memory" : "with a call that waits for its copy") + ", " +
                  formatDuration(copies.time_ns) + (speed.empty() ? std::string() : " for " + speed) +
                  ". With the host's wait for them, and the launches that come late because of it, they keep the "
                  "device from computing for " +
                  formatDuration(price.blocked_ns) + " a step. ";
    if (copies.bytes > 0) {
        finding.why += "From pinned memory, at " + formatDecimal(link_speed(price.ranks.front()), 0) + " GB/s and with";
    } else {
        finding.why += "With";
    }
    finding.why += " the host going on meanwhile, a replay takes " +
                   formatDuration(context.facts.median_step_ns - price.saving_ns) + " a step instead of " +
                   formatDuration(context.facts.median_step_ns) +
                   ". A copy on a stream of its own could hide the rest.";
    finding.remedies = context.advice.remedies(
        finding.id, copies.pageable > 0 ? std::vector<std::string>{"pageable"} : std::vector<std::string>{});
    finding.evidence = evidenceOf(context, price.ranks, in_ledger);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
