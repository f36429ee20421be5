// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/precision_prices.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/format.h"

namespace rankscope {
namespace {

/// The number of (rank, step) pairs that count for prices.
std::size_t pricedRankSteps(const EfficiencyFacts& facts) {
    std::size_t steps = 0;
    for (const RankEfficiency& rank : facts.ranks) {
        steps += rank.priced_steps;
    }
    return steps;
}

std::vector<RankPosition> ranksThatMultiply(const EfficiencyFacts& facts) {
    std::vector<RankPosition> ranks;
    for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
        if (facts.ranks[r].counted.model_flops > 0) {
            ranks.push_back(r);
        }
    }
    return ranks;
}

std::vector<Evidence> evidenceOf(const RuleContext& context, const PrecisionPrice& price) {
    constexpr std::size_t kMostEvidence = 8;
    std::vector<Evidence> evidence;
    for (const ProductRow* const row : price.rows) {
        const EfficiencyPlace& place = row->priced.longest;
        if (evidence.size() == kMostEvidence) {
            break;
        }
        if (!place.slice.valid()) {
            continue;
        }
        const RankStep* const step =
            stepAt(context.facts.ranks[place.rank], context.run.ranks[place.rank]->span(place.slice).start_ns);
        if (step != nullptr) {
            evidence.push_back({place.rank, step->index, place.slice,
                                "multiplies " + std::string(numberTypeName(row->type)) + " for " +
                                    formatDuration(place.ns) + " on the GPU"});
        }
    }
    return evidence;
}

}  // namespace

PrecisionPrice pricePrecision(const RunFacts& facts, const std::function<bool(const ProductRow&)>& wanted,
                              NumberType to) {
    PrecisionPrice price;
    double now_ns = 0;
    double saving_ns = 0;
    for (const ProductRow& row : facts.efficiency.products) {
        const std::optional<DevicePeak>& peak = facts.efficiency.ranks[row.longest.rank].peak;
        if (row.priced.time_ns <= 0 || !peak || peak->by_user || !peak->tensor_cores[to] || !wanted(row)) {
            continue;
        }
        const auto row_ns = static_cast<double>(row.priced.time_ns);
        now_ns += row_ns;
        const WorkAtRoof work{row.priced.flops, row.priced.bytes, row.type};
        saving_ns += std::max(0.0, row_ns - peak->roofNs(work, to).value_or(row_ns));
        price.peak_now = std::max(price.peak_now, peak->tflops[row.type].value_or(0));
        price.peak_then = std::max(price.peak_then, *peak->tflops[to]);
        price.rows.push_back(&row);
    }
    const auto steps = static_cast<double>(std::max<std::size_t>(1, pricedRankSteps(facts.efficiency)));
    price.now_ns = std::llround(now_ns / steps);
    price.saving_ns = std::llround(saving_ns / steps);
    return price;
}

PrecisionTexts textsOf(const RuleContext& context, const PrecisionPrice& price) {
    const auto step_ns = static_cast<double>(std::max<DurationNs>(1, context.facts.pricedStep()));
    return {.now = formatDuration(price.now_ns),
            .share = formatPercent(static_cast<double>(price.now_ns) / step_ns),
            .saving = formatDuration(price.saving_ns),
            .peak_now = formatDecimal(price.peak_now, 1),
            .peak_then = formatDecimal(price.peak_then, 1)};
}

void judgePrecision(const RuleContext& context, FindingId id, const PrecisionPrice& price, const PrecisionWords& words,
                    Diagnosis& diagnosis) {
    const DurationNs step_ns = context.facts.pricedStep();
    const DurationNs saving_ns = std::min(price.saving_ns, step_ns);
    const double share = step_ns > 0 ? static_cast<double>(saving_ns) / static_cast<double>(step_ns) : 0.0;
    if (price.rows.empty() || share < Pricer::kLeastShare) {
        return;
    }
    Finding finding;
    finding.id = id;
    finding.saving_ns = saving_ns;
    finding.blocked_ns = price.now_ns;
    finding.share = share;
    finding.confidence = Confidence::Low;
    finding.at_most = true;
    finding.coverage = context.pricer.coverage();
    finding.why_confidence = {words.why_confidence};
    finding.ranks = ranksThatMultiply(context.facts.efficiency);
    finding.paying_ranks = finding.ranks;
    for (const RunStep* const step : context.pricer.steady()) {
        finding.steps.push_back(step->index);
    }
    finding.title = context.advice.title(id);
    finding.why = words.why;
    finding.remedies = context.advice.remedies(id, words.conditions);
    finding.evidence = evidenceOf(context, price);
    diagnosis.findings.push_back(std::move(finding));
}

std::optional<NumberType> sixteenBitType(const RunFacts& facts) {
    for (const NumberType type : {NumberType::BFloat16, NumberType::Float16}) {
        if (std::ranges::any_of(facts.efficiency.ranks, [type](const RankEfficiency& rank) {
                return rank.peak && rank.peak->tensor_cores[type];
            })) {
            return type;
        }
    }
    return std::nullopt;
}

}  // namespace rankscope
