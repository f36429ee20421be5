// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/trace/check_text.h"

#include <QObject>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "core/compare/compare_runs.h"
#include "core/report/check/check.h"
#include "core/report/check/check_lists.h"
#include "core/report/check/check_tables.h"
#include "core/report/check/protocol.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

using report::CheckLine;
using report::CheckPlace;
using report::CheckStatus;
using report::ListAnswer;
using report::ProtocolState;

constexpr std::size_t kRankRows = 12;

/// A mark that differs from others by shape, word and colour.
struct Mark {
    const char* sign;
    QColor colour;
    QString word;
};

Mark markOf(CheckStatus status, const Theme& theme) {
    const QString word = coreText(report::checkStatusTitle(status));
    switch (status) {
        case CheckStatus::Ok: return {"\u2713", theme.text_dim, word};
        case CheckStatus::Look: return {"\u25b2", theme.severity_medium, word};
        case CheckStatus::CannotTell: break;
    }
    return {"?", theme.text_dim, word};
}

Mark markOf(ListAnswer answer, const Theme& theme) {
    const QString word = coreText(report::listAnswerTitle(answer));
    switch (answer) {
        case ListAnswer::Yes: return {"\u25b2", theme.severity_medium, word};
        case ListAnswer::No: return {"\u2713", theme.text_dim, word};
        case ListAnswer::CannotTell: break;
    }
    return {"?", theme.text_dim, word};
}

Mark markOf(ProtocolState state, const Theme& theme) {
    const QString word = coreText(report::protocolStateTitle(state));
    switch (state) {
        case ProtocolState::Done: return {"\u2713", theme.text_dim, word};
        case ProtocolState::Next: return {"\u25b6", theme.accent, word};
        case ProtocolState::Record: break;
    }
    return {"?", theme.text_dim, word};
}

/// Keeps a number on one line with its unit.
QString withWholeNumbers(QString words) {
    static const QRegularExpression unit(QStringLiteral("(\\d) (ms|\u00b5s|ns|s|%|[kMGT]?B)(?=\\W|$)"));
    return words.replace(unit, QStringLiteral("\\1\u00a0\\2"));
}

QString escaped(const std::string& words) {
    return withWholeNumbers(text(words)).toHtmlEscaped();
}

QString link(const QString& to, const QString& words) {
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(to.toHtmlEscaped(), words.toHtmlEscaped());
}

/// The key of the panel that shows more about a line, and after a colon its page if it has several.
const char* panelOf(const std::string& key) {
    static const std::map<std::string, const char*> panels = {{"steps", "steps"},
                                                              {"budget", "steps"},
                                                              {"copies", "steps"},
                                                              {"input", "steps"},
                                                              {"idle", "steps"},
                                                              {"own-work", "charts:lateness"},
                                                              {"z-scores", "charts:lateness"},
                                                              {"exposed-communication", "collectives"},
                                                              {"overlap", "communication:overlap"},
                                                              {"mfu", "efficiency"},
                                                              {"memory", "memory"},
                                                              {"files", "health"},
                                                              {"ranks", "health"},
                                                              {"records", "health"},
                                                              {"recorded-steps", "steps"},
                                                              {"clocks", "clocks"}};
    const auto at = panels.find(key);
    return at == panels.end() ? nullptr : at->second;
}

QString panelTitle(const std::string& panel) {
    static const std::map<std::string, const char*> titles = {
        {"steps", QT_TRANSLATE_NOOP("QObject", "Steps")},
        {"charts", QT_TRANSLATE_NOOP("QObject", "Charts")},
        {"collectives", QT_TRANSLATE_NOOP("QObject", "Collectives")},
        {"communication", QT_TRANSLATE_NOOP("QObject", "Bandwidth")},
        {"efficiency", QT_TRANSLATE_NOOP("QObject", "Efficiency")},
        {"memory", QT_TRANSLATE_NOOP("QObject", "Memory")},
        {"clocks", QT_TRANSLATE_NOOP("QObject", "Clocks")},
        {"health", QT_TRANSLATE_NOOP("QObject", "Trace health")}};
    return QObject::tr(titles.at(panel));
}

