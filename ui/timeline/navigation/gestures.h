// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <Qt>
#include <optional>

#include "ui/timeline/navigation/motion.h"

namespace rankscope::ui {

/// Distinguishes clicks, pans and range drags. Positions are global, since the content under the pointer may move.
class DragTracker {
  public:
    enum class Kind : std::uint8_t { None, Pressed, Pan, Range };

    /// Begins at a position: a pan with the middle button or Shift, else a range.
    void press(const QPoint& at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    /// How far the pointer moved since the last call, once the drag has begun; the first call after that counts from
    /// the press.
    QPoint move(const QPoint& at);
    /// Ends the gesture and returns its kind: Pressed is a click.
    Kind release();
    /// Ends without a click.
    void cancel();

    /// The current kind: None without a press, Pressed until the pointer has moved far enough for a drag, then Pan or
    /// Range.
    [[nodiscard]] Kind kind() const { return kind_; }
    /// Where the pointer was pressed, in global logical pixels.
    [[nodiscard]] const QPoint& origin() const { return origin_; }
    /// The last position that move() has reported, in global logical pixels; the origin before that.
    [[nodiscard]] const QPoint& last() const { return last_; }

  private:
    Kind kind_ = Kind::None;
    Kind wanted_ = Kind::None;
    QPoint origin_;
    QPoint last_;
};

/// The commands of the timeline, shared by menus and keys.
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
    OtherLink,      ///< chooses the link that FollowLink follows, if there are several
    OtherLinkBack,  ///< the same for FollowLinkBack
    RowBelow,       ///< into the selected slice, else to the next track
    RowAbove,
    NextName,  ///< chooses the next row in the column of names, including headers
    PreviousName,
    WiderNames,  ///< width of the column of names
    NarrowerNames,
    FoldTrack,  ///< the row that is chosen by its name, else the selection's track or its header
    FoldRank,
    Mark,        ///< until the next one
    KeepMark,    ///< with a note
    RemoveMark,  ///< the chosen mark
    NoteMark,    ///< the note of the chosen mark
    NextMark,    ///< chooses it
    PreviousMark,
    Clear,
    AreaOfSelection,
    AreaToSelection,  ///< the marked time, up to the selection
    AreaOfAll,        ///< the whole time on the selected rows; once more: on all rows
    PinTrack,         ///< the selected slice's; unpins it if it is pinned
    HideTrack,
    Counters,    ///< shows or hides the counters of the selected rank, or of all
    ShowHidden,  ///< all hidden tracks
    GoBack,      ///< to the place before the last jump
    GoForward,   ///< to where GoBack came from
    Undo,        ///< the last change of rows or marks
    Redo,
};

/// The action of a key, or nothing. WASD are recognised by their position on the keyboard (`scan_code`, 0 if unknown),
/// so that they are together on every layout.
[[nodiscard]] std::optional<TimelineAction> actionOfKey(int key, quint32 scan_code, Qt::KeyboardModifiers modifiers);

/// The held directions after the key of `action` is pressed (`down`) or released; nothing for actions that are not
/// held.
[[nodiscard]] std::optional<Motion::Held> heldWith(Motion::Held held, TimelineAction action, bool down);

}  // namespace rankscope::ui
