// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "core/analysis/device/area_sums.h"
#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope::ui {

/// One slice of one rank of one of the open runs.
struct SliceSelection {
    std::uint32_t run = 0;  ///< index among the open runs
    RankPosition rank;
    SliceRef slice;
    friend bool operator==(const SliceSelection&, const SliceSelection&) = default;
};

/// One gap of the device: RunFacts::ranks[rank].steps[step].gaps[gap].
struct GapSelection {
    std::uint32_t run = 0;
    RankPosition rank;
    RankStepPosition step;
    std::uint32_t gap = 0;
    friend bool operator==(const GapSelection&, const GapSelection&) = default;
};

/// How the communication of a band relates to compute at that time.
enum class BandKind : std::uint8_t { Overlap, Exposed };

/// A stretch of communication: an interval of RankFacts::overlap or RankFacts::exposed_communication.
struct BandSelection {
    std::uint32_t run = 0;
    RankPosition rank;
    BandKind kind = BandKind::Overlap;
    std::uint32_t index = 0;
    friend bool operator==(const BandSelection&, const BandSelection&) = default;
};

/// The time in which a rank delayed the others: Diagnosis::findings[finding].late[window].
struct StragglerSelection {
    std::uint32_t run = 0;
    RankPosition rank;
    std::uint32_t finding = 0;
    std::uint32_t window = 0;
    friend bool operator==(const StragglerSelection&, const StragglerSelection&) = default;
};

/// One finding of one open run: OpenRuns[run]->diagnosis.findings[finding].
struct FindingSelection {
    std::uint32_t run = 0;
    std::uint32_t finding = 0;
    friend bool operator==(const FindingSelection&, const FindingSelection&) = default;
};

/// A step of one of the open runs: RunFacts::steps[step].
struct StepSelection {
    std::uint32_t run = 0;  ///< index among the open runs
    RunStepPosition step;
    friend bool operator==(const StepSelection&, const StepSelection&) = default;
};

/// A stretch of time on some tracks of one run.
struct AreaSelection {
    std::uint32_t run = 0;  ///< index among the open runs
    Area area;
};

/// The selection: one tagged value, from which every panel derives what it shows. std::monostate is nothing.
using Selection = std::variant<std::monostate, SliceSelection, GapSelection, BandSelection, StragglerSelection>;

/// A track that can be chosen by its name.
struct NamedTrack {
    std::uint32_t run = 0;  ///< index among the open runs
    RankPosition rank;
    TrackId track;
    QString title;  ///< "rank 3 · stream 7"
    QString run_name;
};
/// The run and the rank of a selection, as indices; nothing without a selection.
[[nodiscard]] inline std::optional<std::pair<std::uint32_t, RankPosition>> rankOf(const Selection& selection) {
    return std::visit(
        [](const auto& s) -> std::optional<std::pair<std::uint32_t, RankPosition>> {
            if constexpr (requires { s.rank; }) {
                return std::pair(s.run, s.rank);
            } else {
                return {};
            }
        },
        selection);
}

/// The direction through slices, gaps, links and marks: later or further down, or earlier and further up.
enum class Direction : std::uint8_t { Forward, Back };

}  // namespace rankscope::ui
