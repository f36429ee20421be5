// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/gui_watch.h"

#include <time.h>

#include <QElapsedTimer>
#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>

namespace rankscope::bench {
namespace {

/// Of this thread alone.
double cpuMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// The class; of a plain widget, such as the viewport of a table, whose it is.
QString classOf(const QObject& receiver) {
    const QString name = QString::fromLatin1(receiver.metaObject()->className());
    return name == QLatin1String("QWidget") && receiver.parent() != nullptr
               ? QStringLiteral("%1 of %2").arg(name, QString::fromLatin1(receiver.parent()->metaObject()->className()))
               : name;
}

QString nameOf(const QObject& receiver, QEvent::Type type) {
    const char* event = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    return QStringLiteral("%1 %2").arg(classOf(receiver),
                                       event != nullptr ? QString::fromLatin1(event) : QString::number(type));
}

}  // namespace

/// A line for each of the longest events in `inside`, those of one name taken together.
QString GuiWatch::longestOf(const std::vector<Inside>& inside) {
    constexpr std::size_t kLines = 5;
    std::map<QString, double> sums;
    for (const Inside& each : inside) {
        sums[each.name] += each.cpu_ms;
    }
    std::vector<std::pair<double, QString>> parts;
    for (const auto& [name, cpu_ms] : sums) {
        parts.emplace_back(cpu_ms, name);
    }
    std::ranges::sort(parts, std::ranges::greater());
    parts.resize(std::min(parts.size(), kLines));
    QString out;
    for (const auto& [cpu_ms, name] : parts) {
        out += QStringLiteral("%1 %2%3\n").arg(cpu_ms, 10, 'f', 1).arg(QString(38, QLatin1Char(' ')), name);
    }
    return out;
}

void GuiWatch::begin(const QString& activity) {
    activities_.push_back({activity, {}});
}

bool GuiWatch::notify(QObject* receiver, QEvent* event) {
    if (QThread::currentThread() != thread()) {
        return QApplication::notify(receiver, event);
    }
    const QString name = nameOf(*receiver, event->type());  // before: the event may delete its receiver
    open_.emplace_back();
    QElapsedTimer wall;
    wall.start();
    const double cpu_before = cpuMs();
    const bool handled = QApplication::notify(receiver, event);
    const double cpu_ms = cpuMs() - cpu_before;
    const std::vector<Inside> inside = std::move(open_.back());
    open_.pop_back();
    if (open_.empty()) {
        record(name, cpu_ms, static_cast<double>(wall.nsecsElapsed()) / 1e6, inside);
    } else {
        // What only passed an event on is not worth a name of its own.
        const bool passed_on = !inside.empty() && inside.front().cpu_ms > 0.9 * cpu_ms;
        open_.back().push_back(passed_on ? inside.front() : Inside{name, cpu_ms});
    }
    return handled;
}

void GuiWatch::record(const QString& kind, double cpu_ms, double wall_ms, const std::vector<Inside>& inside) {
    Kind& seen = activities_.back().kinds[kind];
    ++seen.count;
    if (cpu_ms > kLimitMs) {
        ++seen.too_long;
        if (cpu_ms > seen.worst_cpu_ms) {
            seen.worst_of = longestOf(inside);
        }
    }
    seen.worst_cpu_ms = std::max(seen.worst_cpu_ms, cpu_ms);
    seen.worst_wall_ms = std::max(seen.worst_wall_ms, wall_ms);
}

QString GuiWatch::report() const {
    QString out;
    for (const Activity& activity : activities_) {
        Kind all;
        std::vector<std::pair<QString, Kind>> slow;
        for (const auto& [name, kind] : activity.kinds) {
            all.count += kind.count;
            all.too_long += kind.too_long;
            all.worst_cpu_ms = std::max(all.worst_cpu_ms, kind.worst_cpu_ms);
            all.worst_wall_ms = std::max(all.worst_wall_ms, kind.worst_wall_ms);
            if (kind.too_long > 0) {
                slow.emplace_back(name, kind);
            }
        }
        std::ranges::sort(slow, std::ranges::greater(), [](const auto& s) { return s.second.worst_cpu_ms; });
        const auto line = [](const QString& name, const Kind& kind) {
            return QStringLiteral("%1 %2 %3 %4   %5\n")
                .arg(kind.worst_cpu_ms, 10, 'f', 1)
                .arg(kind.worst_wall_ms, 10, 'f', 1)
                .arg(kind.count, 8)
                .arg(kind.too_long, 8)
                .arg(name);
        };
        out += line(activity.name, all);
        for (const auto& [name, kind] : slow) {
            out += line(QStringLiteral("    ") + name, kind);
            out += kind.worst_of;
        }
    }
    return QStringLiteral("    CPU ms    wall ms   events   > %1 ms\n").arg(kLimitMs) + out;
}

}  // namespace rankscope::bench
