// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <optional>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/timeline_state.h"
#include "ui/timeline/viewport.h"

namespace rankscope::ui {

/// The marks of a timeline, by time. At most one is not kept: the next one takes its place.
class Marks {
  public:
    /// Adds a mark and returns its place. A kept one over a passing one of the same span makes that one stay.
    std::size_t add(const TimeSpan& span, bool kept);
    void setText(std::size_t mark, const QString& text) { all_[mark].text = text; }
    void remove(std::size_t mark) { all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(mark)); }
    void set(std::vector<Mark> marks);

    [[nodiscard]] const std::vector<Mark>& all() const { return all_; }
    /// The mark whose flag lies under `x` (logical pixels from the left edge of the tracks), the shortest of several.
    [[nodiscard]] std::optional<std::size_t> at(double x, const Viewport& viewport) const;

  private:
    std::vector<Mark> all_;
};

/// Draws the marks: a flag with its note in `ruler`, and its edges through `tracks`, which lies right below.
void paintMarks(QPainter& painter, const QRect& ruler, const QRect& tracks, const Marks& marks,
                std::optional<std::size_t> selected, const Viewport& viewport, const Theme& theme);

/// Draws the flag that a click at `x` (logical pixels from the left edge of the tracks) would put into `ruler`.
void paintFlagToCome(QPainter& painter, const QRect& ruler, int x, const Theme& theme);

}  // namespace rankscope::ui
