// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/frame_timer.h"

namespace rankscope::ui {

FrameTimer::FrameTimer(QObject* parent) : QObject(parent) {
    uptime_.start();
    timer_.setInterval(kFrameMs);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, [this] {
        const double ms = static_cast<double>(since_frame_.nsecsElapsed()) / 1e6;
        since_frame_.restart();
        Q_EMIT beat(ms);
    });
}

void FrameTimer::start() {
    if (!timer_.isActive()) {
        since_frame_.start();
        timer_.start();
    }
}

}  // namespace rankscope::ui
