// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "core/network/parts.h"

namespace rankscope::network {
namespace {

/// Values by process, those of most processes first. `missing` adds processes without one.
std::vector<Variant> variantsOf(const NcclLogs& logs, const Job& job, bool with_missing,
                                const std::function<std::string(const NcclProcess&)>& value) {
    std::map<std::string, std::vector<std::size_t>> sorted;
    for (std::size_t i = 0; i < job.processes.size(); ++i) {
        sorted[value(logs.processes[job.processes[i].log])].push_back(i);
    }
    if (!with_missing) {
        sorted.erase("");
    }
    std::vector<Variant> out;
    for (auto& [text, processes] : sorted) {
        out.push_back({text, {}, std::move(processes)});
    }
    std::ranges::stable_sort(out, std::greater(), [](const Variant& variant) { return variant.processes.size(); });
    return out;
}

/// A finding for variants, with the line of the first process of each.
Finding differing(const NcclLogs& logs, const Job& job, Topic topic, std::string name, std::vector<Variant> variants,
                  const std::function<NcclLine(const NcclProcess&)>& line) {
    Finding finding;
    finding.topic = topic;
    finding.name = std::move(name);
    for (const Variant& variant : variants) {
        addEvidence(finding, line(logs.processes[job.processes[variant.processes.front()].log]));
    }
    finding.variants = std::move(variants);
    return finding;
}

void judgeVersions(const NcclLogs& logs, Job& job) {
    const auto version = [](const NcclProcess& process) { return process.version; };
    std::vector<Variant> versions = variantsOf(logs, job, false, version);
    const bool is_known = !versions.empty();
    if (versions.size() > 1) {
        Finding finding = differing(logs, job, Topic::VersionsDiffer, "NCCL", std::move(versions),
                                    [](const NcclProcess& process) { return process.version_line; });
        finding.level = Level::High;
        addFinding(job, std::move(finding));
    }
    std::vector<Variant> drivers = variantsOf(logs, job, false, [](const NcclProcess& process) {
        return process.driver ? std::to_string(*process.driver) : std::string();
    });
    if (drivers.size() > 1) {
        addFinding(job, differing(logs, job, Topic::VersionsDiffer, "driver", std::move(drivers),
                                  [](const NcclProcess& process) { return process.driver_line; }));
    }
    setJudgement(job, Topic::VersionsDiffer, is_known ? Judgement::Fine : Judgement::CannotTell);
}

/// Settings that may differ: they name files, processes, or how much is written.
bool mayDiffer(const std::string& name) {
    constexpr std::array<std::string_view, 5> kStarts = {"NCCL_DEBUG", "NCCL_HOSTID", "NCCL_COMM_ID", "NCCL_RAS_",
                                                         "NCCL_CONF_FILE"};
    return name.ends_with("_DUMP_FILE") ||
           std::ranges::any_of(kStarts, [&name](std::string_view start) { return name.starts_with(start); });
}

/// Settings that name hardware: they may differ from host to host.
bool isOfHost(const std::string& name) {
    return name == "NCCL_SOCKET_IFNAME" || name == "NCCL_IB_HCA" || name == "NCCL_TOPO_FILE" ||
           name == "NCCL_OOB_NET_IFNAME";
}

const NcclSetting* settingOf(const NcclProcess& process, const std::string& name) {
    const auto at = std::ranges::find(process.settings, name, &NcclSetting::name);
    return at == process.settings.end() ? nullptr : &*at;
}

/// Whether no host has two values.
bool isSameOnHosts(const NcclLogs& logs, const Job& job, const std::vector<Variant>& variants) {
    std::map<std::string, std::string> values;
    for (const Variant& variant : variants) {
        for (const std::size_t process : variant.processes) {
            const std::string& host = logs.processes[job.processes[process].log].host;
            if (values.try_emplace(host, variant.value).first->second != variant.value) {
                return false;
            }
        }
    }
    return true;
}

void judgeSetting(const NcclLogs& logs, Job& job, const std::string& name) {
    std::vector<Variant> variants = variantsOf(logs, job, true, [&name](const NcclProcess& process) {
        const NcclSetting* setting = settingOf(process, name);
        return setting == nullptr ? std::string() : setting->value;
    });
    if (variants.size() < 2 || (isOfHost(name) && isSameOnHosts(logs, job, variants))) {
        return;
    }
    Finding finding =
        differing(logs, job, Topic::SettingsDiffer, name, std::move(variants), [&name](const NcclProcess& process) {
            const NcclSetting* setting = settingOf(process, name);
            return setting == nullptr ? NcclLine() : setting->line;
        });
    // NCCL writes a setting when it reads it, which not all processes may do.
    const bool is_missing_only = finding.variants.size() == 2 &&
                                 (finding.variants.front().value.empty() || finding.variants.back().value.empty());
    finding.level = is_missing_only ? Level::Low : Level::Medium;
    addFinding(job, std::move(finding));
}

}  // namespace

void judgeSettings(const NcclLogs& logs, Job& job) {
    judgeVersions(logs, job);
    std::set<std::string> names;
    for (const Process& process : job.processes) {
        for (const NcclSetting& setting : logs.processes[process.log].settings) {
            if (!mayDiffer(setting.name)) {
                names.insert(setting.name);
            }
        }
    }
    for (const std::string& name : names) {
        judgeSetting(logs, job, name);
    }
    setJudgement(job, Topic::SettingsDiffer, job.processes.size() > 1 ? Judgement::Fine : Judgement::CannotTell);
}

void judgeStartup(const NcclLogs& logs, Job& job) {
    constexpr DurationNs kSecond = 1'000'000'000;
    constexpr DurationNs kSlow = 10 * kSecond;
    constexpr DurationNs kVerySlow = 60 * kSecond;
    setJudgement(job, Topic::SlowStart, job.startups.empty() ? Judgement::CannotTell : Judgement::Fine);
    if (job.startups.empty() || job.startups.front().total_ns < kSlow) {
        return;
    }
    const Startup& slowest = job.startups.front();
    Finding finding;
    finding.topic = Topic::SlowStart;
    finding.level = slowest.total_ns < kVerySlow ? Level::Low : Level::Medium;
    finding.processes = {slowest.process};
    finding.ns = slowest.total_ns;
    finding.whole = slowest.communicators;
    finding.name = slowest.part;
    const std::size_t log = job.processes[slowest.process].log;
    std::vector<const NcclMember*> members;
    for (const Communicator& communicator : job.communicators) {
        for (const std::size_t index : communicator.members) {
            const NcclMember& member = logs.members[index];
            if (member.process == log && member.init_ns) {
                members.push_back(&member);
            }
        }
    }
    std::ranges::stable_sort(members, std::greater(), [](const NcclMember* member) { return *member->init_ns; });
    for (const NcclMember* member : members) {
        addEvidence(finding, member->init_line);
    }
    addFinding(job, std::move(finding));
}

}  // namespace rankscope::network
