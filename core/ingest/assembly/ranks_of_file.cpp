// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/ranks_of_file.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <regex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace rankscope {
namespace {

/// An origin, over all parts of the file.
struct FileOrigin {
    std::string pid;
    std::int32_t rank = -1;
    std::set<std::string> names;
    bool host = false;  ///< it is a host process: it has operators or launch calls, and more than a stray few
    std::size_t host_slices = 0;
    bool device = false;                                              ///< it has device work
    bool any = false;                                                 ///< it has any slice
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();  ///< byte offset of its first slice
    std::uint64_t last = 0;
};

/// Identifies a rank. Ranks are sorted by it.
struct RankKey {
    std::int32_t number = std::numeric_limits<std::int32_t>::max();  ///< the maximum: none
    std::string label;
    friend auto operator<=>(const RankKey&, const RankKey&) = default;
};

/// A process with less than one in this many slices of the largest is not a rank: the ranks of a job do much the same,
/// and an event with a damaged pid is not a rank.
constexpr std::size_t kLeastOfLargest = 10;

/// Whether `Rank` of a collective is the rank that called it: for rooted ones it is the root.
bool saysItsCaller(std::string_view collective) {
    return collective.find("allreduce") != std::string_view::npos ||
           collective.find("allgather") != std::string_view::npos ||
           collective.find("reduce_scatter") != std::string_view::npos;
}

bool isHostWork(Category category) {
    return category == Category::CpuOp || category == Category::Runtime || category == Category::Driver;
}

const std::regex& labelPattern() {
    static const std::regex pattern(R"(^\[([A-Za-z]{2,5}[ _]?[0-9]{1,6}(?:-[A-Z]{2}[0-9]{1,6})*)\] *)");
    return pattern;
}

/// The rank in the name of a process or in a pid.
std::optional<RankKey> rankNamed(const std::string& text) {
    static const std::regex number("(?:^|[^a-zA-Z])rank[-_ .:#=]{0,2}([0-9]{1,6})(?![0-9])", std::regex::icase);
    if (text.find_first_not_of("0123456789") == std::string::npos) {
        return std::nullopt;
    }
    const std::string name = text.substr(0, kNameLookedAt);
    std::smatch match;
    if (std::regex_search(name, match, number)) {
        return RankKey{std::stoi(match[1]), {}};
    }
    if (std::regex_search(name, match, labelPattern())) {
        return RankKey{std::numeric_limits<std::int32_t>::max(), match[1]};
    }
    return std::nullopt;
}

std::optional<RankKey> rankNamed(const FileOrigin& origin) {
    std::optional<RankKey> key = rankNamed(origin.pid);
    for (auto name = origin.names.begin(); !key && name != origin.names.end(); ++name) {
        key = rankNamed(*name);
    }
    return key;
}

/// The origins of a file, and how its ranks are separated.
class RankTeller {
  public:
    explicit RankTeller(const std::vector<PartialTrace>& parts) : parts_(parts) { collect(); }

    /// Whether the file has several ranks that can be separated.
    [[nodiscard]] bool several();

    /// The one rank that all events have in their args, if they do.
    [[nodiscard]] std::optional<RankNumber> onlyRank() const { return only_rank_; }
    [[nodiscard]] RankAssignment assignment() const;
    [[nodiscard]] std::string toldBy() const { return told_by_; }
    [[nodiscard]] std::string mixed() const { return mixed_; }
    [[nodiscard]] RankOrigin rankOrigin() const { return rank_origin_; }
    [[nodiscard]] const std::vector<RankKey>& keys() const { return keys_; }

  private:
    void collect();
    void place();
    bool byArgs();
    bool byNames();
    bool byProcesses();
    void setKeys(const std::vector<std::optional<RankKey>>& key_of);
    bool assignDevices();
    bool assignInOrder(std::vector<std::size_t> devices);
    bool assignByPlace(const std::vector<std::size_t>& devices);
    void findStretches();
    void checkCollectives();

