// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <cstdint>
#include <functional>
#include <stop_token>

namespace rankscope::ui {

/// Works on its own thread for a widget. The newest request wins: an older one is asked to stop, and its result is
/// dropped.
class LatestJob : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LatestJob)

  public:
    /// Shows the result, on the thread of the widget.
    using Show = std::function<void()>;
    /// Computes something, on another thread.
    using Work = std::function<Show(std::stop_token)>;

    explicit LatestJob(QObject* parent = nullptr);
    /// Stops and waits.
    ~LatestJob() override;

    /// Starts `work`, replacing the previous request.
    void start(Work work);
    /// The running work is no longer needed.
    void forget();
    /// Waits for the running work, and shows its result: for screenshots and tests.
    void finish();
    [[nodiscard]] bool busy() const { return busy_; }

  Q_SIGNALS:
    /// The latest request is done and shown.
    void done();

  private:
    QThreadPool pool_;
    std::stop_source stop_;
    std::uint64_t asked_ = 0;
    bool busy_ = false;
};

}  // namespace rankscope::ui
