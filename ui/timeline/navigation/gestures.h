// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <Qt>
#include <optional>

#include "ui/timeline/navigation/motion.h"

namespace rankscope::ui {

/// Tells clicks, pans and range drags apart. Positions are global, since what is under the pointer may move.
class DragTracker {
  public:
    enum class Kind : std::uint8_t { None, Pressed, Pan, Range };

    /// Begins at a position: a pan with the middle button or Shift, else a range.
    void press(const QPoint& at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    /// How far the pointer came since the last call, once the drag has begun; the first call after that counts from the
    /// press.
    QPoint move(const QPoint& at);
    /// What ended: Pressed is a click.
    Kind release();
    /// Ends without a click.
    void cancel();

    /// What goes on now: None without a press, Pressed until the pointer has come far enough to be a drag, then Pan or
    /// Range.
    [[nodiscard]] Kind kind() const { return kind_; }
    /// Where the pointer was pressed, in global logical pixels.
    [[nodiscard]] const QPoint& origin() const { return origin_; }
    /// Up to where move() has reported the drag, in global logical pixels; the origin until it has begun.
    [[nodiscard]] const QPoint& last() const { return last_; }

  private:
    Kind kind_ = Kind::None;
    Kind wanted_ = Kind::None;
    QPoint origin_;
    QPoint last_;
};

/// The commands of the timeline; menus and keys share these.
enum class TimelineAction : std::uint8_t {
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    FitSelection,
    FitAll,
    NextSlice,
    PreviousSlice,
    NextGap,
    PreviousGap,
    FollowLink,
    FollowLinkBack,
    OtherLink,      ///< that FollowLink goes along, where there are several
    OtherLinkBack,  ///< the same for FollowLinkBack
    RowBelow,       ///< to what is inside the selected slice, else on the next track
    RowAbove,
    NextName,  ///< chooses the next row in the column of names, headers included
    PreviousName,
    WiderNames,  ///< the column of names
    NarrowerNames,
    FoldTrack,  ///< the row that is chosen by its name, else the selection's track, or what holds it
    FoldRank,
    Mark,        ///< until the next one
    KeepMark,    ///< with a note
    RemoveMark,  ///< the one that is chosen
    NoteMark,    ///< of the one that is chosen
    NextMark,    ///< chooses it
    PreviousMark,
    Clear,
    AreaOfSelection,
    AreaToSelection,  ///< what is marked, up to the selection
    AreaOfAll,        ///< all of the time on the selected rows; once more: on all rows
    PinTrack,         ///< the selected slice's; lets go of it where it is pinned
    HideTrack,
    Counters,    ///< of the rank of the selection, or of all: shows or hides them
    ShowHidden,  ///< all tracks that are hidden
    GoBack,      ///< to the place that the last jump left
    GoForward,   ///< to where GoBack came from
    Undo,        ///< the last change of rows or marks
    Redo,
};

/// The action of a key, or nothing. WASD are recognised by their place on the keyboard (`scan_code`, 0 if unknown), so
/// that they are together on every keyboard.
[[nodiscard]] std::optional<TimelineAction> actionOfKey(int key, quint32 scan_code, Qt::KeyboardModifiers modifiers);

/// The directions that are held once the key of `action` is pressed (`down`) or let go of; nothing for the actions that
/// are not held.
[[nodiscard]] std::optional<Motion::Held> heldWith(Motion::Held held, TimelineAction action, bool down);

}  // namespace rankscope::ui