    /// A piece of device work, and the calls of each rank that have its correlation.
    struct Sample {
        std::size_t origin = 0;
        std::int64_t correlation = 0;
        TimeNs start_ns = 0;
        std::uint64_t offset = 0;
    };
    [[nodiscard]] std::vector<Sample> sampleWork(const std::vector<std::size_t>& devices) const;
    /// The calls with the correlations of `samples`, each with its rank and time.
    using Calls = std::unordered_map<std::int64_t, std::vector<std::pair<std::int32_t, TimeNs>>>;
    [[nodiscard]] Calls callsOf(const std::vector<Sample>& samples) const;
    [[nodiscard]] std::vector<std::int32_t> launchersOf(std::size_t device, const std::vector<Sample>& samples,
                                                        const Calls& calls) const;
    [[nodiscard]] static bool hasLaunch(const Sample& sample, const Calls& calls);
    [[nodiscard]] static bool launchedBy(const Sample& sample, std::int32_t rank, const Calls& calls);
    /// Whether `own` of `launched` pieces of work, of `all`, are enough to show whose they are.
    [[nodiscard]] static bool isOwn(std::ptrdiff_t own, std::ptrdiff_t launched, std::ptrdiff_t all);
    [[nodiscard]] std::int32_t stretchAt(std::uint64_t offset) const;

    const std::vector<PartialTrace>& parts_;
    std::vector<FileOrigin> origins_;
    std::vector<std::vector<std::size_t>> index_;                    // by part and origin there: in origins_
    std::vector<RankKey> keys_;                                      // keys of the ranks
    std::vector<std::int32_t> rank_of_;                              // as origins_; kUnknown while open
    std::vector<std::pair<std::uint64_t, std::int32_t>> stretches_;  // empty if the ranks' stretches overlap
    std::optional<RankNumber> only_rank_;
    std::string told_by_;
    std::string mixed_;
    RankOrigin rank_origin_ = RankOrigin::Unknown;
    static constexpr std::int32_t kUnknown = -2;
};

void RankTeller::collect() {
    std::map<std::pair<std::string_view, std::int32_t>, std::size_t> known;
    for (const PartialTrace& part : parts_) {
        std::vector<std::size_t>& index = index_.emplace_back();
        for (const Origin& origin : part.origins) {
            const std::string_view pid = part.strings.view(origin.pid);
            const auto [at, inserted] = known.try_emplace({pid, origin.rank}, origins_.size());
            if (inserted) {
                FileOrigin& made = origins_.emplace_back();
                made.pid = pid;
                made.rank = origin.rank;
            }
            for (const StringId name : origin.names) {
                origins_[at->second].names.emplace(part.strings.view(name));
            }
            index.push_back(at->second);
        }
        for (const PartialTrack& track : part.tracks) {
            FileOrigin& origin = origins_[index[track.origin]];
            origin.any = origin.any || track.size() > 0;
            origin.device = origin.device || (track.kind == TrackKind::Stream && track.size() > 0);
            if (track.kind == TrackKind::CpuThread && std::ranges::any_of(track.category, isHostWork)) {
                origin.host_slices += track.size();
            }
        }
    }
    std::size_t most = 0;
    for (const FileOrigin& origin : origins_) {
        most = std::max(most, origin.host_slices);
    }
    for (FileOrigin& origin : origins_) {
        origin.host = origin.host_slices * kLeastOfLargest >= most && origin.host_slices > 0;
    }
}

/// Finds where in the file each origin is.
void RankTeller::place() {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        for (const PartialTrack& track : parts_[p].tracks) {
            FileOrigin& origin = origins_[index_[p][track.origin]];
            for (const EventSource source : track.source) {
                origin.first = std::min(origin.first, source.offset());
                origin.last = std::max(origin.last, source.offset());
            }
        }
    }
}

void RankTeller::setKeys(const std::vector<std::optional<RankKey>>& key_of) {
    const std::set<std::optional<RankKey>> different(key_of.begin(), key_of.end());
    keys_.clear();
    for (const std::optional<RankKey>& key : different) {
        if (key) {
            keys_.push_back(*key);
        }
    }
    rank_of_.clear();
    for (const std::optional<RankKey>& key : key_of) {
        const auto at = key ? std::ranges::lower_bound(keys_, *key) : keys_.end();
        rank_of_.push_back(key ? static_cast<std::int32_t>(at - keys_.begin()) : kUnknown);
    }
}

bool RankTeller::byArgs() {
    std::vector<std::optional<RankKey>> key_of(origins_.size());
    std::map<std::string_view, std::set<std::int32_t>> ranks_of_pid;
    std::set<std::int32_t> ranks;
    for (const FileOrigin& origin : origins_) {
        if (origin.rank >= 0 && origin.any) {
            ranks_of_pid[origin.pid].insert(origin.rank);
            ranks.insert(origin.rank);
        }
    }
    for (std::size_t i = 0; i < origins_.size(); ++i) {
        const auto of_pid = ranks_of_pid.find(origins_[i].pid);
        if (ranks.contains(origins_[i].rank)) {
            key_of[i] = RankKey{origins_[i].rank, {}};
        } else if (of_pid != ranks_of_pid.end() && of_pid->second.size() == 1) {
            key_of[i] = RankKey{*of_pid->second.begin(), {}};
        }
    }
    setKeys(key_of);
    told_by_ = "by \"rank\" in the args of their events";
    rank_origin_ = RankOrigin::EventArgs;
    if (keys_.size() == 1) {
        only_rank_ = RankNumber(keys_.front().number);
    }
    return keys_.size() > 1;
}

