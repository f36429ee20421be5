// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/host_stalls.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/analysis/gaps/host_activity.h"
#include "core/analysis/gaps/host_pieces.h"
#include "core/analysis/replay/rank_dependencies.h"
#include "core/base/parallel.h"
#include "core/base/statistics.h"
#include "core/trace/recorded_windows.h"

namespace rankscope {
namespace {

/// Calls per stall at a place whose name says little about the thread's activity, and at one with its own code. What
/// one rank of four does every five steps, such as saving a checkpoint, is one in 20 over all of them: that is work,
/// not a stall.
constexpr std::size_t kCallsAStallOfSoft = 20;
constexpr std::size_t kCallsAStall = 5;
/// This many certain stalls show that threads do not get cores. Then the shorter half of a place's times is its usual
/// time, and anything far above it is a stall: a thread that wakes up while others have the cores stalls nearly every
/// time it gets work.
constexpr std::size_t kStallsOfStarved = 20;
constexpr std::size_t kCallsAStallOfStarved = 2;

/// Operators and ranges that wait on the host, for another rank or thread.
bool waitsOnHost(std::string_view name) {
    return name.starts_with("gloo:") || name.starts_with("mpi:") || name.starts_with("ucc:") ||
           name.find("wait") != std::string_view::npos || name.find("barrier") != std::string_view::npos;
}

/// Whether it is a function of Python written in C: "<built-in method ...>".
bool isBuiltIn(std::string_view name) {
    return name.starts_with('<');
}

/// Launch calls that stalled because the queue of launches was full.
IntervalSet callsIntoFullQueue(const DeviceWork& device) {
    std::vector<const DeviceEvent*> launched;
    launched.reserve(device.events.size() + device.empty_events.size());
    for (const auto* events : {&device.events, &device.empty_events}) {
        for (const DeviceEvent& event : *events) {
            launched.push_back(&event);
        }
    }
    std::ranges::stable_sort(launched, {}, [](const DeviceEvent* event) { return event->launched_ns; });
    std::vector<TimeSpan> calls;
    for (const BlockedLaunch& blocked : findBlockedLaunches(launched, {})) {
        calls.push_back(launched[blocked.event]->call);
    }
    return IntervalSet::unionOf(std::move(calls));
}

/// How long a call that waits for the device takes to return once everything is done: 3 to 83 us in real traces.
constexpr DurationNs kBaselineReturnNs = 10'000;

/// Whether something was launched in `span` whose device work is not in the file, so that a wait may be for that.
bool launchesUnseen(const RankContext& work, const TimeSpan& span) {
    return std::ranges::any_of(work.threads.all(), [&](const HostThread& thread) {
        return std::ranges::any_of(thread.unlinked, [&](SliceIndex i) {
            return span.contains(work.trace->tracks[thread.track.value].slices.start_ns[i]);
        });
    });
}

/// A copy from or to pageable memory uses a buffer that the host fills or empties at this speed or more. So it may
/// return this much later than the device has finished.
constexpr double kLeastHostBytesPerNs = 1;

/// The bytes that a call copies; 0 if it does not copy, or if they are unknown.
std::int64_t bytesOf(const RankTrace& rank, SliceRef call) {
    std::int64_t bytes = 0;
    for (const Launch& launch : rank.launches.launchedBy(call)) {
        const std::int64_t* of_copy = rank.track(launch.device).bytes.find(launch.device.slice);
        bytes += of_copy == nullptr ? 0 : *of_copy;
    }
    return bytes;
}

/// The ends of calls that wait for the device, after all its work was done. There is nothing left to wait for, so the
/// thread does not run, however often this occurs.
std::vector<HostStall> returnsTooLate(const RankContext& work, const std::vector<TrackId>& threads) {
    std::vector<HostStall> stalls;
    if (!work.device.other_devices.empty()) {
        return stalls;  // it is unknown for which of the devices it waits
    }
    const std::span<const TimeSpan> busy = work.device.busy.spans();
    for (const TrackId track : threads) {
        const SliceTable& slices = work.trace->tracks[track.value].slices;
        TimeNs before_ns = work.trace->window.start_ns;  // end of the previous wait: everything launched earlier is
                                                         // done
        for (const SliceIndex i : work.threads.of(track).waits) {
            if (!holdsHost(*work.trace, work.names, {track, i})) {
                continue;
            }
            const TimeSpan call = slices.span(i);
            const TimeNs launched_from_ns = std::exchange(before_ns, call.start_ns);
            const auto after = std::ranges::lower_bound(busy, call.end_ns, {}, &TimeSpan::start_ns);
            const TimeNs done_ns = after == busy.begin() ? call.start_ns : (after - 1)->end_ns;
            const TimeSpan late{std::max(call.start_ns, done_ns), call.end_ns};
            const auto baseline_ns =
                kBaselineReturnNs +
                static_cast<DurationNs>(static_cast<double>(bytesOf(*work.trace, {track, i})) / kLeastHostBytesPerNs);
            if (late.length() > kLeastStallNs && late.length() > multiple(kStallFactor, baseline_ns) &&
                !launchesUnseen(work, {launched_from_ns, call.end_ns})) {
                stalls.push_back({.track = track, .slice = i, .span = late, .baseline_ns = baseline_ns});
            }
        }
    }
    return stalls;
}

/// The pieces of one rank that are long enough for a stall and not in a blocking call.
class Suspects {
  public:
    struct Suspect {
        TrackId track;
        HostPiece piece;
        bool soft = false;
    };

