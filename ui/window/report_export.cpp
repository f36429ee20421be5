// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/report_export.h"

#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "core/base/write_file.h"
#include "core/report/reports.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/shared/words.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

constexpr std::array<std::pair<const char*, ReportFormat>, 4> kEndings = {{{".html", ReportFormat::HtmlPage},
                                                                           {".md", ReportFormat::Markdown},
                                                                           {".txt", ReportFormat::PlainText},
                                                                           {".json", ReportFormat::JsonFacts}}};

Error exportError(const QString& path, const QString& cause) {
    return {path.toStdString(), std::nullopt, cause.toStdString()};
}

/// The reports of one or several runs, one below the other, then those of the snapshots.
std::string textOfEach(const ReportInput& input) {
    std::string out;
    for (const AnalysedRun* run : input.runs) {
        out += (out.empty() ? "" : "\n") + textReport(*run);
    }
    for (const ReportedSnapshot& snapshot : input.snapshots) {
        out += (out.empty() ? "" : "\n") + textSnapshot(snapshot);
    }
    return out;
}

/// The compared runs are first and second.
ReportInput inputOf(const OpenRuns& runs, const OpenSnapshots& snapshots, const RunComparison* comparison) {
    ReportInput input;
    for (const auto& run : runs) {
        input.runs.push_back(run.get());
    }
    for (const auto& snapshot : snapshots) {
        input.snapshots.push_back({&snapshot->snapshot, &snapshot->facts});
    }
    if (comparison != nullptr) {
        input.comparisons.push_back({0, 1, comparison});
    }
    return input;
}

}  // namespace

NamedReport namedReport(const QString& path, const QString& kind) {
    if (const auto format = reportFormatOf(path)) {
        return {path, *format};
    }
    for (const auto& [ending, format] : kEndings) {
        if (kind.contains(QStringLiteral("*%1").arg(QLatin1String(ending)))) {
            return {path + QLatin1String(ending), format};
        }
    }
    return {path + QStringLiteral(".html"), ReportFormat::HtmlPage};
}

std::optional<ReportFormat> reportFormatOf(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QStringLiteral("html") || ending == QStringLiteral("htm")) {
        return ReportFormat::HtmlPage;
    }
    if (ending == QStringLiteral("md")) {
        return ReportFormat::Markdown;
    }
    if (ending == QStringLiteral("txt")) {
        return ReportFormat::PlainText;
    }
    return ending == QStringLiteral("json") ? std::optional(ReportFormat::JsonFacts) : std::nullopt;
}

ReportExport::ReportExport(Session& session, Comparing& comparing, QObject* parent)
    : QObject(parent), session_(session), comparing_(comparing) {}

QString ReportExport::proposedName() const {
    const OpenRuns& runs = session_.runs();
    const QString name = runs.size() == 1 ? text(runs.front()->run->name) : QString();
    return (name.isEmpty() || name.contains(QLatin1Char('/')) ? QStringLiteral("rankscope") : name) +
           QStringLiteral("-report.html");
}

void ReportExport::askForReport(QWidget* parent) {
    const QString kinds =
        tr("Page that opens everywhere (*.html);;Markdown for an issue (*.md);;Text (*.txt);;"
           "All facts for programs (*.json)");
    QString kind;
    const QString path = QFileDialog::getSaveFileName(parent, tr("Save the report"), proposedName(), kinds, &kind);
    if (!path.isEmpty()) {
        const NamedReport report = namedReport(path, kind);
        saveReport(report.path, report.format);
    }
}

void ReportExport::askForTables(QWidget* parent) {
    const QString folder = QFileDialog::getExistingDirectory(parent, tr("Save the tables as CSV files in a folder"));
    if (!folder.isEmpty()) {
        saveTables(folder);
    }
}

void ReportExport::saveReport(const QString& path, ReportFormat format) {
    const std::optional<Subject> about = subject(path);
    if (!about || refuseTrace(path)) {
        return;
    }
    start(path,
          [about = *about, path, format] { return writeFileAtomically(path.toStdString(), textOf(about, format)); });
}

void ReportExport::saveTables(const QString& folder) {
    if (const std::optional<Subject> about = subject(folder)) {
        start(folder, [about = *about, folder] { return writeTables(about, folder); });
    }
}

std::optional<ReportExport::Subject> ReportExport::subject(const QString& path) {
    if (comparing_.active()) {
        if (const auto& compared = comparing_.view().compared()) {
            return Subject{{compared->a, compared->b}, compared, {}};
        }
        Q_EMIT failed(exportError(path, tr("The runs are still being compared: save the report later.")));
        return std::nullopt;
    }
    const OpenRuns& runs = session_.runs();
    const bool nothing = runs.empty() && session_.snapshots().empty();
    if (nothing || !std::ranges::all_of(runs, [](const auto& run) { return isAnalysed(*run); })) {
        Q_EMIT failed(exportError(path, tr("The traces are still being read: save the report later.")));
        return std::nullopt;
    }
    return Subject{runs, nullptr, session_.snapshots()};
}

bool ReportExport::refuseTrace(const QString& path) {
    const QString real = QFileInfo(path).canonicalFilePath();  // empty if there is no such file
    QStringList open;
    for (const auto& run : session_.runs()) {
        open += tracePaths(*run->run);
    }
    for (const QStringList& files : session_.companions().files()) {
        open += files;
    }
    const bool refused = !real.isEmpty() && std::ranges::any_of(open, [&real](const QString& file) {
        return QFileInfo(file).canonicalFilePath() == real;
    });
    if (refused) {
        Q_EMIT failed(exportError(path, tr("This file is open: choose another name.")));
    }
    return refused;
}

std::string ReportExport::textOf(const Subject& subject, ReportFormat format) {
    const RunComparison* comparison = subject.compared ? &subject.compared->comparison : nullptr;
    const ReportInput input = inputOf(subject.runs, subject.snapshots, comparison);
    switch (format) {
        case ReportFormat::HtmlPage: return htmlReport(input);
        case ReportFormat::Markdown: return markdownReport(input);
        case ReportFormat::JsonFacts: return jsonReport(input);
        case ReportFormat::PlainText: break;
    }
    return comparison == nullptr ? textOfEach(input) : textComparison(*subject.runs[0], *subject.runs[1], *comparison);
}

std::optional<Error> ReportExport::writeTables(const Subject& subject, const QString& folder) {
    const ReportInput input =
        inputOf(subject.runs, subject.snapshots, subject.compared ? &subject.compared->comparison : nullptr);
    for (const CsvFile& file : csvReport(input)) {
        const std::string path = (std::filesystem::path(folder.toStdString()) / file.name).string();
        if (std::optional<Error> error = writeFileAtomically(path, file.text)) {
            return error;
        }
    }
    return std::nullopt;
}

void ReportExport::start(const QString& path, std::function<std::optional<Error>()> write) {
    job_.start([this, path, write = std::move(write)](const std::stop_token&) {
        std::optional<Error> error = write();
        return LatestJob::Show([this, path, error = std::move(error)] {
            if (error) {
                Q_EMIT failed(*error);
            } else {
                Q_EMIT saved(path);
            }
        });
    });
}

}  // namespace rankscope::ui
