// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/analysis/counters/counter_series.h"
#include "core/analysis/parallelism/role.h"
#include "core/diagnosis/evidence/rank_groups.h"
#include "ui/timeline/rows/rank_arrangement.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {

/// The kind of a row of the timeline. Alike is for ranks that look the same, Host for the number of running ranks of a
/// host, Counter for a counter of a rank, RunCounter for one of the run, Heading for the ranks that share a place in a
/// dimension of the grid. Sessions store these numbers.
enum class RowKind : std::uint8_t { Run, Rank, Group, Track, Alike, Host, Counter, RunCounter, Heading };
/// Whether rows of this kind are headers, or look like headers: with a line along the top and their own background.
[[nodiscard]] constexpr bool isHeader(RowKind kind) {
    return kind == RowKind::Run || kind == RowKind::Rank || kind == RowKind::Alike || kind == RowKind::Host ||
           kind == RowKind::Heading;
}
/// Groups of tracks that fold together below the streams of a rank. Counters have no header: they are shown or absent.
/// Quiet are threads that record almost nothing, inside Threads. Sessions store these numbers.
enum class TrackGroup : std::uint8_t { Threads, Others, Counters, Quiet };
/// How much of a track is unfolded.
enum class Unfolding : std::uint8_t { Folded, Some, All };

/// Identifies a row for the user's choices, which stay when runs are set again.
struct RowKey {
    /// The RankTrace; null for the header of a run, its counters and its headings; for Alike that of the shown rank,
    /// for Host that of its first rank.
    const void* owner = nullptr;
    RowKind kind = RowKind::Run;
    std::uint32_t id = 0;  ///< id of the group, the track or the run; see also keyOfRunCounter() and keyOfHeading()
    friend auto operator<=>(const RowKey&, const RowKey&) = default;
};
using Folds = std::map<RowKey, Unfolding>;

/// Tracks of one rank in one list: its streams, its threads, its others.
using TrackListKey = RowKey;

/// The user's choices about the rows.
struct RowChoices {
    Folds folds;
    RankOrder rank_order = RankOrder::Number;
    /// The dimension whose places are headings over the ranks of a run, in `rank_order` below each heading; nothing: no
    /// headings.
    std::optional<Role> grouped_by;
    bool fold_alike = true;
    std::set<RowKey> taken_out;   ///< headers of ranks that are shown although they are like others
    std::vector<RowKey> pinned;   ///< tracks, from the top; a pinned one also stays at its usual place
    std::set<RowKey> hidden;      ///< tracks, groups and ranks
    std::map<RowKey, int> sizes;  ///< by track: logical pixels of one row of slices
    /// Lists of tracks that the user reordered: the whole order of a list, by its first track's owner and its kind.
    /// Tracks that are not named come last, in their usual order.
    std::map<TrackListKey, std::vector<std::uint32_t>> orders;
    [[nodiscard]] RankArrangement ranks() const { return {rank_order, grouped_by}; }
    friend bool operator==(const RowChoices&, const RowChoices&) = default;
};

/// The list of a track: streams are directly below the rank's header, the others in a group.
[[nodiscard]] TrackListKey listOf(const RankTrace& trace, TrackId track);
/// The key of a track's row.
[[nodiscard]] RowKey keyOf(const RankTrace& trace, TrackId track);
/// The key of a rank's header.
[[nodiscard]] RowKey keyOf(const RankTrace& trace);

/// The key of the row of a counter of a run.
[[nodiscard]] RowKey keyOfRunCounter(std::uint32_t run, CounterKind kind);
/// The key of the heading over the ranks of a run with a place in the dimension of a role; nothing: ranks whose place
/// is unknown.
[[nodiscard]] RowKey keyOfHeading(std::uint32_t run, Role role, std::optional<std::int32_t> place);

/// Whether the counters of a rank, or of a run, are shown, and setting that.
[[nodiscard]] bool showsCounters(const RankTrace& trace, const RowChoices& choices);
void showCounters(const RankTrace& trace, bool shown, RowChoices& choices);
[[nodiscard]] bool showsCounters(std::uint32_t run, const RowChoices& choices);
void showCounters(std::uint32_t run, bool shown, RowChoices& choices);
/// Shows or hides the counters of the rank of the selection. Without a selection: the counters of the runs, and of each
/// rank if there are at most 16; they are hidden if all of these are shown. Counters of a run of one rank are the
/// rank's.
void toggleCounters(const TimelineModel& model, const Selection& selection, RowChoices& choices);

/// Pins a track below the pinned ones, or unpins it.
void togglePin(const RowKey& track, RowChoices& choices);
/// Hides a track, a group or a rank.
void hideRow(const RowKey& row, RowChoices& choices);
/// Shows everything hidden of a rank, or of all if `owner` is null.
void showHidden(const void* owner, RowChoices& choices);
/// The number of hidden rows of a rank, or of all if `owner` is null.
[[nodiscard]] std::size_t hiddenCount(const void* owner, const RowChoices& choices);

/// The place of a session's row among the open runs, and back; nothing if there is no such row.
[[nodiscard]] std::optional<TimelineState::Row> placeOf(const TimelineModel& model, const RowKey& key);
[[nodiscard]] std::optional<RowKey> keyOf(const TimelineModel& model, const TimelineState::Row& row);

/// For a session: the choices by place instead of by pointer.
void saveRows(const RowChoices& choices, const TimelineModel& model, TimelineState& state);
/// Adds the choices in `state` about single rows that exist; choices for all ranks do not change.
void addRows(const TimelineState& state, const TimelineModel& model, RowChoices& choices);
/// The choices in `state` about rows that exist.
[[nodiscard]] RowChoices rowChoicesOf(const TimelineState& state, const TimelineModel& model);

}  // namespace rankscope::ui
