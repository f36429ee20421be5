// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/network.h"
#include "core/report/text/screen_parts.h"

namespace rankscope {
namespace {

using namespace report;
using network::Job;

/// How many rows of each kind a screen shows.
struct NetworkRoom {
    std::size_t jobs = 2;
    std::size_t findings = 5;
    std::size_t evidence = 4;
    std::size_t communicators = 4;
    std::size_t paths = 5;
    std::size_t calls = 6;
    std::size_t notes = 3;
};

constexpr NetworkRoom roomFor(bool is_full) {
    constexpr std::size_t kEverything = std::numeric_limits<std::size_t>::max();
    return is_full
               ? NetworkRoom{kEverything, kEverything, kEverything, kEverything, kEverything, kEverything, kEverything}
               : NetworkRoom{};
}

constexpr Ink inkOfLevel(network::Level level) {
    return level == network::Level::High ? Ink::High : level == network::Level::Medium ? Ink::Medium : Ink::Low;
}

/// The file's name and the line in it: folders take the room of the text. JSON has the whole path.
std::string placeWords(const NcclLogs& logs, const NcclLine& line) {
    const std::string& path = logs.files[line.file].path;
    return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), line.number);
}

void addLogLine(Screen& screen, const NcclLogs& logs, const NcclLine& line) {
    screen.paragraph({"  " + printable(placeWords(logs, line)) + "  ", Ink::Dim}, printable(line.text), 2);
}

void addNetworkHead(Screen& screen, const NetworkInput& input, const Job& job) {
    screen.line({{"NCCL LOG", Ink::Bold}, {"  " + printable(networkJobWords(input.logs, job)), Ink::Dim}});
}

/// The worst finding first and as the answer, with its lines; then the others.
void addNetworkFindings(Screen& screen, const NetworkInput& input, const Job& job, const NetworkRoom& room,
                        bool is_full) {
    screen.gap();
    if (job.findings.empty()) {
        screen.paragraph({"", Ink::Bold}, printable(networkAnswer(input.logs, job)), 2);
        return;
    }
    const std::size_t shown = std::min(room.findings, job.findings.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const network::Finding& finding = job.findings[i];
        const NetworkFindingWords words = networkFindingWords(input.logs, job, finding);
        constexpr std::size_t kLevel = 8;
        const std::string level = inCapitals(std::string(levelId(finding.level)));
        screen.paragraph({fmt::format("{:<{}}", level, kLevel), inkOfLevel(finding.level)},
                         printable(words.title + ". " + words.text), 4);
        for (std::size_t line = 0; (i == 0 || is_full) && line < std::min(room.evidence, finding.evidence.size());
             ++line) {
            addLogLine(screen, input.logs, finding.evidence[line]);
        }
        if (i == 0 || is_full) {
            addTitled(screen, "  Why", printable(words.why), 3);
            addTitled(screen, "  Do", printable(words.remedy), 6);
        }
    }
    addRestOf(screen, job.findings.size() - shown, "finding");
}

std::string ringWords(const network::Communicator& communicator) {
    if (communicator.rings.empty()) {
        return "";
    }
    const std::string order = fmt::format("{}", fmt::join(communicator.rings.front(), " "));
    return communicator.rings.size() == 1
               ? order
               : fmt::format("{} and {}", order, formatCounted(communicator.rings.size() - 1, "other order"));
}

void addCommunicators(Screen& screen, const Job& job, std::size_t most) {
    using Key = std::tuple<std::int32_t, std::size_t, std::int32_t, std::string>;
    std::map<Key, std::size_t, std::greater<>> rows;
    for (const network::Communicator& one : job.communicators) {
        ++rows[{one.ranks, one.hostCount(), one.channels, ringWords(one)}];
    }
    if (rows.empty()) {
        return;
    }
    ScreenTable table;
    table.columns = {
        {"communicators", true}, {"ranks", true}, {"hosts", true}, {"channels", true}, {"ring", false, 20}};
    for (const auto& [key, count] : rows) {
        if (table.rows.size() == most) {
            break;
        }
        const auto& [ranks, hosts, channels, ring] = key;
        table.rows.push_back({{formatCount(count)},
                              {std::to_string(ranks)},
                              {hosts == 0 ? "?" : std::to_string(hosts)},
                              {channels == 0 ? "?" : std::to_string(channels)},
                              {ring}});
    }
    screen.gap();
    screen.table(table);
    addRestOf(screen, rows.size() - table.rows.size(), "row");
}

