// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/parallelism/grid_places.h"
#include "ui/timeline/rows/row_density.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/rows/track_lists.h"

namespace rankscope::ui {

/// A track with more rows than this is deep, and starts with this many of them.
inline constexpr std::uint16_t kSomeRows = 8;
/// The same if several ranks share the height, and for pinned tracks.
inline constexpr std::uint16_t kFewerRows = 5;
/// A deep track that would hide fewer rows than this shows them: a text about them would take the same space.
inline constexpr std::uint16_t kLeastHidden = 3;
/// This many ranks of a run fill several screens: from here on, ranks that are alike fold into one row.
inline constexpr std::size_t kFoldAlikeFrom = 16;

/// Stacks the rows of a model. O(ranks + their tracks + rows); a group of tracks is sorted only if it is unfolded.
class LayoutBuilder {
  public:
    LayoutBuilder(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes, const RowFocus& focus,
                  const RowDensity& density, RowLayout& out);

    /// Fills the given empty layout with the rows of up to `most_ranks` ranks. Call once.
    void build(std::size_t most_ranks = SIZE_MAX);

  private:
    Unfolding add(LayoutRow row, Unfolding standard, int height);
    void addPinned();
    void addRun(std::uint32_t run);
    void addRunCounters(const RunView& view, std::uint32_t run);
    void addHosts(const RunView& view, std::uint32_t run);
    /// Which ranks represent others, and with which one each other rank is folded.
    struct AlikeFolds {
        std::vector<AlikeRanks> groups;
        std::vector<std::size_t> of_rank;  // in `groups`, by rank; kAlone: it is not folded
    };
    static constexpr std::size_t kAlone = SIZE_MAX;

    [[nodiscard]] AlikeFolds alikeFolds(const RunView& view) const;
    void addHeading(std::uint32_t run, const RanksOfPlace& of, const AlikeFolds& folds, std::uint32_t heading);
    /// Adds ranks below each other, with those that are alike folded together at the end: under one heading, or over
    /// the whole run.
    void addRanks(std::uint32_t run, std::span<const RankPosition> ranks, const AlikeFolds& folds,
                  std::uint32_t heading);
    /// Where folded ranks are.
    struct UnderHeading {
        std::uint32_t heading = 0;  ///< 0: under no heading
        bool away = false;          ///< the rank that represents them is under another heading
    };
    void addAlike(const RunView& view, std::uint32_t run, const AlikeRanks& group, std::vector<RankPosition> ranks,
                  const UnderHeading& where);
    void addRank(const RankView& view, std::uint32_t run, RankPosition rank);
    void addCounters(const RankView& view, LayoutRow row);
    void addGroup(const RankView& view, LayoutRow row, TrackGroup group, std::span<const RankTracks::Listed> listed,
                  bool open);
    /// Adds the tracks of an unfolded group, below its header.
    void addTracks(const RankView& view, LayoutRow row, std::span<const RankTracks::Listed> tracks);
    /// Adds the threads of a rank that record almost nothing: as one row, or below it if the user has unfolded it.
    void addQuiet(const RankView& view, LayoutRow row, std::span<const RankTracks::Listed> tracks);
    /// Whether a rank shows its host threads by default.
    [[nodiscard]] bool inFocus(const RankView& view) const;
    void addTrack(const RankView& view, LayoutRow row, const RankTracks::Listed& track, Unfolding standard);

    const TimelineModel& model_;
    const RowChoices& choices_;
    const RowSizes& sizes_;
    const RowFocus& focus_;
    const RowDensity& density_;
    RowLayout& out_;
    std::size_t ranks_;  // ranks that are shown or can be unfolded
    std::size_t most_ranks_ = SIZE_MAX;
    const void* in_focus_ = nullptr;           // the RankTrace that shows its host threads, if only one does
    RankHeights heights_;                      // heights for the rank being added
    std::vector<RankTracks::Listed> streams_;  // streams of the rank being added
};

}  // namespace rankscope::ui
