// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/call_words.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <ranges>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

QString share(DurationNs part_ns, DurationNs whole_ns) {
    return text(formatPercent(whole_ns > 0 ? static_cast<double>(part_ns) / static_cast<double>(whole_ns) : 0.0));
}

}  // namespace

QString callName(const CallTree& tree, const CallNode& node) {
    if (!node.name.valid()) {
        return QObject::tr("All calls");
    }
    const QString name = text(tree.name(node)).simplified();
    return name.isEmpty() ? QObject::tr("(no name)") : name;
}

QString shortCallName(const QString& name) {
    const qsizetype at = name.indexOf(QLatin1String("): "));
    return at >= 0 ? name.mid(at + 3) : name;
}

QString differenceWords(const ShownCalls& shown, const CallNode& node) {
    const DurationNs more_ns = node.value(shown.measure) - shown.before(node);
    if (node.before_ns == 0) {
        return QObject::tr("only here");
    }
    if (more_ns == 0) {
        return QObject::tr("equal");
    }
    return more_ns > 0 ? QObject::tr("%1 more").arg(duration(more_ns)) : QObject::tr("%1 less").arg(duration(-more_ns));
}

QString callTip(const ShownCalls& shown, const CallNode& node) {
    const DurationNs all_ns = shown.tree.root().value(shown.measure);
    const DurationNs took_ns = node.value(shown.measure);
    const bool host = shown.measure == CallMeasure::Host;
    QStringList lines{callName(shown.tree, node)};
    if (node.name.valid()) {
        lines.append((host ? QObject::tr("CPU time %1, %2 of all") : QObject::tr("GPU time %1, %2 of all"))
                         .arg(duration(took_ns), share(took_ns, all_ns)));
    } else {
        lines.append((host ? QObject::tr("CPU time %1") : QObject::tr("GPU time %1")).arg(duration(took_ns)));
    }
    if (shown.compared) {
        lines.append(node.before_ns == 0 ? QObject::tr("not in the other run")
                                         : QObject::tr("%1 in the other run: %2", "a length of time, how it differs")
                                               .arg(duration(shown.before(node)), differenceWords(shown, node)));
    }
    if (node.name.valid()) {
        lines.append(QObject::tr("self %1").arg(duration(node.ownValue(shown.measure))));
    }
    if (shown.measure == CallMeasure::Host && node.device_ns > 0) {
        lines.append(QObject::tr("launches %1 of GPU work").arg(duration(node.device_ns)));
    }
    if (node.calls > 0) {
        const QString calls = QObject::tr("%1 call(s)", nullptr, static_cast<int>(node.calls));
        lines.append(plural(calls, node.calls).arg(count(node.calls)));
    }
    if (!node.through.empty()) {
        lines.append(QObject::tr("Folded in, as they only pass calls on:"));
        for (const CallName frame : node.through) {
            lines.append(QStringLiteral("  ") + text(shown.tree.names[frame.value]).simplified());
        }
    }
    return lines.join(QLatin1Char('\n'));
}

QString callPath(const CallTree& tree, const CallNode& node) {
    QStringList lines;
    for (const CallNode* at = &node; at->name.valid(); at = &tree.nodes[at->parent]) {
        lines.prepend(callName(tree, *at));
        for (const CallName frame : std::views::reverse(at->through)) {
            lines.prepend(text(tree.names[frame.value]).simplified());
        }
    }
    return lines.join(QLatin1Char('\n'));
}

QRgb callColour(const ShownCalls& shown, const CallNode& node, const Theme& theme) {
    if (!shown.compared) {
        return SliceColors::of(theme).fill(hueOf(node.category, shown.workOf(node)), shadeOf(shown.tree.name(node)));
    }
    constexpr double kDeepest = 220.0;  // out of 256
    const auto now = static_cast<double>(node.value(shown.measure));
    const auto before = static_cast<double>(shown.before(node));
    const double most = std::max({now, before, 1.0});
    const auto depth = static_cast<unsigned>(std::lround(std::abs(now - before) / most * kDeepest));
    return mix(theme.track_alt.rgb(), (now > before ? theme.straggler : theme.accent).rgb(), depth);
}

}  // namespace rankscope::ui
