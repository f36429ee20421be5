// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/diagnosis/frame/advice.h"
#include "core/report/check/check_context.h"
#include "core/report/check/check_limits.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

/// The rank with the least MFU.
CheckPlace leastMfu(const CheckContext& context) {
    CheckPlace place;
    for (const CheckRank& rank : context.ranks) {
        if (rank.mfu && (!place.rank || *rank.mfu < *context.ranks[*place.rank].mfu)) {
            place.rank = rank.rank;
        }
    }
    return place;
}

/// MFU from FLOPs that the user entered. More than 100 % is impossible, whatever was entered.
CheckLine enteredMfu(const CheckContext& context, const EnteredEfficiency& entered) {
    const std::optional<double> counted = context.run.facts.efficiency.mfu();
    const bool impossible = *entered.mfu > 1;
    const CheckStatus status = impossible               ? CheckStatus::CannotTell
                               : *entered.mfu < kLowMfu ? CheckStatus::Look
                                                        : CheckStatus::Ok;
    CheckLine line = makeLine(context, CheckArea::Hardware, "mfu", status,
                              {{"mfu", precisePercent(*entered.mfu)},
                               {"counted", counted ? precisePercent(*counted) : std::string()},
                               {"peak", formatDecimal(entered.peak_tflops.value_or(0), 0)},
                               {"limit", formatPercent(kLowMfu)}},
                              counted ? "entered-counted" : "entered");
    line.value = entered.mfu;
    line.limit = kLowMfu;
    return line;
}

std::string unknownDevice(const EfficiencyFacts& facts) {
    const auto at = std::ranges::find_if(facts.ranks, [](const RankEfficiency& rank) { return !rank.rated; });
    return at == facts.ranks.end() || at->device.empty() ? std::string() : printable(at->device);
}

CheckLine mfuLine(const CheckContext& context) {
    const EfficiencyFacts& facts = context.run.facts.efficiency;
    if (facts.entered && facts.entered->mfu) {
        return enteredMfu(context, *facts.entered);
    }
    if (facts.no_flops || !facts.any()) {
        const NoFlops why = facts.no_flops.value_or(NoFlops::NoLaunch);
        return makeLine(context, CheckArea::Hardware, "mfu", CheckStatus::CannotTell, {},
                        why == NoFlops::NoDevice   ? "no-device"
                        : facts.entered            ? "entered-no-peak"
                        : why == NoFlops::NoShapes ? "no-shapes"
                        : why == NoFlops::Untold   ? "untold"
                                                   : "no-launch");
    }
    if (!facts.mfu()) {
        const std::string device = unknownDevice(facts);
        return makeLine(context, CheckArea::Hardware, "mfu", CheckStatus::CannotTell, {{"device", device}},
                        device.empty() ? "no-name" : "no-peak");
    }
    const double reached = *facts.mfu();
    // Products with unknown FLOPs could have run at the peak, at most.
    const double missing = shareOf(missingProducts(facts), facts.total.time_ns).value_or(0);
    const bool at_least = missing >= kCostsOfStep;
    const bool serves = purposeOf(context.run.facts) == RunPurpose::Serving;
    const CheckStatus status = reached >= kLowMfu                       ? CheckStatus::Ok
                               : serves || reached + missing >= kLowMfu ? CheckStatus::CannotTell
                                                                        : CheckStatus::Look;
    CheckLine line = makeLine(context, CheckArea::Hardware, "mfu", status,
                              {{"mfu", precisePercent(reached)},
                               {"hfu", precisePercent(facts.hfu().value_or(reached))},
                               {"missing", formatPercent(missing)},
                               {"limit", formatPercent(kLowMfu)},
                               {"peaks", ratedPeaks(facts)}},
                              status == CheckStatus::CannotTell ? (serves ? "serves" : "at-least")
                              : at_least                        ? "at-least"
                                                                : std::string_view());
    line.value = reached;
    line.limit = kLowMfu;
    line.place = leastMfu(context);
    return line;
}

CheckLine memoryLine(const CheckContext& context) {
    const std::optional<FullestDevice> fullest = fullestDevice(context.run);
    if (!fullest) {
        return makeLine(context, CheckArea::Hardware, "memory", CheckStatus::CannotTell, {}, whyNoPeak(context));
    }
    const MemoryPeak& peak = fullest->memory->peak;
    const auto bytes = [](std::int64_t count) { return formatBytes(static_cast<std::uint64_t>(count)); };
    const std::optional<double> share = fullest->share();
    const CheckStatus status = !share                   ? CheckStatus::CannotTell
                               : *share > kNearCapacity ? CheckStatus::Look
                                                        : CheckStatus::Ok;
    CheckLine line = makeLine(context, CheckArea::Hardware, "memory", status,
                              {{"rank", rankText(context.run, fullest->rank)},
                               {"reserved", bytes(peak.reserved_bytes)},
                               {"allocated", bytes(peak.allocated_bytes)},
                               {"capacity", formatBytes(fullest->memory->capacity_bytes)},
                               {"share", formatPercent(share.value_or(0))},
                               {"limit", formatPercent(kNearCapacity)}},
                              share ? std::string_view() : "no-capacity");
    line.value = share;
    line.limit = kNearCapacity;
    line.place.rank = fullest->rank;
    line.place.finding = findingWith(context.run, {FindingId::MemoryPressure});
    return line;
}

}  // namespace

std::vector<CheckLine> hardwareLines(const CheckContext& context) {
    return {mfuLine(context), memoryLine(context)};
}

}  // namespace rankscope::report
