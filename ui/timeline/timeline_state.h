// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "core/analysis/step_cells.h"
#include "core/base/time.h"
#include "ui/timeline/overlays.h"

namespace rankscope::ui {

/// A place in time that the user marked, with a note.
struct Mark {
    TimeSpan span;  ///< on the axis: nanoseconds from the run's first instant; empty for an instant
    QString text;
    bool kept = false;  ///< else the next mark takes its place
    friend bool operator==(const Mark&, const Mark&) = default;
};

/// What the user chose to see on the timeline, for a session to keep. Plain values, nothing of the traces.
struct TimelineState {
    TimeSpan window;  ///< on the axis; empty: all
    int scroll = 0;   ///< logical pixels
    OverlaySet overlays;
    bool overview = true;
    StepMeasure measure = StepMeasure::Lateness;
    std::vector<Mark> marks;

    /// A header or a track that is folded otherwise than it would be by itself.
    struct Fold {
        std::uint32_t run = 0;    ///< index among the open runs
        std::uint32_t rank = 0;   ///< index in Run::ranks
        std::uint8_t kind = 0;    ///< RowKind
        std::uint32_t id = 0;     ///< of the group or track
        std::uint8_t amount = 0;  ///< Unfolding
        friend bool operator==(const Fold&, const Fold&) = default;
    };
    std::vector<Fold> folds;
    friend bool operator==(const TimelineState&, const TimelineState&) = default;
};

}  // namespace rankscope::ui
