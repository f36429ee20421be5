// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare_runs.h"
#include "core/report/json/parts.h"
#include "core/report/words/comparison_summary.h"

namespace rankscope::report {
namespace {

Json samplesJson(const RunFacts& facts, const StepSamples& samples, const StepCentre& centre) {
    Json steps = Json::array();
    for (const RunStepPosition step : samples.steps) {
        steps.push_back({{"index", facts.steps[step].index}, {"duration_ns", facts.steps[step].duration_ns}});
    }
    Json left_out = Json::array();
    for (const LeftOutStep& step : samples.left_out) {
        left_out.push_back({{"index", step.index},
                            {"duration_ns", step.duration_ns},
                            {"complete", step.complete},
                            {"reason", step.reason}});
    }
    const bool any = centre.samples > 0;
    const bool spread = centre.samples > 1;
    return {{"steps", std::move(steps)},
            {"left_out", std::move(left_out)},
            {"median_ns", any ? Json(centre.median_ns) : Json(nullptr)},
            {"mean_ns", any ? Json(centre.mean_ns) : Json(nullptr)},
            {"variance_ns2", spread ? Json(centre.variance_ns2) : Json(nullptr)},
            {"standard_error_ns", spread ? Json(centre.standard_error_ns) : Json(nullptr)},
            {"neighbours", orNull(centre.neighbours)}};
}

Json differsJson(const std::vector<ConfigDifference>& differs) {
    Json out = Json::array();
    for (const ConfigDifference& one : differs) {
        out.push_back({{"aspect", aspectName(one.aspect)},
                       {"impact", impactName(one.impact)},
                       {"a", one.a},
                       {"b", one.b},
                       {"what", one.what}});
    }
    return out;
}

Json meansJson(const std::optional<MeanTest>& means) {
    if (!means) {
        return nullptr;
    }
    return {{"t", means->t}, {"df", means->df}, {"p", means->p}, {"hedges_g", means->hedges_g}};
}

Json ranksJson(const std::optional<RankTest>& ranks) {
    if (!ranks) {
        return nullptr;
    }
    return {{"shift_ns", ranks->shift_ns}, {"p", ranks->p}, {"confidence", ranks->confidence}};
}

Json stepJson(const RunComparison& comparison) {
    const StepDifference& step = comparison.step;
    const StepAnswer& answer = comparison.answer;
    const bool alone = !answer.knowsReruns();
    const auto& ns = answer.interval_ns;
    const auto& share = answer.share_interval;
    const char* const by = !alone ? "recordings" : step.ranks ? "ranks" : "medians";
    return {{"verdict", stepVerdictName(answer.verdict)},
            {"headline", comparisonHeadline(comparison)},
            {"text", comparisonVerdict(comparison)},
            {"interval_by", ns ? Json(by) : Json(nullptr)},
            {"ranks", alone ? ranksJson(step.ranks) : Json(nullptr)},
            {"difference_ns", answer.share ? Json(answer.difference_ns) : Json(nullptr)},
            {"low_ns", ns ? Json(ns->low) : Json(nullptr)},
            {"high_ns", ns ? Json(ns->high) : Json(nullptr)},
            {"share", orNull(answer.share)},
            {"share_low", share ? Json(share->low) : Json(nullptr)},
            {"share_high", share ? Json(share->high) : Json(nullptr)},
            {"matters", answer.matters},
            {"steps_needed", alone ? orNull(step.steps_needed) : Json(nullptr)},
            {"means", alone ? meansJson(step.means) : Json(nullptr)}};
}

Json sideJson(const ComparedSide& side) {
    Json out = Json::array();
    for (const Recording& one : side.recordings) {
        const bool any = one.step.samples > 0;
        out.push_back({{"name", one.name},
                       {"steps", one.step.samples},
                       {"median_ns", any ? Json(one.step.middle_ns) : Json(nullptr)},
                       {"left_out", textOrNull(one.left_out)}});
    }
    return {{"recordings", std::move(out)}, {"shown", side.shown}, {"notes", side.notes}};
}

/// The recordings of both sides, and what they show of re-runs.
Json sidesJson(const RunComparison& comparison) {
    const StepAnswer& answer = comparison.answer;
    Json spread = nullptr;
    if (answer.spread) {
        spread = {
            {"share", answer.spread->share}, {"within", answer.spread->within}, {"freedom", answer.spread->freedom}};
    }
    return {{"a", sideJson(comparison.a_side)},
            {"b", sideJson(comparison.b_side)},
            {"a_ns", answer.a_ns > 0 ? Json(answer.a_ns) : Json(nullptr)},
            {"b_ns", answer.b_ns > 0 ? Json(answer.b_ns) : Json(nullptr)},
            {"spread", std::move(spread)},
            {"recordings_needed", orNull(answer.recordings_needed)}};
}

Json breakdownJson(const std::optional<Breakdown>& breakdown) {
    if (!breakdown) {
        return nullptr;
    }
    Json rows = Json::array();
    for (const BreakdownRow& row : breakdown->rows) {
        rows.push_back({{"part", stepPartName(row.part)},
                        {"cause", row.part == StepPart::Idle ? Json(causeName(row.cause)) : Json(nullptr)},
                        {"a_ns", row.a_ns},
                        {"b_ns", row.b_ns},
                        {"difference_ns", row.differenceNs()}});
    }
    return {{"a_steps", breakdown->a_steps},
            {"b_steps", breakdown->b_steps},
            {"a_step_ns", breakdown->a_step_ns},
            {"b_step_ns", breakdown->b_step_ns},
            {"difference_ns", breakdown->b_step_ns - breakdown->a_step_ns},
            {"rows", std::move(rows)}};
}

Json findingPairsJson(const ComparisonView& view) {
    Json out = Json::array();
    for (const FindingPair& pair : view.comparison.findings) {
        out.push_back({{"change", findingChangeName(pair.change)},
                       {"id", findingName(findingOf(view, pair).id)},
                       {"title", comparedTitle(view, pair)},
                       {"a", orNull(pair.a)},
                       {"b", orNull(pair.b)},
                       {"a_saving_ns", pair.a ? Json(pair.a_saving_ns) : Json(nullptr)},
                       {"b_saving_ns", pair.b ? Json(pair.b_saving_ns) : Json(nullptr)},
                       {"a_time_ns", orNull(pair.a_time_ns)},
                       {"b_time_ns", orNull(pair.b_time_ns)}});
    }
    return out;
}

Json timesJson(const NameTimes& times) {
    return times.none() ? Json(nullptr)
                        : Json{{"calls", times.calls},
                               {"step_calls", times.step_calls},
                               {"step_ns", times.step_ns},
                               {"mean_ns", times.meanNs()}};
}

CutTable namesJson(const std::vector<NamePair>& pairs, bool kernels) {
    CutTable out;
    for (const NamePair& pair : pairs) {
        if (out.rows.size() == kTableRows) {
            ++out.left_out;
            continue;
        }
        Json row = {{"name", pair.name}};
        if (kernels) {
            row["class"] = workClassName(pair.work);
        }
        row["a"] = timesJson(pair.a);
        row["b"] = timesJson(pair.b);
        row["difference_ns"] = pair.differenceNs();
        out.rows.push_back(std::move(row));
    }
    return out;
}

Json collectiveTimesJson(const CollectiveTimes& times) {
    return times.count == 0 ? Json(nullptr)
                            : Json{{"count", times.count},
                                   {"step_count", times.step_count},
                                   {"transfer_ns", orNull(times.transfer_ns)},
                                   {"bus_gb_per_s", orNull(times.bus_gb_per_s)},
                                   {"wait_ns", orNull(times.wait_ns)}};
}

Json collectivePairsJson(const std::vector<CollectivePair>& pairs) {
    Json out = Json::array();
    for (const CollectivePair& pair : pairs) {
        out.push_back({{"kind", collectiveKindName(pair.kind)},
                       {"group_size", pair.group_size < 0 ? Json(nullptr) : Json(pair.group_size)},
                       {"bytes", orNull(pair.bytes)},
                       {"a", collectiveTimesJson(pair.a)},
                       {"b", collectiveTimesJson(pair.b)}});
    }
    return out;
}

Json placeJson(const AnalysedRun& run, std::optional<RankPosition> rank) {
    return rank ? textOrNull(run.facts.parallelism.grid.placeText(*rank)) : Json(nullptr);
}

Json throughputJson(const std::vector<ThroughputPair>& pairs) {
    Json out = Json::array();
    for (const ThroughputPair& pair : pairs) {
        out.push_back({{"kind", pair.kind ? Json(iterationKindName(*pair.kind)) : Json(nullptr)},
                       {"a_tokens_per_second", orNull(pair.a)},
                       {"b_tokens_per_second", orNull(pair.b)}});
    }
    return out;
}

Json rankPairsJson(const AnalysedRun& a, const AnalysedRun& b, const std::vector<RankPair>& pairs) {
    Json out = Json::array();
    for (const RankPair& pair : pairs) {
        const RankTrace& rank = pair.a ? *a.run->ranks[*pair.a] : *b.run->ranks[*pair.b];
        out.push_back({{"rank", orNull(rank.rank)},
                       {"a", orNull(pair.a)},
                       {"b", orNull(pair.b)},
                       {"a_place", placeJson(a, pair.a)},
                       {"b_place", placeJson(b, pair.b)},
                       {"a_segment_ns", orNull(pair.a_segment_ns)},
                       {"b_segment_ns", orNull(pair.b_segment_ns)},
                       {"breakdown", breakdownJson(pair.breakdown)}});
    }
    return out;
}

}  // namespace

Json comparisonJson(const AnalysedRun& a, const AnalysedRun& b, const ComparedRuns& compared) {
    const RunComparison& comparison = *compared.comparison;
    CutTable kernels = namesJson(comparison.kernels, true);
    CutTable operators = namesJson(comparison.operators, false);
    return {{"a", compared.a},
            {"b", compared.b},
            {"differs", differsJson(comparison.differs)},
            {"shared_kernels", {{"a", comparison.shared_kernels.a}, {"b", comparison.shared_kernels.b}}},
            {"a_samples", samplesJson(a.facts, comparison.a_samples, comparison.step.a)},
            {"b_samples", samplesJson(b.facts, comparison.b_samples, comparison.step.b)},
            {"step", stepJson(comparison)},
            {"sides", sidesJson(comparison)},
            {"breakdown", breakdownJson(comparison.breakdown)},
            {"findings", findingPairsJson({a, b, comparison})},
            {"kernels", std::move(kernels.rows)},
            {"kernels_left_out", kernels.left_out},
            {"operators", std::move(operators.rows)},
            {"operators_left_out", operators.left_out},
            {"collectives", collectivePairsJson(comparison.collectives)},
            {"throughput", throughputJson(comparison.throughput)},
            {"ranks_by_place", comparison.ranks_by_place},
            {"rank_notes", comparison.rank_notes},
            {"ranks", rankPairsJson(a, b, comparison.ranks)}};
}

}  // namespace rankscope::report
