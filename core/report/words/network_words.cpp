// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/base/format.h"
#include "core/report/network.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

using network::Job;
using network::Topic;

/// The words of a topic, declared once.
struct TopicWords {
    std::string_view id;
    std::string_view title;   ///< of its line in the check
    std::string_view fine;    ///< what it says if nothing is wrong
    std::string_view record;  ///< what to record to know it
};

constexpr std::string_view kRecordInit = "Set NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,ENV,NET,GRAPH.";
constexpr std::string_view kRecordPaths =
    "No channel lines. Set NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,ENV,NET,GRAPH,P2P.";

constexpr std::array<TopicWords, network::kTopics.size()> kTopicWords = {{
    {"nccl-socket-fallback", "Network between hosts", "No connection between hosts uses TCP sockets.", kRecordPaths},
    {"nccl-no-peer-access", "Peer access inside hosts", "No GPUs of one host exchange data through its memory.",
     kRecordPaths},
    {"nccl-no-rdma", "GPUDirect RDMA", "No InfiniBand or plugin connection receives through host memory.",
     kRecordPaths},
    {"nccl-few-channels", "Channels", "No host's communicators have 2 channels or fewer, and no setting limits them.",
     kRecordInit},
    {"nccl-path-differs", "Paths of ranks", "No rank is on a slower path than most.",
     "Needs the ring and the channel lines of three ranks or more."},
    {"nccl-settings-differ", "Settings", "Settings are the same on all processes.",
     "Only one process is in the logs. Name the logs of all ranks."},
    {"nccl-versions-differ", "Versions", "NCCL and driver are the same on all processes.", kRecordInit},
    {"nccl-calls-differ", "Calls", "Ranks make the same collectives in the same order.",
     "Needs complete COLL lines of two ranks of a communicator, and of all its ranks in the logs: add COLL to "
     "NCCL_DEBUG_SUBSYS on all ranks, and write a file per process (NCCL_DEBUG_FILE=/path/%h.%p)."},
    {"nccl-slow-start", "Start-up", "Start-up takes less than 10 s on all processes.",
     "No line \"Init timings\": NCCL 2.22 or later writes it with NCCL_DEBUG_SUBSYS=INIT."},
}};

const TopicWords& wordsOf(Topic topic) {
    return kTopicWords.at(static_cast<std::size_t>(topic));
}

std::string hostWords(const std::vector<std::string>& hosts) {
    constexpr std::size_t kNamed = 2;
    if (hosts.empty()) {
        return "unknown hosts";
    }
    return hosts.size() <= kNamed ? fmt::format("{}", fmt::join(hosts, " and "))
                                  : fmt::format("{} and {} more hosts", hosts.front(), hosts.size() - 1);
}

bool has(const network::Finding& finding, NcclRemarkKind kind) {
    return std::ranges::find(finding.remarks, kind) != finding.remarks.end();
}

std::string settingsWords(const network::Finding& finding) {
    std::string words;
    for (const NcclSetting& setting : finding.settings) {
        words += fmt::format(" {}={} is set.", setting.name, setting.value);
    }
    return words;
}

std::string unsetWords(const network::Finding& finding) {
    std::string words;
    for (const NcclSetting& setting : finding.settings) {
        words += fmt::format("Remove {}={}. ", setting.name, setting.value);
    }
    return words;
}

