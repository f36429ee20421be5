// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace rankscope::ui {

/// Ticks once per frame while something moves, and measures the time between frames.
class FrameTimer : public QObject {
    Q_OBJECT

  public:
    /// A frame of 60 a second, in whole milliseconds.
    static constexpr int kFrameMs = 16;

    explicit FrameTimer(QObject* parent = nullptr);

    /// Starts ticking, or continues.
    void start();
    void stop() { timer_.stop(); }
    [[nodiscard]] bool running() const { return timer_.isActive(); }
    /// Milliseconds since this was made, on a clock that also runs while nothing moves.
    [[nodiscard]] double uptimeMs() const { return static_cast<double>(uptime_.nsecsElapsed()) / 1e6; }

  Q_SIGNALS:
    /// Another frame is due, `ms` milliseconds after the previous one or after the start.
    void beat(double ms);

  private:
    QTimer timer_;
    QElapsedTimer since_frame_;
    QElapsedTimer uptime_;
};

}  // namespace rankscope::ui
