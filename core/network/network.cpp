// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/network.h"

#include <algorithm>
#include <utility>

#include "core/network/parts.h"

namespace rankscope::network {

void setJudgement(Job& job, Topic topic, Judgement judgement) {
    Judgement& known = job.judgements.at(static_cast<std::size_t>(topic));
    known = known == Judgement::Look ? known : judgement;
}

void addFinding(Job& job, Finding finding) {
    setJudgement(job, finding.topic, Judgement::Look);
    job.findings.push_back(std::move(finding));
}

void addCommunicator(Finding& finding, std::optional<std::size_t> communicator) {
    finding.is_in_others = finding.is_in_others || !communicator;
    if (communicator) {
        const auto at = std::ranges::lower_bound(finding.communicators, *communicator);
        if (at == finding.communicators.end() || *at != *communicator) {
            finding.communicators.insert(at, *communicator);
        }
    }
}

void addEvidence(Finding& finding, const NcclLine& line) {
    const bool is_known = std::ranges::any_of(finding.evidence, [&line](const NcclLine& known) {
        return known.file == line.file && known.number == line.number;
    });
    if (line.number > 0 && !is_known && finding.evidence.size() < kMostEvidence) {
        finding.evidence.push_back(line);
    }
}

void addRemarks(const NcclLogs& logs, const Job& job, NcclRemarkKind kind, Finding& finding) {
    for (const Process& process : job.processes) {
        for (const NcclRemark& remark : logs.processes[process.log].remarks) {
            if (remark.kind == kind) {
                finding.remarks.push_back(kind);
                addEvidence(finding, remark.line);
                return;
            }
        }
    }
}

bool addSetting(const NcclLogs& logs, const Job& job, const std::string& name, bool (*is_cause)(const std::string&),
                Finding& finding) {
    for (const Process& process : job.processes) {
        for (const NcclSetting& setting : logs.processes[process.log].settings) {
            if (setting.name == name && is_cause(setting.value)) {
                finding.settings.push_back(setting);
                addEvidence(finding, setting.line);
                return true;
            }
        }
    }
    return false;
}

std::optional<NcclChoice> choiceOf(const NcclLogs& logs, const NcclShape& shape) {
    const auto size = ncclTypeBytes(shape.type);
    std::uint64_t bytes = 0;
    if (!size || __builtin_mul_overflow(shape.count, *size, &bytes)) {
        return std::nullopt;
    }
    auto at = logs.choices.lower_bound({shape.kind, bytes, "", ""});
    const auto is_of = [&](const auto& one) {
        return one != logs.choices.end() && one->first.kind == shape.kind && one->first.bytes == bytes;
    };
    if (!is_of(at) || is_of(std::next(at))) {
        return std::nullopt;
    }
    return at->first;
}

Network analyseNetwork(const NcclLogs& logs) {
    std::vector<std::vector<std::size_t>> edges(logs.processes.size());
    for (std::size_t i = 0; i < logs.edges.size(); ++i) {
        edges[logs.edges[i].process].push_back(i);
    }
    Network network{joinJobs(logs)};
    for (Job& job : network.jobs) {
        addConnections(logs, edges, job);
        addCalls(logs, job);
        judgePaths(logs, job);
        judgePathDifferences(logs, job);
        judgeChannels(logs, job);
        judgeSettings(logs, job);
        judgeCalls(logs, job);
        judgeStartup(logs, job);
        std::ranges::stable_sort(job.findings, [](const Finding& a, const Finding& b) {
            return a.level != b.level ? a.level > b.level : a.topic < b.topic;
        });
    }
    return network;
}

}  // namespace rankscope::network
