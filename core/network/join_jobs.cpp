// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "core/network/parts.h"

namespace rankscope::network {
namespace {

/// Processes that belong together, as a forest.
class Sets {
  public:
    explicit Sets(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), std::size_t{0}); }

    std::size_t rootOf(std::size_t at) {
        while (parents_[at] != at) {
            parents_[at] = parents_[parents_[at]];
            at = parents_[at];
        }
        return at;
    }
    void join(std::size_t a, std::size_t b) { parents_[rootOf(b)] = rootOf(a); }

  private:
    std::vector<std::size_t> parents_;
};

/// Processes whose communicators have no names that ranks share belong together, and to the job if there is only one.
void joinUnnamed(Sets& sets, const std::set<std::size_t>& named, std::size_t processes) {
    std::set<std::size_t> roots;
    for (const std::size_t process : named) {
        roots.insert(sets.rootOf(process));
    }
    std::optional<std::size_t> first = roots.size() == 1 ? std::optional(*roots.begin()) : std::nullopt;
    for (std::size_t i = 0; i < processes; ++i) {
        if (!named.contains(i)) {
            sets.join(first.value_or(i), i);
            first = first.value_or(i);
        }
    }
}

/// What all ranks of a communicator share: its id, or that of the one it was split from, and which split. Parents come
/// first in the list, so their names are known. A long name of a parent has a number in its place: chains of splits
/// would make names as long as they are.
std::vector<std::string> namesOf(const NcclLogs& logs) {
    constexpr std::size_t kLongName = 64;
    std::vector<std::string> names;
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < logs.members.size(); ++i) {
        const NcclMember& member = logs.members[i];
        if (!member.id.empty()) {
            names.push_back(member.id);
        } else if (member.parent && *member.parent < i) {
            const std::string& parent = names[*member.parent];
            std::string short_name = parent;
            if (parent.size() > kLongName) {
                const std::size_t number = numbers.try_emplace(parent, numbers.size()).first->second;
                short_name = (parent.starts_with('#') ? "#~" : "~") + std::to_string(number);
            }
            names.push_back(short_name + "/" + member.split);
        } else {
            names.push_back("#" + std::to_string(i));
        }
    }
    return names;
}

/// Communicators of old versions have no id. Those of all ranks, once each, in processes that set up as many of that
/// size before, are one: NCCL needs all ranks to set one up. `names` of the others stay.
void nameByRanks(const NcclLogs& logs, std::vector<std::string>& names) {
    std::map<std::pair<std::size_t, std::int32_t>, std::size_t> made;  // by process and size
    std::map<std::pair<std::int32_t, std::size_t>, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const NcclMember& member = logs.members[i];
        if (member.id.empty() && !member.parent) {
            alike[{member.ranks, made[{member.process, member.ranks}]++}].push_back(i);
        }
    }
    for (const auto& [size, members] : alike) {
        std::set<std::int32_t> ranks;
        for (const std::size_t member : members) {
            ranks.insert(logs.members[member].rank);
        }
        if (std::cmp_equal(ranks.size(), size.first) && ranks.size() == members.size()) {
            for (const std::size_t member : members) {
                names[member] = "#" + std::to_string(members.front());
            }
        }
    }
}

Communicator communicatorOf(const NcclLogs& logs, const std::string& name, std::vector<std::size_t> members) {
    std::ranges::stable_sort(members, {}, [&logs](std::size_t member) { return logs.members[member].rank; });
    Communicator out;
    out.id = name.starts_with('#') ? "" : name;
    std::set<std::string> hosts;
    std::set<std::vector<std::int32_t>> rings;
    for (const std::size_t index : members) {
        const NcclMember& member = logs.members[index];
        out.ranks = std::max(out.ranks, member.ranks);
        out.nodes = std::max(out.nodes, member.nodes);
        out.channels = member.channels > 0 && (out.channels == 0 || member.channels < out.channels) ? member.channels
                                                                                                    : out.channels;
        hosts.insert(logs.processes[member.process].host);
        for (const auto& [channel, ring] : member.rings) {
            rings.insert(ring);
        }
    }
    out.members = std::move(members);
    out.hosts.assign(hosts.begin(), hosts.end());
    out.rings.assign(rings.begin(), rings.end());
    return out;
}

