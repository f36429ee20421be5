// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/host_stalls.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/analysis/gaps/host_activity.h"
#include "core/analysis/replay/rank_dependencies.h"
#include "core/base/parallel.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Of a place that says little about what a thread does there, and of one that is code of its own.
constexpr std::size_t kCallsAStallOfSoft = 20;
constexpr std::size_t kCallsAStall = 5;

/// A stretch of a thread with one innermost slice, and the innermost ones before and after it.
struct Piece {
    SliceIndex before = kNoSlice;
    SliceIndex slice = kNoSlice;
    SliceIndex after = kNoSlice;
    TimeSpan span;
};

/// Calls visit(piece) for all pieces of a thread but the first and the last, which are cut.
template <class Visit>
void forEachPiece(const SliceTable& slices, const Visit& visit) {
    if (slices.size() == 0) {
        return;
    }
    Piece piece;
    std::size_t seen = 0;
    const TimeSpan all{slices.start_ns.front(), std::ranges::max(slices.end_ns)};
    forEachInnermost(slices, all, [&](SliceIndex inner, const TimeSpan& span) {
        piece.after = inner;
        if (seen >= 2) {
            visit(piece);
        }
        ++seen;
        piece = {piece.slice, inner, kNoSlice, span};
    });
}

/// Operators and ranges that wait on the host, for another rank or thread.
bool waitsOnHost(std::string_view name) {
    return name.starts_with("gloo:") || name.starts_with("mpi:") || name.starts_with("ucc:") ||
           name.find("wait") != std::string_view::npos || name.find("barrier") != std::string_view::npos;
}

/// Whether it is a function of Python written in C: "<built-in method ...>".
bool isBuiltIn(std::string_view name) {
    return name.starts_with('<');
}

/// Launch calls that stood still since the queue of launches was full.
IntervalSet callsIntoFullQueue(const DeviceWork& device) {
    std::vector<const DeviceEvent*> launched;
    launched.reserve(device.events.size());
    for (const DeviceEvent& event : device.events) {
        launched.push_back(&event);
    }
    std::ranges::stable_sort(launched, {}, [](const DeviceEvent* event) { return event->launched_ns; });
    std::vector<TimeSpan> calls;
    for (const BlockedLaunch& blocked : findBlockedLaunches(launched)) {
        calls.push_back(launched[blocked.event]->call);
    }
    return IntervalSet::unionOf(std::move(calls));
}

/// The pieces of one rank that are long enough for a stall and in nothing that blocks.
class Suspects {
  public:
    struct Suspect {
        TrackId track;
        Piece piece;
        bool soft = false;
    };

    explicit Suspects(const RankContext& work)
        : work_(work), activities_(*work.trace, work.names, work.threads), threads_(threadsOf(work)) {
        for (const TrackId track : threads_) {
            forEachPiece(slicesOf(track), [&](const Piece& piece) {
                if (piece.span.length() > kLeastStallNs) {
                    consider(track, piece);
                }
            });
        }
    }

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

    void consider(TrackId track, const Piece& piece) {
        if (activities_.loaderAt(track, piece.span.start_ns) != kNoSlice || blocks(track, piece)) {
            return;
        }
        all_.push_back({track, piece, activities_.of(track, piece.slice).soft});
    }

