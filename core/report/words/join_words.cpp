// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "core/base/format.h"
#include "core/diagnosis/frame/worth.h"
#include "core/report/joined_logs.h"

namespace rankscope::report {
namespace {

using network::GroupJoin;
using network::JoinState;

std::string communicatorWords(const RunWithLogs& of, const GroupJoin& join) {
    const network::Communicator& communicator = of.input.network.jobs[join.job].communicators[join.communicator];
    return "a communicator of " + formatCounted(static_cast<std::uint64_t>(communicator.ranks), "rank") +
           (communicator.id.empty() ? "" : " (" + communicator.id + ")");
}

/// "all-reduce of 20 B Float"; what the trace does not record is left out.
std::string tracedWords(const Collective& collective) {
    std::string words(collectiveKindName(collective.kind));
    words += collective.bytes ? " of " + formatBytes(static_cast<std::uint64_t>(*collective.bytes)) : "";
    return words + (collective.dtype.empty() ? "" : " " + collective.dtype);
}

std::string conflictWords(const RunWithLogs& of, const GroupJoin& join) {
    const network::CallConflict& conflict = *join.conflict;
    const Collective& collective = of.run.facts.collectives.collectives[conflict.collective];
    const NcclShape& shape = of.input.logs.shapes[conflict.shape];
    return fmt::format(
        "Not joined: at the place that fits best, call {} of {} is {} of {} {} in the log, and {} in the trace.",
        formatCount(conflict.number + 1), rankLabel(*of.run.run->ranks[conflict.rank], conflict.rank),
        ncclKindWords(shape.kind), formatCount(shape.count), ncclTypeName(shape.type), tracedWords(collective));
}

}  // namespace
}  // namespace rankscope::report

namespace rankscope {

std::vector<RunWithLogs> runsWithLogs(const ReportInput& input) {
    std::vector<RunWithLogs> out;
    for (std::size_t i = 0; input.logs != nullptr && i < input.runs.size(); ++i) {
        out.push_back({*input.runs[i], input.logs->network, *input.logs->joins[i]});
    }
    return out;
}

}  // namespace rankscope