NetworkFindingWords socketWords(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    NetworkFindingWords words;
    words.title = "Data between hosts goes over TCP sockets";
    words.text = finding.part > 0
                     ? fmt::format("{} of {} channel lines between {}{} use NET/Socket.", formatCount(finding.part),
                                   formatCount(finding.whole), hostWords(finding.hosts),
                                   finding.hosts.size() == 1 ? " and unknown hosts" : "")
                     : fmt::format("The network of {} is Socket.", processWords(logs, job, finding.processes));
    words.text += has(finding, NcclRemarkKind::PluginFailed) ? " The network plugin does not load." : "";
    words.text += has(finding, NcclRemarkKind::VerbsMissing) ? " libibverbs is missing." : "";
    words.text += has(finding, NcclRemarkKind::NoIbDevice) ? " No InfiniBand device is found." : "";
    words.text +=
        has(finding, NcclRemarkKind::Interfaces) ? " Interfaces of a faster network are there (hsn, ib)." : "";
    words.text += settingsWords(finding);
    words.why = "TCP copies all data through the CPU. Networks with RDMA are several times faster.";
    words.remedy = unsetWords(finding);
    if (has(finding, NcclRemarkKind::PluginFailed)) {
        words.remedy +=
            "Make the network plugin load: provide the library or symbol that the line names (ldd -r on the "
            "plugin, inside the container). ";
    }
    if (has(finding, NcclRemarkKind::VerbsMissing)) {
        words.remedy += "For InfiniBand or RoCE install libibverbs (rdma-core) in the image. ";
    }
    if (has(finding, NcclRemarkKind::Interfaces)) {
        words.remedy += "For Slingshot (hsn) install the plugin aws-ofi-nccl with libfabric. ";
    }
    if (has(finding, NcclRemarkKind::NoIbDevice)) {
        words.remedy +=
            "Check that ibv_devinfo lists devices inside the container; if the hosts have none, sockets are "
            "all there is. ";
    }
    words.remedy += "Set NCCL_NET to the plugin's name or IB: then NCCL stops with an error in place of using sockets.";
    return words;
}

NetworkFindingWords peerWords(const network::Finding& finding) {
    NetworkFindingWords words;
    const bool all = finding.part == finding.whole;
    words.title = all ? "GPUs of a host exchange data through host memory"
                      : "Some GPUs of a host exchange data through host memory";
    words.text = fmt::format("{} of {} channel lines inside {} use {}.", formatCount(finding.part),
                             formatCount(finding.whole), hostWords(finding.hosts), finding.name);
    words.text += has(finding, NcclRemarkKind::PeerAccessOff) ? " NCCL says that peer access is off." : "";
    words.text += settingsWords(finding);
    words.why = all ? "Each byte is copied into host memory and out again. NVLink is not used, nor direct PCIe copies."
                    : "Each byte is copied into host memory and out again. Between CPU sockets this can be NCCL's own "
                      "choice.";
    words.remedy = unsetWords(finding) +
                   "Check `nvidia-smi topo -p2p r`: each pair must say OK. If not, turn off ACS and the IOMMU, or pass "
                   "NVLink and peer access through to the virtual machine or container. Then try NCCL_P2P_LEVEL=SYS.";
    return words;
}

NetworkFindingWords rdmaWords(const network::Finding& finding) {
    NetworkFindingWords words;
    words.title = "The network does not write into GPU memory (no GPUDirect RDMA)";
    words.text = fmt::format("{} of {} channel lines that receive over the network of {} lack GDRDMA.",
                             formatCount(finding.part), formatCount(finding.whole), hostWords(finding.hosts));
    words.why = "Data between hosts is copied through host memory on its way, which costs bandwidth and latency.";
    const bool is_libfabric = finding.name.find("Libfabric") != std::string::npos;
    words.remedy =
        is_libfabric
            ? "Set FI_EFA_USE_DEVICE_RDMA=1 (on by default in new versions of the plugin aws-ofi-nccl), if the "
              "instance "
              "type has GPUDirect RDMA."
            : "Load nvidia-peermem (or use a kernel with DMA-BUF) on each host. Set NCCL_NET_GDR_LEVEL=SYS if GPU "
              "and network card are on different PCIe switches.";
    return words;
}

NetworkFindingWords channelWords(const Job& job, const network::Finding& finding) {
    NetworkFindingWords words;
    const network::Communicator& communicator = job.communicators[*finding.communicator];
    words.title = "NCCL uses few channels";
    words.text = fmt::format("{} for collectives in {}; the largest of these has {} on {}.",
                             formatCounted(finding.part, "channel"), formatCounted(finding.whole, "communicator"),
                             formatCounted(static_cast<std::uint64_t>(communicator.ranks), "rank"),
                             hostWords(communicator.hosts)) +
                 settingsWords(finding);
    words.why = "A channel is a thread block of the NCCL kernel. Few of them cannot fill NVLink.";
    words.remedy =
        finding.settings.empty()
            ? "First repair the path between the GPUs, if it is not P2P: NCCL chooses the channels by it. On "
              "PCIe alone 2 channels are normal. Else try NCCL_MIN_NCHANNELS=8."
            : unsetWords(finding) + "Then measure again.";
    return words;
}