    bool blocks(TrackId track, const Piece& piece) {
        if (piece.slice == kNoSlice) {
            return false;
        }
        const SliceTable& slices = slicesOf(track);
        const StringId name = slices.name[piece.slice];
        switch (work_.names.kind(name, slices.category[piece.slice])) {
            case HostKind::Sync:
            case HostKind::BlockingCopy:
            case HostKind::Allocator:
            case HostKind::DataLoader: return true;
            case HostKind::AsyncCopy:
                return activities_.of(track, piece.slice).wait.valid() || intoFullQueue(piece.span);
            case HostKind::Python: return isBuiltIn(work_.trace->strings.view(name));
            case HostKind::KernelLaunch:
            case HostKind::OtherLaunch: return intoFullQueue(piece.span);
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
    HostActivities activities_;
    std::vector<TrackId> threads_;
    std::optional<IntervalSet> full_queue_;
    std::vector<Suspect> all_;
};

/// Names of one rank as numbers that are the same on all ranks. Steps are one name, whatever their number.
class NameKeys {
  public:
    explicit NameKeys(const RankContext& work) {
        const StringPool& strings = work.trace->strings;
        of_name_.reserve(strings.size());
        for (std::uint32_t i = 0; i < strings.size(); ++i) {
            const bool is_step = work.names.kind(StringId(i), Category::UserAnnotation) == HostKind::StepMark;
            of_name_.push_back(std::hash<std::string_view>()(is_step ? "ProfilerStep" : strings.view(StringId(i))));
        }
    }

    [[nodiscard]] std::uint64_t nameOf(const SliceTable& slices, SliceIndex slice) const {
        return slice == kNoSlice || !slices.name[slice].valid() ? 0 : of_name_[slices.name[slice].value];
    }
    /// Of the name between the names before and after it.
    [[nodiscard]] std::uint64_t placeOf(const SliceTable& slices, const Piece& piece) const {
        std::uint64_t key = 0;
        for (const SliceIndex slice : {piece.before, piece.slice, piece.after}) {
            key = (key ^ nameOf(slices, slice)) * 0x9E3779B97F4A7C15ULL;
            key ^= key >> 29U;
        }
        return key;
    }

  private:
    std::vector<std::uint64_t> of_name_;
};

using Lengths = std::unordered_map<std::uint64_t, std::vector<DurationNs>>;

/// The lengths of all pieces that are to be known, by name and by place.
struct Samples {
    Lengths names;
    Lengths places;
};

/// What `wanted` holds keys of, on one rank.
Samples samplesOf(const Suspects& rank, const NameKeys& keys, const Samples& wanted) {
    Samples samples;
    for (const TrackId track : rank.threads()) {
        const SliceTable& slices = rank.slicesOf(track);
        forEachPiece(slices, [&](const Piece& piece) {
            const std::uint64_t name = keys.nameOf(slices, piece.slice);
            if (!wanted.names.contains(name)) {
                return;
            }
            samples.names[name].push_back(piece.span.length());
            if (const std::uint64_t place = keys.placeOf(slices, piece); wanted.places.contains(place)) {
                samples.places[place].push_back(piece.span.length());
            }
        });
    }
    return samples;
}

struct Usual {
    std::size_t calls = 0;
    DurationNs median_ns = 0;
    std::size_t stalls = 0;  ///< of these, longer than what is usual by kStallFactor, and than kLeastStallNs
};

bool isLong(DurationNs length_ns, DurationNs usual_ns) {
    return length_ns > kLeastStallNs && length_ns > kStallFactor * usual_ns;
}

using UsualOf = std::unordered_map<std::uint64_t, Usual>;

UsualOf usualOf(const std::vector<Samples>& ranks, Lengths Samples::*which, const Lengths& keys) {
    UsualOf usual;
    for (const auto& [key, none] : keys) {
        std::vector<DurationNs> all;
        for (const Samples& rank : ranks) {
            if (const auto found = (rank.*which).find(key); found != (rank.*which).end()) {
                all.insert(all.end(), found->second.begin(), found->second.end());
            }
        }
        const DurationNs median_ns = lowerMedian(all);
        const auto stalls = std::ranges::count_if(all, [&](DurationNs ns) { return isLong(ns, median_ns); });
        usual[key] = {all.size(), median_ns, static_cast<std::size_t>(stalls)};
    }
    return usual;
}

/// How many suspects a rank has at each place of which little is known.
std::unordered_map<std::uint64_t, std::size_t> softPlaces(const Suspects& rank, const NameKeys& keys) {
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (const Suspects::Suspect& suspect : rank.all()) {
        places[keys.placeOf(rank.slicesOf(suspect.track), suspect.piece)] += suspect.soft ? 1U : 0U;
    }
    return places;
}

/// Whether what a place shows so many times in all steps of a rank is something that a step does once or twice.
bool comesEachStep(std::size_t times, std::size_t steps) {
    return steps >= 3 && 2 * times >= steps && times <= 2 * steps;
}

std::optional<HostStall> judge(const Suspects::Suspect& suspect, const Usual& name, const Usual& place) {
    const DurationNs length_ns = suspect.piece.span.length();
    const std::size_t calls_a_stall = suspect.soft ? kCallsAStallOfSoft : kCallsAStall;
    const bool is_stall = name.calls >= kLeastCalls && place.calls >= kLeastCalls &&
                          isLong(length_ns, name.median_ns) && isLong(length_ns, place.median_ns) &&
                          place.calls >= calls_a_stall * place.stalls;
    if (!is_stall) {
        return std::nullopt;
    }
    return HostStall{.track = suspect.track,
                     .slice = suspect.piece.slice,
                     .span = suspect.piece.span,
                     .baseline_ns = name.median_ns};
}

}  // namespace

std::vector<std::vector<HostStall>> findHostStalls(std::span<const RankContext> work, std::size_t threads) {
    std::vector<std::vector<HostStall>> stalls(work.size());
    std::vector<std::optional<Suspects>> suspects(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) { suspects[r].emplace(work[r]); });
    if (std::ranges::all_of(suspects, [](const auto& rank) { return rank->all().empty(); })) {
        return stalls;
    }
    std::vector<std::optional<NameKeys>> keys(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) { keys[r].emplace(work[r]); });
    Samples wanted;
    for (std::size_t r = 0; r < work.size(); ++r) {
        for (const Suspects::Suspect& suspect : suspects[r]->all()) {
            const SliceTable& slices = suspects[r]->slicesOf(suspect.track);
            wanted.names[keys[r]->nameOf(slices, suspect.piece.slice)];
            wanted.places[keys[r]->placeOf(slices, suspect.piece)];
        }
    }
    std::vector<Samples> samples(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) { samples[r] = samplesOf(*suspects[r], *keys[r], wanted); });
    const UsualOf names = usualOf(samples, &Samples::names, wanted.names);
    const UsualOf places = usualOf(samples, &Samples::places, wanted.places);
    for (std::size_t r = 0; r < work.size(); ++r) {
        const std::unordered_map<std::uint64_t, std::size_t> regular = softPlaces(*suspects[r], *keys[r]);
        for (const Suspects::Suspect& suspect : suspects[r]->all()) {
            const SliceTable& slices = suspects[r]->slicesOf(suspect.track);
            if (suspect.soft &&
                comesEachStep(regular.at(keys[r]->placeOf(slices, suspect.piece)), work[r].marks.marks.size())) {
                continue;
            }
            if (const auto stall = judge(suspect, names.at(keys[r]->nameOf(slices, suspect.piece.slice)),
                                         places.at(keys[r]->placeOf(slices, suspect.piece)))) {
                stalls[r].push_back(*stall);
            }
        }
    }
    return stalls;
}

}  // namespace rankscope
