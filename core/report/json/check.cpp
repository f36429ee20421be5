// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/check.h"

#include "core/report/check/check_lists.h"
#include "core/report/check/protocol.h"
#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

/// Null if there is no place.
Json checkPlaceJson(const AnalysedRun& run, const CheckPlace& place) {
    if (!place.any()) {
        return nullptr;
    }
    Json out = {
        {"id", orNull(place.rank)},   {"rank", place.rank ? orNull(run.run->ranks[*place.rank]->rank) : Json(nullptr)},
        {"step", orNull(place.step)}, {"finding", orNull(place.finding)},
        {"slice", nullptr},           {"start_ns", nullptr},
        {"duration_ns", nullptr}};
    if (place.rank && place.slice.valid()) {
        const RankTrace& rank = *run.run->ranks[*place.rank];
        const TimeSpan span = rank.span(place.slice);
        out["slice"] = rank.name(place.slice);
        out["start_ns"] = run.clock.ranks[*place.rank].toRun(FileTime(span.start_ns)) - run.clock.base_ns;
        out["duration_ns"] = span.length();
    }
    return out;
}

std::string_view unitName(Unit unit) {
    switch (unit) {
        case Unit::Share: return "share";
        case Unit::Duration: return "ns";
        case Unit::Count: return "count";
        default: return "ratio";
    }
}

Json lineJson(const AnalysedRun& run, const CheckLine& line) {
    return {{"line", line.key},
            {"area", checkAreaName(line.area)},
            {"status", checkStatusName(line.status)},
            {"title", line.title},
            {"text", line.text},
            {"value", orNull(line.value)},
            {"unit", line.value ? Json(unitName(line.unit)) : Json(nullptr)},
            {"limit", orNull(line.limit)},
            {"record", textOrNull(line.record)},
            {"place", checkPlaceJson(run, line.place)}};
}

Json checkRankJson(const AnalysedRun& run, const CheckRank& rank) {
    const bool any = !rank.steps_ns.empty();
    return {{"id", rank.rank},
            {"rank", orNull(run.run->ranks[rank.rank]->rank)},
            {"indices", rank.indices},
            {"steps_ns", rank.steps_ns},
            {"mean_step_ns", any ? Json(rank.mean_ns) : Json(nullptr)},
            {"own_ns", orNull(rank.own_ns)},
            {"over_median", orNull(rank.over_median)},
            {"z_score", orNull(rank.z_score)},
            {"mfu", orNull(rank.mfu)},
            {"memory_share", orNull(rank.memory_share)},
            {"look", rank.look}};
}

/// Null if no rank has a complete, steady step with device work.
Json budgetJson(const StepBudget& budget) {
    if (budget.steps == 0) {
        return nullptr;
    }
    Json causes = Json::object();
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const auto cause = static_cast<Cause>(i);
        causes[std::string(causeName(cause))] = budget.idle_causes[cause];
    }
    return {{"rank_steps", budget.steps},
            {"step_ns", budget.step_ns},
            {"compute_ns", budget.compute_ns},
            {"exposed_comm_ns", budget.exposed_comm_ns},
            {"exposed_wait_ns", orNull(budget.exposed_wait_ns)},
            {"exposed_unsplit_ns", budget.exposed_unsplit_ns},
            {"exposed_copy_ns", budget.exposed_copy_ns},
            {"idle_ns", budget.idle_ns},
            {"comm_ns", budget.comm_ns},
            {"hidden_comm_ns", budget.hiddenCommunication()},
            {"copy_ns", budget.copy_ns},
            {"hidden_copy_ns", budget.hiddenCopies()},
            {"without_overlap_ns", budget.withoutOverlap()},
            {"idle_causes", std::move(causes)}};
}

}  // namespace

Json checkJson(const AnalysedRun& run) {
    const Check check = checkOf(run);
    Json lines = Json::array();
    for (const CheckLine& line : check.lines) {
        lines.push_back(lineJson(run, line));
    }
    Json ranks = Json::array();
    for (const CheckRank& rank : check.ranks) {
        ranks.push_back(checkRankJson(run, rank));
    }
    return {{"look", check.count(CheckStatus::Look)},
            {"ok", check.count(CheckStatus::Ok)},
            {"cannot_tell", check.count(CheckStatus::CannotTell)},
            {"lines", std::move(lines)},
            {"ranks", std::move(ranks)},
            {"budget", budgetJson(check.budget)}};
}

Json checkListsJson(const AnalysedRun& run) {
    Json lists = Json::array();
    for (const CheckList& list : checkListsOf(run)) {
        Json questions = Json::array();
        for (const ListLine& line : list.lines) {
            questions.push_back({{"question_id", line.key},
                                 {"question", line.question},
                                 {"answer", listAnswerName(line.answer)},
                                 {"text", line.text},
                                 {"advice", textOrNull(line.advice)},
                                 {"record", textOrNull(line.record)},
                                 {"source", line.source},
                                 {"place", checkPlaceJson(run, line.place)}});
        }
        lists.push_back({{"list", checkListName(list.id)},
                         {"title", checkListTitle(list.id)},
                         {"yes", list.count(ListAnswer::Yes)},
                         {"no", list.count(ListAnswer::No)},
                         {"cannot_tell", list.count(ListAnswer::CannotTell)},
                         {"questions", std::move(questions)}});
    }
    return lists;
}

Json protocolJson(const AnalysedRun& run, const Validation& validation) {
    const Protocol protocol = protocolOf(run, validation);
    Json steps = Json::array();
    for (const ProtocolStep& step : protocol.steps) {
        steps.push_back({{"stage", protocolStageName(step.stage)},
                         {"state", protocolStateName(step.state)},
                         {"title", step.title},
                         {"text", step.text},
                         {"record", textOrNull(step.record)},
                         {"command", textOrNull(step.command)},
                         {"place", checkPlaceJson(run, step.place)}});
    }
    return {{"significant_ns", orNull(protocol.significant_ns)}, {"steps", std::move(steps)}};
}

}  // namespace rankscope::report
