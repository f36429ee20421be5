// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/parallelism/grid_places.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/rows/track_lists.h"

namespace rankscope::ui {

/// From so many rows on a deep track starts with some of them.
inline constexpr std::uint16_t kSomeRows = 8;
/// So many ranks of a run fill several screens: from here on those that nothing tells apart fold into one row.
inline constexpr std::size_t kFoldAlikeFrom = 16;

/// Puts the rows of a model below one another. Costs O(ranks + their tracks + rows), each group of tracks sorted only
/// where it is unfolded.
class LayoutBuilder {
  public:
    LayoutBuilder(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes, RowLayout& out);

    /// Fills the layout that was given, which is empty. Once.
    void build();

  private:
    Unfolding add(LayoutRow row, Unfolding standard, int height);
    void addPinned();
    void addRun(std::uint32_t run);
    void addRunCounters(const RunView& view, std::uint32_t run);
    void addHosts(const RunView& view, std::uint32_t run);
    /// Which ranks stand for others, and which of them each other rank is folded with.
    struct AlikeFolds {
        std::vector<AlikeRanks> groups;
        std::vector<std::size_t> of_rank;  // in `groups`, by rank; kAlone: it stands by itself
    };
    static constexpr std::size_t kAlone = SIZE_MAX;

    [[nodiscard]] AlikeFolds alikeFolds(const RunView& view) const;
    void addHeading(std::uint32_t run, const RanksOfPlace& of, const AlikeFolds& folds, std::uint32_t heading);
    /// Ranks below one another, those that are alike folded together at the end: under one heading, or all of a run.
    void addRanks(std::uint32_t run, std::span<const RankPosition> ranks, const AlikeFolds& folds,
                  std::uint32_t heading);
    /// Where ranks that are folded stand.
    struct UnderHeading {
        std::uint32_t heading = 0;  ///< 0: under none
        bool away = false;          ///< the rank that is shown for them stands under another one
    };
    void addAlike(const RunView& view, std::uint32_t run, const AlikeRanks& group, std::vector<RankPosition> ranks,
                  const UnderHeading& where);
    void addRank(const RankView& view, std::uint32_t run, RankPosition rank);
    void addCounters(const RankView& view, LayoutRow row);
    void addGroup(const RankView& view, LayoutRow row, TrackGroup group, std::span<const RankTracks::Listed> listed,
                  bool open);
    void addTrack(const RankView& view, LayoutRow row, const RankTracks::Listed& track, Unfolding standard);

    const TimelineModel& model_;
    const RowChoices& choices_;
    const RowSizes& sizes_;
    RowLayout& out_;
    std::size_t ranks_;                        // that are shown or can be unfolded
    std::vector<RankTracks::Listed> streams_;  // of the rank that is being added
};

}  // namespace rankscope::ui
