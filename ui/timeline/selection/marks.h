// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QRectF>
#include <optional>
#include <span>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/selection/selection.h"
#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {

class TimelineModel;

/// The marks of a timeline in order of time, and the chosen one. At most one is temporary: the next mark replaces it.
class Marks {
  public:
    /// Adds a mark and chooses it. A kept one with the same span as a temporary one makes that one permanent.
    void add(TimeMark mark);
    /// Sets the marks of a session, and chooses none.
    void set(std::vector<TimeMark> marks);
    /// Moves each with the clock of its rank from one model to the next, and drops those whose run was closed; false if
    /// nothing changes.
    bool carryOver(const TimelineModel& model, const TimelineModel& earlier);
    [[nodiscard]] const std::vector<TimeMark>& all() const { return all_; }

    /// The chosen mark as an index in all(); nothing if none is chosen.
    [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }
    /// Chooses a mark by its index in all(), or none.
    void choose(std::optional<std::size_t> mark) { chosen_ = mark; }
    /// Chooses the next or the previous mark, and wraps around; if none is chosen, the first that starts at `from` (on
    /// the axis) or later, or else the first of all.
    void chooseNext(Direction direction, TimeNs from);
    /// Sets the note of the chosen mark; false if none is chosen.
    bool setNote(const QString& text);
    /// Removes the chosen mark, so that none is chosen; false if none was.
    bool removeChosen();

    /// The mark whose flag is under `x` (logical pixels from the left edge of the tracks), the shortest of several, as
    /// an index in all().
    [[nodiscard]] std::optional<std::size_t> at(double x, const Viewport& viewport) const;

  private:
    std::vector<TimeMark> all_;
    std::optional<std::size_t> chosen_;
};

/// A flag and its note, in logical pixels.
struct FlagNote {
    QRectF flag;
    double width = 0;     ///< width of the note, with its margins
    bool beside = false;  ///< it may be placed beside a flag that is too narrow for it
};
/// The places of the notes, as `flags`: in their flags in the middle or at an end, or after them, there with less than
/// their width if no more is free; nothing if a note does not fit in `strip` beside other notes and shorter flags,
/// which are above its own.
[[nodiscard]] std::vector<std::optional<QRectF>> placeNotes(std::span<const FlagNote> flags, const QRectF& strip);

/// Draws the marks: a flag with its note in `ruler`, and its edges through `tracks`, which is directly below. The
/// chosen one is brighter.
void paintMarks(QPainter& painter, const QRect& ruler, const QRect& tracks, const Marks& marks,
                const Viewport& viewport, const Theme& theme);

/// Draws the flag that a click at `x` (logical pixels from the left edge of the tracks) would add to `ruler`.
void paintFlagToCome(QPainter& painter, const QRect& ruler, int x, const Theme& theme);

}  // namespace rankscope::ui