    explicit Suspects(const RankContext& work)
        : work_(work), windows_(*work.trace), threads_(threadsOf(work)), partners_(work) {
        for (const TrackId track : threads_) {
            for (const HostPiece& piece : longPieces(slicesOf(track), track, kLeastStallNs)) {
                forEachPart(track, piece, [&](const HostPiece& part) {
                    if (part.span.length() > kLeastStallNs) {
                        consider(track, part);
                    }
                });
            }
        }
    }

    /// Calls visit(piece) for the pieces of a thread, also those of zero length.
    template <class Visit>
    void forEachPieceOf(TrackId track, const Visit& visit) const {
        forEachPiece(slicesOf(track), track, [&](const HostPiece& piece) { forEachPart(track, piece, visit); });
    }

    /// Stalls at the end of calls that wait for the device.
    [[nodiscard]] std::vector<HostStall> lateReturns() const { return returnsTooLate(work_, threads_); }
    [[nodiscard]] const std::vector<Suspect>& all() const { return all_; }
    [[nodiscard]] const std::vector<TrackId>& threads() const { return threads_; }
    [[nodiscard]] const SliceTable& slicesOf(TrackId track) const { return work_.trace->tracks[track.value].slices; }

  private:
    static std::vector<TrackId> threadsOf(const RankContext& work) {
        std::vector<TrackId> tracks;
        for (const HostThread& thread : work.threads.all()) {
            if (thread.track.valid() && (thread.puts_work || thread.track == work.marks.thread)) {
                tracks.push_back(thread.track);
            }
        }
        return tracks;
    }

    /// If the thread that marks the steps is not busy, these are the parts of a piece in which its partners record
    /// nothing either; if a partner records nothing, it is not its turn. None for a piece that crosses a hole between
    /// two recorded windows.
    template <class Visit>
    void forEachPart(TrackId track, const HostPiece& piece, const Visit& visit) const {
        if (windows_.holeBetween(piece.span.start_ns, piece.span.end_ns)) {
            return;
        }
        if (track == work_.marks.thread && isSoft(piece.slice)) {
            partners_.withoutTheirs(piece, visit);
        } else if (piece.slice.valid() || !partners_.has(track)) {
            visit(piece);
        }
    }

    /// Whether the slice does not keep a thread busy: a named range, a step's mark, Python, or nothing.
    [[nodiscard]] bool isSoft(SliceRef slice) const {
        if (!slice.valid()) {
            return true;
        }
        const SliceTable& slices = slicesOf(slice.track);
        switch (work_.names.kind(slices.name[slice.slice], slices.category[slice.slice])) {
            case HostKind::Annotation:
            case HostKind::StepMark:
            case HostKind::Python:
            case HostKind::Other: return true;
            default: return false;
        }
    }

    void consider(TrackId track, const HostPiece& piece) {
        if (work_.threads.loaderAt(*work_.trace, track, piece.span.start_ns) != kNoSlice || blocks(track, piece)) {
            return;
        }
        all_.push_back({track, piece, isSoft(piece.slice)});
    }

