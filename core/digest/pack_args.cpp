// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/pack_trace.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/digest/transfer.h"

namespace rankscope {
namespace {

// Each member of the args has its own column, since texts and numbers of one meaning pack best together.

template <class Way>
void transferArgs(const Way& way, std::int64_t& bytes) {
    way("copy.bytes", bytes);
}

template <class Way>
void transferArgs(const Way& way, CollectiveArgs& args) {
    way("collective.name", args.name);
    way("collective.dtype", args.dtype);
    way("collective.group_name", args.group_name);
    way("collective.group_description", args.group_description);
    way("collective.group_ranks", args.group_ranks);
    way("collective.comms_id", args.comms_id);
    way("collective.in_elements", args.in_elements);
    way("collective.out_elements", args.out_elements);
    way("collective.sequence", args.sequence);
    way("collective.group_size", args.group_size);
    way("collective.rank", args.rank);
    way("collective.global_start", args.global_start);
    way("collective.global_stride", args.global_stride);
    way("collective.peer_src", args.peer_src);
    way("collective.peer_dst", args.peer_dst);
}

template <class Way>
void transferArgs(const Way& way, SyncArgs& args) {
    way("wait.kind", args.kind);
    way("wait.on_stream", args.wait_on_stream);
    way("wait.event", args.event_record_correlation);
}

template <class Way>
void transferArgs(const Way& way, OperatorInputs& args) {
    way("input.shapes", args.shapes);
    way("input.types", args.types);
    way("input.values", args.values);
    way("input.flops", args.flops);
}

template <class Way>
void transferArgs(const Way& way, std::uint32_t& grid) {
    way("grid.hash", grid);
}

/// The columns that store the number of values per track, and the slices that have them.
struct Where {
    std::string_view count;
    std::string_view slice;
};
constexpr Where kCopies = {"copy.count", "copy.slice"};
constexpr Where kCollectives = {"collective.count", "collective.slice"};
constexpr Where kWaits = {"wait.count", "wait.slice"};
constexpr Where kInputs = {"input.count", "input.slice"};
constexpr Where kGrids = {"grid.count", "grid.slice"};

template <class T>
void packSparse(const SparseColumn<T>& from, const Where& where, ColumnsOut& columns) {
    columns[where.count].put(from.size());
    SliceIndex next = 0;
    for (const SliceIndex slice : from.slice) {
        columns[where.slice].put(slice - next);
        next = slice + 1;
    }
    const auto save = [&columns](std::string_view name, auto& value) { Saving{columns[name]}(value); };
    for (T value : from.value) {
        transferArgs(save, value);
    }
}

void expectText(StringId id, std::size_t strings, const ColumnReader& column) {
    if (id.valid() && id.value >= strings) {
        column.fail("names a text that does not exist");
    }
}

template <class T>
void unpackSparse(ColumnsIn& columns, const Where& where, std::size_t strings, std::size_t slices,
                  SparseColumn<T>& into) {
    const std::uint64_t count = columns[where.count].get();
    if (count > slices) {
        columns[where.count].fail("contains a number that is too large");
    }
    into.slice.reserve(static_cast<std::size_t>(count));
    into.value.resize(static_cast<std::size_t>(count));
    if (count == 0) {
        return;
    }
    ColumnReader& places = columns[where.slice];
    std::uint64_t next = 0;
    std::vector<ColumnReader*> readers;  // one per member, in the order of transferArgs(): looked up once, by name
    std::size_t member = 0;
    const auto load = [&](std::string_view name, auto& value) {
        if (member == readers.size()) {
            readers.push_back(&columns[name]);
        }
        ColumnReader& column = *readers[member++];
        Loading{column}(value);
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, StringId>) {
            expectText(value, strings, column);
        }
    };
    for (T& value : into.value) {
        next += places.getBelow(slices - next);
        into.slice.push_back(static_cast<SliceIndex>(next++));
        member = 0;
        transferArgs(load, value);
    }
}

/// A slice as its distance to the last one used on its track, and the track as its distance to the last one.
class SliceGuess {
  public:
    explicit SliceGuess(std::size_t tracks) : last_(tracks) {}

    void put(SliceRef ref, ColumnWriter& tracks, ColumnWriter& slices) {
        tracks.putSigned(static_cast<std::int64_t>(ref.track.value) - track_);
        track_ = ref.track.value;
        slices.putSigned(static_cast<std::int64_t>(ref.slice) - last_[ref.track.value]);
        last_[ref.track.value] = ref.slice;
    }
    [[nodiscard]] SliceRef get(ColumnReader& tracks, ColumnReader& slices, const RankTrace& trace) {
        track_ = roundSum(track_, tracks.getSigned());
        if (track_ < 0 || track_ >= static_cast<std::int64_t>(last_.size())) {
            tracks.fail("names a track that does not exist");
        }
        std::int64_t& last = last_[static_cast<std::size_t>(track_)];
        last = roundSum(last, slices.getSigned());
        const Track& track = trace.tracks[static_cast<std::size_t>(track_)];
        if (last < 0 || last >= static_cast<std::int64_t>(track.slices.size())) {
            slices.fail("names a slice that does not exist");
        }
        return {TrackId(static_cast<std::uint32_t>(track_)), static_cast<SliceIndex>(last)};
    }

