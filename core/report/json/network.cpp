// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/network.h"

#include <map>
#include <utility>

#include "core/report/json/parts.h"

namespace rankscope {
namespace {

using network::Job;
using report::Json;

/// Raised with the meaning of a field.
constexpr int kNetworkSchema = 2;

Json lineJson(const NcclLogs& logs, const NcclLine& line) {
    return {{"file", logs.files[line.file].path}, {"line", line.number}, {"text", report::textOrNull(line.text)}};
}

Json logFilesJson(const NcclLogs& logs) {
    Json out = Json::array();
    for (const NcclLogFile& file : logs.files) {
        out.push_back({{"path", file.path},
                       {"bytes", file.bytes},
                       {"lines", file.lines},
                       {"nccl_lines", file.matched},
                       {"cut_lines", file.cut}});
    }
    return out;
}

Json processJson(const NcclLogs& logs, const network::Process& process) {
    const NcclProcess& logged = logs.processes[process.log];
    Json settings = Json::object();
    for (const NcclSetting& setting : logged.settings) {
        settings[setting.name] = setting.value;
    }
    Json warnings = Json::array();
    for (const NcclLine& line : logged.warnings) {
        warnings.push_back(lineJson(logs, line));
    }
    return {{"rank", report::orNull(process.rank)},
            {"host", logged.host},
            {"pid", logged.pid},
            {"version", report::textOrNull(logged.version)},
            {"driver", report::orNull(logged.driver)},
            {"network", report::textOrNull(logged.network)},
            {"settings", std::move(settings)},
            {"warnings", logged.warning_count},
            {"first_warnings", std::move(warnings)}};
}

/// The trees of a communicator, each once: the parent of each rank.
Json treesJson(const NcclLogs& logs, const network::Communicator& communicator) {
    std::map<std::int32_t, Json> by_channel;
    for (const std::size_t index : communicator.members) {
        const NcclMember& member = logs.members[index];
        for (const auto& [channel, tree] : member.trees) {
            by_channel.try_emplace(channel, Json::array())
                .first->second.push_back({{"rank", member.rank}, {"parent", tree.parent}, {"children", tree.children}});
        }
    }
    std::vector<std::pair<std::vector<std::int32_t>, Json>> distinct;
    for (auto& [channel, tree] : by_channel) {
        bool is_known = false;
        for (auto& [channels, known] : distinct) {
            if (known == tree) {
                channels.push_back(channel);
                is_known = true;
            }
        }
        if (!is_known) {
            distinct.emplace_back(std::vector<std::int32_t>{channel}, std::move(tree));
        }
    }
    Json out = Json::array();
    for (auto& [channels, tree] : distinct) {
        out.push_back({{"channels", channels}, {"ranks", std::move(tree)}});
    }
    return out;
}

Json communicatorJson(const NcclLogs& logs, const network::Communicator& communicator) {
    Json members = Json::array();
    for (const std::size_t index : communicator.members) {
        const NcclMember& member = logs.members[index];
        members.push_back({{"rank", member.rank},
                           {"host", logs.processes[member.process].host},
                           {"pid", logs.processes[member.process].pid},
                           {"device", member.device < 0 ? Json(nullptr) : Json(member.device)},
                           {"init_ns", report::orNull(member.init_ns)},
                           {"ended", member.is_ended}});
    }
    return {{"id", report::textOrNull(communicator.id)},
            {"ranks", communicator.ranks},
            {"hosts", communicator.hosts},
            {"nodes", communicator.nodes == 0 ? Json(nullptr) : Json(communicator.nodes)},
            {"channels", communicator.channels == 0 ? Json(nullptr) : Json(communicator.channels)},
            {"rings", communicator.rings},
            {"trees", treesJson(logs, communicator)},
            {"members", std::move(members)}};
}

Json networkPathsJson(const Job& job) {
    Json out = Json::array();
    for (const network::PathSum& path : job.paths) {
        out.push_back({{"from_host", report::textOrNull(path.from_host)},
                       {"to_host", report::textOrNull(path.to_host)},
                       {"path", path.path},
                       {"kind", report::pathKindId(path.kind)},
                       {"channels", path.channels},
                       {"lines", path.lines}});
    }
    return out;
}

Json callSumsJson(const Job& job) {
    Json out = Json::array();
    for (const network::CallSum& sum : job.calls) {
        out.push_back({{"communicator", sum.communicator},
                       {"kind", sum.kind},
                       {"elements", sum.count},
                       {"type", report::ncclTypeName(sum.type)},
                       {"bytes", report::orNull(sum.bytes)},
                       {"fewest_calls", sum.fewest},
                       {"most_calls", sum.most}});
    }
    return out;
}

/// Calls of each kind, by rank of the communicator; exact also where sizes are left out.
Json kindsJson(const NcclLogs& logs, const Job& job) {
    Json out = Json::array();
    for (std::size_t i = 0; i < job.communicators.size(); ++i) {
        for (const std::size_t index : job.communicators[i].members) {
            for (const auto& [kind, sum] : logs.members[index].kinds) {
                out.push_back({{"communicator", i},
                               {"rank", logs.members[index].rank},
                               {"kind", kind},
                               {"calls", sum.calls},
                               {"bytes", sum.bytes},
                               {"calls_without_bytes", sum.untyped}});
            }
        }
    }
    return out;
}

Json startupsJson(const NcclLogs& logs, const Job& job) {
    Json out = Json::array();
    for (const network::Startup& startup : job.startups) {
        const network::Process& process = job.processes[startup.process];
        out.push_back({{"rank", report::orNull(process.rank)},
                       {"host", logs.processes[process.log].host},
                       {"pid", logs.processes[process.log].pid},
                       {"communicators", startup.communicators},
                       {"total_ns", startup.total_ns},
                       {"longest_part", report::textOrNull(startup.part)},
                       {"longest_part_ns", startup.part_ns}});
    }
    return out;
}

Json ranksJson(const Job& job, const std::vector<std::size_t>& processes) {
    Json out = Json::array();
    for (const std::size_t process : processes) {
        out.push_back(report::orNull(job.processes[process].rank));
    }
    return out;
}

Json findingJson(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    const report::NetworkFindingWords words = report::networkFindingWords(logs, job, finding);
    Json variants = Json::array();
    for (const network::Variant& variant : finding.variants) {
        variants.push_back({{"value", report::textOrNull(report::networkVariantWords(finding, variant))},
                            {"ranks", ranksJson(job, variant.processes)}});
    }
    Json evidence = Json::array();
    for (const NcclLine& line : finding.evidence) {
        evidence.push_back(lineJson(logs, line));
    }
    return {{"id", report::topicId(finding.topic)},
            {"severity", report::levelId(finding.level)},
            {"title", words.title},
            {"text", words.text},
            {"why", words.why},
            {"remedy", words.remedy},
            {"communicator", report::orNull(finding.communicator)},
            {"hosts", finding.hosts},
            {"ranks", ranksJson(job, finding.processes)},
            {"variants", std::move(variants)},
            {"evidence", std::move(evidence)}};
}

Json jobJson(const NcclLogs& logs, const Job& job) {
    Json processes = Json::array();
    for (const network::Process& process : job.processes) {
        processes.push_back(processJson(logs, process));
    }
    Json communicators = Json::array();
    for (const network::Communicator& communicator : job.communicators) {
        communicators.push_back(communicatorJson(logs, communicator));
    }
    Json findings = Json::array();
    for (const network::Finding& finding : job.findings) {
        findings.push_back(findingJson(logs, job, finding));
    }
    Json checks = Json::array();
    for (const network::Topic topic : network::kTopics) {
        checks.push_back({{"id", report::topicId(topic)},
                          {"status", report::judgementId(job.judgements.at(static_cast<std::size_t>(topic)))},
                          {"text", report::networkCheckText(logs, job, topic)}});
    }
    return {{"ranks", job.ranks},
            {"hosts", job.hosts},
            {"findings", std::move(findings)},
            {"checks", std::move(checks)},
            {"processes", std::move(processes)},
            {"communicators", std::move(communicators)},
            {"paths", networkPathsJson(job)},
            {"kinds", kindsJson(logs, job)},
            {"calls", callSumsJson(job)},
            {"startups", startupsJson(logs, job)},
            {"notes", report::networkNotes(logs, job)}};
}

}  // namespace

std::string jsonNetwork(const NetworkInput& input) {
    Json jobs = Json::array();
    for (const Job& job : input.network.jobs) {
        jobs.push_back(jobJson(input.logs, job));
    }
    Json choices = Json::array();
    for (const auto& [choice, calls] : input.logs.choices) {
        choices.push_back({{"kind", choice.kind},
                           {"bytes", choice.bytes},
                           {"algorithm", choice.algorithm},
                           {"protocol", choice.protocol},
                           {"calls", calls}});
    }
    Json errors = Json::array();
    for (const Error& error : input.unreadable) {
        errors.push_back(report::errorJson(error));
    }
    const Json document = {
        {"tool", "rankscope"},
        {"report", "network"},
        {"schema", kNetworkSchema},
        {"answer", input.network.jobs.empty() ? std::string("No process is in these logs.")
                                              : report::networkAnswer(input.logs, input.network.jobs.front())},
        {"files", logFilesJson(input.logs)},
        {"jobs", std::move(jobs)},
        {"choices", std::move(choices)},
        {"unreadable", std::move(errors)}};
    return report::textOf(document);
}

}  // namespace rankscope
