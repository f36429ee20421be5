// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <cstdint>
#include <functional>
#include <stop_token>

namespace rankscope::ui {

/// Works on a thread of its own for a widget. The newest request wins: an older one is asked to stop, and what it still
/// finds is dropped.
class LatestJob : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LatestJob)

  public:
    /// Shows what was found, on the thread of the widget.
    using Show = std::function<void()>;
    /// Finds something out, on another thread.
    using Work = std::function<Show(std::stop_token)>;

    explicit LatestJob(QObject* parent = nullptr);
    /// Stops and waits.
    ~LatestJob() override;

    /// Asks for `work`, in place of what was asked for before.
    void start(Work work);
    /// What is going on is not wanted any more.
    void forget();
    /// Waits for what is going on, and shows it: for screenshots and tests.
    void finish();
    [[nodiscard]] bool busy() const { return busy_; }

  Q_SIGNALS:
    /// The latest request has been worked off and shown.
    void done();

  private:
    QThreadPool pool_;
    std::stop_source stop_;
    std::uint64_t asked_ = 0;
    bool busy_ = false;
};

}  // namespace rankscope::ui