/// The ranks of processes are those in the largest communicator, the first of these.
void numberProcesses(const NcclLogs& logs, Job& job) {
    for (const Communicator& communicator : job.communicators) {
        job.ranks = std::max<std::int64_t>(job.ranks, communicator.ranks);
    }
    const std::map<std::size_t, std::size_t> places = placesOf(job);
    std::set<std::int32_t> logged;
    for (const Communicator& communicator : job.communicators) {
        for (const std::size_t index : communicator.members) {
            const NcclMember& member = logs.members[index];
            Process& process = job.processes[places.at(member.process)];
            if (communicator.ranks != job.ranks || member.rank < 0) {
                continue;
            }
            logged.insert(member.rank);
            process.rank = process.rank ? process.rank : std::optional<std::int64_t>(member.rank);
        }
    }
    job.ranks_logged = static_cast<std::int64_t>(logged.size());
    std::ranges::stable_sort(job.processes, {}, [](const Process& process) {
        return std::pair(!process.rank.has_value(), process.rank.value_or(0));
    });
}

void addStartups(const NcclLogs& logs, Job& job) {
    const std::map<std::size_t, std::size_t> places = placesOf(job);
    std::map<std::size_t, Startup> startups;
    std::map<std::size_t, std::map<std::string, DurationNs>> parts;
    for (const Communicator& communicator : job.communicators) {
        for (const std::size_t index : communicator.members) {
            const NcclMember& member = logs.members[index];
            if (!member.init_ns) {
                continue;
            }
            const std::size_t process = places.at(member.process);
            Startup& startup = startups[process];
            startup.process = process;
            ++startup.communicators;
            startup.total_ns += *member.init_ns;
            for (const auto& [name, ns] : member.init_parts) {
                parts[process][name] += ns;
            }
        }
    }
    for (auto& [process, startup] : startups) {
        for (const auto& [name, ns] : parts[process]) {
            if (ns > startup.part_ns) {
                startup.part = name;
                startup.part_ns = ns;
            }
        }
        job.startups.push_back(std::move(startup));
    }
    std::ranges::stable_sort(job.startups, std::greater(), &Startup::total_ns);
}

/// Cut lines of the files that a job's communicators begin in.
void countCut(const NcclLogs& logs, Job& job) {
    std::set<std::uint32_t> files;
    for (const Communicator& communicator : job.communicators) {
        for (const std::size_t member : communicator.members) {
            files.insert(logs.members[member].start_line.file);
        }
    }
    for (const std::uint32_t file : files) {
        job.cut += logs.files[file].cut;
    }
}

}  // namespace

std::map<std::size_t, std::size_t> placesOf(const Job& job) {
    std::map<std::size_t, std::size_t> places;
    for (std::size_t i = 0; i < job.processes.size(); ++i) {
        places.emplace(job.processes[i].log, i);
    }
    return places;
}

std::vector<Job> joinJobs(const NcclLogs& logs) {
    std::vector<std::string> names = namesOf(logs);
    nameByRanks(logs, names);
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::size_t>> by_name;
    Sets sets(logs.processes.size());
    std::set<std::size_t> named;
    for (std::size_t i = 0; i < logs.members.size(); ++i) {
        std::vector<std::size_t>& members = by_name[names[i]];
        if (members.empty()) {
            order.push_back(names[i]);
        } else {
            sets.join(logs.members[members.front()].process, logs.members[i].process);
        }
        members.push_back(i);
        if (!names[i].starts_with('#')) {
            named.insert(logs.members[i].process);
        }
    }
    joinUnnamed(sets, named, logs.processes.size());
    std::map<std::size_t, Job> jobs;
    for (std::size_t i = 0; i < logs.processes.size(); ++i) {
        jobs[sets.rootOf(i)].processes.push_back({i, std::nullopt});
    }
    for (const std::string& name : order) {
        const std::size_t process = logs.members[by_name[name].front()].process;
        jobs[sets.rootOf(process)].communicators.push_back(communicatorOf(logs, name, std::move(by_name[name])));
    }
    std::vector<Job> out;
    for (auto& [root, job] : jobs) {
        numberProcesses(logs, job);
        addStartups(logs, job);
        countCut(logs, job);
        std::set<std::string> hosts;
        for (const Process& process : job.processes) {
            hosts.insert(logs.processes[process.log].host);
        }
        job.hosts.assign(hosts.begin(), hosts.end());
        out.push_back(std::move(job));
    }
    std::ranges::stable_sort(out, std::greater(), [](const Job& job) { return job.processes.size(); });
    return out;
}

}  // namespace rankscope::network