    bool blocks(TrackId track, const HostPiece& piece) {
        if (!piece.slice.valid()) {
            return false;
        }
        const SliceTable& slices = slicesOf(track);
        const SliceIndex slice = piece.slice.slice;
        const StringId name = slices.name[slice];
        switch (work_.names.kind(name, slices.category[slice])) {
            case HostKind::Sync:
            case HostKind::BlockingCopy:
            case HostKind::Allocator:
            case HostKind::WarmUp:
            case HostKind::DataLoader: return true;
            case HostKind::AsyncCopy:
                return holdsHost(*work_.trace, work_.names, piece.slice) || intoFullQueue(piece.span);
            case HostKind::Python: return isBuiltIn(work_.trace->strings.view(name));
            case HostKind::KernelLaunch:
            case HostKind::OtherLaunch: return intoFullQueue(piece.span) || work_.threads.uploadsGraph({track, slice});
            default: return work_.names.readsDevice(name) || waitsOnHost(work_.trace->strings.view(name));
        }
    }

    bool intoFullQueue(const TimeSpan& span) {
        if (!full_queue_) {
            full_queue_ = callsIntoFullQueue(work_.device);
        }
        return !full_queue_->clip(span).empty();
    }

    const RankContext& work_;
    RecordedWindows windows_;
    std::vector<TrackId> threads_;
    HostPartners partners_;
    std::optional<IntervalSet> full_queue_;
    std::vector<Suspect> all_;
};

/// Names of one rank as numbers that are equal on all ranks. All steps have one name, whatever their number.
class NameKeys {
  public:
    explicit NameKeys(const RankContext& work) : trace_(*work.trace) {
        const StringPool& strings = work.trace->strings;
        of_name_.reserve(strings.size());
        for (std::uint32_t i = 0; i < strings.size(); ++i) {
            const bool is_step = work.names.kind(StringId(i), Category::UserAnnotation) == HostKind::StepMark;
            of_name_.push_back(std::hash<std::string_view>()(is_step ? "ProfilerStep" : strings.view(StringId(i))));
        }
    }

    [[nodiscard]] std::uint64_t nameOf(SliceRef slice) const {
        if (!slice.valid()) {
            return 0;
        }
        const StringId name = trace_.track(slice).slices.name[slice.slice];
        return name.valid() ? of_name_[name.value] : 0;
    }
    /// The key of a name between the names before and after it.
    [[nodiscard]] std::uint64_t placeOf(const HostPiece& piece) const {
        std::uint64_t key = 0;
        for (const SliceRef slice : {piece.before, piece.slice, piece.after}) {
            key = (key ^ nameOf(slice)) * 0x9E3779B97F4A7C15ULL;
            key ^= key >> 29U;
        }
        return key;
    }