/// Link to a rank and a step: the slice, else the mark of the step, else the rank alone.
QString rankLink(const CheckRequest& of, const CheckPlace& place) {
    const RankPosition rank = *place.rank;
    QString words = rankName(*of.run->run, rank);
    SliceRef slice = place.slice;
    if (place.step) {
        words = QObject::tr("%1, step %2").arg(words).arg(*place.step);
        const RankStep* const step = findStep(*of.run, rank, *place.step);
        slice = !slice.valid() && step != nullptr ? step->mark : slice;
    }
    return slice.valid() && exists(*of.run, rank, slice)
               ? link(sliceLink({of.index, rank, slice}), words)
               : link(QStringLiteral("rank:%1:%2").arg(of.index).arg(static_cast<std::uint32_t>(rank)), words);
}

/// `other` is an additional finding for the place.
QString linksOf(const CheckRequest& of, const CheckPlace& place, const char* panel,
                std::optional<std::size_t> other = std::nullopt) {
    QStringList links;
    if (place.rank) {
        links << rankLink(of, place);
    }
    for (const std::optional<std::size_t>& finding : {place.finding, other}) {
        if (finding && *finding < of.run->diagnosis.findings.size()) {
            links << link(QStringLiteral("finding:%1:%2").arg(of.index).arg(*finding),
                          QObject::tr("finding %1").arg(*finding + 1));
        }
    }
    if (panel != nullptr) {
        const std::string_view place_of(panel);
        links << link(QStringLiteral("panel:%1").arg(QLatin1String(panel)),
                      panelTitle(std::string(place_of.substr(0, place_of.find(':')))));
    }
    return links.join(QStringLiteral(" \u00b7 "));
}

/// A secondary, dim line below another.
QString under(const QString& html, const Theme& theme) {
    return html.isEmpty() ? QString() : QStringLiteral("<br>") + dim(html, theme);
}

/// A marked paragraph: mark, word and title in its first line, then its text and its links.
QString paragraph(const Mark& mark, const std::string& title, const QString& body, const Theme& theme) {
    // Not a table: laying out one for each line would block the window's thread for several frames.
    return QStringLiteral(
               "<p style=\"margin:2px 0 8px 22px; text-indent:-22px\"><b style=\"color:%1\">%2</b>&nbsp;&nbsp;"
               "<b>%3</b>&nbsp;&nbsp;%4<br>%5</p>")
        .arg(mark.colour.name(), QString::fromUtf8(mark.sign), escaped(title), dim(mark.word.toHtmlEscaped(), theme),
             body);
}

/// Texts of core name inputs as command-line options; here they are fields.
QString withPlaceToEnter(const std::string& words) {
    static constexpr std::array<std::string_view, 6> kOptions = {"--peak-tflops", "--link-speed",  "--params",
                                                                 "--tokens",      "--model-flops", "--batch"};
    const bool enters = std::ranges::any_of(
        kOptions, [&words](std::string_view option) { return words.find(option) != std::string::npos; });
    return enters ? QObject::tr("%1 In this window: Edit > Describe the Job.").arg(text(words)) : text(words);
}

QString withRecord(const std::string& words, const std::string& record, const Theme& theme) {
    return escaped(words) +
           (record.empty() ? QString()
                           : under(QObject::tr("To tell: %1").arg(withPlaceToEnter(record)).toHtmlEscaped(), theme));
}

QString withLinks(const QString& html, const QString& links) {
    return links.isEmpty() ? html : html + QStringLiteral("<br>") + links;
}

QString sectionHeading(const QString& words) {
    return QStringLiteral("<h4>%1</h4>").arg(words.toHtmlEscaped());
}

QString ranksHtml(const CheckRequest& of, const report::Check& check) {
    const report::Table table = report::checkRankTable(*of.run, check, kRankRows);
    if (table.rows.size() < 2) {
        return {};
    }
    // Six of its columns fit into the side: rank, mean step, own work, ratio, z-score.
    static constexpr std::array<std::size_t, 5> kColumns = {0, 1, 3, 4, 5};
    QString html = sectionHeading(QObject::tr("Each rank")) + QStringLiteral("<table cellspacing=\"0\"><tr><td></td>");
    for (const std::size_t column : kColumns) {
        html += QStringLiteral("<td align=\"%1\">%2</td>")
                    .arg(column == 0 ? QStringLiteral("left") : QStringLiteral("right"),
                         dim(coreText(table.header[column]).toHtmlEscaped(), of.theme));
    }
    const Mark mark = markOf(CheckStatus::Look, of.theme);
    const QString look =
        QStringLiteral("<span style=\"color:%1\">%2</span>").arg(mark.colour.name(), QString::fromUtf8(mark.sign));
    for (const std::vector<std::string>& row : table.rows) {
        html += QStringLiteral("</tr><tr><td>%1</td>").arg(row.back().empty() ? QString() : look);
        for (const std::size_t column : kColumns) {
            html += QStringLiteral("<td align=\"%1\">%2</td>")
                        .arg(column == 0 ? QStringLiteral("left") : QStringLiteral("right"),
                             withMinus(coreText(row[column])).toHtmlEscaped());
        }
    }
    html += QStringLiteral("</tr></table>");
    const std::size_t ranks = check.ranks.size();
    return ranks > kRankRows ? html + dim(QObject::tr("and %1 more ranks").arg(ranks - kRankRows), of.theme) : html;
}

