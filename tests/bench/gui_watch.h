// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QString>
#include <map>
#include <vector>

namespace rankscope::bench {

/// An application that times each event of the GUI thread, with all that it calls, by what the user is doing meanwhile.
/// Processor time is what tells, since a busy machine makes every wall time long; a lock that is waited for shows in
/// the wall time alone.
class GuiWatch : public QApplication {
  public:
    using QApplication::QApplication;

    /// The events of one kind during one activity.
    struct Kind {
        int count = 0;
        int too_long = 0;  ///< took longer than kLimitMs of processor time
        double worst_cpu_ms = 0;
        double worst_wall_ms = 0;
        QString worst_of;  ///< what the longest of them spent its time on, if that was too long
    };
    /// Nothing that the GUI thread does takes longer (design section 1).
    static constexpr double kLimitMs = 8;

    /// Events count for `activity` from now on.
    void begin(const QString& activity);
    /// A line for each activity, and one for each kind of event in it that took too long, the worst first, with what
    /// the longest of that kind spent its time on.
    [[nodiscard]] QString report() const;

    bool notify(QObject* receiver, QEvent* event) override;

  private:
    /// An event that was sent while another was handled.
    struct Inside {
        QString name;
        double cpu_ms = 0;
    };
    void record(const QString& kind, double cpu_ms, double wall_ms, const std::vector<Inside>& inside);
    static QString longestOf(const std::vector<Inside>& inside);

    struct Activity {
        QString name;
        std::map<QString, Kind> kinds;
    };
    std::vector<Activity> activities_{{QStringLiteral("start"), {}}};
    std::vector<std::vector<Inside>> open_;  ///< what each event that is being handled has sent so far
};

}  // namespace rankscope::bench
