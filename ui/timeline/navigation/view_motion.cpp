// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/view_motion.h"

#include "ui/timeline/timeline_scene.h"

namespace rankscope::ui {
namespace {

constexpr double kWalkMs = 600;  // jumps that follow each other within this time are one entry of the history

}  // namespace

void ViewMotion::travelTo(const TimeSpan& window) {
    if (window != scene_.viewport().window() || motion_.moving()) {  // it may be on its way to another one
        motion_.moveTo(window, frames_.uptimeMs(), scene_.changeView());
        frames_.start();
    }
    Q_EMIT changed();
}

void ViewMotion::panBy(double pixels) {
    motion_.panBy(pixels);
    frames_.start();
}

void ViewMotion::zoomBy(double amount, double x) {
    motion_.zoomBy(amount, x);
    frames_.start();
}

void ViewMotion::hold(Motion::Held held) {
    motion_.hold(held);
    if (held.any()) {
        frames_.start();
    }
}

void ViewMotion::finish() {
    frames_.stop();
    motion_.finish(scene_.changeView());
}

ViewPlace ViewMotion::here(const Selection& selection) const {
    return {motion_.destination(scene_.viewport()), scene_.scroll(), selection};
}

// After a walk from slice to slice, going back leads to its start.
void ViewMotion::leave(const Selection& selection) {
    const double now_ms = frames_.uptimeMs();
    if (now_ms >= walk_until_ms_) {
        places_.leave(here(selection));
    }
    walk_until_ms_ = now_ms + kWalkMs;
}

void ViewMotion::returnTo(const TimeSpan& window) {
    walk_until_ms_ = 0;
    travelTo(window);
}

void ViewMotion::beat(double ms) {
    if (!motion_.advance(ms, scene_.changeView())) {
        frames_.stop();
    }
    Q_EMIT changed();
}

}  // namespace rankscope::ui
