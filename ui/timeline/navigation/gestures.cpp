// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/gestures.h"

#include <array>

#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {

void DragTracker::press(const QPoint& at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
    origin_ = at;
    last_ = at;
    kind_ = Kind::Pressed;
    const bool pans = button == Qt::MiddleButton || modifiers.testFlag(Qt::ShiftModifier);
    wanted_ = pans ? Kind::Pan : Kind::Range;
}

QPoint DragTracker::move(const QPoint& at) {
    if (kind_ == Kind::Pressed && (at - origin_).manhattanLength() > metrics::kDragThreshold) {
        kind_ = wanted_;
    }
    if (kind_ != Kind::Pan && kind_ != Kind::Range) {
        return {};
    }
    const QPoint way = at - last_;
    last_ = at;
    return way;
}

DragTracker::Kind DragTracker::release() {
    const Kind ended = kind_;
    kind_ = Kind::None;
    return ended;
}

void DragTracker::cancel() {
    kind_ = Kind::None;
}

namespace {

struct KeyBinding {
    int key;
    quint32 scan_code;  // scan code of X11 and Wayland (evdev + 8); 0 if the letter counts, not the position of the key
    bool shift;
    TimelineAction action;
};

constexpr std::array<KeyBinding, 17> kBindings = {{
    {Qt::Key_W, 25, false, TimelineAction::ZoomIn},
    {Qt::Key_S, 39, false, TimelineAction::ZoomOut},
    {Qt::Key_A, 38, false, TimelineAction::PanLeft},
    {Qt::Key_D, 40, false, TimelineAction::PanRight},
    {Qt::Key_F, 0, false, TimelineAction::FitSelection},
    {Qt::Key_Period, 0, false, TimelineAction::NextSlice},
    {Qt::Key_Comma, 0, false, TimelineAction::PreviousSlice},
    {Qt::Key_G, 0, false, TimelineAction::NextGap},
    {Qt::Key_G, 0, true, TimelineAction::PreviousGap},
    {Qt::Key_BracketRight, 0, false, TimelineAction::FollowLink},
    {Qt::Key_BracketLeft, 0, false, TimelineAction::FollowLinkBack},
    {Qt::Key_M, 0, false, TimelineAction::Mark},
    {Qt::Key_M, 0, true, TimelineAction::KeepMark},
    {Qt::Key_Delete, 0, false, TimelineAction::RemoveMark},
    {Qt::Key_Escape, 0, false, TimelineAction::Clear},
    {Qt::Key_R, 0, false, TimelineAction::AreaOfSelection},
    {Qt::Key_T, 0, true, TimelineAction::PinTrack},
}};

}  // namespace

std::optional<TimelineAction> actionOfKey(int key, quint32 scan_code, Qt::KeyboardModifiers modifiers) {
    // AltGr types the brackets on many keyboards, and the keypad modifier is irrelevant.
    if ((modifiers & (Qt::ControlModifier | Qt::MetaModifier)) != 0) {
        return {};
    }
    const bool shift = modifiers.testFlag(Qt::ShiftModifier);
    if (scan_code != 0 && !shift) {
        for (const KeyBinding& binding : kBindings) {
            if (binding.scan_code == scan_code) {
                return binding.action;
            }
        }
    }
    for (const KeyBinding& binding : kBindings) {
        const bool by_letter = binding.scan_code == 0 || scan_code == 0;
        if (by_letter && binding.key == key && binding.shift == shift) {
            return binding.action;
        }
    }
    return {};
}

std::optional<Motion::Held> heldWith(Motion::Held held, TimelineAction action, bool down) {
    const auto set = [down](int& direction, int value) {
        if (down) {
            direction = value;
        } else if (direction == value) {
            direction = 0;
        }
    };
    switch (action) {
        case TimelineAction::ZoomIn: set(held.zoom, 1); break;
        case TimelineAction::ZoomOut: set(held.zoom, -1); break;
        case TimelineAction::PanRight: set(held.pan, 1); break;
        case TimelineAction::PanLeft: set(held.pan, -1); break;
        default: return {};
    }
    return held;
}

}  // namespace rankscope::ui
