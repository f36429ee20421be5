// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json memberJson(const AnalysedRun& run, const CollectiveMember& member) {
    const RankClock& clock = run.clock.ranks[member.rank];
    const auto on_run = [&](TimeNs file_ns) { return clock.toRun(FileTime(file_ns)) - run.clock.base_ns; };
    return {{"id", member.rank},
            {"start_ns", on_run(member.span.start_ns)},
            {"end_ns", on_run(member.span.end_ns)},
            {"ready_ns", member.ready_ns ? Json(on_run(*member.ready_ns)) : Json(nullptr)},
            {"wait_ns", orNull(member.wait_ns)},
            {"clocked_wait_ns", orNull(member.clocked_wait_ns)}};
}

Json slowJson(const SlowGroup* slow) {
    return slow == nullptr ? Json(nullptr)
                           : Json({{"sisters", slow->sisters},
                                   {"gb_per_s", slow->gb_per_s},
                                   {"sisters_gb_per_s", slow->sisters_gb_per_s}});
}

}  // namespace

Json groupsJson(const CollectiveFacts& facts) {
    Json groups = Json::array();
    for (std::uint32_t g = 0; g < facts.groups.size(); ++g) {
        const CollectiveGroup& group = facts.groups[g];
        groups.push_back({{"name", textOrNull(group.name)},
                          {"description", textOrNull(group.description)},
                          {"size", group.size >= 0 ? Json(group.size) : Json(nullptr)},
                          {"ranks", group.ranks},
                          {"origin", groupOriginName(group.origin)},
                          {"slow", slowJson(facts.slowGroup(g))}});
    }
    return groups;
}

namespace {

Json messagesJson(const Collective& collective) {
    Json messages = Json::array();
    for (const CollectiveMessage& message : collective.messages) {
        messages.push_back({{"sender", collective.members[message.sender].rank},
                            {"receiver", collective.members[message.receiver].rank},
                            {"bytes", orNull(message.bytes)},
                            {"sender_waits", message.sender_waits}});
    }
    return messages;
}

}  // namespace

Json collectivesJson(const AnalysedRun& run) {
    Json collectives = Json::array();
    for (const Collective& collective : run.facts.collectives.collectives) {
        Json members = Json::array();
        for (const CollectiveMember& member : collective.members) {
            members.push_back(memberJson(run, member));
        }
        collectives.push_back({{"kind", collectiveKindName(collective.kind)},
                               {"name", collective.name},
                               {"dtype", textOrNull(collective.dtype)},
                               {"group", collective.group},
                               {"sequence", collective.sequence >= 0 ? Json(collective.sequence) : Json(nullptr)},
                               {"match", matchMethodName(collective.method)},
                               {"complete", collective.complete},
                               {"bytes", orNull(collective.bytes)},
                               {"transfer_ns", orNull(collective.transfer_ns)},
                               {"baseline_transfer_ns", orNull(collective.baseline_transfer_ns)},
                               {"algorithm_gb_per_s", orNull(collective.algorithm_gb_per_s)},
                               {"bus_gb_per_s", orNull(collective.bus_gb_per_s)},
                               {"clock_uncertainty_ns", orNull(collective.clock_uncertainty_ns)},
                               {"ranks", std::move(members)}});
        if (!collective.messages.empty()) {
            collectives.back()["messages"] = messagesJson(collective);
        }
    }
    return collectives;
}

Json transferFitsJson(const CollectiveFacts& facts) {
    Json fits = Json::array();
    for (const TransferFit& fit : facts.fits) {
        Json measured = Json::array();
        for (const TransferSize& size : fit.measured) {
            measured.push_back({{"bytes", size.bytes},
                                {"transfer_ns", size.transfer_ns},
                                {"fitted_ns", size.fitted_ns},
                                {"samples", size.samples},
                                {"mark", sizeMarkName(size.mark)}});
        }
        fits.push_back({{"kind", collectiveKindName(fit.kind)},
                        {"group", fit.group},
                        {"latency_ns", fit.latency_ns},
                        {"gb_per_s", fit.gb_per_s},
                        {"residual", fit.residual},
                        {"mean_error", fit.mean_error},
                        {"largest_error", fit.largest_error},
                        {"r2", orNull(fit.r2)},
                        {"sizes", fit.sizes},
                        {"samples", fit.samples},
                        {"measured", std::move(measured)}});
    }
    return fits;
}

Json unmatchedJson(const CollectiveFacts& facts) {
    Json unmatched = Json::array();
    for (const UnmatchedCollectives& alone : facts.unmatched) {
        unmatched.push_back(
            {{"id", alone.rank}, {"group", alone.group}, {"count", alone.count}, {"reason", alone.reason}});
    }
    return unmatched;
}

namespace {

Json segmentTimesJson(const RunFacts& facts, const RankLateness& rank) {
    Json steps = Json::array();
    for (const SegmentTime& own : rank.steps) {
        steps.push_back(
            {{"index", facts.steps[own.step].index}, {"segment_ns", own.segment_ns}, {"late_ns", own.late_ns}});
    }
    return steps;
}

}  // namespace

Json stragglersJson(const AnalysedRun& run) {
    Json ranks = Json::array();
    for (const RankLateness& rank : run.facts.stragglers.ranks) {
        ranks.push_back({{"id", rank.rank},
                         {"rank", orNull(run.run->ranks[rank.rank]->rank)},
                         {"segment_ns", rank.segment_ns},
                         {"over_mean", rank.over_mean},
                         {"z_score", orNull(rank.z_score)},
                         {"last_steps", rank.last_steps},
                         {"saving_ns", rank.saving_ns},
                         {"throughput_lost", rank.throughput_lost},
                         {"steps", segmentTimesJson(run.facts, rank)}});
    }
    return ranks;
}

}  // namespace rankscope::report
