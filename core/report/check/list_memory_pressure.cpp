// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/base/format.h"
#include "core/report/check/check_limits.h"
#include "core/report/check/list_questions.h"

namespace rankscope::report {
namespace {

std::string sizeText(std::int64_t bytes) {
    return formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes)));
}

ListLine isNearlyFull(const CheckContext& context, std::string_view key) {
    const std::optional<FullestDevice> fullest = fullestDevice(context.run);
    if (!fullest || !fullest->share()) {
        return answerLine(context, key, ListAnswer::CannotTell, {},
                          fullest ? std::string_view("no-capacity") : whyNoPeak(context));
    }
    ListLine line = answerLine(context, key, *fullest->share() > kNearCapacity ? ListAnswer::Yes : ListAnswer::No,
                               {{"rank", rankText(context.run, fullest->rank)},
                                {"reserved", sizeText(fullest->memory->peak.reserved_bytes)},
                                {"share", formatPercent(*fullest->share())},
                                {"capacity", formatBytes(fullest->memory->capacity_bytes)}});
    line.place.rank = fullest->rank;
    line.place.finding = findingWith(context.run, {FindingId::MemoryPressure});
    return line;
}

ListLine isUnused(const CheckContext& context, std::string_view key) {
    const std::optional<FullestDevice> fullest = fullestDevice(context.run);
    if (!fullest) {
        return answerLine(context, key, ListAnswer::CannotTell, {}, whyNoPeak(context));
    }
    const double unused = fullest->memory->peak.unusedShare();
    ListLine line = answerLine(context, key, yesFrom(unused, kMuchUnused),
                               {{"rank", rankText(context.run, fullest->rank)},
                                {"share", formatPercent(unused)},
                                {"limit", formatPercent(kMuchUnused)}});
    line.place.rank = fullest->rank;
    return line;
}

/// The memory of the fullest device at its peak; nothing if it is not known.
const MemoryAtPeak* peakOf(const CheckContext& context, const FullestDevice& fullest) {
    const std::vector<std::vector<MemoryAtPeak>>& ranks = context.run.facts.memory.ranks;
    if (fullest.rank >= ranks.size()) {
        return nullptr;
    }
    const auto at = std::ranges::find(ranks[fullest.rank], fullest.memory->device, &MemoryAtPeak::device);
    return at != ranks[fullest.rank].end() ? &*at : nullptr;
}

/// Whether some use takes a third of the memory at the peak.
ListLine dominates(const CheckContext& context, std::string_view key, MemoryPart part) {
    const std::optional<FullestDevice> fullest = fullestDevice(context.run);
    const MemoryAtPeak* const peak = fullest ? peakOf(context, *fullest) : nullptr;
    if (peak == nullptr || peak->parts.total() <= 0) {
        return answerLine(context, key, ListAnswer::CannotTell, {}, whyNoPeak(context));
    }
    const auto whole = static_cast<double>(peak->parts.total());
    const double share = static_cast<double>(peak->parts[part]) / whole;
    // Memory of unknown use, or from before the window, might belong to this part too.
    const auto untold = static_cast<double>(peak->parts[MemoryPart::Unknown] + peak->parts[MemoryPart::Held]);
    const bool may_be = share < kDominates && share + untold / whole >= kDominates;
    ListLine line = answerLine(context, key, may_be ? ListAnswer::CannotTell : yesFrom(share, kDominates),
                               {{"rank", rankText(context.run, fullest->rank)},
                                {"bytes", sizeText(peak->parts[part])},
                                {"share", formatPercent(share)},
                                {"untold", formatPercent(untold / whole)}},
                               may_be ? "partly" : std::string_view());
    line.place.rank = fullest->rank;
    return line;
}

ListLine activationsDominate(const CheckContext& context, std::string_view key) {
    return dominates(context, key, MemoryPart::Activations);
}

ListLine stateDominates(const CheckContext& context, std::string_view key) {
    return dominates(context, key, MemoryPart::OptimizerState);
}

ListLine temporariesDominate(const CheckContext& context, std::string_view key) {
    return dominates(context, key, MemoryPart::Temporary);
}

/// Whether each rank has its own copy of the model and its optimizer state.
ListLine isReplicated(const CheckContext& context, std::string_view key) {
    const std::vector<GroupRole>& groups = context.run.facts.parallelism.groups;
    const auto has = [&groups](Role role) {
        return std::ranges::any_of(groups, [role](const GroupRole& group) { return group.role == role; });
    };
    if (has(Role::Shard)) {
        return answerLine(context, key, ListAnswer::No, {});
    }
    if (!callsCollectives(context.run)) {
        return answerLine(context, key, ListAnswer::No, {}, "alone");
    }
    if (has(Role::Data)) {
        return answerLine(context, key, ListAnswer::Yes, {});
    }
    const bool all_told = std::ranges::all_of(groups, [](const GroupRole& group) { return group.role.has_value(); });
    return all_told && (has(Role::Tensor) || has(Role::Pipeline) || has(Role::Expert))
               ? answerLine(context, key, ListAnswer::No, {}, "divided")
               : answerLine(context, key, ListAnswer::CannotTell, {});
}