NetworkFindingWords pathWords(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    NetworkFindingWords words;
    words.why = "All ranks of a collective wait for the slowest connection.";
    if (!finding.variants.empty()) {
        words.title = "Ranks use different networks";
        for (const network::Variant& variant : finding.variants) {
            words.text += fmt::format("{}: network {}. ", processWords(logs, job, variant.processes), variant.value);
        }
        words.text.pop_back();
        words.remedy = "Give all hosts the same network plugin, libraries and NCCL settings.";
        return words;
    }
    words.title = "Some ranks use a slower path than the others";
    words.text = fmt::format("{} of {} ranks ({}) use {}, and most ranks a faster path.", finding.part, finding.whole,
                             processWords(logs, job, finding.processes), finding.name);
    words.remedy =
        "Compare the hosts and GPUs of these ranks with the others: nvidia-smi topo -m, nvidia-smi nvlink -s, "
        "ibstat.";
    return words;
}

std::string variantWords(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    constexpr std::size_t kNamed = 3;
    std::string words;
    for (std::size_t i = 0; i < std::min(kNamed, finding.variants.size()); ++i) {
        const network::Variant& variant = finding.variants[i];
        words += fmt::format("{}{}: {}", i == 0 ? "" : "; ", processWords(logs, job, variant.processes),
                             variant.value.empty() ? "not written" : variant.value);
    }
    return words +
           (finding.variants.size() > kNamed ? fmt::format("; {} values in all.", finding.variants.size()) : ".");
}

NetworkFindingWords settingWords(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    NetworkFindingWords words;
    words.title = finding.name + " differs between ranks";
    words.text = variantWords(logs, job, finding);
    words.why = "Ranks with other settings may choose another network or algorithm: slow at best, a hang at worst.";
    words.remedy = fmt::format("Set {} to the same value on all ranks, or on none.", finding.name);
    return words;
}

NetworkFindingWords versionWords(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    NetworkFindingWords words;
    const bool is_driver = finding.name == "driver";
    words.title = is_driver ? "CUDA driver versions differ between ranks" : "NCCL versions differ between ranks";
    words.text = variantWords(logs, job, finding);
    words.why = is_driver ? "Features that depend on the driver may be missing on some hosts."
                          : "NCCL does not support this: versions choose different algorithms, and the job may hang.";
    words.remedy = is_driver ? "Install the same driver on all hosts."
                             : "Use the same image on all hosts, and check LD_LIBRARY_PATH and LD_PRELOAD.";
    return words;
}

/// Whether the calls of a finding's variants have different values of a field.
bool callsDifferIn(const network::Finding& finding, std::int32_t NcclShape::*field) {
    std::set<std::int32_t> values;
    for (const network::Variant& variant : finding.variants) {
        if (variant.call) {
            values.insert((*variant.call).*field);
        }
    }
    return values.size() > 1;
}

NetworkFindingWords callsWords(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    constexpr std::size_t kNamed = 3;
    NetworkFindingWords words;
    words.title = "Ranks do not make the same calls";
    words.text =
        fmt::format("After {} equal collectives of a communicator of {}: ", formatCount(finding.part),
                    formatCounted(static_cast<std::uint64_t>(job.communicators[*finding.communicator].ranks), "rank"));
    for (std::size_t i = 0; i < std::min(kNamed, finding.variants.size()); ++i) {
        const network::Variant& variant = finding.variants[i];
        words.text += fmt::format("{}{}: {}", i == 0 ? "" : "; ", processWords(logs, job, variant.processes),
                                  variant.call ? networkVariantWords(finding, variant) : "no further call");
    }
    words.text += ".";
    words.why = finding.level == network::Level::High
                    ? "A collective with different kinds, sizes or types on its ranks hangs, or mixes up data."
                    : "Ranks that stop early stop the others, unless their logs were only copied earlier.";
    words.remedy =
        "Make all ranks take the same branch. If the job hangs, `rankscope-cli hang` shows the Python line, "
        "from dumps of the flight recorder.";
    return words;
}

