// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/recognise_schedule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "core/analysis/pipeline/schedule_orders.h"
#include "core/base/format.h"

namespace rankscope {
namespace {

constexpr std::string_view kNameThem =
    "Put record_function(\"PP:<stage>F<micro-batch>\") around each pass, with B for a backward and W for a weight "
    "gradient alone.";

std::size_t countOf(const std::vector<PipelinePass>& passes, PassKind kind) {
    return static_cast<std::size_t>(std::ranges::count(passes, kind, &PipelinePass::kind));
}

/// The number of passes by kind, if all ranks have equally many forwards and equally many backwards; else nothing.
/// Gradients of weights may be separate passes on some ranks, and only for some micro-batches.
std::optional<std::array<std::size_t, kPassKinds>> countsOf(const std::vector<PlacedPasses>& ranks) {
    std::optional<std::array<std::size_t, kPassKinds>> counts;
    for (const PlacedPasses& rank : ranks) {
        std::array<std::size_t, kPassKinds> own{};
        for (std::size_t k = 0; k < kPassKinds; ++k) {
            own[k] = countOf(rank.passes, static_cast<PassKind>(k));
        }
        const bool paired = own[0] > 0 && own[0] == own[1] && own[2] <= own[1];
        if (!paired || (counts && counts->front() != own[0])) {
            return std::nullopt;
        }
        counts = counts ? counts : own;
    }
    return counts;
}

bool allTell(const std::vector<PlacedPasses>& ranks, std::int32_t PipelinePass::*what) {
    return std::ranges::all_of(ranks, [what](const PlacedPasses& rank) {
        return std::ranges::all_of(rank.passes, [what](const PipelinePass& pass) { return pass.*what >= 0; });
    });
}

bool forwardsFirst(const std::vector<PipelinePass>& passes) {
    const auto backward = std::ranges::find(passes, PassKind::Backward, &PipelinePass::kind);
    return std::none_of(backward, passes.end(),
                        [](const PipelinePass& pass) { return pass.kind == PassKind::Forward; });
}

/// How many forwards there are before the first backward.
std::size_t forwardsAhead(const std::vector<PipelinePass>& passes) {
    const auto backward = std::ranges::find(passes, PassKind::Backward, &PipelinePass::kind);
    return static_cast<std::size_t>(std::count_if(
        passes.begin(), backward, [](const PipelinePass& pass) { return pass.kind == PassKind::Forward; }));
}

/// Whether the kinds of the passes are in the same order as in `order`.
bool hasKindsOf(const std::vector<PassId>& order, const std::vector<PipelinePass>& passes) {
    return std::ranges::equal(order, passes, {}, &PassId::kind, &PipelinePass::kind);
}

/// Whether every rank has the kinds in the order of the schedule.
bool fits(Schedule schedule, const PipelineShape& shape, const std::vector<PlacedPasses>& ranks) {
    return std::ranges::all_of(ranks, [&](const PlacedPasses& rank) {
        const auto order = passOrder(schedule, shape, rank.place);
        return order && hasKindsOf(*order, rank.passes);
    });
}

void number(Schedule schedule, const PipelineShape& shape, std::vector<PlacedPasses>& ranks) {
    for (PlacedPasses& rank : ranks) {
        const auto order = passOrder(schedule, shape, rank.place);
        for (std::size_t i = 0; order && i < rank.passes.size(); ++i) {
            rank.passes[i].stage = (*order)[i].stage;
            rank.passes[i].micro_batch = (*order)[i].micro_batch;
        }
    }
}

/// "The ranks run 4, 3, 2, 1 forwards"; what is opened may be one rank.
std::string kindsText(const std::vector<PlacedPasses>& ranks) {
    std::vector<std::int64_t> ahead;
    for (const PlacedPasses& rank : ranks) {
        ahead.push_back(static_cast<std::int64_t>(forwardsAhead(rank.passes)));
    }
    std::string text;
    for (const std::int64_t count : ahead) {
        text += (text.empty() ? "" : ", ") + std::to_string(count);
    }
    const bool one = ahead.size() == 1 && ahead.front() == 1;
    return (ahead.size() == 1 ? "The rank runs " : "The ranks run ") + text + (one ? " forward" : " forwards");
}

std::string orderEvidence(Schedule schedule, const std::vector<PlacedPasses>& ranks) {
    return kindsText(ranks) + " before " + (ranks.size() == 1 ? "its" : "their") + " first backward, then " +
           (ranks.size() == 1 ? "goes" : "go") + " on as in " + std::string(scheduleTitle(schedule)) + ".";
}

std::string splitEvidence(Schedule schedule, bool folded) {
    const std::string weights =
        "Weight gradients are separate passes: no flow links them to a forward, as flows link the backwards. ";
    if (schedule == Schedule::DualPipe) {
        return weights + "Each rank's passes are in the order of DualPipeV: two stages per rank, there and back.";
    }
    return weights + (folded ? "Each rank's passes are in the order of ZB-V: two stages per rank, there and back."
                             : "Each rank's passes are in the order of ZB-H1.");
}

/// The same if gradients of weights are separate passes.
RecognisedSchedule bySplitOrder(std::int32_t size, std::int32_t passes, std::vector<PlacedPasses>& ranks) {
    RecognisedSchedule found;
    found.micro_batches = passes;
    for (const auto& [schedule, v] :
         {std::pair(Schedule::ZeroBubble, 1), std::pair(Schedule::ZeroBubble, 2), std::pair(Schedule::DualPipe, 2)}) {
        const PipelineShape shape{size, v, passes / v, v == 2};
        if (passes % v == 0 && fits(schedule, shape, ranks)) {
            number(schedule, shape, ranks);
            found.schedule = schedule;
            found.stages_per_rank = v;
            found.micro_batches = shape.micro_batches;
            found.folded = shape.folded;
            found.evidence.push_back(splitEvidence(schedule, shape.folded));
            return found;
        }
    }
    found.notes.push_back(
        "Weight gradients are separate passes, as in zero bubble and DualPipe, but the order is none that is known of "
        "these. " +
        std::string(kNameThem));
    return found;
}

/// From the kinds alone: the simplest schedule that fits every rank.
RecognisedSchedule byOrder(std::int32_t size, std::size_t passes, std::vector<PlacedPasses>& ranks, bool wraps) {
    RecognisedSchedule found;
    const auto n = static_cast<std::int32_t>(passes);
    found.micro_batches = n;
    for (const Schedule schedule : {Schedule::GPipe, Schedule::OneFOneB}) {
        if (!wraps && fits(schedule, {size, 1, n}, ranks)) {
            number(schedule, {size, 1, n}, ranks);
            found.schedule = schedule;
            found.evidence.push_back(orderEvidence(schedule, ranks));
            return found;
        }
    }
    for (std::int32_t v = 2; v * size <= n; ++v) {
        const PipelineShape shape{size, v, n / v};
        if (n % v == 0 && fits(Schedule::Interleaved, shape, ranks)) {
            number(Schedule::Interleaved, shape, ranks);
            found.schedule = Schedule::Interleaved;
            found.stages_per_rank = v;
            found.micro_batches = n / v;
            found.evidence.push_back(orderEvidence(Schedule::Interleaved, ranks));
            return found;
        }
    }
    if (wraps && fits(Schedule::GPipe, {size, 1, n}, ranks)) {
        found.notes.push_back(
            "All forwards come before the first backward, and the last rank sends to the first. Stages are "
            "interleaved, but it is unknown which pass belongs to which stage. " +
            std::string(kNameThem));
        return found;
    }
    found.notes.push_back(kindsText(ranks) + " before " + (ranks.size() == 1 ? "its" : "their") +
                          " first backward. No known schedule has this order. " + std::string(kNameThem));
    return found;
}

/// Whether each rank has stages from both ends, one before and one after the turn: 0 and 7, 1 and 6.
bool isFolded(std::int32_t size, const std::vector<std::set<std::int32_t>>& stages) {
    return std::ranges::all_of(stages, [size](const std::set<std::int32_t>& own) {
        return own.size() == 2 && *own.begin() + *own.rbegin() == 2 * size - 1;
    });
}

/// From names with stage and micro-batch.
RecognisedSchedule byNames(std::int32_t size, const std::vector<PlacedPasses>& ranks) {
    RecognisedSchedule found;
    std::set<std::int32_t> micro_batches;
    std::vector<std::set<std::int32_t>> stages;
    bool apart = false;
    bool together = false;
    for (const PlacedPasses& rank : ranks) {
        stages.emplace_back();
        for (const PipelinePass& pass : rank.passes) {
            micro_batches.insert(pass.micro_batch);
            stages.back().insert(pass.stage);
            apart = apart || pass.kind == PassKind::WeightGradient;
            together = together || pass.overlapped;
        }
    }
    found.micro_batches = static_cast<std::int32_t>(micro_batches.size());
    found.stages_per_rank = static_cast<std::int32_t>(stages.front().size());
    if (!std::ranges::all_of(stages, [&](const auto& own) { return own.size() == stages.front().size(); })) {
        found.notes.emplace_back("By the names of their passes, the ranks have different numbers of stages.");
        return found;
    }
    const std::string names = "The names of the passes say " +
                              formatCounted(static_cast<std::uint64_t>(found.stages_per_rank), "stage") +
                              " per rank and " + std::to_string(found.micro_batches) +
                              (found.micro_batches == 1 ? " micro-batch." : " micro-batches.");
    found.folded = isFolded(size, stages);
    if (together && found.folded) {
        found.schedule = Schedule::DualPipe;
        found.evidence = {names, "Forwards of some micro-batches overlap with backwards of others."};
    } else if (apart) {
        found.schedule = Schedule::ZeroBubble;
        found.evidence = {names, std::string("Weight gradients are separate passes") +
                                     (found.folded ? ", and stages go there and back (ZB-V)." : ".")};
    } else if (std::ranges::all_of(ranks, [](const PlacedPasses& rank) { return forwardsFirst(rank.passes); })) {
        found.schedule = Schedule::GPipe;
        found.evidence = {names, "All forwards come before the first backward."};
    } else {
        found.schedule = found.stages_per_rank > 1 ? Schedule::Interleaved : Schedule::OneFOneB;
        found.evidence = {names, orderEvidence(*found.schedule, ranks)};
    }
    return found;
}

}  // namespace

std::optional<RecognisedSchedule> recogniseSchedule(std::int32_t size, std::vector<PlacedPasses>& ranks, bool wraps) {
    const auto counts = countsOf(ranks);
    if (!counts) {
        return std::nullopt;
    }
    if (allTell(ranks, &PipelinePass::micro_batch)) {
        if (!allTell(ranks, &PipelinePass::stage)) {
            for (PlacedPasses& rank : ranks) {
                std::ranges::for_each(rank.passes, [&](PipelinePass& pass) { pass.stage = rank.place; });
            }
        }
        return byNames(size, ranks);
    }
    const bool split = std::ranges::any_of(
        ranks, [](const PlacedPasses& rank) { return countOf(rank.passes, PassKind::WeightGradient) > 0; });
    return split ? bySplitOrder(size, static_cast<std::int32_t>(counts->front()), ranks)
                 : byOrder(size, counts->front(), ranks, wraps);
}

}  // namespace rankscope