ListLine isUneven(const CheckContext& context, std::string_view key) {
    struct Peak {
        RankPosition rank;
        std::int64_t bytes = 0;
    };
    std::vector<Peak> peaks;
    for (RankPosition r{0}; r < context.run.facts.ranks.size(); ++r) {
        for (const DeviceMemory& memory : context.run.facts.ranks[r].memory) {
            if (memory.device == context.run.facts.ranks[r].device && memory.peak.reserved_bytes > 0) {
                peaks.push_back({r, memory.peak.reserved_bytes});
            }
        }
    }
    if (peaks.empty()) {
        return answerLine(context, key, ListAnswer::CannotTell, {}, whyNoPeak(context));
    }
    const std::size_t opened = context.run.run->ranks.size();
    const std::size_t missing = context.run.run->missing();
    const bool lacks = mayLackRanks(context.run);
    if (opened == 1 && !lacks) {
        return answerLine(context, key, ListAnswer::No, {}, "alone");
    }
    const auto [least, most] = std::ranges::minmax(peaks, {}, &Peak::bytes);
    const double ratio = static_cast<double>(most.bytes) / static_cast<double>(least.bytes);
    if (lacks && ratio < kUnevenMemory) {  // ranks that were not opened may use more or less
        return answerLine(context, key, ListAnswer::CannotTell,
                          {{"opened", formatCounted(opened, "rank")}, {"world", formatCount(opened + missing)}},
                          missing > 0 ? "missing" : "untold");
    }
    ListLine line = answerLine(context, key, yesFrom(ratio, kUnevenMemory),
                               {{"rank", rankText(context.run, most.rank)},
                                {"most", sizeText(most.bytes)},
                                {"other", rankText(context.run, least.rank)},
                                {"least", sizeText(least.bytes)},
                                {"limit", formatDecimal(kUnevenMemory, 1)}});
    line.place.rank = most.rank;
    return line;
}

/// The peak of allocated memory in each step of a device.
std::vector<std::int64_t> stepPeaks(const DeviceMemory& memory) {
    std::vector<std::int64_t> peaks;
    for (const std::optional<MemoryPeak>& step : memory.steps) {
        if (step) {
            peaks.push_back(step->allocated_bytes);
        }
    }
    return peaks;
}

ListLine isGrowing(const CheckContext& context, std::string_view key) {
    const std::optional<FullestDevice> fullest = fullestDevice(context.run);
    const std::vector<std::int64_t> peaks = fullest ? stepPeaks(*fullest->memory) : std::vector<std::int64_t>();
    if (peaks.size() < kFewSteps) {
        return answerLine(context, key, ListAnswer::CannotTell, {}, whyNoPeak(context));
    }
    const bool rises = std::ranges::adjacent_find(peaks, std::ranges::greater_equal()) == peaks.end();
    const auto first = static_cast<double>(std::max<std::int64_t>(1, peaks.front()));
    const double growth = static_cast<double>(peaks.back() - peaks.front()) / first;
    ListLine line = answerLine(context, key, rises && growth >= kGrows ? ListAnswer::Yes : ListAnswer::No,
                               {{"rank", rankText(context.run, fullest->rank)},
                                {"first", sizeText(peaks.front())},
                                {"last", sizeText(peaks.back())},
                                {"steps", formatCounted(peaks.size(), "step")}});
    line.place.rank = fullest->rank;
    return line;
}

ListLine allocatesInStep(const CheckContext& context, std::string_view key) {
    const std::optional<std::size_t> finding = findingWith(context.run, {FindingId::AllocatorStall});
    return finding || context.budget.steps > 0 ? byFinding(context, key, {FindingId::AllocatorStall})
                                               : answerLine(context, key, ListAnswer::CannotTell, {});
}

constexpr std::array kMemoryQuestions = {Question{"nearly-full", isNearlyFull},
                                         Question{"cached-unused", isUnused},
                                         Question{"activations", activationsDominate},
                                         Question{"optimizer-state", stateDominates},
                                         Question{"temporaries", temporariesDominate},
                                         Question{"replicated", isReplicated},
                                         Question{"uneven-ranks", isUneven},
                                         Question{"growing", isGrowing},
                                         Question{"allocates-in-step", allocatesInStep},
                                         Question{"outside-allocator", notInTraces}};

}  // namespace

std::span<const Question> memoryPressureQuestions() {
    return kMemoryQuestions;
}

}  // namespace rankscope::report
