// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <chrono>

class QSocketNotifier;

namespace rankscope::ui {

/// Signals, on its thread, that the process was asked to end: by SIGTERM, SIGINT (Ctrl+C) or SIGHUP (the terminal or
/// the desktop's session closes). The process can then end like after Quit, with the session saved. The second signal
/// of a kind ends the process at once, as signals do by default. One object at a time.
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

/// Makes the process end within `patience`, with `exit_code`: regularly, or else in the middle of the work of its
/// threads. For the end of main(), once everything is saved. Threads that read or analyse are asked to stop, but one
/// may hang in a file system that no longer answers; and freeing gigabytes page by page would take longer than anybody
/// waits for a program that has closed its window.
void endProcessWithin(std::chrono::milliseconds patience, int exit_code);

}  // namespace rankscope::ui