  private:
    std::vector<std::int64_t> last_;
    std::int64_t track_ = 0;
};

/// Pairs of slices: launches and flows.
struct PairColumns {
    std::string_view count;
    std::string_view from_track;
    std::string_view from;
    std::string_view to_track;
    std::string_view to;
};
constexpr PairColumns kLaunches = {"launch.count", "launch.host_track", "launch.host", "launch.device_track",
                                   "launch.device"};
constexpr PairColumns kFlows = {"flow.count", "flow.from_track", "flow.from", "flow.to_track", "flow.to"};

using SlicePair = std::pair<SliceRef, SliceRef>;

void packPairs(const std::vector<SlicePair>& pairs, const PairColumns& names, std::size_t tracks, ColumnsOut& columns) {
    SliceGuess from(tracks);
    SliceGuess to(tracks);
    columns[names.count].put(pairs.size());
    ColumnWriter& from_track = columns[names.from_track];
    ColumnWriter& from_slice = columns[names.from];
    ColumnWriter& to_track = columns[names.to_track];
    ColumnWriter& to_slice = columns[names.to];
    for (const auto& [a, b] : pairs) {
        from.put(a, from_track, from_slice);
        to.put(b, to_track, to_slice);
    }
}

template <class Add>
void unpackPairs(ColumnsIn& columns, const PairColumns& names, const RankTrace& trace, const Add& add) {
    SliceGuess from(trace.tracks.size());
    SliceGuess to(trace.tracks.size());
    ColumnReader& from_track = columns[names.from_track];
    ColumnReader& from_slice = columns[names.from];
    ColumnReader& to_track = columns[names.to_track];
    ColumnReader& to_slice = columns[names.to];
    for (std::uint64_t left = columns[names.count].get(); left > 0; --left) {
        const SliceRef a = from.get(from_track, from_slice, trace);
        add(a, to.get(to_track, to_slice, trace));
    }
}

void packLaunches(const RankTrace& trace, ColumnsOut& columns) {
    std::vector<SlicePair> pairs;
    for (const Launch& launch : trace.launches.all()) {
        pairs.emplace_back(launch.host, launch.device);
    }
    packPairs(pairs, kLaunches, trace.tracks.size(), columns);
    pairs.clear();
    for (const Flow& flow : trace.flows) {
        pairs.emplace_back(flow.from, flow.to);
    }
    packPairs(pairs, kFlows, trace.tracks.size(), columns);
}

void unpackLaunches(ColumnsIn& columns, RankTrace& trace) {
    std::vector<Launch> launches;
    unpackPairs(columns, kLaunches, trace, [&](SliceRef a, SliceRef b) { launches.push_back({a, b}); });
    launches.shrink_to_fit();
    trace.launches = LaunchTable(std::move(launches));
    unpackPairs(columns, kFlows, trace, [&](SliceRef a, SliceRef b) { trace.flows.push_back({a, b}); });
}

/// Predicts an allocator event from the previous ones: a block is freed with the bytes of its allocation, and the total
/// changes by that.
class MemoryGuess {
  public:
    /// The number of an address, from 1; a new address gets the next number.
    struct Block {
        std::uint64_t number = 0;
        std::int64_t bytes = 0;  ///< bytes of its last event
    };
    struct Totals {
        std::int64_t allocated = 0;
        std::int64_t reserved = 0;
    };
    std::unordered_map<std::uint64_t, Block> blocks;
    std::vector<std::uint64_t> addresses;  ///< by number minus one
    std::unordered_map<std::int16_t, Totals> totals;
};

void packMemory(const RankTrace& trace, ColumnsOut& columns) {
    const MemoryTable& memory = trace.memory;
    MemoryGuess guess;
    TimeNs last_ns = trace.window.start_ns;
    std::uint64_t last_address = 0;
    columns["memory.count"].put(memory.size());
    for (std::size_t i = 0; i < memory.size(); ++i) {
        columns["memory.at"].putSigned(roundDifference(memory.at_ns[i], last_ns));
        last_ns = memory.at_ns[i];
        MemoryGuess::Block& block = guess.blocks[memory.address[i]];
        columns["memory.block"].put(block.number);
        if (block.number == 0) {
            guess.addresses.push_back(memory.address[i]);
            block.number = guess.addresses.size();
            columns["memory.address"].putSigned(static_cast<std::int64_t>(memory.address[i] - last_address));
            last_address = memory.address[i];
        }
        columns["memory.bytes"].putSigned(roundSum(memory.bytes[i], block.bytes));
        block.bytes = memory.bytes[i];
        columns["memory.device"].putSigned(memory.device[i]);
        MemoryGuess::Totals& totals = guess.totals[memory.device[i]];
        columns["memory.allocated"].putSigned(
            roundDifference(memory.total_allocated[i], roundSum(totals.allocated, memory.bytes[i])));
        columns["memory.reserved"].putSigned(roundDifference(memory.total_reserved[i], totals.reserved));
        totals = {memory.total_allocated[i], memory.total_reserved[i]};
    }
}

void unpackMemory(ColumnsIn& columns, RankTrace& trace) {
    MemoryTable& memory = trace.memory;
    MemoryGuess guess;
    TimeNs last_ns = trace.window.start_ns;
    std::uint64_t last_address = 0;
    for (std::uint64_t left = columns["memory.count"].get(); left > 0; --left) {
        last_ns = roundSum(last_ns, columns["memory.at"].getSigned());
        memory.at_ns.push_back(last_ns);
        const std::uint64_t number = columns["memory.block"].getBelow(guess.addresses.size() + 1);
        if (number == 0) {
            last_address += static_cast<std::uint64_t>(columns["memory.address"].getSigned());
            guess.addresses.push_back(last_address);
        }
        const std::uint64_t address = number == 0 ? last_address : guess.addresses[number - 1];
        memory.address.push_back(address);
        std::int64_t& block = guess.blocks[address].bytes;
        block = roundDifference(columns["memory.bytes"].getSigned(), block);
        memory.bytes.push_back(block);
        Loading{columns["memory.device"]}(memory.device.emplace_back());
        MemoryGuess::Totals& totals = guess.totals[memory.device.back()];
        totals.allocated = roundSum(columns["memory.allocated"].getSigned(), roundSum(totals.allocated, block));
        totals.reserved = roundSum(columns["memory.reserved"].getSigned(), totals.reserved);
        memory.total_allocated.push_back(totals.allocated);
        memory.total_reserved.push_back(totals.reserved);
    }
}

void packSensors(const RankTrace& trace, ColumnsOut& columns) {
    const SensorTable& sensors = trace.sensors;
    columns["sensor.count"].put(sensors.size());
    TimeNs last_ns = trace.window.start_ns;
    for (std::size_t i = 0; i < sensors.size(); ++i) {
        columns["sensor.at"].putSigned(roundDifference(sensors.at_ns[i], last_ns));
        last_ns = sensors.at_ns[i];
        columns["sensor.kind"].put(static_cast<std::uint64_t>(sensors.sensor[i]));
        columns["sensor.device"].putSigned(sensors.device[i]);
        columns["sensor.value"].putSigned(sensors.value[i]);
    }
}

void unpackSensors(ColumnsIn& columns, RankTrace& trace) {
    SensorTable& sensors = trace.sensors;
    TimeNs last_ns = trace.window.start_ns;
    for (std::uint64_t left = columns["sensor.count"].get(); left > 0; --left) {
        last_ns = roundSum(last_ns, columns["sensor.at"].getSigned());
        sensors.at_ns.push_back(last_ns);
        sensors.sensor.push_back(static_cast<Sensor>(columns["sensor.kind"].getBelow(kSensors)));
        Loading{columns["sensor.device"]}(sensors.device.emplace_back());
        sensors.value.push_back(columns["sensor.value"].getSigned());
    }
}

}  // namespace

