// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/string_pool.h"
#include "core/ingest/bounds.h"
#include "core/ingest/kineto/decimal_time.h"
#include "core/ingest/kineto/event_text.h"
#include "core/ingest/kineto/sensor_events.h"
#include "core/trace/health.h"
#include "core/trace/track.h"

namespace rankscope {

/// A value of one row of a PartialTrack.
template <class T>
struct RowValue {
    SliceIndex row = 0;
    T value{};
};

/// The origin of events: a pid, and the rank that a merger wrote into their args. A file of the profiler has one origin
/// for the host process and one per device; in a merged file each belongs to one rank
/// (core/ingest/assembly/ranks_of_file.h).
struct Origin {
    StringId pid;                          ///< as text
    std::int32_t rank = -1;                ///< `args.rank`; -1 if there is none
    StringId pid_raw;                      ///< `args.pid_raw`: the pid before the merger changed it
    std::vector<StringId> names;           ///< the first few `process_name` and `process_labels` of the process
    std::uint64_t other_events = 0;        ///< events that are not stored: metadata, instants
    std::uint64_t negative_durations = 0;  ///< slices with a duration below zero
    std::uint64_t unkept = 0;              ///< events of kinds that are not kept (other counters, other phases)
};

/// The slices that one thread read for one track and origin, in file order.
struct PartialTrack {
    TrackKind kind = TrackKind::Other;
    std::uint32_t origin = 0;  ///< index of PartialTrace::origins
    StringId process;
    StringId lane;
    std::vector<TimeNs> start_ns;
    std::vector<TimeNs> end_ns;
    std::vector<EventSource> source;
    std::vector<StringId> name;
    std::vector<Category> category;
    std::vector<SliceFlag> flag;
    std::vector<RowValue<std::int64_t>> correlation;
    std::vector<RowValue<std::int64_t>> bytes;
    std::vector<RowValue<CollectiveArgs>> collectives;
    std::vector<RowValue<SyncArgs>> syncs;
    std::vector<RowValue<OperatorInputs>> inputs;
    std::vector<RowValue<std::uint32_t>> grids;

    /// The number of slices of the track that have been read so far.
    [[nodiscard]] std::size_t size() const { return start_ns.size(); }
};

/// One end of a flow arrow. A flow does not say whether its pid is a process or a device; linking determines it.
struct FlowPoint {
    std::int64_t id = 0;
    TimeNs at_ns = 0;
    StringId process;
    StringId lane;
    bool start = false;
    bool forward_backward = false;  ///< `fwdbwd`; else a launch (`ac2g`, `async_cpu_to_gpu`, `async`)
    std::uint32_t origin = 0;
};

struct LaneName {
    std::uint32_t origin = 0;
    StringId process;
    StringId lane;
    StringId name;
};

struct MemoryPoint {
    TimeNs at_ns = 0;
    std::int64_t bytes = 0;
    std::uint64_t address = 0;
    std::int64_t total_allocated = -1;
    std::int64_t total_reserved = -1;
    std::int16_t device = -1;
    std::uint32_t origin = 0;
};

struct SensorPoint {
    TimeNs at_ns = 0;
    SensorValue measured;
    std::int16_t device = -1;  ///< the number in the counter's name; -1 if it has none
    StringId process;          ///< the pid, which for a GPU's counters is usually its number
    std::uint32_t origin = 0;
};

/// The part of a file that one thread has read. Several are joined to a rank trace at the end. Events are interpreted
/// here: their kind, their track and their time.
class PartialTrace {
  public:
    /// Adds an event. False, with the reason in `why`, if it makes no sense; then nothing of it is kept.
    bool add(const EventText& event, std::uint64_t offset, bool recovered, std::string& why);

