// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_calls.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/collectives/collective_names.h"
#include "core/analysis/collectives/matching/call_messages.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {
namespace {

/// The operators of one collective call around a launch.
struct Operators {
    SliceRef outermost;   ///< common to all launches of the call; invalid if no operator is recorded
    SliceRef parameters;  ///< `record_param_comms`, else the innermost
    SliceRef innermost;   ///< e.g. `nccl:all_reduce`
    SliceRef sized;       ///< the innermost one with the sent sizes; invalid if there is none
};

/// The earliest possible start of work, judged by its own stream.
class Readiness {
  public:
    explicit Readiness(const DeviceWork& work) {
        for (const DeviceEvent& event : work.events) {
            if (event.work != WorkClass::Communication && event.launch.valid()) {
                by_stream_[event.ref.track].push_back({event.call.start_ns, event.span.end_ns});
            }
        }
        for (auto& [track, events] : by_stream_) {
            if (!std::ranges::is_sorted(events)) {
                std::ranges::sort(events);
            }
        }
    }

    /// c10d makes its stream wait for everything that was launched before on the caller's stream, except work that
    /// ended after the collective had started.
    [[nodiscard]] TimeNs of(const TimeSpan& call, TimeNs start_ns) const {
        TimeNs ready_ns = call.start_ns;
        for (const auto& [track, events] : by_stream_) {
            auto after = std::ranges::lower_bound(events, call.start_ns, {}, &LaunchedWork::launched_ns);
            for (int looked = 0; after != events.begin() && looked < kLookedBack; ++looked) {
                --after;
                if (after->end_ns <= start_ns) {
                    ready_ns = std::max(ready_ns, after->end_ns);
                    break;
                }
            }
        }
        return std::min(ready_ns, std::max(start_ns, call.start_ns));
    }

  private:
    struct LaunchedWork {
        TimeNs launched_ns = 0;
        TimeNs end_ns = 0;
        friend auto operator<=>(const LaunchedWork&, const LaunchedWork&) = default;
    };
    static constexpr int kLookedBack = 4096;  // the longest queue
    std::map<TrackId, std::vector<LaunchedWork>> by_stream_;
};

class Collector {
  public:
    explicit Collector(const RankContext& work) : work_(work), trace_(*work.trace), readiness_(work.device) {}

    std::vector<CollectiveCall> collect() {
        for (const DeviceEvent& event : work_.device.events) {
            if (event.work == WorkClass::Communication) {
                addKernel(event);
            }
        }
        addBatchedMessages(trace_, calls_);
        addHostRanges();
        countStreams();
        std::ranges::stable_sort(calls_, {}, [](const CollectiveCall& c) { return c.part.span.start_ns; });
        return std::move(calls_);
    }

  private:
    [[nodiscard]] Operators operatorsOf(SliceRef launch) const;
    [[nodiscard]] const CollectiveArgs* argsOf(SliceRef ref) const;
    void addKernel(const DeviceEvent& event);
    void addHostRanges();
    void countStreams();
    void nameCall(CollectiveCall& call, SliceRef slice, const Operators& operators) const;
    void nameMessage(CollectiveCall& call, const Operators& operators) const;
    [[nodiscard]] std::optional<NumberedStepOrGap> slotAt(TimeNs launched_ns) const;

