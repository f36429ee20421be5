// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/format.h"
#include "core/report/hang.h"
#include "core/report/linked_traces.h"

namespace rankscope {

std::vector<RunWithDumps> runsWithDumps(const tables::Runs& runs, const std::vector<FlightDump>& dumps) {
    std::vector<RunWithDumps> out;
    for (const AnalysedRun* run : runs) {
        out.push_back({*run, dumps, hang::linkTraces(dumps, *run->run, run->facts.collectives)});
    }
    return out;
}

}  // namespace rankscope

namespace rankscope::report {
namespace {

using hang::GroupLink;
using hang::LinkState;

/// "rank 1 calls all-reduce 12 in its dump, and all-gather in its trace".
std::string differenceWords(const RunWithDumps& of, const hang::LinkConflict& conflict) {
    const FlightCall& call = of.dumps[conflict.dump].calls[conflict.call];
    const Collective& collective = of.run.facts.collectives.collectives[conflict.collective];
    const std::string size =
        collective.bytes
            ? " of " + formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, *collective.bytes)))
            : "";
    return fmt::format("call {} of rank {} is {} in the dump, and {}{} in the trace",
                       formatCount(static_cast<std::uint64_t>(std::max<std::int64_t>(0, call.number))),
                       of.dumps[conflict.dump].rank, kindWords(call.kind), collectiveKindName(collective.kind), size);
}

std::optional<std::int64_t> stepAt(const AnalysedRun& run, RankPosition rank, TimeNs file_ns) {
    for (const RankStep& step : run.facts.ranks[rank].steps) {
        if (step.span.start_ns <= file_ns && file_ns < step.span.end_ns) {
            return step.index;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<CallInTrace> lastCallInTrace(const std::vector<RunWithDumps>& runs, std::int64_t rank,
                                           const FlightCall& last) {
    for (const RunWithDumps& of : runs) {
        const auto dump = std::ranges::find(of.dumps, rank, &FlightDump::rank);
        if (dump == of.dumps.end()) {
            continue;
        }
        const auto call = std::ranges::find_if(dump->calls, [&last](const FlightCall& one) {
            return one.record == last.record && one.number == last.number && one.group == last.group;
        });
        const hang::CallLink* const link = call == dump->calls.end()
                                               ? nullptr
                                               : of.links.of(static_cast<std::size_t>(dump - of.dumps.begin()),
                                                             static_cast<std::size_t>(call - dump->calls.begin()));
        if (link != nullptr) {
            const CollectiveMember& member =
                *of.run.facts.collectives.collectives[link->collective].memberOf(link->rank);
            return CallInTrace{
                &of.run,
                link->rank,
                link->collective,
                member.slices.empty() ? member.op : member.slices.front(),
                of.run.clock.ranks[link->rank].toRun(FileTime(member.span.start_ns)) - of.run.clock.base_ns,
                member.span.length(),
                stepAt(of.run, link->rank, member.span.start_ns)};
        }
    }
    return std::nullopt;
}

std::string callInTraceWords(const CallInTrace& call) {
    return fmt::format("{} at {}{} of run {}", rankLabel(*call.run->run->ranks[call.rank], call.rank),
                       formatDuration(call.start_ns), call.step ? fmt::format(", step {},", *call.step) : "",
                       call.run->run->name);
}

std::string_view linkStateId(LinkState state) {
    constexpr std::array<std::string_view, 8> kIds = {"linked",       "several-places", "call-differs", "other-time",
                                                      "not-in-dumps", "unnumbered",     "ambiguous",    "no-group"};
    return kIds.at(static_cast<std::size_t>(state));
}

std::string linkWords(const RunWithDumps& of, const GroupLink& link) {
    switch (link.state) {
        case LinkState::Linked:
            return fmt::format("{} of {} are calls of the dumps, {}.", formatCount(link.linked),
                               formatCounted(link.collectives, "collective"),
                               link.by_sequence ? "by their sequence numbers" : "by their order");
        case LinkState::SeveralPlaces:
            return "Not linked: the trace has no sequence numbers, and its calls fit at several places of the dumps.";
        case LinkState::CallDiffers:
            return link.conflict ? fmt::format("Not linked: {}.", differenceWords(of, *link.conflict))
                                 : "Not linked: the calls of the trace fit at no place of the dumps.";
        case LinkState::OtherTime:
            return "Not linked: calls with the same numbers were made at another time. The dumps are of another job.";
        case LinkState::NotInDumps:
            return link.by_sequence
                       ? "Not linked: the dumps have none of its calls. They keep only the last ones."
                       : "Not linked: the dumps do not have all of its calls, and the trace has no numbers.";
        case LinkState::Unnumbered:
            return "Not linked: calls of the dumps share numbers, and the trace has no numbers.";
        case LinkState::Ambiguous: return "Not linked: a dump has several groups of these ranks.";
        case LinkState::NoGroup: break;
    }
    return "Not linked: a dump has no group of these ranks.";
}

std::string linkSummary(const RunWithDumps& of) {
    std::size_t groups = 0;
    std::size_t collectives = 0;
    for (const GroupLink& link : of.links.groups) {
        groups += link.state == LinkState::Linked ? 1U : 0U;
        collectives += link.linked;
    }
    if (of.links.groups.empty()) {
        return fmt::format("No rank of run {} has both a dump and collectives.", of.run.run->name);
    }
    const std::string of_groups = formatCounted(of.links.groups.size(), "process group");
    return groups == 0 ? fmt::format("0 of {} of run {} linked with the dumps.", of_groups, of.run.run->name)
                       : fmt::format("{} of {} of run {} linked with the dumps: {}.", formatCount(groups), of_groups,
                                     of.run.run->name, formatCounted(collectives, "collective"));
}

}  // namespace rankscope::report
