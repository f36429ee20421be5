// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <chrono>

class QSocketNotifier;

namespace rankscope::ui {

/// Tells, on the thread it lives on, that the process was asked to end: by SIGTERM, SIGINT (Ctrl+C) or SIGHUP (the
/// terminal or the desktop's session closes). So that it can end as by Quit, with what was open kept. The second signal
/// of a kind ends the process at once, as signals do. One object at a time.
class QuitSignals : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QuitSignals)

  public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

  Q_SIGNALS:
    /// A signal has asked the process to end.
    void quitAsked();

  private:
    QSocketNotifier* notifier_ = nullptr;
};

/// From now on the process ends within `patience`, with `exit_code`: by itself, or else in the middle of whatever its
/// threads do. For the end of main(), once all that is to be kept is written. Threads that read or analyse are asked to
/// stop, but one may hang in a file that no longer answers. And freeing gigabytes page by page would take longer than
/// anybody waits for a program that has closed its window.
void endProcessWithin(std::chrono::milliseconds patience, int exit_code);

}  // namespace rankscope::ui
