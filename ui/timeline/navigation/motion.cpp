// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/motion.h"

#include <algorithm>
#include <cmath>

namespace rankscope::ui {
namespace {

constexpr double kFrameMs = 1000.0 / 60.0;
constexpr double kGlideLeft = 0.6;  // remaining part of a glide after one frame of 1/60 s
constexpr double kTravelMs = 300;
constexpr double kHurryMs = 300;  // after a move
constexpr double kFirstStepPx = 50;
constexpr double kFirstZoom = 0.10;
constexpr double kPanWidthsPerSecond = 0.9;  // when a key is held; increases by the same amount every half second
constexpr double kZoomPerSecond = 1.6;
constexpr double kAccelerationMs = 500;
constexpr double kMostAcceleration = 3.0;
constexpr double kRestPx = 0.1;
constexpr double kRestZoom = 0.0005;

double smoothstep(double x) {
    return x * x * (3 - 2 * x);
}

// Between two windows of different lengths the ends move exponentially, so that zooming looks even.
TimeSpan between(const TimeSpan& a, const TimeSpan& b, double share) {
    const auto length_a = static_cast<double>(std::max<DurationNs>(1, a.length()));
    const auto length_b = static_cast<double>(std::max<DurationNs>(1, b.length()));
    const double length = length_a * std::pow(length_b / length_a, share);
    // The start moves in proportion to the change of the length; if the lengths are equal, in proportion to time.
    const double gone = std::abs(length_b - length_a) < 1 ? share : (length - length_a) / (length_b - length_a);
    const double start = std::lerp(static_cast<double>(a.start_ns), static_cast<double>(b.start_ns), gone);
    const auto start_ns = static_cast<TimeNs>(std::llround(start));
    return {start_ns, start_ns + static_cast<DurationNs>(std::llround(length))};
}

}  // namespace

void Motion::hold(Held held) {
    if (held.pan != 0 && held.pan != held_.pan) {
        panBy(held.pan * kFirstStepPx);
        held_ms_ = 0;
    }
    if (held.zoom != 0 && held.zoom != held_.zoom) {
        zoomBy(held.zoom * kFirstZoom, zoom_x_);
        held_ms_ = 0;
    }
    held_ = held;
}

void Motion::panBy(double pixels) {
    travelling_ = false;
    pan_rest_px_ += pixels;
}

void Motion::zoomBy(double amount, double x) {
    travelling_ = false;
    zoom_rest_ += amount;
    zoom_x_ = x;
}

void Motion::moveTo(const TimeSpan& window, double now_ms, Viewport& viewport) {
    pan_rest_px_ = 0;
    zoom_rest_ = 0;
    const bool hurried = travelling_ || now_ms < hurried_until_ms_;
    hurried_until_ms_ = now_ms + kHurryMs + (hurried ? 0 : kTravelMs);
    if (hurried) {
        travelling_ = false;
        viewport.setWindow(window);
        return;
    }
    travelling_ = true;
    travel_ms_ = 0;
    from_ = viewport.window();
    to_ = window;
}

bool Motion::moving() const {
    return travelling_ || held_.any() || std::abs(pan_rest_px_) > kRestPx || std::abs(zoom_rest_) > kRestZoom;
}

bool Motion::advance(double ms, Viewport& viewport) {
    if (travelling_) {
        followTarget(ms, viewport);
        return moving();
    }
    pushHeld(ms, viewport.width());
    const double left = std::pow(kGlideLeft, ms / kFrameMs);
    const double pan = std::abs(pan_rest_px_) > kRestPx ? pan_rest_px_ * (1 - left) : pan_rest_px_;
    const double zoom = std::abs(zoom_rest_) > kRestZoom ? zoom_rest_ * (1 - left) : zoom_rest_;
    pan_rest_px_ -= pan;
    zoom_rest_ -= zoom;
    if (zoom != 0) {
        viewport.zoomAt(zoom_x_, std::exp(-zoom));
    }
    if (pan != 0) {
        viewport.panBy(pan);
    }
    return moving();
}

void Motion::pushHeld(double ms, int width) {
    if (!held_.any()) {
        return;
    }
    held_ms_ += ms;
    const double speed = std::min(kMostAcceleration, 1 + held_ms_ / kAccelerationMs) * ms / 1000;
    pan_rest_px_ += held_.pan * kPanWidthsPerSecond * width * speed;
    zoom_rest_ += held_.zoom * kZoomPerSecond * speed;
}

void Motion::followTarget(double ms, Viewport& viewport) {
    travel_ms_ += ms;
    if (travel_ms_ >= kTravelMs) {
        travelling_ = false;
        viewport.setWindow(to_);
        return;
    }
    viewport.setWindow(between(from_, to_, smoothstep(travel_ms_ / kTravelMs)));
}

void Motion::finish(Viewport& viewport) {
    held_ = {};
    if (travelling_) {
        viewport.setWindow(to_);
    }
    if (zoom_rest_ != 0) {
        viewport.zoomAt(zoom_x_, std::exp(-zoom_rest_));
    }
    if (pan_rest_px_ != 0) {
        viewport.panBy(pan_rest_px_);
    }
    stop();
    hurried_until_ms_ = 0;
}

void Motion::stop() {
    held_ = {};
    travelling_ = false;
    pan_rest_px_ = 0;
    zoom_rest_ = 0;
}

}  // namespace rankscope::ui