QString checkHtml(const CheckRequest& of, const report::Check& check) {
    QString html;
    for (std::size_t i = 0; i < report::kCheckAreas; ++i) {
        const auto area = static_cast<report::CheckArea>(i);
        html += sectionHeading(coreText(report::checkAreaTitle(area)));
        for (const CheckLine& line : check.lines) {
            if (line.area == area) {
                html += paragraph(
                    markOf(line.status, of.theme), line.title,
                    withLinks(withRecord(line.text, line.record, of.theme), linksOf(of, line.place, panelOf(line.key))),
                    of.theme);
            }
        }
        html += area == report::CheckArea::Steps ? ranksHtml(of, check) : QString();
    }
    return html;
}

QString protocolHtml(const CheckRequest& of, const Sentences& words) {
    std::optional<RunComparison> comparison;
    report::Validation validation;
    if (of.after != nullptr) {
        comparison = compareRuns(*of.run, *of.after);
        validation = {of.after.get(), &*comparison};
    }
    QString html;
    for (const report::ProtocolStep& step : report::protocolOf(*of.run, validation, words).steps) {
        QString body = escaped(step.text);
        if (!step.record.empty()) {
            body += under(QObject::tr("To record: %1").arg(withPlaceToEnter(step.record)).toHtmlEscaped(), of.theme);
        }
        if (!step.command.empty()) {
            body += QStringLiteral("<br><code>%1</code>").arg(escaped(step.command));
        }
        html += paragraph(markOf(step.state, of.theme), step.title,
                          withLinks(body, linksOf(of, step.place, nullptr, step.other_finding)), of.theme);
    }
    return html;
}

QString listsHtml(const CheckRequest& of, const Sentences& words) {
    QString html;
    for (const report::CheckList& list : report::checkListsOf(*of.run, words)) {
        html += sectionHeading(coreText(report::checkListTitle(list.id)));
        for (const report::ListLine& line : list.lines) {
            QString body = withRecord(line.text, line.record, of.theme);
            if (!line.advice.empty()) {
                body +=
                    QStringLiteral("<br>") + QObject::tr("Do: %1").arg(withPlaceToEnter(line.advice)).toHtmlEscaped();
            }
            if (line.answer != ListAnswer::No) {
                body += under(QObject::tr("Source: %1").arg(text(line.source)).toHtmlEscaped(), of.theme);
            }
            html += paragraph(markOf(line.answer, of.theme), line.question,
                              withLinks(body, linksOf(of, line.place, nullptr)), of.theme);
        }
    }
    return html;
}

}  // namespace

CheckText makeCheckText(const CheckRequest& request) {
    const Sentences& words = request.words ? *request.words : report::checkSentences();
    const report::Check check = report::checkOf(*request.run, words);
    CheckText made;
    made.look = check.count(CheckStatus::Look);
    const QString counts = QObject::tr("%1 look here, %2 ok, %3 cannot tell")
                               .arg(made.look)
                               .arg(check.count(CheckStatus::Ok))
                               .arg(check.count(CheckStatus::CannotTell));
    switch (request.page) {
        case CheckPage::Check:
            made.html = QStringLiteral("<p>%1</p>").arg(counts.toHtmlEscaped()) + checkHtml(request, check);
            break;
        case CheckPage::Protocol: made.html = protocolHtml(request, words); break;
        case CheckPage::Lists: made.html = listsHtml(request, words); break;
    }
    return made;
}

}  // namespace rankscope::ui