void addNetworkPaths(Screen& screen, const Job& job, std::size_t most) {
    if (job.paths.empty()) {
        return;
    }
    ScreenTable table;
    table.columns = {{"from", false, 8}, {"to", false, 8}, {"path", false, 12}, {"channels", true}, {"lines", true}};
    for (std::size_t i = 0; i < std::min(most, job.paths.size()); ++i) {
        const network::PathSum& path = job.paths[i];
        const bool is_slow = path.kind == network::PathKind::Socket || path.kind == network::PathKind::HostMemory;
        table.rows.push_back({{path.from_host.empty() ? "?" : printable(path.from_host)},
                              {path.to_host.empty() ? "?" : printable(path.to_host)},
                              {printable(path.path), is_slow ? Ink::Medium : Ink::Plain},
                              {formatCount(path.channels)},
                              {formatCount(path.lines)}});
    }
    screen.gap();
    screen.table(table);
    addRestOf(screen, job.paths.size() - table.rows.size(), "row");
}

void addNetworkCalls(Screen& screen, const Job& job, std::size_t most) {
    if (job.calls.empty()) {
        return;
    }
    ScreenTable table;
    table.columns = {{"call"},        {"elements", true},       {"type"},
                     {"bytes", true}, {"calls per rank", true}, {"of ranks", true}};
    for (std::size_t i = 0; i < std::min(most, job.calls.size()); ++i) {
        const network::CallSum& sum = job.calls[i];
        table.rows.push_back(
            {{printable(ncclKindWords(sum.kind))},
             {formatCount(sum.count)},
             {ncclTypeName(sum.type)},
             {sum.bytes ? formatBytes(*sum.bytes) : "?"},
             {sum.fewest == sum.most ? formatCount(sum.most)
                                     : fmt::format("{} to {}", formatCount(sum.fewest), formatCount(sum.most))},
             {std::to_string(job.communicators[sum.communicator].ranks)}});
    }
    screen.gap();
    screen.table(table);
    addRestOf(screen, job.calls.size() - table.rows.size(), "row");
}

/// How NCCL ran calls: lines of all jobs, which do not say their communicator.
void addChoices(Screen& screen, const NcclLogs& logs) {
    screen.gap();
    for (const auto& [choice, calls] : logs.choices) {
        screen.line(
            {{printable(fmt::format("  {} of {}: {} {}, {}", ncclKindWords(choice.kind), formatBytes(choice.bytes),
                                    choice.algorithm, choice.protocol, formatCounted(calls, "call")))}});
    }
}

void addNetworkStart(Screen& screen, const NetworkInput& input, const Job& job) {
    if (job.startups.empty()) {
        return;
    }
    const network::Startup& slow = job.startups.front();
    std::string text = fmt::format("{} takes {} for {}", processWords(input.logs, job, {slow.process}),
                                   formatDuration(slow.total_ns), formatCounted(slow.communicators, "communicator"));
    text += slow.part.empty() ? "" : fmt::format(" ({} {})", slow.part, formatDuration(slow.part_ns));
    text += job.startups.size() == 1
                ? ""
                : fmt::format("; the fastest process {}", formatDuration(job.startups.back().total_ns));
    screen.gap();
    addTitled(screen, "Start-up", printable(text) + ".", 2);
}

void addWarnings(Screen& screen, const NetworkInput& input, const Job& job) {
    for (const network::Process& process : job.processes) {
        for (const NcclLine& line : input.logs.processes[process.log].warnings) {
            addLogLine(screen, input.logs, line);
        }
    }
}