bool RankTeller::byNames() {
    std::vector<std::optional<RankKey>> key_of;
    std::set<RankKey> named;
    for (const FileOrigin& origin : origins_) {
        key_of.push_back(rankNamed(origin));
        if (key_of.back() && origin.any) {
            named.insert(*key_of.back());
        }
    }
    if (named.size() < 2) {
        return false;
    }
    for (std::size_t i = 0; i < origins_.size(); ++i) {
        if (key_of[i] && !named.contains(*key_of[i])) {
            key_of[i].reset();
        }
        if (origins_[i].host && !key_of[i]) {  // a rank too
            key_of[i] = RankKey{std::numeric_limits<std::int32_t>::max(), "process " + origins_[i].pid};
        }
    }
    setKeys(key_of);
    told_by_ = "by the names of their processes";
    rank_origin_ = RankOrigin::ProcessName;
    return true;
}

bool RankTeller::byProcesses() {
    std::vector<std::optional<RankKey>> key_of(origins_.size());
    std::vector<std::size_t> hosts;
    for (std::size_t i = 0; i < origins_.size(); ++i) {
        if (origins_[i].host) {
            hosts.push_back(i);
        }
    }
    if (hosts.size() < 2) {
        return false;
    }
    // In file order: that is how people merge.
    std::ranges::sort(hosts, {}, [&](std::size_t i) { return origins_[i].first; });
    for (std::size_t k = 0; k < hosts.size(); ++k) {
        key_of[hosts[k]] = RankKey{static_cast<std::int32_t>(k), {}};
    }
    setKeys(key_of);
    told_by_ = "by their processes";
    rank_origin_ = RankOrigin::Order;
    return true;
}

/// Finds the stretch of the file that contains the host events of each rank; none where two overlap.
void RankTeller::findStretches() {
    std::vector<std::tuple<std::uint64_t, std::uint64_t, std::int32_t>> of_rank(
        keys_.size(), {std::numeric_limits<std::uint64_t>::max(), 0, 0});
    for (std::size_t i = 0; i < origins_.size(); ++i) {
        if (rank_of_[i] >= 0 && origins_[i].host) {
            auto& [first, last, rank] = of_rank[static_cast<std::size_t>(rank_of_[i])];
            first = std::min(first, origins_[i].first);
            last = std::max(last, origins_[i].last);
            rank = rank_of_[i];
        }
    }
    std::ranges::sort(of_rank);
    stretches_.clear();
    for (std::size_t k = 0; k < of_rank.size(); ++k) {
        const auto& [first, last, rank] = of_rank[k];
        if (last < first || (k > 0 && first <= std::get<1>(of_rank[k - 1]))) {
            stretches_.clear();
            return;
        }
        stretches_.emplace_back(k == 0 ? 0 : first, rank);
    }
}

std::int32_t RankTeller::stretchAt(std::uint64_t offset) const {
    const auto behind =
        std::ranges::upper_bound(stretches_, offset, {}, &std::pair<std::uint64_t, std::int32_t>::first);
    return behind == stretches_.begin() ? kFirstRank : std::prev(behind)->second;
}

std::vector<RankTeller::Sample> RankTeller::sampleWork(const std::vector<std::size_t>& devices) const {
    constexpr std::size_t kOfATrack = 1024;  // evenly over the track
    std::vector<Sample> samples;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        for (const PartialTrack& track : parts_[p].tracks) {
            const std::size_t origin = index_[p][track.origin];
            if (track.kind != TrackKind::Stream || !std::ranges::binary_search(devices, origin)) {
                continue;
            }
            const std::size_t stride = 1 + track.correlation.size() / kOfATrack;
            for (std::size_t i = 0; i < track.correlation.size(); i += stride) {
                const auto& [row, correlation] = track.correlation[i];
                samples.push_back({origin, correlation, track.start_ns[row], track.source[row].offset()});
            }
        }
    }
    return samples;
}