NetworkFindingWords startWords(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    NetworkFindingWords words;
    const bool is_waiting = finding.name == kNcclWaiting;
    words.title = "NCCL start-up is slow";
    words.text = fmt::format("{} takes {} to set up {}{}.", processWords(logs, job, finding.processes),
                             formatDuration(finding.ns), formatCounted(finding.whole, "communicator"),
                             finding.name.empty() ? ""
                             : is_waiting         ? ", most of it waiting for other ranks to start"
                                                  : ", most of it in \"" + finding.name + "\"");
    words.why = "Each start and restart of the job waits for it.";
    words.remedy =
        is_waiting
            ? "Find out which ranks start last, and why: imports from a slow file system, downloads, slow hosts."
            : "For \"bootstrap\" and \"allgathers\", use a faster interface (NCCL_SOCKET_IFNAME), or NCCL_UID_STAGGER "
              "with many ranks. For \"kernels\", set CUDA_MODULE_LOADING=LAZY. Create fewer process groups.";
    return words;
}

}  // namespace

std::string_view topicId(Topic topic) {
    return wordsOf(topic).id;
}

std::string_view topicTitle(Topic topic) {
    return wordsOf(topic).title;
}

std::string_view levelId(network::Level level) {
    constexpr std::array<std::string_view, 3> kIds = {"low", "medium", "high"};
    return kIds.at(static_cast<std::size_t>(level));
}

std::string_view pathKindId(network::PathKind kind) {
    constexpr std::array<std::string_view, 6> kIds = {"peer-to-peer", "host-memory", "gpu-rdma",
                                                      "host-network", "socket",      "other"};
    return kIds.at(static_cast<std::size_t>(kind));
}

std::string_view judgementId(network::Judgement judgement) {
    constexpr std::array<std::string_view, 3> kIds = {"ok", "look", "cannot-tell"};
    return kIds.at(static_cast<std::size_t>(judgement));
}

NetworkFindingWords networkFindingWords(const NcclLogs& logs, const Job& job, const network::Finding& finding) {
    NetworkFindingWords words;
    switch (finding.topic) {
        case Topic::SocketFallback: words = socketWords(logs, job, finding); break;
        case Topic::NoPeerAccess: words = peerWords(finding); break;
        case Topic::NoRdma: words = rdmaWords(finding); break;
        case Topic::FewChannels: words = channelWords(job, finding); break;
        case Topic::PathDiffers: words = pathWords(logs, job, finding); break;
        case Topic::SettingsDiffer: words = settingWords(logs, job, finding); break;
        case Topic::VersionsDiffer: words = versionWords(logs, job, finding); break;
        case Topic::CallsDiffer: words = callsWords(logs, job, finding); break;
        case Topic::SlowStart: words = startWords(logs, job, finding); break;
    }
    words.text = ranksInCapital(std::move(words.text));
    return words;
}

std::string networkVariantWords(const network::Finding& finding, const network::Variant& variant) {
    if (!variant.call) {
        return variant.value;
    }
    const NcclShape& call = *variant.call;
    std::string words =
        fmt::format("{} of {} {}", ncclKindWords(call.kind), formatCount(call.count), ncclTypeName(call.type));
    words += callsDifferIn(finding, &NcclShape::root) ? fmt::format(", root {}", call.root) : "";
    words += callsDifferIn(finding, &NcclShape::op) ? fmt::format(", operator {}", call.op) : "";
    return words;
}

std::string networkCheckText(const NcclLogs& logs, const Job& job, Topic topic) {
    const auto found = std::ranges::find(job.findings, topic, &network::Finding::topic);
    if (found != job.findings.end()) {
        return networkFindingWords(logs, job, *found).text;
    }
    const network::Judgement judgement = job.judgements.at(static_cast<std::size_t>(topic));
    return std::string(judgement == network::Judgement::Fine ? wordsOf(topic).fine : wordsOf(topic).record);
}

