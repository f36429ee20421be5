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

/// What a row of the timeline is. Alike is for ranks that look the same, Host for how many ranks of a host
/// run at once, Counter for a number of a rank that changes in time, RunCounter for one of the run, Heading for the
/// ranks that share a place in a dimension of the grid. Sessions keep these numbers.
enum class RowKind : std::uint8_t { Run, Rank, Group, Track, Alike, Host, Counter, RunCounter, Heading };
/// Whether rows of this kind head others, or are between them as such do: with a line along the top and a ground of
/// their own.
[[nodiscard]] constexpr bool isHeader(RowKind kind) {
    return kind == RowKind::Run || kind == RowKind::Rank || kind == RowKind::Alike || kind == RowKind::Host ||
           kind == RowKind::Heading;
}
/// What is folded together below the streams of a rank. Counters have no header: they are shown, or not there. Quiet
/// are threads that record next to nothing, inside Threads. Sessions keep these numbers.
enum class TrackGroup : std::uint8_t { Threads, Others, Counters, Quiet };
/// How much of a track is unfolded.
enum class Unfolding : std::uint8_t { Folded, Some, All };

/// A row, for what the user chooses of it: it stays chosen when runs are set again.
struct RowKey {
    /// The RankTrace; none for the header of a run, its counters and its headings; of Alike that of the rank that is
    /// shown, of Host of its first rank.
    const void* owner = nullptr;
    RowKind kind = RowKind::Run;
    std::uint32_t id = 0;  ///< of the group, the track or the run; see keyOfRunCounter and keyOfHeading too
    friend auto operator<=>(const RowKey&, const RowKey&) = default;
};
using Folds = std::map<RowKey, Unfolding>;

/// Tracks of one rank that are together: its streams, its threads, its others.
using TrackListKey = RowKey;

/// What the user chose about the rows.
struct RowChoices {
    Folds folds;
    RankOrder rank_order = RankOrder::Number;
    /// The ranks of a run whose grid has this dimension are under headings, a heading for each place in it, in
    /// `rank_order` below each; nothing: there are no headings.
    std::optional<Role> grouped_by;
    bool fold_alike = true;
    std::set<RowKey> taken_out;   ///< headers of ranks that are shown although they are like others
    std::vector<RowKey> pinned;   ///< tracks, from the top; a pinned one also stays in its place
    std::set<RowKey> hidden;      ///< tracks, groups and ranks
    std::map<RowKey, int> sizes;  ///< of tracks: logical pixels of one row of slices
    /// Tracks that the user moved: the whole order of a list, by its first track's owner and what it holds. Those that
    /// are not named come last, in their usual order.
    std::map<TrackListKey, std::vector<std::uint32_t>> orders;
    [[nodiscard]] RankArrangement ranks() const { return {rank_order, grouped_by}; }
    friend bool operator==(const RowChoices&, const RowChoices&) = default;
};

/// The rows that hold a track: streams are right below the rank's header, the others in a group.
[[nodiscard]] TrackListKey listOf(const RankTrace& trace, TrackId track);
/// The key of a track's row.
[[nodiscard]] RowKey keyOf(const RankTrace& trace, TrackId track);
/// The key of a rank's header.
[[nodiscard]] RowKey keyOf(const RankTrace& trace);

/// The key of the row of a counter of a run.
[[nodiscard]] RowKey keyOfRunCounter(std::uint32_t run, CounterKind kind);
/// The key of the heading over the ranks of a run that have a place in the dimension of a role; nothing: over those
/// whose place is unknown.
[[nodiscard]] RowKey keyOfHeading(std::uint32_t run, Role role, std::optional<std::int32_t> place);

/// Whether the counters of a rank, or of a run, are shown, and the change of that.
[[nodiscard]] bool showsCounters(const RankTrace& trace, const RowChoices& choices);
void showCounters(const RankTrace& trace, bool shown, RowChoices& choices);
[[nodiscard]] bool showsCounters(std::uint32_t run, const RowChoices& choices);
void showCounters(std::uint32_t run, bool shown, RowChoices& choices);
/// Shows the counters of the rank of the selection, or hides them where it shows them. Without a selection those of the
/// runs are meant, and of each rank where there are at most 16; they are hidden where all of these show theirs.
/// Counters of a run of one rank are the rank's.
void toggleCounters(const TimelineModel& model, const Selection& selection, RowChoices& choices);

/// Pins a track below those that are pinned already, or lets go of it.
void togglePin(const RowKey& track, RowChoices& choices);
/// Hides a track, a group or a rank.
void hideRow(const RowKey& row, RowChoices& choices);
/// Shows what was hidden of a rank, or of all where `owner` is null.
void showHidden(const void* owner, RowChoices& choices);
/// How many rows of a rank are hidden, or of all where `owner` is null.
[[nodiscard]] std::size_t hiddenCount(const void* owner, const RowChoices& choices);

/// Where a row of a session is among the open runs, and back; nothing where there is no such row.
[[nodiscard]] std::optional<TimelineState::Row> placeOf(const TimelineModel& model, const RowKey& key);
[[nodiscard]] std::optional<RowKey> keyOf(const TimelineModel& model, const TimelineState::Row& row);

/// For a session: the same by place instead of by pointer.
void saveRows(const RowChoices& choices, const TimelineModel& model, TimelineState& state);
/// Adds what `state` says of single rows that there are; what holds for all ranks stays.
void addRows(const TimelineState& state, const TimelineModel& model, RowChoices& choices);
/// What `state` says of rows that there are.
[[nodiscard]] RowChoices rowChoicesOf(const TimelineState& state, const TimelineModel& model);

}  // namespace rankscope::ui
