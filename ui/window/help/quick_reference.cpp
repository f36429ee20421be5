// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/page_texts.h"

#include <QObject>
#include <QStringList>
#include <array>
#include <memory>
#include <set>
#include <utility>

#include "ui/panels/shared/translated_wording.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

const QString kFindingLink = QStringLiteral("finding");
constexpr std::size_t kRemediesShown = 2;

QString patternCell(const QString& html) {
    return QStringLiteral("<td style=\"padding:6px 12px 6px 0\">") + html + QStringLiteral("</td>");
}

/// Several pieces of evidence in one step of one rank count as one place.
std::size_t countPlaces(const Finding& finding) {
    std::set<std::pair<RankPosition, std::int64_t>> seen;
    for (const Evidence& evidence : finding.evidence) {
        seen.emplace(evidence.rank, evidence.step);
    }
    return seen.size();
}

/// Links to the open runs that show a finding, with the number of places in each.
QString placesHtml(const OpenRuns& runs, FindingId id) {
    QStringList places;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const auto& findings = runs[run]->diagnosis.findings;
        for (std::size_t finding = 0; finding < findings.size(); ++finding) {
            if (findings[finding].id == id) {
                const std::size_t places_of_it = countPlaces(findings[finding]);
                const QString words = places_of_it > 0 ? count(places_of_it) : QObject::tr("yes");
                const QString name =
                    runs.size() > 1 ? text(runs[run]->run->name).toHtmlEscaped() + QStringLiteral("&nbsp;") : QString();
                places.append(QStringLiteral("<a href=\"%1:%2:%3\">%4</a>")
                                  .arg(kFindingLink)
                                  .arg(run)
                                  .arg(finding)
                                  .arg(name + words));
            }
        }
    }
    return places.isEmpty() ? QStringLiteral("–") : places.join(QStringLiteral("<br>"));
}

QString remediesHtml(const Advice& advice, FindingId id) {
    const std::vector<Remedy> remedies = advice.everyRemedy(id);
    QString html;
    for (std::size_t i = 0; i < remedies.size() && i < kRemediesShown; ++i) {
        html += QStringLiteral("<p style=\"margin:0 0 6px 0\">") + text(remedies[i].action).toHtmlEscaped() +
                QStringLiteral("</p>");
    }
    return html;
}

}  // namespace

QString quickReferenceHtml(const OpenRuns& runs, const Theme& theme) {
    const std::shared_ptr<const Wording> translated = translatedWording();
    const Advice& advice = translated ? translated->advice : Wording::builtIn()->advice;
    QString html = QStringLiteral("<p>") +
                   QObject::tr(
                       "What slows training down, what it looks like on the timeline, and what to do first. The last "
                       "column counts its places in findings of the open runs, and links to them.")
                       .toHtmlEscaped() +
                   QStringLiteral("</p><table cellspacing=\"0\" width=\"100%\"><tr>");
    const std::array<std::pair<QString, int>, 4> columns = {{{QObject::tr("Pattern"), 28},
                                                             {QObject::tr("Diagnosis"), 18},
                                                             {QObject::tr("What to do"), 38},
                                                             {QObject::tr("Here"), 16}}};
    for (const auto& [title, percent] : columns) {
        html += QStringLiteral("<th align=\"left\" width=\"%1%\" style=\"padding:6px 12px 6px 0; color:%2\">%3</th>")
                    .arg(percent)
                    .arg(theme.text_dim.name(), title.toHtmlEscaped());
    }
    html += QStringLiteral("</tr>");
    for (std::size_t i = 0; i < kFindingIds; ++i) {
        const auto id = static_cast<FindingId>(i);
        html += QStringLiteral("<tr>") + patternCell(text(advice.pattern(id)).toHtmlEscaped()) +
                patternCell(QStringLiteral("<b>") + text(advice.title(id)).toHtmlEscaped() + QStringLiteral("</b>")) +
                patternCell(remediesHtml(advice, id)) + patternCell(placesHtml(runs, id)) + QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

std::optional<FindingSelection> findingOfLink(const QString& link) {
    const QStringList parts = link.split(QLatin1Char(':'));
    bool run_read = false;
    bool finding_read = false;
    if (parts.size() != 3 || parts[0] != kFindingLink) {
        return std::nullopt;
    }
    const FindingSelection found{parts[1].toUInt(&run_read), parts[2].toUInt(&finding_read)};
    return run_read && finding_read ? std::optional(found) : std::nullopt;
}

}  // namespace rankscope::ui
