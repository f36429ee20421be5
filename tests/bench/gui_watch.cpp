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

QString nameOf(const QObject& receiver, QEvent::Type type) {
    const char* event = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    return QStringLiteral("%1 %2").arg(QString::fromLatin1(receiver.metaObject()->className()),
                                       event != nullptr ? QString::fromLatin1(event) : QString::number(type));
}

}  // namespace

void GuiWatch::begin(const QString& activity) {
    activities_.push_back({activity, {}});
}

bool GuiWatch::notify(QObject* receiver, QEvent* event) {
    if (QThread::currentThread() != thread()) {
        return QApplication::notify(receiver, event);
    }
    QString name = nameOf(*receiver, event->type());  // before: the event may delete its receiver
    open_.emplace_back();
    QElapsedTimer wall;
    wall.start();
    const double cpu_before = cpuMs();
    const bool handled = QApplication::notify(receiver, event);
    const double cpu_ms = cpuMs() - cpu_before;
    const Open inside = open_.back();
    open_.pop_back();
    if (inside.longest_ms > cpu_ms / 2) {
        name += QStringLiteral(" > ") + inside.longest;
    }
    if (open_.empty()) {
        record(name, cpu_ms, static_cast<double>(wall.nsecsElapsed()) / 1e6);
    } else if (cpu_ms > open_.back().longest_ms) {
        open_.back() = {cpu_ms, name};
    }
    return handled;
}

void GuiWatch::record(const QString& kind, double cpu_ms, double wall_ms) {
    Kind& seen = activities_.back().kinds[kind];
    ++seen.count;
    seen.too_long += cpu_ms > kLimitMs ? 1 : 0;
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
        }
    }
    return QStringLiteral("    CPU ms    wall ms   events   > %1 ms\n").arg(kLimitMs) + out;
}

}  // namespace rankscope::bench