RankTeller::Calls RankTeller::callsOf(const std::vector<Sample>& samples) const {
    Calls calls;
    for (const Sample& sample : samples) {
        calls.try_emplace(sample.correlation);
    }
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        for (const PartialTrack& track : parts_[p].tracks) {
            const std::int32_t rank = rank_of_[index_[p][track.origin]];
            for (const auto& [row, correlation] : track.correlation) {
                if (rank >= 0 && isLaunchCall(track.category[row])) {
                    if (const auto at = calls.find(correlation); at != calls.end()) {
                        at->second.emplace_back(rank, track.start_ns[row]);
                    }
                }
            }
        }
    }
    return calls;
}

bool RankTeller::hasLaunch(const Sample& sample, const Calls& calls) {
    const auto at = calls.find(sample.correlation);
    return at != calls.end() && !at->second.empty();
}

bool RankTeller::launchedBy(const Sample& sample, std::int32_t rank, const Calls& calls) {
    constexpr DurationNs kClocksApart = 100'000;  // a kernel may seem to start before its launch by this much
    const auto at = calls.find(sample.correlation);
    return at != calls.end() && std::ranges::any_of(at->second, [&](const auto& call) {
               return call.first == rank && call.second <= sample.start_ns + kClocksApart;
           });
}

/// A device may belong to a rank that may have launched at least this share of its work with a recorded launch. Work
/// without a recorded launch, as at the start of a window, shows nothing, unless it is nearly all.
constexpr double kLaunchedByOwn = 0.9;
constexpr double kLeastWithLaunch = 0.1;

bool RankTeller::isOwn(std::ptrdiff_t own, std::ptrdiff_t launched, std::ptrdiff_t all) {
    return static_cast<double>(launched) >= kLeastWithLaunch * static_cast<double>(all) &&
           static_cast<double>(own) >= kLaunchedByOwn * static_cast<double>(launched);
}

/// Assigns the work of `devices` to the stretches that contain it, if the ranks there may have launched it.
bool RankTeller::assignByPlace(const std::vector<std::size_t>& devices) {
    if (stretches_.empty()) {
        return false;
    }
    const std::vector<Sample> samples = sampleWork(devices);
    const Calls calls = callsOf(samples);
    const auto launched = std::ranges::count_if(samples, [&](const Sample& s) { return hasLaunch(s, calls); });
    const auto own = std::ranges::count_if(
        samples, [&](const Sample& sample) { return launchedBy(sample, stretchAt(sample.offset), calls); });
    if (!isOwn(own, launched, std::ssize(samples))) {
        return false;
    }
    for (const std::size_t device : devices) {
        const std::int32_t rank = stretchAt(origins_[device].first);
        rank_of_[device] = rank == stretchAt(origins_[device].last) ? rank : kByPlace;
    }
    return true;
}

/// The ranks that may have launched the work of a device.
std::vector<std::int32_t> RankTeller::launchersOf(std::size_t device, const std::vector<Sample>& samples,
                                                  const Calls& calls) const {
    std::vector<std::int32_t> launchers;
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(keys_.size()); ++rank) {
        std::ptrdiff_t all = 0;
        std::ptrdiff_t launched = 0;
        std::ptrdiff_t own = 0;
        for (const Sample& sample : samples) {
            if (sample.origin == device) {
                ++all;
                launched += hasLaunch(sample, calls) ? 1 : 0;
                own += launchedBy(sample, rank, calls) ? 1 : 0;
            }
        }
        if (isOwn(own, launched, all)) {
            launchers.push_back(rank);
        }
    }
    return launchers;
}

/// Pairs devices with the processes of ranks without one, each in the order of their pids, as when all pids of a rank
/// are moved by the same distance. False if their numbers differ.
bool RankTeller::assignInOrder(std::vector<std::size_t> devices) {
    std::set<std::int32_t> taken;
    std::vector<std::size_t> hosts;
    for (std::size_t i = 0; i < origins_.size(); ++i) {
        if (origins_[i].device) {
            taken.insert(rank_of_[i]);
        }
    }
    for (std::size_t i = 0; i < origins_.size(); ++i) {
        if (origins_[i].host && !taken.contains(rank_of_[i])) {
            hosts.push_back(i);
        }
    }
    const auto number = [&](std::size_t i) { return std::pair(origins_[i].pid.size(), origins_[i].pid); };
    std::ranges::sort(devices, {}, number);
    std::ranges::sort(hosts, {}, number);
    for (std::size_t k = 0; k < devices.size() && hosts.size() == devices.size(); ++k) {
        rank_of_[devices[k]] = rank_of_[hosts[k]];
    }
    return hosts.size() == devices.size();
}