void packArgs(const RankTrace& trace, ColumnsOut& columns) {
    for (const Track& track : trace.tracks) {
        packSparse(track.bytes, kCopies, columns);
        packSparse(track.collectives, kCollectives, columns);
        packSparse(track.syncs, kWaits, columns);
        packSparse(track.inputs, kInputs, columns);
        packSparse(track.grids, kGrids, columns);
    }
    packLaunches(trace, columns);
    packMemory(trace, columns);
    packSensors(trace, columns);
}

void unpackArgs(ColumnsIn& columns, RankTrace& trace) {
    const std::size_t strings = trace.strings.size();
    for (Track& track : trace.tracks) {
        const std::size_t slices = track.slices.size();
        unpackSparse(columns, kCopies, strings, slices, track.bytes);
        unpackSparse(columns, kCollectives, strings, slices, track.collectives);
        unpackSparse(columns, kWaits, strings, slices, track.syncs);
        unpackSparse(columns, kInputs, strings, slices, track.inputs);
        if (columns.has(kGrids.count)) {
            unpackSparse(columns, kGrids, strings, slices, track.grids);
        }
    }
    unpackLaunches(columns, trace);
    unpackMemory(columns, trace);
    if (columns.has("sensor.count")) {
        unpackSensors(columns, trace);
    }
}

}  // namespace rankscope
