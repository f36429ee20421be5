// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/verdict_words.h"
#include "core/diagnosis/frame/worth.h"
#include "core/report/json/parts.h"
#include "core/report/words/vocabulary.h"
#include "core/trace/row_source.h"
#include "core/whatif/change.h"

namespace rankscope::report {
namespace {

Json evidenceJson(const AnalysedRun& run, const Evidence& evidence) {
    const RankTrace& rank = *run.run->ranks[evidence.rank];
    Json out = {{"run", run.run->name}, {"id", evidence.rank},    {"rank", orNull(rank.rank)}, {"step", evidence.step},
                {"track", nullptr},     {"slice", nullptr},       {"start_ns", nullptr},       {"duration_ns", nullptr},
                {"file", nullptr},      {"byte_offset", nullptr}, {"note", evidence.note}};
    if (!evidence.slice.valid()) {
        return out;
    }
    const Track& track = rank.track(evidence.slice);
    const TimeSpan span = rank.span(evidence.slice);
    const EventSource source = track.slices.source[evidence.slice.slice];
    out["track"] = track.name;
    out["slice"] = rank.name(evidence.slice);
    out["start_ns"] = run.clock.ranks[evidence.rank].toRun(FileTime(span.start_ns)) - run.clock.base_ns;
    out["duration_ns"] = span.length();
    if (source.file() < rank.files.size()) {
        out["file"] = fileLabel(rank.files[source.file()]);
        if (isFromRows(rank)) {
            out["row"] = {{"table", tableName(rowPlaceOf(source).table)}, {"rowid", rowPlaceOf(source).row}};
        } else {
            out["byte_offset"] = source.offset();
        }
    }
    return out;
}

}  // namespace

Json coverageJson(const Coverage& coverage) {
    return {{"steps", coverage.steps},
            {"of_steps", coverage.of_steps},
            {"time_ns", coverage.time_ns},
            {"of_time_ns", coverage.of_time_ns},
            {"share", coverage.share()}};
}

namespace {

Json overlapJson(const Overlap& overlap) {
    return {{"with", findingName(overlap.with)}, {"alone_ns", overlap.alone_ns}, {"after_ns", overlap.after_ns}};
}

/// The cost of the remedy, and its reason.
Json costJson(const RemedyCost& cost) {
    Json terms = Json::array();
    for (const CostPart& part : cost.parts) {
        terms.push_back({{"term", costTermName(part.term)},
                         {"source", costSourceName(part.source)},
                         {"unit", part.unit == CostPart::Unit::Times ? "times" : "ns"},
                         {"low", part.size.low},
                         {"likely", part.size.likely},
                         {"high", part.size.high}});
    }
    return {{"remedy", remedyKindName(cost.kind)},
            {"low_ns", cost.low_ns},
            {"likely_ns", cost.likely_ns},
            {"high_ns", cost.high_ns},
            {"terms", std::move(terms)}};
}

/// The parts of the representative step, each with a link to its slice.
Json exampleJson(const AnalysedRun& run, const FindingExample& example) {
    Json parts = Json::array();
    for (const FindingPart& part : example.parts) {
        Json longest = nullptr;
        if (part.slice.valid()) {
            longest = evidenceJson(run, {example.rank, example.step, part.slice, {}});
        }
        parts.push_back({{"what", part.what}, {"time_ns", part.time_ns}, {"longest", std::move(longest)}});
    }
    return {{"id", example.rank}, {"step", example.step}, {"total_ns", example.total_ns}, {"parts", std::move(parts)}};
}

Json findingJson(const AnalysedRun& run, const Finding& finding) {
    Json remedies = Json::array();
    for (const Remedy& remedy : finding.remedies) {
        remedies.push_back({{"action", remedy.action},
                            {"detail", remedy.detail},
                            {"brief", remedy.brief},
                            {"quick", remedy.is_quick}});
    }
    Json evidence = Json::array();
    for (const Evidence& item : finding.evidence) {
        evidence.push_back(evidenceJson(run, item));
    }
    const std::string_view cause = findingCauseName(finding.cause);
    return {
        {"id", findingName(finding.id)},
        {"severity", severityName(finding.severity)},
        {"confidence", confidenceName(finding.confidence)},
        {"quick_win", isQuickWin(finding)},
        {"ranks", finding.ranks},
        {"paying_ranks", finding.paying_ranks},
        {"steps", finding.steps},
        {"blocked_ns", finding.blocked_ns},
        {"saving_ns", finding.saving_ns},
        {"likely_saving_ns", likelySaving(finding)},
        {"share", finding.share},
        {"at_most", finding.at_most},
        {"saving_range",
         finding.range ? Json{{"low_ns", finding.range->low_ns}, {"high_ns", finding.range->high_ns}} : Json(nullptr)},
        {"remedy_cost", finding.cost ? costJson(*finding.cost) : Json(nullptr)},
        {"what_if", textOrNull(whatIfOf(finding, *run.run))},
        {"coverage", finding.coverage.steps > 0 ? coverageJson(finding.coverage) : Json(nullptr)},
        {"overlap", finding.overlap ? overlapJson(*finding.overlap) : Json(nullptr)},
        {"cause", cause.empty() ? Json(nullptr) : Json(cause)},
        {"cause_share", orNull(finding.cause_share)},
        {"title", finding.title},
        {"summary", finding.summary},
        {"why", finding.why},
        {"why_confidence", finding.why_confidence},
        {"example", finding.example ? exampleJson(run, *finding.example) : Json(nullptr)},
        {"remedies", std::move(remedies)},
        {"evidence", std::move(evidence)},
        {"evidence_left_out", 0}};
}

}  // namespace

Json findingsJson(const AnalysedRun& run) {
    Json findings = Json::array();
    for (const Finding& finding : run.diagnosis.findings) {
        findings.push_back(findingJson(run, finding));
    }
    return findings;
}

Json cannotTellJson(const Diagnosis& diagnosis) {
    Json out = Json::array();
    for (const CannotTell& item : diagnosis.cannot_tell) {
        out.push_back({{"id", findingName(item.id)}, {"reason", item.reason}, {"record", item.record}});
    }
    return out;
}

Json verdictJson(const AnalysedRun& run) {
    const RunFacts& facts = run.facts;
    const Verdict& verdict = facts.verdict;
    const Headline& headline = run.diagnosis.headline;
    Json shares = nullptr;
    if (verdict.shares) {
        shares = {{"compute", verdict.shares->compute}, {"communication", verdict.shares->communication},
                  {"input", verdict.shares->input},     {"launch", verdict.shares->launch},
                  {"stall", verdict.shares->stall},     {"rest", verdict.shares->rest},
                  {"warm_up", verdict.shares->warm_up}, {"unknown", verdict.shares->unknown},
                  {"unsplit", verdict.shares->unsplit}};
    }
    const std::optional<double> bubble = bubbleBesidePath(facts);
    return {{"bound", verdict.bound ? Json(boundName(*verdict.bound)) : Json(nullptr)},
            {"headline",
             {{"title", headline.title},
              {"text", headline.text},
              {"of_finding", headline.of_finding},
              {"known", headline.known}}},
            {"rule", verdict.rule},
            {"shares", std::move(shares)},
            {"pipeline_bubble", bubble ? Json(*bubble) : Json(nullptr)},
            {"coverage", coverageJson(verdict.coverage)}};
}

}  // namespace rankscope::report
