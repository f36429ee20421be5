// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/parallelism/role.h"
#include "core/analysis/steps/step_cells.h"
#include "core/base/time.h"
#include "core/diagnosis/evidence/rank_groups.h"
#include "ui/timeline/frame/overlays.h"

namespace rankscope::ui {

/// A mark of the user on a span of time, with a note.
struct TimeMark {
    TimeSpan span;  ///< on the axis: nanoseconds from the run's first instant; empty for an instant
    QString text;
    bool kept = false;  ///< false: the next mark replaces it
    /// The rank whose clock it follows, and with whose run it is closed: that of the marked item, else the first one.
    std::uint32_t run = 0;  ///< index among the open runs
    RankPosition rank;
    friend bool operator==(const TimeMark&, const TimeMark&) = default;
};

/// The user's choices about the timeline, for a session. Plain values, nothing of the traces.
struct TimelineState {
    TimeSpan window;  ///< on the axis; empty: all
    int scroll = 0;   ///< logical pixels
    OverlaySet overlays;
    bool overview = true;
    StepMeasure measure = StepMeasure::Lateness;
    int names_width = 0;  ///< width of the column of names, logical pixels at the usual text size; 0: the default
    std::vector<TimeMark> marks;

    /// A header or a track that the user has folded or unfolded.
    struct Fold {
        std::uint32_t run = 0;  ///< index among the open runs
        RankPosition rank;
        std::uint8_t kind = 0;    ///< RowKind
        std::uint32_t id = 0;     ///< id of the group or track
        std::uint8_t amount = 0;  ///< Unfolding
        friend bool operator==(const Fold&, const Fold&) = default;
    };
    std::vector<Fold> folds;

    /// A header or a track.
    struct Row {
        std::uint32_t run = 0;  ///< index among the open runs
        RankPosition rank;
        std::uint8_t kind = 0;  ///< RowKind
        std::uint32_t id = 0;   ///< id of the group or track
        friend bool operator==(const Row&, const Row&) = default;
    };
    /// The height of one row of slices of a track.
    struct Size {
        Row row;
        int pixels = 0;  ///< logical pixels
        friend bool operator==(const Size&, const Size&) = default;
    };
    /// The user's order of the tracks of one list.
    struct Order {
        Row list;  ///< the rank, for its streams, or a group
        std::vector<std::uint32_t> tracks;
        friend bool operator==(const Order&, const Order&) = default;
    };
    RankOrder rank_order = RankOrder::Number;
    std::optional<Role> grouped_by;  ///< the dimension whose places are headings over the ranks
    bool fold_alike = true;          ///< ranks that are alike share a row
    std::optional<bool> one_rank;    ///< only one rank shows its host threads; nothing: the default
    std::vector<Row> taken_out;      ///< ranks that are shown although they are like others
    std::vector<Row> pinned;         ///< tracks, from the top
    std::vector<Row> hidden;         ///< tracks, groups and ranks
    std::vector<Size> sizes;
    std::vector<Order> orders;

    /// A position in a row.
    struct Place {
        Row row;
        bool pinned = false;  ///< at the pinned place of a track that is shown twice
        int offset = 0;       ///< logical pixels below the row's upper edge
        friend bool operator==(const Place&, const Place&) = default;
    };
    /// The marked area.
    struct MarkedArea {
        TimeSpan span;  ///< on the axis
        Place from;
        Place to;
        friend bool operator==(const MarkedArea&, const MarkedArea&) = default;
    };
    std::optional<MarkedArea> area;
    friend bool operator==(const TimelineState&, const TimelineState&) = default;
};

/// The part of `state` about the rows and marks of one run, with the index `as` for it.
[[nodiscard]] TimelineState stateOfRun(const TimelineState& state, std::uint32_t run, std::uint32_t as);

}  // namespace rankscope::ui
