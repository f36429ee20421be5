// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/network/network_page.h"

#include <QObject>
#include <QRegularExpression>
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "core/report/network.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

using network::Job;
using report::Cell;
using report::numberCell;
using report::textCell;
using report::Unit;

constexpr int kAboveFinding = 20;  // pixels
constexpr std::int64_t kDriverMajor = 1'000;
constexpr std::int64_t kDriverMinor = 10;

std::shared_ptr<report::DataTable> tableOf(std::string name, std::vector<report::Column> columns) {
    auto table = std::make_shared<report::DataTable>();
    table->name = std::move(name);
    table->columns = std::move(columns);
    return table;
}

QString fileName(const std::string& path) {
    return text(path.substr(path.rfind('/') + 1));
}

QString placeOfLine(const NcclLogs& logs, const NcclLine& line) {
    return QStringLiteral("%1:%2").arg(fileName(logs.files[line.file].path)).arg(line.number);
}

NetworkFindingText findingText(const JobOfLogs& of, const network::Finding& finding) {
    const NcclLogs& logs = of.logs->logs;
    const report::NetworkFindingWords words = report::networkFindingWords(logs, of.job(), finding);
    NetworkFindingText made{
        finding.level,       text(words.title), text(words.text), text(words.why), text(words.remedy), {}, {},
        finding.communicator};
    for (const NcclLine& line : finding.evidence) {
        made.places << placeOfLine(logs, line);
        made.lines << text(line.text);
    }
    return made;
}

/// The ranks in the job of a communicator's members: "0 to 3"; empty if they are unknown.
std::string membersWords(const JobOfLogs& of, const network::Communicator& communicator,
                         const std::map<std::size_t, std::int64_t>& rank_of_log) {
    std::vector<std::int64_t> ranks;
    for (const std::size_t member : communicator.members) {
        const auto at = rank_of_log.find(of.logs->logs.members[member].process);
        if (at != rank_of_log.end()) {
            ranks.push_back(at->second);
        }
    }
    return ranks.empty() ? std::string() : formatNumberList(std::move(ranks));
}

std::vector<std::string> namesOfCommunicators(const JobOfLogs& of) {
    std::map<std::size_t, std::int64_t> rank_of_log;
    for (const network::Process& process : of.job().processes) {
        if (process.rank) {
            rank_of_log.emplace(process.log, *process.rank);
        }
    }
    std::vector<std::string> names;
    for (const network::Communicator& one : of.job().communicators) {
        names.push_back(membersWords(of, one, rank_of_log));
    }
    return names;
}

std::shared_ptr<const report::DataTable> communicatorTable(const JobOfLogs& of, const std::vector<std::string>& names) {
    auto table = tableOf("communicators", {{"ranks", "Ranks", Unit::Text},
                                           {"hosts", "Hosts", Unit::Count},
                                           {"channels", "Channels", Unit::Count},
                                           {"init_ns", "Start-up", Unit::Duration}});
    for (std::size_t i = 0; i < names.size(); ++i) {
        const network::Communicator& one = of.job().communicators[i];
        std::optional<DurationNs> slowest;
        for (const std::size_t member : one.members) {
            slowest = std::max(slowest, of.logs->logs.members[member].init_ns);
        }
        table->rows.push_back({textCell(names[i].empty() ? one.id : names[i]),
                               one.hostCount() > 0 ? numberCell(one.hostCount()) : Cell(),
                               one.channels > 0 ? numberCell(one.channels) : Cell(), report::cellOf(slowest)});
    }
    return table;
}

TitledTable callTable(const JobOfLogs& of, const std::vector<std::string>& names) {
    auto table = tableOf("calls", {{"call", "Call", Unit::Text},
                                   {"bytes", "Bytes", Unit::Bytes},
                                   {"elements", "Elements", Unit::Count},
                                   {"type", "Type", Unit::Text},
                                   {"fewest", "Fewest calls", Unit::Count},
                                   {"most", "Calls per rank", Unit::Count},
                                   {"ranks", "Ranks of the job", Unit::Text}});
    bool differ = false;
    for (const network::CallSum& sum : of.job().calls) {
        differ = differ || sum.fewest != sum.most;
        table->rows.push_back({textCell(report::ncclKindWords(sum.kind)), report::cellOf(sum.bytes),
                               numberCell(sum.count), textCell(report::ncclTypeName(sum.type)), numberCell(sum.fewest),
                               numberCell(sum.most), textCell(names[sum.communicator])});
    }
    if (differ) {
        std::ranges::find(table->columns, "most", &report::Column::key)->title = "Most calls";
    } else {
        *table = table->only({"call", "bytes", "elements", "type", "most", "ranks"});
    }
    return {QObject::tr("Calls"), std::move(table),
            QObject::tr("Calls are not in these logs. Add COLL to NCCL_DEBUG_SUBSYS to record them.")};
}

