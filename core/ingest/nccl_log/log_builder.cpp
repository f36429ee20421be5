// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/nccl_log/log_builder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope::nccl {
namespace {

constexpr std::size_t kMostWarnings = 8;
constexpr std::size_t kMostSettings = 256;
constexpr std::size_t kMostProcesses = 100'000;
/// Communicators that are being set up at once, and have no name yet.
constexpr std::size_t kMostUnnamed = 100'000;

/// Words of a line that say why NCCL does not use a network or path.
struct Phrase {
    std::string_view start;
    std::string_view word;  ///< anywhere in the line
    NcclRemarkKind kind;
};
constexpr std::array<Phrase, 14> kPhrases = {{
    {"NET/Plugin", "undefined symbol", NcclRemarkKind::PluginFailed},
    {"NET/Plugin", "cannot open shared object", NcclRemarkKind::PluginFailed},
    {"NET/Plugin", "Failed to load", NcclRemarkKind::PluginFailed},
    {"NET/Plugin", "failed to initialize", NcclRemarkKind::PluginFailed},
    {"NET/OFI", "No eligible providers were found", NcclRemarkKind::PluginFailed},
    {"NET/OFI", "initialization failed", NcclRemarkKind::PluginFailed},
    {"", "Failed to open libibverbs", NcclRemarkKind::VerbsMissing},
    {"NET/IB", "No device found", NcclRemarkKind::NoIbDevice},
    {"NET/Socket", "Using [", NcclRemarkKind::Interfaces},
    {"", "P2P is disabled between", NcclRemarkKind::PeerAccessOff},
    {"", "isAllDirectP2p 0", NcclRemarkKind::PeerAccessOff},
    {"", "intraNodeP2pSupport 0", NcclRemarkKind::PeerAccessOff},
    {"", "GPU Direct RDMA Disabled", NcclRemarkKind::NoGpuRdma},
    {"", "GDR 0", NcclRemarkKind::NoGpuRdma},
}};

constexpr std::string_view kNcclVersion = "NCCL version ";
constexpr std::string_view kRcclVersion = "RCCL version";

/// "NCCL 2.28.9+cuda13.0" of "NCCL version 2.28.9+cuda13.0", "RCCL 2.22.3" of "RCCL version : 2.22.3"; else empty.
std::string versionOf(std::string_view text) {
    const bool is_rccl = text.starts_with(kRcclVersion);
    if (!is_rccl && !text.starts_with(kNcclVersion)) {
        return {};
    }
    const std::size_t at = text.find_first_not_of(" :", is_rccl ? kRcclVersion.size() : kNcclVersion.size());
    return (is_rccl ? "RCCL " : "NCCL ") + std::string(text.substr(std::min(at, text.size())));
}

}  // namespace

NcclLine LogBuilder::lineOf(std::string_view text) const {
    return {static_cast<std::uint32_t>(logs_.files.size() - 1), logs_.files.back().lines,
            std::string(text.substr(0, kMostText))};
}

void LogBuilder::beginFile(const std::string& path) {
    logs_.files.emplace_back().path = path;
    plain_version_.reset();
    first_process_ = std::ssize(logs_.processes);
}

void LogBuilder::endFile(std::uint64_t bytes, std::string damage) {
    file().bytes = bytes;
    file().damage = std::move(damage);
    const bool has_none = std::ranges::all_of(logs_.processes.begin() + first_process_, logs_.processes.end(),
                                              [](const NcclProcess& process) { return process.version.empty(); });
    if (plain_version_ && has_none && first_process_ < std::ssize(logs_.processes)) {
        // One process of a job prints it, the first.
        process_ = static_cast<std::size_t>(first_process_);
        const std::string& text = plain_version_->text;
        addVersion(versionOf(std::string_view(text).substr(std::min(text.find(kNcclVersion), text.find(kRcclVersion)))),
                   *plain_version_);
    }
}

NcclLogs LogBuilder::take() {
    open_.clear();
    processes_.clear();
    by_pid_.clear();
    edges_.clear();
    shapes_.clear();
    unnamed_ = 0;
    ordered_ = 0;
    shape_rows_ = 0;
    return std::exchange(logs_, {});
}

bool LogBuilder::findProcess(const PrefixedLine& line) {
    const auto known = processes_.find(line.process);
    if (known != processes_.end()) {
        process_ = known->second;
        return true;
    }
    if (line.process.data() == line_.data()) {
        return false;
    }
    // Behind a text without its line end, the host's name begins somewhere in what looks like it.
    const auto [first, last] = by_pid_.equal_range(line.pid);
    const auto same = std::find_if(
        first, last, [&](const auto& one) { return line.host.ends_with(logs_.processes[one.second].host); });
    process_ = same == last ? process_ : same->second;
    return same != last;
}

bool LogBuilder::addProcess(const PrefixedLine& line) {
    if (logs_.processes.size() >= kMostProcesses) {
        return false;
    }
    process_ = logs_.processes.size();
    processes_.emplace(line.process, process_);
    by_pid_.emplace(line.pid, process_);
    NcclProcess& process = logs_.processes.emplace_back();
    process.host = line.host;
    process.pid = line.pid;
    open_.emplace_back();
    return true;
}

