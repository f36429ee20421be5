// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/perfetto/packet_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "core/ingest/kineto/event_fields.h"
#include "core/ingest/kineto/json_text.h"
#include "core/ingest/perfetto/annotations.h"
#include "core/ingest/perfetto/rocprof.h"

namespace rankscope::perfetto {
namespace {

/// Keys that describe the whole recording.
constexpr std::array<std::string_view, 5> kKeys = {"distributedInfo", "deviceProperties", "host_name", "traceName",
                                                   "baseTimeNanoseconds"};

/// A time in decimal microseconds, as events have it, exact to the nanosecond.
void setMicroseconds(std::string& text, TimeNs ns) {
    constexpr std::uint64_t kNsInMicrosecond = 1000;
    const std::uint64_t size = ns < 0 ? -static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    text.clear();
    fmt::format_to(std::back_inserter(text), "{}{}.{:03}", ns < 0 ? "-" : "", size / kNsInMicrosecond,
                   size % kNsInMicrosecond);
}

/// The text without the quotes that are around it, if there are any.
std::string_view unquotedText(std::string_view json) {
    return json.size() >= 2 && json.front() == '"' && json.back() == '"' ? json.substr(1, json.size() - 2) : json;
}

}  // namespace

void PacketReader::skip(std::string_view why) {
    ++into_.health.skipped;
    into_.health.add(0, offset_, std::string(why));
}

void PacketReader::read(const CutPacket& packet) {
    offset_ = packet.offset;
    if (packet.is_too_long) {
        return skip("the packet is longer than 64 MiB");
    }
    const std::optional<Packet> read = readPacket(packet.bytes);
    if (!read) {
        return skip("the packet is damaged");
    }
    writer_ = read->writer == Writer::Any ? writer_ : read->writer;
    if (read->is_compressed) {
        skip("the packet contains compressed packets, which are not read");
    }
    Sequence& sequence = sequences_.update(*read);
    if (!read->track.empty() && !tracks_.add(read->track)) {
        skip("the description of a track is damaged");
    }
    const std::optional<TimeNs> at = sequences_.timeOf(*read, sequence);
    if (read->event.empty()) {
        return;
    }
    if (!readTrackEvent(read->event, event_)) {
        return skip("the event is damaged");
    }
    if (!at) {
        return skip("the event has no time, one of an unknown clock, or one more than 73 years from zero");
    }
    const std::uint64_t track = event_.track.value_or(sequence.track.value_or(0));
    switch (event_.type) {
        case EventType::Begin: return begin(*read, stacks_[track], sequence, *at);
        case EventType::End: return end(track, stacks_[track], *at);
        case EventType::Instant: return addInstant(track, *sequence.names, *at);
        case EventType::Counter: return addCounter(track, *sequence.names, *at);
        case EventType::None: break;
    }
    setText(text_, track, *sequence.names);
    text_.phase = "?";  // counted as a kind that is not kept
    add(text_, offset_);
}

void PacketReader::begin(const Packet& packet, Stack& stack, const Sequence& sequence, TimeNs at_ns) {
    if (open_ == kMostOpen || stack.skipped > 0) {
        ++stack.skipped;
        return skip("more than 1,048,576 slices are open");
    }
    ++open_;
    stack.open.push_back({offset_, at_ns, std::string(packet.event), sequence.names});
}

void PacketReader::end(std::uint64_t track, Stack& stack, TimeNs at_ns) {
    if (stack.skipped > 0) {
        --stack.skipped;
        return;
    }
    if (stack.open.empty()) {
        return skip("the end of a slice that does not begin in the file");
    }
    const Open open = std::move(stack.open.back());
    stack.open.pop_back();
    --open_;
    addSlice(track, open, at_ns);
}

void PacketReader::addSlice(std::uint64_t track, const Open& open, TimeNs end_ns) {
    if (!readTrackEvent(open.event, event_)) {
        return;  // it was read before
    }
    setText(text_, track, *open.names);
    text_.phase = "X";
    setMicroseconds(start_, open.start_ns);
    setMicroseconds(duration_, end_ns - open.start_ns);
    text_.ts = start_;
    text_.dur = duration_;
    if (readsArgs(text_)) {
        setArgs(text_, *open.names);
    }
    if (is_of_rocprof_) {
        placeOfRocprof(tracks_.placeOf(track).name, *open.names);
    }
    if (introduced_.insert(track).second) {
        introduce(tracks_.placeOf(track));
    }
    add(text_, open.offset);
    addFlows(text_, open.offset);
}

/// Says where rocprofv3 has the slice that is read: it names threads, GPUs and streams in the names of tracks only.
void PacketReader::placeOfRocprof(std::string_view track, const Names& names) {
    const RocprofTrack is = rocprofTrack(track);
    if (!is.thread.empty()) {
        text_.tid = is.thread;
    }
    if (!isDeviceWork(text_.category) || is.agent.empty()) {
        return;
    }
    std::string& device = args_[static_cast<std::size_t>(Arg::Device)];
    device = is.agent;
    for (const std::string_view annotation : event_.annotations) {
        if (is.is_of_cpu && annotationName(annotation, names) == "src_agent") {  // a copy runs where it comes from
            value_.clear();
            appendValue(annotation, names, value_);
            const std::string_view agent = rocprofAgent(value_);
            device = agent.empty() ? device : std::string(agent);
        }
    }
    std::string& stream = args_[static_cast<std::size_t>(Arg::Stream)];
    stream = is.lane;
    text_.args[static_cast<std::size_t>(Arg::Device)] = device;
    text_.args[static_cast<std::size_t>(Arg::Stream)] = stream;
    text_.pid = device;
    text_.tid = stream;
}

/// Says the names of a track and of its process.
void PacketReader::introduce(const Place& place) {
    EventText event;
    event.phase = "M";
    event.pid = text_.pid;
    event.tid = text_.tid;
    event.has_args = true;
    const auto say = [&](std::string_view what, Arg arg, const std::string& name) {
        if (!name.empty()) {
            std::string quoted;
            appendQuoted(name, quoted);
            event.name = what;
            event.args[static_cast<std::size_t>(arg)] = unquotedText(quoted);
            add(event, offset_);
        }
    };
    say("thread_name", Arg::Name, place.name);
    say("process_name", Arg::Name, place.process_name);
    say("process_labels", Arg::Labels, place.process_labels);
}

/// Adds the ends of flows at the start of a slice. Which of two ends is the first is only known for launches; those of
/// forward and backward are sorted in finish().
void PacketReader::addFlows(const EventText& slice, std::uint64_t offset) {
    const bool is_call = isLaunchCall(slice.category);
    const bool is_work = isDeviceWork(slice.category);
    const bool has_ends = is_call || is_work || slice.category == Category::CpuOp;
    if (event_.flows.empty() || !has_ends) {
        return;
    }
    EventText flow;
    flow.phase = is_call ? "s" : "f";
    flow.category_text = is_call || is_work ? "ac2g" : "fwdbwd";
    flow.ts = slice.ts;
    const std::string_view device = is_work ? slice.arg(Arg::Device) : std::string_view();
    const std::string_view stream = is_work ? slice.arg(Arg::Stream) : std::string_view();
    flow.pid = device.empty() ? slice.pid : device;
    flow.tid = stream.empty() ? slice.tid : stream;
    for (const std::uint64_t id : event_.flows) {
        value_ = std::to_string(static_cast<std::int64_t>(id));
        flow.id = value_;
        add(flow, offset);
    }
}

void PacketReader::addInstant(std::uint64_t track, const Names& names, TimeNs at_ns) {
    setText(text_, track, names);
    text_.phase = "i";
    setMicroseconds(start_, at_ns);
    text_.ts = start_;
    if (readsArgs(text_)) {
        setArgs(text_, names);
    }
    addKeys(names);
    add(text_, offset_);
}

/// Keeps what an instant says of the whole recording. JSON in a text is meant as JSON.
void PacketReader::addKeys(const Names& names) {
    for (const std::string_view annotation : event_.annotations) {
        const std::string_view name = annotationName(annotation, names);
        if (std::ranges::find(kKeys, name) == kKeys.end() || keys_.size() >= kTopLevelKeys) {
            continue;
        }
        std::string value;
        appendValue(annotation, names, value);
        const std::optional<std::string> inside = embeddedJson(value);
        keys_.emplace_back(name, inside.value_or(std::move(value)));
    }
}

void PacketReader::addCounter(std::uint64_t track, const Names& names, TimeNs at_ns) {
    const Place& place = tracks_.placeOf(track);
    setText(text_, track, names);
    text_.phase = "C";
    setMicroseconds(start_, at_ns);
    text_.ts = start_;
    // The GPU's number may be in the name of the track around: "GPU 0 Counters".
    const std::string own = place.name.empty() ? std::string(text_.name) : place.name;
    const bool needs_device = deviceInName(own) < 0 && deviceInName(place.outermost) >= 0;
    name_ = needs_device ? place.outermost + " " + own : own;
    text_.name = name_;
    value_.clear();
    appendQuoted("(" + place.unit + ")", value_);
    value_ = fmt::format("{{{}: {}}}", value_, event_.value * place.unit_factor);
    text_.has_args = true;
    text_.args[static_cast<std::size_t>(Arg::Series)] = value_;
    add(text_, offset_);
}

/// Sets where the event is, its category and its name.
void PacketReader::setText(EventText& event, std::uint64_t track, const Names& names) {
    const Place& place = tracks_.placeOf(track);
    event.clear();
    event.pid = place.process;
    event.tid = place.lane;
    event.category_text = event_.category.empty() ? textAt(names.categories, event_.category_id) : event_.category;
    const std::string_view of_rocprof = rocprofCategory(event.category_text);
    is_of_rocprof_ = !of_rocprof.empty();
    event.category_text = is_of_rocprof_ ? of_rocprof : event.category_text;
    event.category = categoryOf(event.category_text);
    const std::string_view name = event_.name.empty() ? textAt(names.events, event_.name_id) : event_.name;
    name_.clear();
    if (name.empty() && event_.name_id != 0) {
        name_ = fmt::format("name {} is not in the file", event_.name_id);
    } else {
        appendQuoted(name, name_);
    }
    event.name = unquotedText(name_);
}

/// Sets the args that become columns.
void PacketReader::setArgs(EventText& event, const Names& names) {
    event.has_args = true;
    for (const std::string_view annotation : event_.annotations) {
        const std::string_view written = annotationName(annotation, names);
        const Arg arg = argNamed(is_of_rocprof_ ? rocprofArg(written) : written);
        if (arg != Arg::Count) {
            std::string& text = args_[static_cast<std::size_t>(arg)];
            text.clear();
            appendValue(annotation, names, text);
            event.args[static_cast<std::size_t>(arg)] = unquotedText(text);
        }
    }
    if (event_.correlation && event.arg(Arg::Correlation).empty()) {
        std::string& text = args_[static_cast<std::size_t>(Arg::Correlation)];
        text = std::to_string(static_cast<std::int64_t>(*event_.correlation));
        event.args[static_cast<std::size_t>(Arg::Correlation)] = text;
    }
}

void PacketReader::add(const EventText& event, std::uint64_t offset) {
    std::string why;
    if (!into_.add(event, offset, false, why)) {
        ++into_.health.skipped;
        into_.health.add(0, offset, why);
    }
}

/// Of the ends of a flow between operators, the first one is where it starts.
void PacketReader::sortFlows() {
    std::vector<FlowPoint>& flows = into_.flows;
    const auto key = [](const FlowPoint& point) { return std::tuple(point.forward_backward, point.origin, point.id); };
    std::ranges::stable_sort(flows, [&](const FlowPoint& a, const FlowPoint& b) {
        return key(a) != key(b) ? key(a) < key(b) : a.at_ns < b.at_ns;
    });
    for (std::size_t i = 0; i < flows.size(); ++i) {
        if (flows[i].forward_backward) {
            flows[i].start = i == 0 || key(flows[i - 1]) != key(flows[i]);
        }
    }
}

void PacketReader::finish() {
    std::vector<std::uint64_t> never_ended;
    for (const auto& [track, stack] : stacks_) {
        std::ranges::transform(stack.open, std::back_inserter(never_ended), &Open::offset);
    }
    std::ranges::sort(never_ended);
    for (const std::uint64_t offset : never_ended) {
        offset_ = offset;
        skip("the slice does not end in the file");
    }
    stacks_.clear();
    sortFlows();
    if (const std::optional<TimeNs> base = sequences_.base()) {
        keys_.emplace_back("baseTimeNanoseconds", std::to_string(*base));
    }
}

}  // namespace rankscope::perfetto