Cell rankCell(const Job& job, std::size_t process) {
    return report::cellOf(job.processes[process].rank);
}

TitledTable startTable(const JobOfLogs& of) {
    auto table = tableOf("start", {{"rank", "Rank", Unit::Number},
                                   {"host", "Host", Unit::Text},
                                   {"total_ns", "Start-up", Unit::Duration},
                                   {"communicators", "Communicators", Unit::Count},
                                   {"part", "Longest part", Unit::Text},
                                   {"part_ns", "It takes", Unit::Duration}});
    for (const network::Startup& one : of.job().startups) {
        const NcclProcess& process = of.logs->logs.processes[of.job().processes[one.process].log];
        table->rows.push_back({rankCell(of.job(), one.process), textCell(process.host), numberCell(one.total_ns),
                               numberCell(one.communicators), textCell(one.part),
                               one.part.empty() ? Cell() : numberCell(one.part_ns)});
    }
    return {QObject::tr("Start-up"), std::move(table),
            QObject::tr("Start-up times are not in these logs. Add INIT to NCCL_DEBUG_SUBSYS to record them.")};
}

TitledTable processTable(const JobOfLogs& of) {
    auto table = tableOf("processes", {{"rank", "Rank", Unit::Number},
                                       {"host", "Host", Unit::Text},
                                       {"pid", "Process", Unit::Number},
                                       {"version", "Version", Unit::Text},
                                       {"driver", "CUDA driver", Unit::Text},
                                       {"network", "Network", Unit::Text},
                                       {"warnings", "Warnings", Unit::Count}});
    for (std::size_t i = 0; i < of.job().processes.size(); ++i) {
        const NcclProcess& process = of.logs->logs.processes[of.job().processes[i].log];
        const std::string driver = process.driver ? std::to_string(*process.driver / kDriverMajor) + "." +
                                                        std::to_string(*process.driver % kDriverMajor / kDriverMinor)
                                                  : std::string();
        table->rows.push_back({rankCell(of.job(), i), textCell(process.host), numberCell(process.pid),
                               textCell(process.version), textCell(driver), textCell(process.network),
                               numberCell(process.warning_count)});
    }
    return {QObject::tr("Processes"), std::move(table), {}};
}

TitledTable settingTable(const JobOfLogs& of) {
    const Job& job = of.job();
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_value;
    for (std::size_t i = 0; i < job.processes.size(); ++i) {
        for (const NcclSetting& setting : of.logs->logs.processes[job.processes[i].log].settings) {
            by_value[{setting.name, setting.value}].push_back(i);
        }
    }
    auto table =
        tableOf("settings",
                {{"name", "Setting", Unit::Text}, {"value", "Value", Unit::Text}, {"processes", "Set by", Unit::Text}});
    for (const auto& [setting, processes] : by_value) {
        const std::string who = processes.size() == job.processes.size() && processes.size() > 1
                                    ? "all"
                                    : report::processWords(of.logs->logs, job, processes);
        table->rows.push_back({textCell(setting.first), textCell(setting.second), textCell(who)});
    }
    return {QObject::tr("Settings"), std::move(table),
            QObject::tr("No settings are in these logs. Add ENV to NCCL_DEBUG_SUBSYS to record them.")};
}

TitledTable pathTable(const JobOfLogs& of) {
    auto table = tableOf("paths", {{"from", "From", Unit::Text},
                                   {"to", "To", Unit::Text},
                                   {"path", "Path", Unit::Text},
                                   {"channels", "Channels", Unit::Count},
                                   {"lines", "Lines", Unit::Count}});
    for (const network::PathSum& path : of.job().paths) {
        table->rows.push_back({textCell(path.from_host), textCell(path.to_host), textCell(path.path),
                               numberCell(path.channels), numberCell(path.lines)});
    }
    return {QObject::tr("Paths"), std::move(table),
            QObject::tr("Paths are not in these logs. Add P2P and NET to NCCL_DEBUG_SUBSYS to record them.")};
}

TitledTable warningTable(const JobOfLogs& of) {
    auto table = tableOf("warnings",
                         {{"rank", "Rank", Unit::Number}, {"place", "Line", Unit::Text}, {"text", "Text", Unit::Text}});
    for (std::size_t i = 0; i < of.job().processes.size(); ++i) {
        for (const NcclLine& line : of.logs->logs.processes[of.job().processes[i].log].warnings) {
            table->rows.push_back(
                {rankCell(of.job(), i), textCell(placeOfLine(of.logs->logs, line).toStdString()), textCell(line.text)});
        }
    }
    return {QObject::tr("Warnings"), std::move(table), {}};
}

