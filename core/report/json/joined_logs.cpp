// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/joined_logs.h"

#include <utility>

#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json joinedGroupJson(const RunWithLogs& of, const network::GroupJoin& join) {
    const bool is_compared = join.ranks > 0;
    const bool is_joined = join.state == network::JoinState::Joined;
    return {
        {"group", join.group},
        {"state", joinStateId(join.state)},
        {"text", joinWords(of, join)},
        {"job", is_compared ? Json(join.job) : Json(nullptr)},
        {"communicator", is_compared ? Json(join.communicator) : Json(nullptr)},
        {"communicator_id",
         is_compared ? textOrNull(of.input.network.jobs[join.job].communicators[join.communicator].id) : Json(nullptr)},
        {"ranks", join.ranks},
        {"collectives", join.collectives},
        {"first_call", is_joined ? Json(join.first) : Json(nullptr)},
        {"by_sequence", join.by_sequence}};
}

Json joinedSizeJson(const RunWithLogs& of, const JoinedSize& size) {
    const NcclShape& shape = of.input.logs.shapes[size.call->shape];
    const auto& choice = size.call->choice;
    return {{"group", size.group},
            {"kind", shape.kind},
            {"elements", shape.count},
            {"type", ncclTypeName(shape.type)},
            {"bytes", orNull(size.call->bytes)},
            {"algorithm", choice ? Json(choice->algorithm) : Json(nullptr)},
            {"protocol", choice ? Json(choice->protocol) : Json(nullptr)},
            {"collectives", size.collectives}};
}

Json joinedFindingJson(const RunWithLogs& of, const JoinedFinding& found) {
    const network::Job& job = of.input.network.jobs[found.job];
    const network::Finding& finding = job.findings[found.finding];
    const NetworkFindingWords words = networkFindingWords(of.input.logs, job, finding);
    Json evidence = Json::array();
    for (const NcclLine& line : finding.evidence) {
        evidence.push_back(
            {{"file", of.input.logs.files[line.file].path}, {"line", line.number}, {"text", textOrNull(line.text)}});
    }
    return {{"id", topicId(finding.topic)},
            {"severity", severityName(found.severity)},
            {"title", words.title},
            {"text", words.text},
            {"why", words.why},
            {"remedy", words.remedy},
            {"exposed_ns", found.cost == nullptr ? Json(nullptr) : Json(found.cost->exposed_ns)},
            {"exposed_share", found.cost == nullptr ? Json(nullptr) : Json(found.share)},
            {"exposed_is_partial", found.cost != nullptr && found.cost->is_partial},
            {"evidence", std::move(evidence)}};
}

}  // namespace

Json joinedLogsJson(const RunWithLogs& of) {
    Json groups = Json::array();
    for (const network::GroupJoin& join : of.join.groups) {
        groups.push_back(joinedGroupJson(of, join));
    }
    Json calls = Json::array();
    for (const JoinedSize& size : joinedSizes(of)) {
        calls.push_back(joinedSizeJson(of, size));
    }
    Json collectives = Json::array();
    for (const network::JoinedCall& call : of.join.calls) {
        collectives.push_back({{"collective", call.collective}, {"bytes", orNull(call.bytes)}});
    }
    Json findings = Json::array();
    for (const JoinedFinding& finding : joinedFindings(of)) {
        findings.push_back(joinedFindingJson(of, finding));
    }
    Json files = Json::array();
    for (const NcclLogFile& file : of.input.logs.files) {
        files.push_back(file.path);
    }
    return {{"run", of.run.run->name},        {"text", joinSummary(of.join)}, {"files", std::move(files)},
            {"groups", std::move(groups)},    {"calls", std::move(calls)},    {"collectives", std::move(collectives)},
            {"findings", std::move(findings)}};
}

}  // namespace rankscope::report
