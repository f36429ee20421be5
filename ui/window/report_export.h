// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "ui/compare/compared_runs.h"
#include "ui/panels/memory/open_snapshots.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/latest_job.h"

namespace rankscope::ui {

class Comparing;
class Session;

/// The forms of a report that is one file.
enum class ReportFormat : std::uint8_t { HtmlPage, Markdown, PlainText, JsonFacts };

/// The format for the ending of a file's name: .html, .htm, .md, .txt, .json in any case; nothing for others.
[[nodiscard]] std::optional<ReportFormat> reportFormatOf(const QString& path);

/// A file to which a report is saved.
struct NamedReport {
    QString path;
    ReportFormat format = ReportFormat::HtmlPage;
};
/// What to save if the user enters `path` and chooses `kind` in a dialog, "Text (*.txt)": the format of the name's
/// ending; if it has no known ending, the chosen format, with its ending added.
[[nodiscard]] NamedReport namedReport(const QString& path, const QString& kind);

/// Saves reports of the window's content, equal to those of `rankscope-cli`: of all open runs and memory snapshots or,
/// while two runs are compared, of these. They are made on a thread; the newest request wins.
class ReportExport : public QObject {
    Q_OBJECT

  public:
    ReportExport(Session& session, Comparing& comparing, QObject* parent = nullptr);

    /// Lets the user choose a file in a dialog over `parent`, and saves the report as in namedReport(); does nothing if
    /// cancelled.
    void askForReport(QWidget* parent);
    /// Lets the user choose a folder in a dialog over `parent`, and saves the tables to it.
    void askForTables(QWidget* parent);
    /// Saves the report as one file, which is replaced as a whole. saved() or failed() follows.
    void saveReport(const QString& path, ReportFormat format);
    /// Saves the facts and findings as tables, one CSV file each, in an existing folder. saved() or failed() follows.
    void saveTables(const QString& folder);
    /// The running job, for waiting.
    [[nodiscard]] LatestJob& job() { return job_; }

  Q_SIGNALS:
    /// A report has been saved: the file, or the folder of its tables.
    void saved(const QString& path);
    /// A report cannot be saved.
    void failed(const rankscope::Error& error);

  private:
    /// The subject of a report; kept alive while it is made.
    struct Subject {
        OpenRuns runs;
        std::shared_ptr<const ComparedRuns> compared;
        OpenSnapshots snapshots;
    };

    /// Nothing, with failed() for `path`, if something is not analysed yet.
    [[nodiscard]] std::optional<Subject> subject(const QString& path);
    /// Whether a file is one of the open traces or snapshots; then emits failed().
    [[nodiscard]] bool refuseTrace(const QString& path);
    /// Runs `write` on a thread, and reports the result.
    void start(const QString& path, std::function<std::optional<Error>()> write);
    [[nodiscard]] QString proposedName() const;

    static std::string textOf(const Subject& subject, ReportFormat format);
    static std::optional<Error> writeTables(const Subject& subject, const QString& folder);

    Session& session_;
    Comparing& comparing_;
    LatestJob job_;
};

}  // namespace rankscope::ui