    const RankContext& work_;
    const RankTrace& trace_;
    Readiness readiness_;
    std::vector<CollectiveCall> calls_;
    std::map<SliceRef, std::size_t> call_of_operator_;
};

Operators Collector::operatorsOf(SliceRef launch) const {
    Operators found;
    if (!launch.valid()) {
        return found;
    }
    const SliceTable& slices = trace_.track(launch).slices;
    SliceIndex at = slices.parent[launch.slice];
    while (at != kNoSlice && isLaunchCall(slices.category[at])) {
        at = slices.parent[at];
    }
    for (; at != kNoSlice && work_.names.communicates(slices.name[at]); at = slices.parent[at]) {
        const SliceRef ref{launch.track, at};
        found.innermost = found.innermost.valid() ? found.innermost : ref;
        found.outermost = ref;
        const CollectiveArgs* const args = argsOf(ref);
        found.sized = !found.sized.valid() && args != nullptr && args->in_elements >= 0 ? ref : found.sized;
        if (trace_.strings.view(slices.name[at]) == "record_param_comms") {
            found.parameters = ref;
        }
    }
    found.parameters = found.parameters.valid() ? found.parameters : found.innermost;
    return found;
}

const CollectiveArgs* Collector::argsOf(SliceRef ref) const {
    return ref.valid() ? trace_.track(ref).collectives.find(ref.slice) : nullptr;
}

/// The operator's name is the best source: RCCL's kernels are all "Generic", and NCCL's SendRecv serves all-to-all and
/// more.
void Collector::nameCall(CollectiveCall& call, SliceRef slice, const Operators& operators) const {
    const CollectiveArgs* const of_kernel = argsOf(slice);
    const CollectiveArgs* const of_operator = argsOf(operators.parameters);
    if (of_kernel != nullptr) {
        call.args = *of_kernel;
    } else if (of_operator != nullptr) {
        call.args = *of_operator;
    }
    if (of_operator != nullptr) {
        // Only the operator has these.
        call.args.rank = of_operator->rank;
        call.args.global_start = of_operator->global_start;
        call.args.global_stride = of_operator->global_stride;
    }
    if (const CollectiveArgs* const sent = argsOf(operators.sized); call.args.in_elements < 0 && sent != nullptr) {
        call.args.in_elements = sent->in_elements;
        call.args.dtype = call.args.dtype.valid() ? call.args.dtype : sent->dtype;
    }
    call.dtype = call.args.dtype.valid() ? trace_.strings.view(call.args.dtype) : dtypeOfKernel(trace_.name(slice));
    std::vector<std::string_view> names;
    if (call.args.name.valid()) {
        names.push_back(trace_.strings.view(call.args.name));
    }
    for (const SliceRef& ref : {operators.innermost, operators.outermost, slice}) {
        if (ref.valid()) {
            names.push_back(trace_.name(ref));
        }
    }
    call.name = names.front();
    for (const std::string_view name : names) {
        call.kind = collectiveKindOf(name);
        if (call.kind != CollectiveKind::Unknown) {
            break;
        }
    }
    if (call.kind == CollectiveKind::SendReceive) {
        nameMessage(call, operators);
    }
}

/// A batch is recognised by operators that launch nothing: see addBatchedMessages().
void Collector::nameMessage(CollectiveCall& call, const Operators& operators) const {
    std::optional<CallMessage> message = messageOf(trace_, call.args);
    if (!message && operators.innermost.valid()) {
        message = messageOfRange(trace_.name(operators.innermost));
        if (message) {
            message->elements = call.args.in_elements;
            message->dtype = call.dtype;
        }
    }
    if (message) {
        call.messages.push_back(*message);
    }
}

void Collector::addKernel(const DeviceEvent& event) {
    const Operators operators = operatorsOf(event.launch);
    if (operators.outermost.valid()) {
        const auto [at, is_new] = call_of_operator_.try_emplace(operators.outermost, calls_.size());
        if (!is_new) {
            CollectiveMember& part = calls_[at->second].part;
            part.slices.push_back(event.ref);
            part.waits_only = part.waits_only && event.waits_only;
            part.span.end_ns = std::max(part.span.end_ns, event.span.end_ns);
            return;
        }
    }
    CollectiveCall call;
    call.part.span = event.span;
    call.part.slices = {event.ref};
    call.part.waits_only = event.waits_only;
    call.part.op = operators.parameters;
    call.part.launch = event.launch;
    call.part.call = event.call;
    if (event.launch.valid()) {
        call.part.ready_ns = readiness_.of(event.call, event.span.start_ns);
    }
    // Without a launch in the file, its stream shows when it was launched: before the next work there. The time when it
    // ran shows nothing, since the device may be some steps behind the host.
    call.step_or_gap = slotAt(event.launched_ns);
    nameCall(call, event.ref, operators);
    calls_.push_back(std::move(call));
}

void Collector::addHostRanges() {
    for (std::uint32_t t = 0; t < trace_.tracks.size(); ++t) {
        if (trace_.tracks[t].kind != TrackKind::CpuThread) {
            continue;
        }
        const SliceTable& slices = trace_.tracks[t].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (slices.category[i] != Category::UserAnnotation || !slices.name[i].valid() ||
                !trace_.strings.view(slices.name[i]).starts_with("gloo:") || slices.span(i).empty()) {
                continue;
            }
            const SliceRef ref{TrackId(t), i};
            CollectiveCall call;
            call.part.span = slices.span(i);
            call.part.slices = {ref};
            call.part.op = ref;
            call.part.ready_ns = slices.start_ns[i];
            call.step_or_gap = slotAt(slices.start_ns[i]);
            nameCall(call, ref, {.outermost = ref, .parameters = ref, .innermost = ref, .sized = ref});
            calls_.push_back(std::move(call));
        }
    }
}

/// Calls of the host are 0, those of streams count from 1. Lanes are texts of numbers: a shorter text is a smaller
/// number.
void Collector::countStreams() {
    using Lane = std::pair<std::size_t, std::string_view>;
    const auto lane_of = [&](const CollectiveCall& call) -> Lane {
        const Track& track = trace_.track(call.part.slices.front());
        const bool device = track.kind == TrackKind::Stream;
        const std::string_view lane = device ? trace_.strings.view(track.lane) : std::string_view();
        return {lane.size(), lane};
    };
    std::map<Lane, std::uint32_t> order = {{Lane(), 0}};
    for (const CollectiveCall& call : calls_) {
        order.emplace(lane_of(call), 0);
    }
    std::uint32_t next = 0;
    for (auto& [lane, place] : order) {
        place = next++;
    }
    for (CollectiveCall& call : calls_) {
        call.stream = order.at(lane_of(call));
    }
}

std::optional<NumberedStepOrGap> Collector::slotAt(TimeNs launched_ns) const {
    const StepMarks& marks = work_.marks;
    const bool numbered = hasNumbers(marks.source);
    if (!numbered || marks.marks.empty()) {
        return std::nullopt;
    }
    const StepOrGap slot = slotOf(marks.marks, launched_ns);
    if (const auto step = slot.step()) {
        return NumberedStepOrGap::inside(marks.marks[*step].index);
    }
    const bool after_all = slot.stepOrNext() == marks.marks.size();
    return NumberedStepOrGap::before(after_all ? marks.marks.back().index + 1 : marks.marks[slot.stepOrNext()].index);
}

}  // namespace

std::vector<CollectiveCall> collectCalls(const RankContext& work) {
    return Collector(work).collect();
}

}  // namespace rankscope
