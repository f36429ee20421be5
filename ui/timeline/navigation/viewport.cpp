// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/viewport.h"

#include <algorithm>
#include <cmath>

namespace rankscope::ui {
namespace {

constexpr DurationNs kGutterShare = 100;  // the margin at each end is 1/100 of the whole
constexpr double kInstantZoom = 500.0;

}  // namespace

TimeNs PixelScale::timeAt(int pixel) const {
    return static_cast<TimeNs>(std::ceil(static_cast<double>(origin_px + pixel) / pixels_per_ns));
}

void Viewport::setExtent(const TimeSpan& extent) {
    const bool showed_all = window() == limits();
    extent_ = {extent.start_ns, std::max(extent.end_ns, extent.start_ns + kMinSpanNs)};
    if (showed_all) {
        fitAll();
    } else {
        clamp();
    }
}

TimeSpan Viewport::limits() const {
    const DurationNs gutter = std::max<DurationNs>(1, extent_.length() / kGutterShare);
    return {extent_.start_ns - gutter, extent_.end_ns + gutter};
}

void Viewport::setWidth(int pixels) {
    width_ = std::max(1, pixels);
}

TimeSpan Viewport::window() const {
    const auto start = static_cast<TimeNs>(std::llround(start_ns_));
    return {start, start + std::max<DurationNs>(kMinSpanNs, std::llround(span_ns_))};
}

void Viewport::setWindow(const TimeSpan& window) {
    start_ns_ = static_cast<double>(window.start_ns);
    span_ns_ = static_cast<double>(window.length());
    clamp();
}

void Viewport::follow(const TimeSpan& window) {
    followed_ = window;
    setWindow(window);
}

TimeSpan Viewport::reach() const {
    const TimeSpan all = limits();
    return followed_.empty()
               ? all
               : TimeSpan{std::min(all.start_ns, followed_.start_ns), std::max(all.end_ns, followed_.end_ns)};
}

TimeSpan Viewport::windowFitting(const TimeSpan& target, double share) const {
    const double wanted = target.empty() ? span_ns_ / kInstantZoom : static_cast<double>(target.length()) / share;
    const auto length = std::max<DurationNs>(kMinSpanNs, std::llround(wanted));
    const TimeNs middle = target.start_ns + target.length() / 2;
    return {middle - length / 2, middle - length / 2 + length};
}

void Viewport::zoomAt(double x, double factor) {
    const TimeSpan all = reach();
    const double wanted =
        std::clamp(span_ns_ * factor, static_cast<double>(kMinSpanNs), static_cast<double>(all.length()));
    const double share = x / width_;
    start_ns_ += share * (span_ns_ - wanted);
    span_ns_ = wanted;
    clamp();
}

void Viewport::panBy(double pixels) {
    start_ns_ += pixels * span_ns_ / width_;
    clamp();
}

TimeNs Viewport::timeAt(double x) const {
    return static_cast<TimeNs>(std::floor(start_ns_ + x * span_ns_ / width_));
}

double Viewport::xAt(TimeNs t) const {
    return (static_cast<double>(t) - start_ns_) * width_ / span_ns_;
}

PixelScale Viewport::scale(int device_pixels) const {
    const double pixels_per_ns = device_pixels / span_ns_;
    return {pixels_per_ns, static_cast<std::int64_t>(std::floor(start_ns_ * pixels_per_ns))};
}

void Viewport::clamp() {
    const TimeSpan all = reach();
    const auto length = static_cast<double>(all.length());
    span_ns_ = std::clamp(span_ns_, static_cast<double>(kMinSpanNs), std::max<double>(length, kMinSpanNs));
    const auto first = static_cast<double>(all.start_ns);
    start_ns_ = std::clamp(start_ns_, first, std::max(first, first + length - span_ns_));
}

}  // namespace rankscope::ui
