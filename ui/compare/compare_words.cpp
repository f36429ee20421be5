// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_words.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <utility>
#include <vector>

#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kCausesShown = 4;

}  // namespace

QString nameOf(Side side) {
    return side == Side::A ? QStringLiteral("A") : QStringLiteral("B");
}

QString tableRow(const QString& side, const QString& what, const QString& length) {
    return QStringLiteral(
               "<tr><td width=\"7%\"><b>%1</b></td><td width=\"68%\">%2</td>"
               "<td width=\"25%\" align=\"right\" style=\"white-space: pre\">%3</td></tr>")
        .arg(side, what, length);
}

QString causesText(const CauseTimes& causes) {
    std::vector<std::pair<DurationNs, Cause>> sorted;
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        if (const auto cause = static_cast<Cause>(i); causes[cause] > 0) {
            sorted.emplace_back(causes[cause], cause);
        }
    }
    std::ranges::sort(sorted, std::ranges::greater());
    sorted.resize(std::min(sorted.size(), kCausesShown));
    QStringList words;
    for (const auto& [ns, cause] : sorted) {
        words.append(namedTime(coreText(causeTitle(cause)), ns).toHtmlEscaped());
    }
    return words.join(QStringLiteral(", "));
}

QString partsHtml(const StretchParts& parts, const Theme& theme) {
    QStringList words;
    const auto part = [&](const QString& name, DurationNs ns) {
        if (ns > 0) {
            words.append(namedTime(name, ns));
        }
    };
    part(QObject::tr("compute"), parts.compute_ns);
    part(QObject::tr("communication alone"), parts.communication_ns);
    part(QObject::tr("copy alone"), parts.copy_ns);
    part(QObject::tr("idle"), parts.idle_ns);
    const QString causes = causesText(parts.idle_causes);
    return words.join(QStringLiteral(", ")) +
           (causes.isEmpty() ? QString() : dim(QStringLiteral(" (%1)").arg(causes), theme));
}

}  // namespace rankscope::ui