QString levelHtml(network::Level level, const Theme& theme) {
    const QColor& colour = level == network::Level::High     ? theme.severity_high
                           : level == network::Level::Medium ? theme.severity_medium
                                                             : theme.severity_low;
    const QString word = level == network::Level::High     ? QObject::tr("HIGH")
                         : level == network::Level::Medium ? QObject::tr("MEDIUM")
                                                           : QObject::tr("LOW");
    return QStringLiteral("<span style=\"color:%1\"><b>%2</b></span>").arg(colour.name(), word.toHtmlEscaped());
}

/// Words in which commands are between backticks.
QString withCommands(const QString& words, const Theme& theme) {
    static const QRegularExpression command(QStringLiteral("`([^`]*)`"));
    return words.toHtmlEscaped().replace(
        command, QStringLiteral("<span style=\"font-family:'%1'\">\\1</span>").arg(theme.mono_font.family()));
}

QString titledHtml(const QString& title, const QString& words, const Theme& theme) {
    return words.isEmpty() ? QString()
                           : QStringLiteral("<p style=\"margin: 8px 0 8px 0\">%1 %2</p>")
                                 .arg(dim(title.toHtmlEscaped(), theme), withCommands(words, theme));
}

QString evidenceHtml(const NetworkFindingText& finding, const Theme& theme) {
    QString html;
    for (qsizetype i = 0; i < finding.lines.size(); ++i) {
        html += QStringLiteral("<p style=\"font-family:'%1'; font-size:%2pt; margin: 0 0 4px 12px\">%3 %4</p>")
                    .arg(theme.mono_font.family())
                    .arg(theme.mono_font.pointSizeF())
                    .arg(dim(finding.places[i].toHtmlEscaped(), theme), finding.lines[i].toHtmlEscaped());
    }
    return html;
}

}  // namespace

NetworkPage networkPage(const JobOfLogs& of) {
    const Job& job = of.job();
    const NcclLogs& logs = of.logs->logs;
    NetworkPage page;
    page.of = of;
    page.title = text(report::networkJobWords(logs, job));
    for (const network::Finding& finding : job.findings) {
        page.findings.push_back(findingText(of, finding));
    }
    for (const network::Topic topic : network::kTopics) {
        if (job.judgements.at(static_cast<std::size_t>(topic)) == network::Judgement::CannotTell) {
            page.open << QStringLiteral("%1: %2").arg(text(report::topicTitle(topic)),
                                                      text(report::networkCheckText(logs, job, topic)));
        }
    }
    for (const std::string& note : report::networkNotes(logs, job)) {
        page.notes << text(note);
    }
    const std::vector<std::string> names = namesOfCommunicators(of);
    page.communicators = communicatorTable(of, names);
    page.tables = {callTable(of, names), startTable(of), processTable(of), settingTable(of), pathTable(of)};
    if (TitledTable warnings = warningTable(of); !warnings.rows->rows.empty()) {
        page.tables.push_back(std::move(warnings));
    }
    return page;
}

QString networkHtml(const NetworkPage& page, const Theme& theme) {
    QString html;
    if (page.findings.empty()) {
        html += QStringLiteral("<h3>%1</h3>").arg(QObject::tr("No problem found.").toHtmlEscaped());
    }
    for (const NetworkFindingText& finding : page.findings) {
        const QString title = finding.communicator && page.of.job().communicators.size() > 1
                                  ? labelLink(QLatin1String(kCommunicatorLink) + QString::number(*finding.communicator),
                                              finding.title, theme)
                                  : finding.title.toHtmlEscaped();
        html += QStringLiteral("<h3 style=\"margin-top: %1px\">%2 %3</h3><p>%4</p>")
                    .arg(html.isEmpty() ? 0 : kAboveFinding)
                    .arg(levelHtml(finding.level, theme), title, finding.text.toHtmlEscaped());
        html += evidenceHtml(finding, theme);
        html += titledHtml(QObject::tr("Why"), finding.why, theme);
        html += titledHtml(QObject::tr("Do"), finding.remedy, theme);
    }
    if (!page.open.isEmpty()) {
        html += QStringLiteral("<h4>%1</h4>").arg(QObject::tr("Cannot tell from these logs").toHtmlEscaped());
        for (const QString& open : page.open) {
            html += QStringLiteral("<p>%1</p>").arg(withCommands(open, theme));
        }
    }
    if (!page.notes.isEmpty()) {
        html += QStringLiteral("<h4>%1</h4>").arg(QObject::tr("Notes").toHtmlEscaped());
        for (const QString& note : page.notes) {
            html += QStringLiteral("<p>%1</p>").arg(note.toHtmlEscaped());
        }
    }
    return html;
}

}  // namespace rankscope::ui