  private:
    const RankTrace& trace_;
    std::vector<std::uint64_t> of_name_;
};

using Lengths = std::unordered_map<std::uint64_t, std::vector<DurationNs>>;

/// The lengths of all pieces that are needed, by name and by place.
struct Samples {
    Lengths names;
    Lengths places;
};

/// The samples on one rank for the keys in `wanted`.
Samples samplesOf(const Suspects& rank, const NameKeys& keys, const Samples& wanted) {
    Samples samples;
    for (const TrackId track : rank.threads()) {
        rank.forEachPieceOf(track, [&](const HostPiece& piece) {
            const std::uint64_t name = keys.nameOf(piece.slice);
            if (!wanted.names.contains(name)) {
                return;
            }
            samples.names[name].push_back(piece.span.length());
            if (const std::uint64_t place = keys.placeOf(piece); wanted.places.contains(place)) {
                samples.places[place].push_back(piece.span.length());
            }
        });
    }
    return samples;
}

struct Baseline {
    std::size_t calls = 0;
    DurationNs median_ns = 0;
    std::size_t stalls = 0;  ///< of these, longer than the usual time by kStallFactor, and than kLeastStallNs
};

bool isLong(DurationNs length_ns, DurationNs baseline_ns) {
    return length_ns > kLeastStallNs && length_ns > multiple(kStallFactor, baseline_ns);
}

using BaselineOf = std::unordered_map<std::uint64_t, Baseline>;

BaselineOf baselineOf(const std::vector<Samples>& ranks, Lengths Samples::*which, const Lengths& keys) {
    BaselineOf baselines;
    for (const auto& [key, none] : keys) {
        std::vector<DurationNs> all;
        for (const Samples& rank : ranks) {
            if (const auto found = (rank.*which).find(key); found != (rank.*which).end()) {
                all.insert(all.end(), found->second.begin(), found->second.end());
            }
        }
        const DurationNs median_ns = lowerMedian(all);
        const auto stalls = std::ranges::count_if(all, [&](DurationNs ns) { return isLong(ns, median_ns); });
        baselines[key] = {all.size(), median_ns, static_cast<std::size_t>(stalls)};
    }
    return baselines;
}

/// The number of suspects of a rank at each place with a soft name.
std::unordered_map<std::uint64_t, std::size_t> softPlaces(const Suspects& rank, const NameKeys& keys) {
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (const Suspects::Suspect& suspect : rank.all()) {
        places[keys.placeOf(suspect.piece)] += suspect.soft ? 1U : 0U;
    }
    return places;
}

/// Whether something that occurs at a place this many times in all steps of a rank occurs once or twice per step.
bool comesEachStep(std::size_t times, std::size_t steps) {
    return steps >= 3 && 2 * times >= steps && times <= 2 * steps;
}

std::optional<HostStall> judge(const Suspects::Suspect& suspect, const Baseline& name, const Baseline& place,
                               bool starved) {
    const DurationNs length_ns = suspect.piece.span.length();
    const std::size_t calls_a_stall = starved        ? kCallsAStallOfStarved
                                      : suspect.soft ? kCallsAStallOfSoft
                                                     : kCallsAStall;
    const bool is_stall = name.calls >= kLeastCalls && place.calls >= kLeastCalls &&
                          isLong(length_ns, name.median_ns) && isLong(length_ns, place.median_ns) &&
                          place.calls >= calls_a_stall * place.stalls;
    if (!is_stall) {
        return std::nullopt;
    }
    return HostStall{.track = suspect.track,
                     .slice = suspect.piece.slice.slice,
                     .span = suspect.piece.span,
                     .baseline_ns = name.median_ns};
}

std::size_t count(const std::vector<std::vector<HostStall>>& ranks) {
    return std::accumulate(ranks.begin(), ranks.end(), std::size_t{0},
                           [](std::size_t sum, const auto& rank) { return sum + rank.size(); });
}

/// Sorts by thread and start.
std::vector<std::vector<HostStall>> inOrder(std::vector<std::vector<HostStall>> stalls) {
    for (std::vector<HostStall>& rank : stalls) {
        std::ranges::sort(rank, {}, [](const HostStall& stall) { return std::pair(stall.track, stall.span.start_ns); });
    }
    return stalls;
}

}  // namespace

std::vector<std::vector<HostStall>> findHostStalls(std::span<const RankContext> work, std::size_t threads) {
    std::vector<std::vector<HostStall>> stalls(work.size());
    std::vector<std::optional<Suspects>> suspects(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) { suspects[r].emplace(work[r]); });
    forEachIndex(work.size(), threads, [&](std::size_t r) { stalls[r] = suspects[r]->lateReturns(); });
    if (std::ranges::all_of(suspects, [](const auto& rank) { return rank->all().empty(); })) {
        return inOrder(std::move(stalls));
    }
    std::vector<std::optional<NameKeys>> keys(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) { keys[r].emplace(work[r]); });
    Samples wanted;
    for (std::size_t r = 0; r < work.size(); ++r) {
        for (const Suspects::Suspect& suspect : suspects[r]->all()) {
            wanted.names[keys[r]->nameOf(suspect.piece.slice)];
            wanted.places[keys[r]->placeOf(suspect.piece)];
        }
    }
    std::vector<Samples> samples(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) { samples[r] = samplesOf(*suspects[r], *keys[r], wanted); });
    const BaselineOf names = baselineOf(samples, &Samples::names, wanted.names);
    const BaselineOf places = baselineOf(samples, &Samples::places, wanted.places);
    const auto judge_all = [&](bool starved) {
        std::vector<std::vector<HostStall>> found(work.size());
        for (std::size_t r = 0; r < work.size(); ++r) {
            const std::unordered_map<std::uint64_t, std::size_t> regular = softPlaces(*suspects[r], *keys[r]);
            for (const Suspects::Suspect& suspect : suspects[r]->all()) {
                const std::uint64_t place = keys[r]->placeOf(suspect.piece);
                if (suspect.soft && comesEachStep(regular.at(place), work[r].marks.marks.size())) {
                    continue;
                }
                if (const auto stall =
                        judge(suspect, names.at(keys[r]->nameOf(suspect.piece.slice)), places.at(place), starved)) {
                    found[r].push_back(*stall);
                }
            }
        }
        return found;
    };
    std::vector<std::vector<HostStall>> found = judge_all(false);
    if (count(found) + count(stalls) >= kStallsOfStarved) {
        found = judge_all(true);
    }
    for (std::size_t r = 0; r < work.size(); ++r) {
        stalls[r].insert(stalls[r].end(), found[r].begin(), found[r].end());
    }
    return inOrder(std::move(stalls));
}

}  // namespace rankscope