/// Finds the rank of each device that has none. False if one is unknown.
bool RankTeller::assignDevices() {
    std::vector<std::size_t> devices;
    for (std::size_t i = 0; i < origins_.size(); ++i) {
        if (origins_[i].device && rank_of_[i] == kUnknown) {
            devices.push_back(i);
        }
    }
    if (devices.empty() || assignByPlace(devices)) {
        return true;
    }
    const std::vector<Sample> samples = sampleWork(devices);
    const Calls calls = callsOf(samples);
    std::vector<std::size_t> open;
    for (const std::size_t device : devices) {
        const std::vector<std::int32_t> launchers = launchersOf(device, samples, calls);
        if (launchers.empty()) {
            return false;
        }
        if (launchers.size() == 1) {
            rank_of_[device] = launchers.front();
        } else {
            open.push_back(device);
        }
    }
    return open.empty() || assignInOrder(std::move(open));
}

/// If the file seems to be of one rank: checks whether several ranks called its collectives.
void RankTeller::checkCollectives() {
    std::set<std::int32_t> callers;
    for (const PartialTrace& part : parts_) {
        for (const PartialTrack& track : part.tracks) {
            for (const auto& [row, args] : track.collectives) {
                const bool of_all = part.strings.view(args.group_description) == "default_pg" ||
                                    part.strings.view(args.group_name) == "default_pg";
                if (of_all && args.rank >= 0 && saysItsCaller(part.strings.view(args.name))) {
                    callers.insert(args.rank);
                }
            }
        }
    }
    if (callers.size() > 1) {
        mixed_ = "its collectives were called by " + std::to_string(callers.size()) +
                 " ranks, but their events have the same pids";
    }
}

bool RankTeller::several() {
    const auto ranks = std::ranges::count_if(origins_, [](const FileOrigin& o) { return o.any && o.rank >= 0; });
    const auto hosts = std::ranges::count_if(origins_, &FileOrigin::host);
    const auto named = std::ranges::count_if(
        origins_, [](const FileOrigin& o) { return o.any && (!o.names.empty() || !o.pid.empty()) && rankNamed(o); });
    if (ranks == 0 && hosts < 2 && named < 2) {
        checkCollectives();
        return false;
    }
    place();
    if (!byArgs() && !byNames() && !byProcesses()) {
        checkCollectives();
        return false;
    }
    findStretches();
    if (!assignDevices()) {
        mixed_ = "it has " + std::to_string(keys_.size()) + " processes, and it is unknown which GPU belongs to which";
        return false;
    }
    return true;
}

RankAssignment RankTeller::assignment() const {
    RankAssignment out;
    out.ranks = keys_.size();
    out.stretches = stretches_;
    for (const std::vector<std::size_t>& part : index_) {
        std::vector<std::int32_t>& of_origin = out.of_origin.emplace_back();
        for (const std::size_t origin : part) {
            const std::int32_t rank = rank_of_[origin];
            const std::int32_t open = stretches_.empty() || !origins_[origin].any ? kFirstRank : kByPlace;
            of_origin.push_back(rank == kUnknown ? open : rank);
        }
    }
    return out;
}

}  // namespace

std::string_view withoutRankName(std::string_view pid) {
    if (!pid.starts_with('[')) {
        return pid;
    }
    const std::string text(pid.substr(0, kNameLookedAt));
    std::smatch match;
    return std::regex_search(text, match, labelPattern()) && match.length(0) < std::ssize(text)
               ? pid.substr(static_cast<std::size_t>(match.length(0)))
               : pid;
}

RanksOfFile tellRanksApart(std::vector<PartialTrace> parts) {
    RanksOfFile file;
    RankTeller teller(parts);
    if (!teller.several()) {
        file.mixed = teller.mixed();
        const std::optional<RankNumber> rank = teller.onlyRank();
        file.ranks.push_back({rank, rank ? RankOrigin::EventArgs : RankOrigin::Unknown, std::move(parts)});
        return file;
    }
    file.told_by = teller.toldBy();
    const RankAssignment assignment = teller.assignment();
    const std::vector<RankKey> keys = teller.keys();
    const RankOrigin origin = teller.rankOrigin();
    std::vector<std::vector<PartialTrace>> ranks = splitParts(std::move(parts), assignment);
    const bool numbered = std::ranges::all_of(keys, [](const RankKey& key) { return key.number != RankKey().number; });
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        file.ranks.push_back({numbered ? RankNumber(keys[r].number) : RankNumber(r),
                              numbered ? origin : RankOrigin::Order, std::move(ranks[r])});
    }
    return file;
}

}  // namespace rankscope