namespace rankscope::report {

std::string_view joinStateId(JoinState state) {
    constexpr std::array<std::string_view, 10> kIds = {"joined",        "several-places", "ambiguous",  "call-differs",
                                                       "log-too-short", "unaligned",      "incomplete", "too-many",
                                                       "no-calls",      "no-communicator"};
    return kIds.at(static_cast<std::size_t>(state));
}

std::string groupWords(const AnalysedRun& run, std::uint32_t group) {
    const auto& groups = run.facts.parallelism.groups;
    const auto at = std::ranges::find(groups, std::optional(group), &GroupRole::group);
    return at == groups.end() ? fmt::format("#{}", group) : at->label();
}

std::string joinWords(const RunWithLogs& of, const GroupJoin& join) {
    const std::string calls = formatCounted(join.collectives, "collective");
    switch (join.state) {
        case JoinState::Joined:
            return fmt::format("{}: calls {} to {} of {}{}.", calls, formatCount(join.first + 1),
                               formatCount(join.first + join.collectives), communicatorWords(of, join),
                               join.by_sequence ? ", by their sequence numbers" : "");
        case JoinState::SeveralPlaces:
            return fmt::format(
                "{} on {}. Which calls of the log they are, the log cannot tell: they fit at several places.", calls,
                communicatorWords(of, join));
        case JoinState::Ambiguous:
            return "Not joined: the calls fit in several communicators, or those of two groups fit in one.";
        case JoinState::CallDiffers: return conflictWords(of, join);
        case JoinState::LogTooShort: return "Not joined: the log of a rank has fewer calls than its trace.";
        case JoinState::Unaligned:
            return "Not joined: the traces do not show which collectives of the ranks are the same.";
        case JoinState::Incomplete:
            return "Not joined: the logs have the calls of a rank twice, or more calls than are kept.";
        case JoinState::TooMany: return "Not joined: there are too many calls to compare.";
        case JoinState::NoCalls:
            return "Not joined: the logs have no calls of its ranks. Add COLL to NCCL_DEBUG_SUBSYS.";
        case JoinState::NoCommunicator: break;
    }
    return "Not joined: no communicator in the logs is of its processes.";
}

std::string joinSummary(const network::RunJoin& join) {
    const auto joined =
        static_cast<std::uint64_t>(std::ranges::count(join.groups, JoinState::Joined, &GroupJoin::state));
    const auto exact = static_cast<std::uint64_t>(
        std::ranges::count_if(join.calls, [](const network::JoinedCall& call) { return call.bytes.has_value(); }));
    if (join.groups.empty()) {
        return "No process group has collectives that logs of NCCL show.";
    }
    const std::string of_groups = formatCounted(join.groups.size(), "process group");
    if (joined == 0) {
        return fmt::format("0 of {} joined with the logs.", of_groups);
    }
    return fmt::format("{} of {} joined with the logs: {} with exact bytes.", formatCount(joined), of_groups,
                       formatCounted(exact, "collective"));
}

std::string costWords(const JoinedFinding& finding) {
    if (finding.cost == nullptr) {
        return "";
    }
    if (finding.cost->exposed_ns == 0 && !finding.cost->is_partial) {
        return "No exposed transfer takes this path.";
    }
    return fmt::format("Up to {} per step ({}): the exposed transfers that take this path.{}",
                       formatDuration(finding.cost->exposed_ns), formatPercent(finding.share),
                       finding.cost->is_partial ? " Other collectives may take it too." : "");
}

std::vector<JoinedFinding> joinedFindings(const RunWithLogs& of) {
    std::set<std::size_t> jobs;
    for (const GroupJoin& join : of.join.groups) {
        if (join.isKnown()) {
            jobs.insert(join.job);
        }
    }
    const DurationNs step_ns = of.run.facts.pricedStep();
    std::vector<JoinedFinding> out;
    for (std::size_t job = 0; job < of.input.network.jobs.size(); ++job) {
        const std::vector<network::Finding>& findings = of.input.network.jobs[job].findings;
        for (std::size_t i = 0; (jobs.empty() || jobs.contains(job)) && i < findings.size(); ++i) {
            JoinedFinding one{job, i, of.join.costOf(job, i), static_cast<Severity>(findings[i].level), 0};
            if (one.cost != nullptr && step_ns > 0) {
                Finding priced;
                priced.confidence = Confidence::High;
                priced.at_most = true;
                priced.saving_ns = one.cost->exposed_ns;
                one.severity = severityOf(priced, step_ns);
                one.share = static_cast<double>(one.cost->exposed_ns) / static_cast<double>(step_ns);
            }
            out.push_back(one);
        }
    }
    std::ranges::stable_sort(out, [](const JoinedFinding& a, const JoinedFinding& b) {
        return std::tuple(a.severity, a.share) > std::tuple(b.severity, b.share);
    });
    return out;
}

std::vector<JoinedSize> joinedSizes(const RunWithLogs& of) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, JoinedSize> sizes;
    for (const network::JoinedCall& call : of.join.calls) {
        const std::uint32_t group = of.run.facts.collectives.collectives[call.collective].group;
        JoinedSize& size = sizes.try_emplace({group, call.shape}, JoinedSize{group, &call, 0}).first->second;
        ++size.collectives;
    }
    std::vector<JoinedSize> out;
    for (const auto& [key, size] : sizes) {
        out.push_back(size);
    }
    std::ranges::stable_sort(out, [](const JoinedSize& a, const JoinedSize& b) {
        return std::tuple(b.group, a.call->bytes.value_or(0)) > std::tuple(a.group, b.call->bytes.value_or(0));
    });
    return out;
}

}  // namespace rankscope::report