void addJob(Screen& screen, const NetworkInput& input, const Job& job, bool is_full) {
    const NetworkRoom room = roomFor(is_full);
    addNetworkHead(screen, input, job);
    addNetworkFindings(screen, input, job, room, is_full);
    addCommunicators(screen, job, room.communicators);
    addNetworkPaths(screen, job, room.paths);
    addNetworkCalls(screen, job, room.calls);
    addNetworkStart(screen, input, job);
    if (is_full) {
        addWarnings(screen, input, job);
    }
    const std::vector<std::string> notes = networkNotes(input.logs, job);
    for (std::size_t i = 0; i < std::min(room.notes, notes.size()); ++i) {
        addTitled(screen, "Note", printable(notes[i]), 2);
    }
}

}  // namespace

std::string networkScreen(const NetworkInput& input, const ScreenStyle& style, bool is_full) {
    Screen screen(style);
    const std::vector<Job>& jobs = input.network.jobs;
    const std::size_t shown = std::min(jobs.size(), roomFor(is_full).jobs);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) {
            screen.gap();
        }
        addJob(screen, input, jobs[i], is_full);
    }
    if (is_full && !input.logs.choices.empty()) {
        addChoices(screen, input.logs);
    }
    if (jobs.size() > 1) {
        screen.gap();
        addTitled(screen, "Note",
                  fmt::format("The logs contain {}: these share no communicator.", formatCounted(jobs.size(), "job")),
                  2);
    }
    addRestOf(screen, jobs.size() - shown, "job");
    return screen.text();
}

std::string networkCheckScreen(const NetworkInput& input, const ScreenStyle& style) {
    constexpr std::size_t kTitle = 26;
    constexpr std::size_t kStatus = 13;
    constexpr std::array<std::pair<std::string_view, Ink>, 3> kStatuses = {
        {{"ok", Ink::Good}, {"look here", Ink::Medium}, {"cannot tell", Ink::Dim}}};
    Screen screen(style);
    for (const Job& job : input.network.jobs) {
        if (screen.height() > 0) {
            screen.gap();
        }
        addNetworkHead(screen, input, job);
        for (const network::Topic topic : network::kTopics) {
            const auto& [status, ink] =
                kStatuses.at(static_cast<std::size_t>(job.judgements.at(static_cast<std::size_t>(topic))));
            screen.paragraph({fmt::format("{:<{}}{:<{}}", status, kStatus, topicTitle(topic), kTitle), ink},
                             printable(networkCheckText(input.logs, job, topic)), 4);
        }
    }
    return screen.text();
}

std::string networkInfo(const NetworkInput& input, const ScreenStyle& style) {
    Screen screen(style);
    ScreenTable table;
    table.columns = {{"NCCL log", false, 20, true}, {"bytes", true}, {"lines", true}, {"of NCCL", true}, {"cut", true}};
    for (const NcclLogFile& file : input.logs.files) {
        table.rows.push_back({{printable(file.path)},
                              {formatBytes(file.bytes)},
                              {formatCount(file.lines)},
                              {formatCount(file.matched)},
                              {formatCount(file.cut)}});
    }
    screen.table(table);
    for (const Job& job : input.network.jobs) {
        screen.gap();
        addNetworkHead(screen, input, job);
        for (const network::Process& one : job.processes) {
            const NcclProcess& process = input.logs.processes[one.log];
            const std::string rank = one.rank ? fmt::format("rank {}", *one.rank) : std::string("no rank");
            screen.line({{printable(fmt::format("  {}: {}, pid {}, {}, network {}, {}", rank, process.host, process.pid,
                                                process.version.empty() ? "unknown version" : process.version,
                                                process.network.empty() ? "unknown" : process.network,
                                                formatCounted(process.settings.size(), "setting")))}});
        }
    }
    return screen.text();
}

}  // namespace rankscope