    /// Discards everything that was added since `mark` was taken: a batch that ended inside an event is read again.
    struct Mark {
        std::vector<std::size_t> track_sizes;
        std::vector<std::array<std::size_t, 6>> sparse_sizes;
        std::size_t flows = 0;
        std::size_t lanes = 0;
        std::size_t memory = 0;
        std::size_t sensors = 0;
        std::vector<std::array<std::uint64_t, 3>> origin_counts;
        std::uint64_t events = 0;
        std::uint64_t recovered = 0;
        std::size_t parse_issues = 0;
        BoundsReport out_of_bounds;
    };
    [[nodiscard]] Mark mark() const;
    void rollBack(const Mark& mark);

    /// The texts for its ids.
    [[nodiscard]] const StringPool& texts() const { return shared_strings ? *shared_strings : strings; }

    StringPool strings;
    /// Used instead of `strings` if one thread read several ranks.
    std::shared_ptr<const StringPool> shared_strings;
    std::vector<Origin> origins;
    std::vector<PartialTrack> tracks;
    std::vector<FlowPoint> flows;
    std::vector<LaneName> lanes;
    std::vector<MemoryPoint> memory;
    std::vector<SensorPoint> sensors;
    Health health;
    BoundsReport out_of_bounds;  ///< numbers of events that are out of bounds
    /// Top-level keys after the events, with their text, in order.
    std::vector<std::pair<std::string, std::string>> metadata;
    bool saw_end = false;  ///< the end of the event array was read

  private:
    bool addSlice(const EventText& event, std::uint64_t offset, bool recovered, std::string& why);
    bool addMemory(const EventText& event, std::string& why);
    bool addCounter(const EventText& event, std::string& why);
    bool addFlow(const EventText& event, std::string& why);
    void addMetadata(const EventText& event);
    std::uint32_t originOf(const EventText& event);
    std::uint32_t findOrigin(std::string_view pid, std::string_view rank);
    std::int64_t boundedArg(const EventText& event, Arg arg, std::string_view what, std::int64_t lowest,
                            std::int64_t highest);
    std::int32_t rankArg(const EventText& event, Arg arg, std::string_view what);
    CollectiveArgs collectiveArgs(const EventText& event);
    void addArgs(const EventText& event, PartialTrack& track);
    void addInputs(const EventText& event, PartialTrack& track, SliceIndex row);
    static void addGrid(const EventText& event, PartialTrack& track, SliceIndex row);
    void addSentTensor(const EventText& event, PartialTrack& track, SliceIndex row);
    std::uint32_t trackOf(const EventText& event);
    StringId text(std::string_view raw, bool& repaired);
    StringId textOf(const EventText& event, Arg arg);

    /// A process and a lane as events spell them, to look up those of the previous event.
    struct Spelling {
        std::string process;
        std::string lane;
        [[nodiscard]] bool is(std::string_view p, std::string_view l) const { return process == p && lane == l; }
    };
    struct CachedTrack {
        Spelling spelling;
        std::uint32_t origin = 0;
        TrackKind kind = TrackKind::Other;
        TrackId track;
    };
    std::unordered_map<std::string, std::uint32_t> origin_index_;
    /// A pid and an `args.rank` as events spell them.
    struct CachedOrigin {
        std::string pid;
        std::string rank;
        std::uint32_t origin = kNoOrigin;
    };
    static constexpr std::uint32_t kNoOrigin = ~std::uint32_t{0};
    std::array<CachedOrigin, 4> recent_origins_;
    std::size_t next_origin_ = 0;
    std::size_t last_origin_ = 0;
    std::unordered_map<std::string, std::uint32_t> track_index_;
    std::array<CachedTrack, 4> recent_;
    std::size_t next_recent_ = 0;
    std::size_t last_recent_ = 0;
    Spelling flow_spelling_;
    StringId flow_process_;
    StringId flow_lane_;
    std::uint64_t offset_ = 0;
};

/// The kind of track for events of this category.
[[nodiscard]] TrackKind trackKindOf(Category category);

}  // namespace rankscope
