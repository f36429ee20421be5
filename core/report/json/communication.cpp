// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <utility>

#include "core/analysis/device/overlap_efficiency.h"
#include "core/report/json/parts.h"
#include "core/report/tables/bucket_tables.h"
#include "core/report/tables/communication.h"
#include "core/report/tables/rank_statistics.h"

namespace rankscope::report {
namespace {

Json sizesJson(const FittedLink& link, CollectiveKind kind, std::size_t ranks) {
    Json sizes = Json::array();
    for (std::int64_t bytes = kLeastPredicted; bytes <= kMostPredicted; bytes *= kPredictedFactor) {
        const auto by = [&](Algorithm algorithm) { return orNull(link.model->predict(kind, algorithm, ranks, bytes)); };
        sizes.push_back({{"bytes", bytes},
                         {"ring_ns", by(Algorithm::Ring)},
                         {"tree_ns", by(Algorithm::Tree)},
                         {"direct_ns", by(Algorithm::Direct)},
                         {"better", algorithmName(link.model->better(kind, ranks, bytes))}});
    }
    return sizes;
}

Json predictionsJson(const FittedLink& link, CollectiveKind kind) {
    Json predictions = Json::array();
    for (const std::size_t times : kPredictedTimes) {
        if (predicts(link)) {
            const std::size_t ranks = times * link.ranks;
            const bool has_tree = costsOf(kind, Algorithm::Tree, ranks).has_value();
            predictions.push_back({{"ranks", ranks},
                                   {"tree_up_to_bytes", has_tree ? orNull(link.model->treeUpTo(ranks)) : Json(nullptr)},
                                   {"sizes", sizesJson(link, kind, ranks)}});
        }
    }
    return predictions;
}

void putOverlap(Json& out, const OverlapEfficiency& overlap) {
    out["duration_ns"] = overlap.step_ns;
    out["hidden_comm_ns"] = overlap.hidden_ns;
    out["exposed_comm_ns"] = overlap.exposed_ns;
    out["both_ns"] = overlap.both_ns;
    out["least_ns"] = overlap.least_ns;
    out["most_ns"] = overlap.most_ns;
    out["efficiency"] = overlap.efficiency();
    out["best_step_ns"] = overlap.bestStep();
    out["worst_step_ns"] = overlap.worstStep();
}

}  // namespace

Json fittedLinksJson(const AnalysedRun& run) {
    Json links = Json::array();
    for (const FittedLink& link : fittedLinks(run)) {
        const CollectiveKind kind = run.facts.collectives.fits[link.fit].kind;
        links.push_back({{"fit", link.fit},
                         {"link", linkName(link.link)},
                         {"ranks", link.ranks > 0 ? Json(link.ranks) : Json(nullptr)},
                         {"algorithm", algorithmName(link.algorithm)},
                         {"algorithm_told", link.algorithm_told},
                         {"hop_ns", link.model ? Json(link.model->hop_ns) : Json(nullptr)},
                         {"bus_gb_per_s", orNull(link.bus_gb_per_s)},
                         {"link_gb_per_s", orNull(link.link_gb_per_s)},
                         {"link_source", textOrNull(link.link_source)},
                         {"efficiency", orNull(link.efficiency())},
                         {"predictions", predictionsJson(link, kind)}});
    }
    return links;
}

Json overlapJson(const AnalysedRun& run) {
    Json ranks = Json::array();
    for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
        const RankFacts& facts = run.facts.ranks[position];
        Json steps = Json::array();
        for (const RankStep& step : facts.steps) {
            if (const std::optional<OverlapEfficiency> overlap = overlapOf(step)) {
                Json own = {{"index", step.index}};
                putOverlap(own, *overlap);
                steps.push_back(std::move(own));
            }
        }
        if (steps.empty()) {
            continue;
        }
        Json sum = nullptr;
        if (const std::optional<OverlapEfficiency> overlap = overlapOf(facts)) {
            sum = {{"steps", overlap->steps}};
            putOverlap(sum, *overlap);
        }
        ranks.push_back({{"id", position},
                         {"rank", orNull(run.run->ranks[position]->rank)},
                         {"sum", std::move(sum)},
                         {"steps", std::move(steps)}});
    }
    return ranks;
}

Json bucketsJson(const AnalysedRun& run) {
    if (!run.diagnosis.buckets) {
        return nullptr;
    }
    const BucketForecast& forecast = *run.diagnosis.buckets;
    return {{"today", tableJson(bucketsTable(run), {"order"})},
            {"today_bytes", forecast.today_bytes},
            {"step_ns", forecast.step_ns},
            {"caps", tableJson(bucketCapsTable(run), {"saving_ns", "best"})},
            {"best_mb", forecast.best ? Json(forecast.caps[*forecast.best].mb) : Json(nullptr)},
            {"unknown", textOrNull(forecast.reason)}};
}

Json rankStatisticsJson(const AnalysedRun& run) {
    return tableJson(rankStatisticsTable(run), {"title"});
}

}  // namespace rankscope::report
