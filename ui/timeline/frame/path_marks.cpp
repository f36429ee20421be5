// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/path_marks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "ui/timeline/selection/step_path.h"

namespace rankscope::ui {
namespace {

constexpr std::ptrdiff_t kStretchesCompared = 64;  // to find the longest stretch of a mark
constexpr std::int32_t kJoinedFrom = 6;  // device pixels: lines between shorter parts of one rank would fill the area
constexpr int kApart = 14;               // logical pixels: lines between rows that are closer are faint

class PathBuilder {
  public:
    PathBuilder(const ShownPath& path, const RowLayout& layout, const FrameView& view, const RowSizes& sizes,
                Frame& frame)
        : path_(path), layout_(layout), view_(view), sizes_(sizes), frame_(frame) {}

    void build() {
        const std::vector<DrawnStretch>& drawn = path_.drawn;
        auto at = std::ranges::partition_point(
            drawn, [&](const DrawnStretch& s) { return s.span.end_ns <= frame_.window.start_ns; });
        if (at != drawn.begin()) {
            --at;  // so that the line down to the first visible one is included
        }
        while (at != drawn.end() && at->span.start_ns < frame_.window.end_ns) {
            at = addMark(at);
        }
    }

  private:
    using Stretches = std::vector<DrawnStretch>::const_iterator;

    /// Merges the stretches from `first` on that share its pixels into one mark; returns the first one after them.
    Stretches addMark(Stretches first) {
        FramePathMark mark;
        mark.x0 = frame_.scale.pixelAt(first->span.start_ns);
        mark.x1 = std::max(frame_.scale.pixelAt(first->span.end_ns), mark.x0 + 1);
        auto last = std::next(first);
        if (mark.x1 - mark.x0 <= metrics::kSharedPixels) {
            const TimeNs until_ns = frame_.scale.timeAt(mark.x1);
            last = std::partition_point(last, path_.drawn.end(),
                                        [&](const DrawnStretch& s) { return s.span.end_ns <= until_ns; });
        }
        const auto longest = std::max_element(
            first, first + std::min(last - first, kStretchesCompared),
            [](const DrawnStretch& a, const DrawnStretch& b) { return a.span.length() < b.span.length(); });
        mark.stretch = static_cast<std::uint32_t>(longest - path_.drawn.begin());
        mark.count = static_cast<std::uint32_t>(last - first);
        mark.works = longest->works;
        if (const std::optional<Line> line = lineOf(*longest)) {
            mark.y = line->y;
            mark.height = line->height;
            mark.stays = line->stays;
            join(mark, longest->rank);
            const bool in_sight = mark.stays || (mark.y + mark.height > frame_.sticky && mark.y < frame_.height);
            if (in_sight && mark.x1 > 0) {
                frame_.path.push_back(mark);
            }
        }
        return last;
    }

    /// Consecutive marks on one row, which lines between rows connect.
    struct Along {
        std::int32_t x0 = 0;
        std::int32_t y = 0;
        std::int32_t height = 0;
        RankPosition rank;
        std::uint32_t stretch = 0;  ///< the first of them
        bool joined = false;
    };

    /// The line down, or up, to the row of a mark: only if the path stays there long enough to be distinguishable from
    /// its neighbours, and always if it continues on another rank.
    void join(const FramePathMark& mark, RankPosition rank) {
        if (!along_ || along_->y != mark.y || along_->rank != rank) {
            along_ = Along{mark.x0, mark.y, mark.height, rank, mark.stretch, false};
        }
        const bool turns = before_ && before_->rank != rank;
        if (along_->joined || (!turns && mark.x1 - along_->x0 < kJoinedFrom)) {
            return;
        }
        along_->joined = true;
        const std::optional<Along> before = std::exchange(before_, along_);
        if (before && before->y != mark.y) {
            const auto [y0, y1] = std::minmax(before->y, mark.y);
            const std::uint32_t to = turns ? turnBefore(mark.stretch, before->stretch) : along_->stretch;
            add({along_->x0, y0, y1 + mark.height, to, turns, false});
        }
    }

    /// The stretch after the last turn after `from` and up to `stretch`; if there is none, `stretch`.
    [[nodiscard]] std::uint32_t turnBefore(std::uint32_t stretch, std::uint32_t from) const {
        const std::vector<PathTurn>& turns = path_.path.turns;
        const auto after = std::ranges::upper_bound(turns, std::size_t{stretch}, {}, &PathTurn::stretch);
        const bool found = after != turns.begin() && std::prev(after)->stretch > from;
        return found ? static_cast<std::uint32_t>(std::prev(after)->stretch) : stretch;
    }

    void add(FramePathLink link) {
        FramePathLink* const last = frame_.path_links.empty() ? nullptr : &frame_.path_links.back();
        if (last != nullptr && last->x == link.x) {  // they share a pixel
            last->y0 = std::min(last->y0, link.y0);
            last->y1 = std::max(last->y1, link.y1);
            last->stretch = link.turns ? link.stretch : last->stretch;
            last->turns = last->turns || link.turns;
            return;
        }
        const bool in_sight =
            link.x >= 0 && link.x < frame_.width && link.y1 > frame_.sticky && link.y0 < frame_.height;
        if (in_sight) {
            if (last != nullptr && link.x - last->x < pixels(kApart)) {
                link.dense = last->dense = true;
            }
            frame_.path_links.push_back(link);
        }
    }

    struct Line {
        std::int32_t y = 0;
        std::int32_t height = 0;
        bool stays = false;  ///< in a row that stays at the top
    };

    [[nodiscard]] std::int32_t pixels(int logical) const {
        return static_cast<std::int32_t>(std::lround(logical * frame_.pixel_ratio));
    }

    /// The place of the line for a stretch; nothing if every row that could hold it is hidden.
    std::optional<Line> lineOf(const DrawnStretch& stretch) {
        const auto [at, added] = rows_.try_emplace({stretch.rank, stretch.slice.track.value}, nullptr);
        if (added) {
            at->second = layout_.visibleProxy(path_.of.at.run, stretch.rank, stretch.slice.track);
        }
        const LayoutRow* const row = at->second;
        if (row == nullptr) {
            return {};
        }
        const int top = view_.rows.toView(row->y);
        int bottom = top + row->height;
        if (row->kind == RowKind::Track && row->rows > 0) {
            // The free space below the slices is used too, so that the line does not cover their names.
            bottom = top + (std::min<int>(stretch.depth, row->rows - 1) + 1) * row->row_height;
        } else if (row->kind == RowKind::Rank) {
            bottom = top + (row->height + sizes_.step_band) / 2;
        }
        const std::int32_t height = pixels(metrics::kPathLine);
        return Line{pixels(bottom) - height, height, row->y < view_.rows.sticky};
    }

    const ShownPath& path_;
    const RowLayout& layout_;
    const FrameView& view_;
    const RowSizes& sizes_;
    Frame& frame_;
    std::map<std::pair<RankPosition, std::uint32_t>, const LayoutRow*> rows_;  // by rank and track
    std::optional<Along> along_;                                               // the current place of the path, visible
                                                                               // or not
    std::optional<Along> before_;                                              // the place that the last line led to
};

}  // namespace

void addPath(const TimelineModel& model, const RowLayout& layout, const FrameView& view, const RowSizes& sizes,
             Frame& frame) {
    if (const ShownPath* const path = model.path()) {
        PathBuilder(*path, layout, view, sizes, frame).build();
    }
}

}  // namespace rankscope::ui
