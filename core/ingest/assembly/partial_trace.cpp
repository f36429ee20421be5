// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/partial_trace.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/ingest/kineto/repair.h"
#include "core/ingest/kineto/tensor_args.h"

namespace rankscope {
namespace {

std::int64_t numberOf(const EventText& event, Arg arg, std::int64_t otherwise = -1) {
    const std::string_view text = event.arg(arg);
    return text.empty() ? otherwise : parseInteger(text).value_or(otherwise);
}

/// Why a time is rejected.
std::string farTime(std::string_view what, std::string_view text) {
    return "\"" + std::string(what) + "\" is " + std::string(text.substr(0, 40)) + ", more than " +
           std::to_string(kFarthestTime / 1000) + " microseconds (73 years) from zero";
}

/// The time in an event's `ts`; nothing, with the reason in `why`, if it is invalid.
std::optional<DecimalTime> timeOf(const EventText& event, std::string& why) {
    const std::optional<DecimalTime> at = parseMicroseconds(event.ts);
    if (!at) {
        why = "\"ts\" is not a time that fits 64-bit nanoseconds";
        return std::nullopt;
    }
    if (!isTime(at->ns)) {
        why = farTime("ts", event.ts);
        return std::nullopt;
    }
    return at;
}

/// When an event that starts at `start` ends; nothing, with the reason in `why`, if that is invalid.
std::optional<TimeNs> endOf(const EventText& event, const DecimalTime& start, std::string& why) {
    const std::optional<DecimalTime> length = event.dur.empty() ? DecimalTime{} : parseMicroseconds(event.dur);
    if (!length) {
        why = "\"dur\" is not a time that fits 64-bit nanoseconds";
        return std::nullopt;
    }
    if (length->ns > kLongestDuration) {
        why = "\"dur\" is " + std::string(event.dur.substr(0, 40)) + ", longer than " +
              std::to_string(kLongestDuration / 1000) + " microseconds (30 days)";
        return std::nullopt;
    }
    const std::optional<TimeNs> end = DecimalTime::floorOfSum(start, *length);
    if (!end || *end > kFarthestTime) {
        why = R"("ts" + "dur" does not fit 64-bit nanoseconds)";
        return std::nullopt;
    }
    return end;
}

/// The old dialect writes "stream 7" where the newer ones write 7.
std::string_view withoutStreamWord(std::string_view lane) {
    constexpr std::string_view kWord = "stream ";
    return lane.starts_with(kWord) ? lane.substr(kWord.size()) : lane;
}

bool isDeviceTrack(TrackKind kind) {
    return kind == TrackKind::Stream || kind == TrackKind::StreamAnnotation || kind == TrackKind::StreamSync;
}

}  // namespace

TrackKind trackKindOf(Category category) {
    switch (category) {
        case Category::Kernel:
        case Category::Memcpy:
        case Category::Memset: return TrackKind::Stream;
        case Category::GpuAnnotation: return TrackKind::StreamAnnotation;
        case Category::CudaSync: return TrackKind::StreamSync;
        case Category::Overhead:
        case Category::Span: return TrackKind::Other;
        default: return TrackKind::CpuThread;
    }
}

bool PartialTrace::add(const EventText& event, std::uint64_t offset, bool recovered, std::string& why) {
    offset_ = offset;
    if (event.phase.size() != 1) {
        why = event.phase.empty() ? "the event has no \"ph\"" : "\"ph\" is not one letter";
        return false;
    }
    bool ok = true;
    switch (event.phase.front()) {
        case 'X': ok = addSlice(event, offset, recovered, why); break;
        case 's':
        case 'f': ok = addFlow(event, why); break;
        case 'M': addMetadata(event); break;
        case 'i':
        case 'I':
            if (event.name == "[memory]") {
                ok = addMemory(event, why);
            } else {
                ++origins[originOf(event)].other_events;
            }
            break;
        case 'C': return addCounter(event, why);
        default: ++origins[originOf(event)].unkept; return true;
    }
    health.events += ok ? 1U : 0U;
    return ok;
}

bool PartialTrace::addSlice(const EventText& event, std::uint64_t offset, bool recovered, std::string& why) {
    const std::optional<DecimalTime> start = timeOf(event, why);
    const std::optional<TimeNs> end = start ? endOf(event, *start, why) : std::nullopt;
    if (!end) {
        return false;
    }
    if (isDeviceWork(event.category) && start->ns == 0 && *end == 0) {
        why = "time and duration are 0: the GPU never filled in this record";
        return false;
    }
    bool repaired = false;
    const StringId name = text(event.name, repaired);
    if (repaired && !recovered) {
        recovered = true;
        ++health.recovered;
        health.add(0, offset, "a backslash in the name escapes nothing; kept as written");
    }
    PartialTrack& track = tracks[trackOf(event)];
    origins[track.origin].negative_durations += *end < start->ns ? 1U : 0U;
    track.start_ns.push_back(start->ns);
    track.end_ns.push_back(std::max(start->ns, *end));
    track.source.emplace_back(std::uint16_t{0}, offset);
    track.name.push_back(name);
    track.category.push_back(event.category);
    track.flag.push_back(recovered ? SliceFlag::Recovered : SliceFlag::None);
    if (readsArgs(event)) {
        addArgs(event, track);
    }
    return true;
}

/// A number of the args from `lowest` to `highest`; -1 if it is absent, not a number or out of bounds. All of these
/// args use -1 for unknown.
std::int64_t PartialTrace::boundedArg(const EventText& event, Arg arg, std::string_view what, std::int64_t lowest,
                                      std::int64_t highest) {
    const std::string_view text = event.arg(arg);
    if (text.empty()) {
        return -1;
    }
    const std::optional<std::int64_t> value = parseInteger(text);
    if (value) {
        return *value == -1 ? -1 : bounded(what, *value, lowest, highest, out_of_bounds, offset_).value_or(-1);
    }
    constexpr std::string_view kNumber = "0123456789.+-eE";
    constexpr std::size_t kDigitsThatFit = 18;
    if (text.size() > kDigitsThatFit && text.find_first_not_of(kNumber) == std::string_view::npos) {
        out_of_bounds.add({std::string(what), std::string(text.substr(0, 40)), highest, offset_, 1});
    }
    return -1;
}

std::int32_t PartialTrace::rankArg(const EventText& event, Arg arg, std::string_view what) {
    return static_cast<std::int32_t>(boundedArg(event, arg, what, 0, kMostRanks - 1));
}

CollectiveArgs PartialTrace::collectiveArgs(const EventText& event) {
    CollectiveArgs args;
    args.name = textOf(event, Arg::CollectiveName);
    args.dtype = textOf(event, Arg::Dtype);
    args.group_name = textOf(event, Arg::GroupName);
    args.group_description = textOf(event, Arg::GroupDescription);
    args.group_ranks = textOf(event, Arg::GroupRanks);
    args.comms_id = textOf(event, Arg::CommsId);
    args.in_elements = boundedArg(event, Arg::InElements, "\"In msg nelems\"", 0, kMostElements);
    args.out_elements = boundedArg(event, Arg::OutElements, "\"Out msg nelems\"", 0, kMostElements);
    args.sequence = boundedArg(event, Arg::Sequence, "\"Seq\"", 0, kMostElements);
    args.group_size = static_cast<std::int32_t>(boundedArg(event, Arg::GroupSize, "\"Group size\"", 0, kMostRanks));
    args.rank = rankArg(event, Arg::Rank, "\"Rank\"");
    args.global_start = rankArg(event, Arg::GlobalStart, "\"Global rank start\"");
    args.global_stride = rankArg(event, Arg::GlobalStride, "\"Global rank stride\"");
    args.peer_src = rankArg(event, Arg::SrcRank, "\"Src Rank\"");
    args.peer_dst = rankArg(event, Arg::DstRank, "\"Dst Rank\"");
    if (args.global_start >= 0 && args.global_stride >= 0) {
        // The group's last member that follows from them, and this one, must be valid ranks too.
        const std::int64_t members = std::max({args.group_size, args.rank + 1, 1});
        const std::int64_t last = args.global_start + (members - 1) * args.global_stride;
        if (!bounded("the last rank of a group by its start, stride and size,", last, 0, kMostRanks - 1, out_of_bounds,
                     offset_)) {
            args.global_start = args.global_stride = -1;
        }
    }
    return args;
}

void PartialTrace::addArgs(const EventText& event, PartialTrack& track) {
    const auto row = static_cast<SliceIndex>(track.size() - 1);
    if (const std::int64_t correlation = numberOf(event, Arg::Correlation, 0); correlation != 0) {
        track.correlation.push_back({row, correlation});
    }
    if (const std::int64_t bytes = boundedArg(event, Arg::Bytes, "\"bytes\"", 0, kMostBytes); bytes >= 0) {
        track.bytes.push_back({row, bytes});
    }
    if (!event.arg(Arg::Grid).empty()) {
        addGrid(event, track, row);
    }
    if (event.category == Category::CudaSync) {
        track.syncs.push_back(
            {row,
             {textOf(event, Arg::SyncKind), numberOf(event, Arg::WaitOnStream), numberOf(event, Arg::WaitOnRecord)}});
    }
    if (!event.arg(Arg::CollectiveName).empty()) {
        track.collectives.push_back({row, collectiveArgs(event)});
    } else if (event.category == Category::CpuOp && productOf(event.name) != Product::None) {
        addInputs(event, track, row);
    } else if (!event.arg(Arg::InputDims).empty()) {
        addSentTensor(event, track, row);
    }
}

/// FNV-1a hash of both lists as written.
void PartialTrace::addGrid(const EventText& event, PartialTrack& track, SliceIndex row) {
    constexpr std::uint32_t kBasis = 2'166'136'261U;
    constexpr std::uint32_t kPrime = 16'777'619U;
    std::uint32_t hash = kBasis;
    for (const std::string_view list : {event.arg(Arg::Grid), event.arg(Arg::Block)}) {
        for (const char c : list) {
            hash = c == ' ' ? hash : (hash ^ static_cast<unsigned char>(c)) * kPrime;
        }
    }
    track.grids.push_back({row, hash});
}

/// The arguments of an operator that multiplies. Such operators have no longer lists.
void PartialTrace::addInputs(const EventText& event, PartialTrack& track, SliceIndex row) {
    constexpr std::size_t kLongestList = 4096;
    const auto kept = [&](Arg arg) {
        const std::string_view list = event.arg(arg);
        return list.empty() || list.size() > kLongestList ? StringId() : strings.intern(list);
    };
    OperatorInputs inputs{.shapes = kept(Arg::InputDims), .types = kept(Arg::InputType), .values = {}, .flops = -1};
    if (inputs.shapes.valid()) {
        inputs.values = kept(Arg::ConcreteInputs);
    }
    const std::string_view flops = event.arg(Arg::Flops);
    double recorded = 0;
    const auto [end, error] = std::from_chars(flops.data(), flops.data() + flops.size(), recorded);
    if (error == std::errc() && end == flops.data() + flops.size() && recorded > 0 && recorded < kMostFlops) {
        inputs.flops = recorded;
    }
    if (inputs.shapes.valid() || inputs.flops > 0) {
        track.inputs.push_back({row, inputs});
    }
}

/// Adds what a collective's operator or range sends, if the args of collectives are not recorded.
void PartialTrace::addSentTensor(const EventText& event, PartialTrack& track, SliceIndex row) {
    const std::size_t sent = sentArgument(event.name);
    const std::optional<std::int64_t> elements = elementsOf(event.arg(Arg::InputDims), sent);
    if (!elements) {
        return;
    }
    CollectiveArgs args;
    args.in_elements = *elements;
    const std::string_view dtype = dtypeOf(event.arg(Arg::InputType), sent);
    args.dtype = dtype.empty() ? StringId() : strings.intern(dtype);
    track.collectives.push_back({row, args});
}

bool PartialTrace::addMemory(const EventText& event, std::string& why) {
    const std::optional<DecimalTime> at = timeOf(event, why);
    if (!at) {
        return false;
    }
    const std::int64_t bytes = numberOf(event, Arg::Bytes, 0);
    const std::int64_t device = boundedArg(event, Arg::DeviceId, "\"Device Id\"", 0, kMostDevices - 1);
    memory.push_back({at->ns, bounded("\"Bytes\"", bytes, -kMostBytes, kMostBytes, out_of_bounds, offset_).value_or(0),
                      static_cast<std::uint64_t>(numberOf(event, Arg::Addr, 0)),
                      boundedArg(event, Arg::TotalAllocated, "\"Total Allocated\"", 0, kMostBytes),
                      boundedArg(event, Arg::TotalReserved, "\"Total Reserved\"", 0, kMostBytes),
                      static_cast<std::int16_t>(device), originOf(event)});
    return true;
}

/// Keeps the readings of GPU sensors; other counters are only counted.
bool PartialTrace::addCounter(const EventText& event, std::string& why) {
    const std::vector<SensorValue> values = sensorValues(event.name, event.arg(Arg::Series));
    const std::uint32_t origin = originOf(event);
    if (values.empty()) {
        ++origins[origin].unkept;
        return true;
    }
    const std::optional<DecimalTime> at = timeOf(event, why);
    if (!at) {
        return false;
    }
    for (const SensorValue& value : values) {
        sensors.push_back({at->ns, value, deviceInName(event.name), strings.intern(event.pid), origin});
    }
    ++health.events;
    return true;
}

bool PartialTrace::addFlow(const EventText& event, std::string& why) {
    const std::optional<DecimalTime> at = timeOf(event, why);
    const std::optional<std::int64_t> id = parseInteger(event.id);
    if (!at || !id) {
        why = !at ? why : "\"id\" is not a number";
        return false;
    }
    const std::uint32_t origin = originOf(event);
    if (!flow_spelling_.is(event.pid, event.tid) || !flow_process_.valid()) {
        flow_spelling_ = {std::string(event.pid), std::string(event.tid)};
        flow_process_ = strings.intern(event.pid);
        flow_lane_ = strings.intern(withoutStreamWord(event.tid));
    }
    flows.push_back(
        {*id, at->ns, flow_process_, flow_lane_, event.phase == "s", event.category_text == "fwdbwd", origin});
    return true;
}

void PartialTrace::addMetadata(const EventText& event) {
    constexpr std::size_t kNamesKept = 8;
    const std::uint32_t at = originOf(event);
    Origin& origin = origins[at];
    ++origin.other_events;
    if (event.name == "thread_name" && !event.arg(Arg::Name).empty()) {
        lanes.push_back(
            {at, strings.intern(event.pid), strings.intern(withoutStreamWord(event.tid)), textOf(event, Arg::Name)});
    } else if (event.name == "process_name" || event.name == "process_labels") {
        const StringId name = textOf(event, event.name == "process_name" ? Arg::Name : Arg::Labels);
        if (name.valid() && origin.names.size() < kNamesKept &&
            std::ranges::find(origin.names, name) == origin.names.end()) {
            origin.names.push_back(name);
        }
    }
}

/// The origin of an event, with what its args show about it.
std::uint32_t PartialTrace::originOf(const EventText& event) {
    const std::uint32_t at = findOrigin(event.pid, event.arg(Arg::MergedRank));
    if (const std::string_view raw = event.arg(Arg::PidRaw); !raw.empty() && !origins[at].pid_raw.valid()) {
        origins[at].pid_raw = strings.intern(raw);
    }
    return at;
}

std::uint32_t PartialTrace::findOrigin(std::string_view pid, std::string_view rank) {
    for (std::size_t i = 0; i < recent_origins_.size(); ++i) {
        const std::size_t at = (last_origin_ + i) % recent_origins_.size();
        const CachedOrigin& known = recent_origins_[at];
        if (known.origin != kNoOrigin && known.pid == pid && known.rank == rank) {
            last_origin_ = at;
            return known.origin;
        }
    }
    std::string key(pid);
    key.append(1, '\0').append(rank);
    const auto [at, inserted] = origin_index_.try_emplace(key, static_cast<std::uint32_t>(origins.size()));
    if (inserted) {
        const std::int64_t number = parseInteger(rank).value_or(-1);
        Origin& made = origins.emplace_back();
        made.pid = strings.intern(pid);
        made.rank = number >= 0 && number < kMostRanks ? static_cast<std::int32_t>(number) : -1;
    }
    last_origin_ = next_origin_;
    recent_origins_[next_origin_] = {std::string(pid), std::string(rank), at->second};
    next_origin_ = (next_origin_ + 1) % recent_origins_.size();
    return at->second;
}

std::uint32_t PartialTrace::trackOf(const EventText& event) {
    const TrackKind kind = trackKindOf(event.category);
    const std::uint32_t origin = originOf(event);
    std::string_view process = event.pid;
    std::string_view lane = event.tid;
    if (isDeviceTrack(kind)) {
        process = event.arg(Arg::Device).empty() ? process : event.arg(Arg::Device);
        lane = withoutStreamWord(event.arg(Arg::Stream).empty() ? lane : event.arg(Arg::Stream));
    }
    for (std::size_t i = 0; i < recent_.size(); ++i) {
        const std::size_t at = (last_recent_ + i) % recent_.size();
        const CachedTrack& known = recent_[at];
        if (known.track.valid() && known.kind == kind && known.origin == origin && known.spelling.is(process, lane)) {
            last_recent_ = at;
            return known.track.value;
        }
    }
    std::string key(1, static_cast<char>('0' + static_cast<int>(kind)));
    key.append(std::to_string(origin)).append(1, '\0').append(process).append(1, '\0').append(lane);
    const auto [at, inserted] = track_index_.try_emplace(key, static_cast<std::uint32_t>(tracks.size()));
    if (inserted) {
        PartialTrack& track = tracks.emplace_back();
        track.kind = kind;
        track.origin = origin;
        track.process = strings.intern(process);
        track.lane = strings.intern(lane);
    }
    last_recent_ = next_recent_;
    recent_[next_recent_] = {{std::string(process), std::string(lane)}, origin, kind, TrackId(at->second)};
    next_recent_ = (next_recent_ + 1) % recent_.size();
    return at->second;
}

/// Interns a string as escaped in the file. `repaired` is set if its escapes are not valid JSON.
StringId PartialTrace::text(std::string_view raw, bool& repaired) {
    if (raw.find('\\') == std::string_view::npos) {
        return strings.intern(raw);
    }
    const std::optional<std::string> meant = unescape(raw);
    repaired = !meant;
    return strings.intern(meant ? *meant : raw);
}

StringId PartialTrace::textOf(const EventText& event, Arg arg) {
    const std::string_view raw = event.arg(arg);
    bool repaired = false;
    return raw.empty() ? StringId() : text(raw, repaired);
}

PartialTrace::Mark PartialTrace::mark() const {
    Mark mark;
    mark.track_sizes.reserve(tracks.size());
    for (const PartialTrack& track : tracks) {
        mark.track_sizes.push_back(track.size());
        mark.sparse_sizes.push_back({track.correlation.size(), track.bytes.size(), track.collectives.size(),
                                     track.syncs.size(), track.inputs.size(), track.grids.size()});
    }
    mark.flows = flows.size();
    mark.lanes = lanes.size();
    mark.memory = memory.size();
    mark.sensors = sensors.size();
    mark.origin_counts.reserve(origins.size());
    for (const Origin& origin : origins) {
        mark.origin_counts.push_back({origin.other_events, origin.negative_durations, origin.unkept});
    }
    mark.events = health.events;
    mark.recovered = health.recovered;
    mark.parse_issues = health.parse_issues.size();
    mark.out_of_bounds = out_of_bounds;
    return mark;
}

void PartialTrace::rollBack(const Mark& mark) {
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        PartialTrack& track = tracks[i];
        const bool known = i < mark.track_sizes.size();
        const std::size_t n = known ? mark.track_sizes[i] : 0;
        const auto sparse = known ? mark.sparse_sizes[i] : std::array<std::size_t, 6>{};
        track.start_ns.resize(n);
        track.end_ns.resize(n);
        track.source.resize(n);
        track.name.resize(n);
        track.category.resize(n);
        track.flag.resize(n);
        track.correlation.resize(sparse[0]);
        track.bytes.resize(sparse[1]);
        track.collectives.resize(sparse[2]);
        track.syncs.resize(sparse[3]);
        track.inputs.resize(sparse[4]);
        track.grids.resize(sparse[5]);
    }
    flows.resize(mark.flows);
    lanes.resize(mark.lanes);
    memory.resize(mark.memory);
    sensors.resize(mark.sensors);
    health.events = mark.events;
    health.recovered = mark.recovered;
    health.parse_issues.resize(mark.parse_issues);
    out_of_bounds = mark.out_of_bounds;
    for (std::size_t i = 0; i < origins.size(); ++i) {
        const auto counts = i < mark.origin_counts.size() ? mark.origin_counts[i] : std::array<std::uint64_t, 3>{};
        origins[i].other_events = counts[0];
        origins[i].negative_durations = counts[1];
        origins[i].unkept = counts[2];
    }
}

}  // namespace rankscope