std::string networkJobWords(const NcclLogs& logs, const Job& job) {
    std::set<std::string> versions;
    std::set<std::int64_t> drivers;
    for (const network::Process& process : job.processes) {
        const NcclProcess& logged = logs.processes[process.log];
        versions.insert(logged.version);
        if (logged.driver) {
            drivers.insert(*logged.driver);
        }
    }
    versions.erase("");
    const auto ranks = static_cast<std::uint64_t>(job.ranks);
    const auto logged = static_cast<std::uint64_t>(job.ranks_logged);
    std::string words = logged == 0      ? fmt::format("{} {}", formatCount(job.processes.size()),
                                                  job.processes.size() == 1 ? "process" : "processes")
                        : logged < ranks ? formatCount(logged) + " of " + formatCounted(ranks, "rank")
                                         : formatCounted(ranks, "rank");
    words += " on " + formatCounted(job.hosts.size(), "host");
    words += ", " + formatCounted(job.communicators.size(), "communicator");
    for (const std::string& version : versions) {
        words += ", " + version;
    }
    constexpr std::int64_t kMajor = 1000;
    constexpr std::int64_t kMinor = 10;
    for (const std::int64_t driver : drivers) {
        words += fmt::format(", driver {}.{}", driver / kMajor, driver % kMajor / kMinor);
    }
    return words;
}

std::string networkAnswer(const NcclLogs& logs, const Job& job) {
    if (!job.findings.empty()) {
        const NetworkFindingWords words = networkFindingWords(logs, job, job.findings.front());
        return words.title + ". " + words.text;
    }
    const bool has_open = std::ranges::find(job.judgements, network::Judgement::CannotTell) != job.judgements.end();
    return has_open ? "No problem found. `check` says what these logs do not show." : "No problem found.";
}

std::vector<std::string> networkNotes(const NcclLogs& logs, const Job& job) {
    std::vector<std::string> notes;
    if (job.calls.empty()) {
        notes.emplace_back("Calls are not in these logs. Add COLL to NCCL_DEBUG_SUBSYS to record them.");
    }
    if (job.ranks_logged > 0 && job.ranks_logged < job.ranks) {
        notes.push_back(fmt::format("{} of {} have no log here.",
                                    formatCount(static_cast<std::uint64_t>(job.ranks - job.ranks_logged)),
                                    formatCounted(static_cast<std::uint64_t>(job.ranks), "rank")));
    }
    if (job.cut > 0) {
        notes.push_back(fmt::format("{} cut by other output. Write a file per process: NCCL_DEBUG_FILE=/path/%h.%p",
                                    formatCounted(job.cut, "line") + (job.cut == 1 ? " is" : " are")));
    }
    if (job.connections_open > 0) {
        notes.push_back(fmt::format(
            "{} not say which hosts they join: ranks without a log, or several communicators.",
            formatCounted(job.connections_open, "channel line") + (job.connections_open == 1 ? " does" : " do")));
    }
    if (logs.edges_left_out > 0) {
        notes.push_back(fmt::format("{} left out: there are too many connections.",
                                    formatCounted(logs.edges_left_out, "channel line") + " are"));
    }
    std::uint64_t warnings = 0;
    for (const network::Process& process : job.processes) {
        warnings += logs.processes[process.log].warning_count;
    }
    if (warnings > 0) {
        notes.push_back(fmt::format("NCCL wrote {}.", formatCounted(warnings, "warning")));
    }
    return notes;
}

std::string processWords(const NcclLogs& logs, const Job& job, const std::vector<std::size_t>& processes) {
    std::vector<std::int64_t> ranks;
    for (const std::size_t process : processes) {
        if (job.processes[process].rank) {
            ranks.push_back(*job.processes[process].rank);
        }
    }
    if (ranks.size() == processes.size()) {
        return formatNumbered("rank", ranks, ListStyle::Sentence);
    }
    const NcclProcess& first = logs.processes[job.processes[processes.front()].log];
    return fmt::format("{}:{}", first.host, first.pid) +
           (processes.size() == 1 ? "" : fmt::format(" and {} more", processes.size() - 1));
}

std::string ncclTypeName(std::int32_t type) {
    constexpr std::array<std::string_view, 12> kNames = {"int8",    "uint8",    "int32",   "uint32",
                                                         "int64",   "uint64",   "float16", "float32",
                                                         "float64", "bfloat16", "fp8e4m3", "fp8e5m2"};
    return type >= 0 && static_cast<std::size_t>(type) < kNames.size()
               ? std::string(kNames.at(static_cast<std::size_t>(type)))
               : fmt::format("type {}", type);
}

std::string ncclKindWords(std::string_view kind) {
    std::string words;
    for (const char c : kind) {
        const bool is_capital = c >= 'A' && c <= 'Z';
        words += is_capital && !words.empty() ? "-" : "";
        words += is_capital ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return words == "recv" ? "receive" : words;
}

}  // namespace rankscope::report