NcclMember* LogBuilder::openMember(const PrefixedLine& line) {
    const auto at = open_[process_].by_thread.find(line.tid);
    if (at != open_[process_].by_thread.end()) {
        return &logs_.members[at->second];
    }
    Unnamed* unnamed = unnamedOf(line);
    return unnamed == nullptr ? nullptr : &unnamed->member;
}

LogBuilder::Unnamed* LogBuilder::unnamedOf(const PrefixedLine& line) {
    std::unordered_map<std::int64_t, Unnamed>& all = open_[process_].unnamed;
    const auto known = all.find(line.tid);
    if (known != all.end()) {
        return &known->second;
    }
    if (unnamed_ >= kMostUnnamed) {
        return nullptr;
    }
    ++unnamed_;
    return &all[line.tid];
}

void LogBuilder::adopt(std::size_t index, Unnamed unnamed) {
    NcclMember& member = logs_.members[index];
    member.rings = std::move(unnamed.member.rings);
    member.trees = std::move(unnamed.member.trees);
    member.nodes = unnamed.member.nodes;
    member.channels = unnamed.member.channels;
    member.channels_line = std::move(unnamed.member.channels_line);
    for (const EdgeKey& key : unnamed.edges) {
        const auto edge = edges_.find(key);
        if (edge != edges_.end()) {
            logs_.edges[edge->second].member = index;
            edges_.erase(edge);  // the same ranks of another communicator are another connection
        }
    }
}

void LogBuilder::addLine(std::string_view line, bool is_whole) {
    ++file().lines;
    line_ = line;
    const std::optional<PrefixedLine> found = splitLine(line);
    if (!found) {
        addPlainVersion(line);
        // The rest of a line that another one cut may look like this.
        file().cut += line.find(": opCount ") != std::string_view::npos ? 1U : 0U;
        return;
    }
    ++file().matched;
    file().cut += found->has_cut || !is_whole ? 1U : 0U;
    if (!findProcess(*found) && !addProcess(*found)) {
        ++file().cut;
        return;
    }
    if (found->level == "WARN") {
        NcclProcess& process = logs_.processes[process_];
        if (++process.warning_count <= kMostWarnings) {
            process.warnings.push_back(lineOf(line));
        }
    }
    const bool is_known = addCall(*found) || addChannel(*found) || addStart(*found) || addEnd(*found) ||
                          addMemberFact(*found) || addTimings(*found) || addChoice(*found);
    if (!is_known) {
        addProcessFact(*found);
    }
}

void LogBuilder::addVersion(const std::string& version, NcclLine line) {
    NcclProcess& process = logs_.processes[process_];
    if (process.version.empty()) {
        process.version = version.substr(0, kMostText);
        process.version_line = std::move(line);
    }
}

void LogBuilder::addPlainVersion(std::string_view line) {
    constexpr std::size_t kLongestTag = 32;  // of a launcher: "[1,0]<stdout>:"
    const std::size_t at = std::min(line.find(kNcclVersion), line.find(kRcclVersion));
    const bool is_behind_tag = at == 0 || (at < kLongestTag && line[at - 1] == ':');
    if (!plain_version_ && is_behind_tag && line.find_first_of("0123456789", at) != std::string_view::npos) {
        plain_version_ = lineOf(line);
    }
}

void LogBuilder::addSetting(std::string_view name, std::string_view value) {
    std::vector<NcclSetting>& settings = logs_.processes[process_].settings;
    value.remove_suffix(value.ends_with('.') ? 1 : 0);
    const bool is_name = !name.empty() && name.find(' ') == std::string_view::npos;
    if (is_name && settings.size() < kMostSettings &&
        std::ranges::find(settings, name, &NcclSetting::name) == settings.end()) {
        settings.push_back({std::string(name), std::string(value.substr(0, kMostText)), lineOf(line_)});
    }
}

void LogBuilder::addRemark(NcclRemarkKind kind) {
    std::vector<NcclRemark>& remarks = logs_.processes[process_].remarks;
    if (std::ranges::find(remarks, kind, &NcclRemark::kind) == remarks.end()) {
        remarks.push_back({kind, lineOf(line_)});
    }
}

void LogBuilder::addProcessFact(const PrefixedLine& line) {
    constexpr std::string_view kSet = " set by environment to ";
    constexpr std::string_view kDriver = "cudaDriverVersion ";
    constexpr std::string_view kUsing = "Using network ";
    const std::string_view text = line.text;
    NcclProcess& process = logs_.processes[process_];
    if (const std::string version = versionOf(text); !version.empty()) {
        addVersion(version, lineOf(line_));
    } else if (text.starts_with(kDriver)) {
        process.driver = numberOf<std::int64_t>(text.substr(kDriver.size()));
        process.driver_line = lineOf(line_);
    } else if (text.starts_with(kUsing)) {
        process.network = text.substr(kUsing.size(), kMostText);
        process.network_line = lineOf(line_);
    } else if (const std::size_t at = text.find(kSet); at != std::string_view::npos) {
        addSetting(text.substr(0, at), text.substr(at + kSet.size()));
    }
    for (const Phrase& phrase : kPhrases) {
        if (text.starts_with(phrase.start) && text.find(phrase.word) != std::string_view::npos) {
            addRemark(phrase.kind);
        }
    }
}

}  // namespace rankscope::nccl
