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

/// The form that the ending of a file's name means: .html, .htm, .md, .txt, .json in any case; nothing for others.
[[nodiscard]] std::optional<ReportFormat> reportFormatOf(const QString& path);

/// A file that a report is saved to.
struct NamedReport {
    QString path;
    ReportFormat format = ReportFormat::HtmlPage;
};
/// What is saved where the user names `path` and chooses `kind` in a dialog, "Text (*.txt)": the form of the name's
/// ending; where that is of none, the chosen one, with its ending added.
[[nodiscard]] NamedReport namedReport(const QString& path, const QString& kind);

/// Saves reports of what the window shows, the same that `rankscope-cli` writes: of all open runs and memory snapshots
/// or, while two runs are compared, of these. They are worked out on a thread; the newest wish wins.
class ReportExport : public QObject {
    Q_OBJECT

  public:
    ReportExport(Session& session, Comparing& comparing, QObject* parent = nullptr);

    /// Lets the user name a file in a dialog over `parent`, and saves the report to it as namedReport() says; does
    /// nothing where that is cancelled.
    void askForReport(QWidget* parent);
    /// Lets the user choose a folder in a dialog over `parent`, and saves the tables to it.
    void askForTables(QWidget* parent);
    /// Saves the report as one file, which is replaced as a whole. saved() or failed() follows.
    void saveReport(const QString& path, ReportFormat format);
    /// Saves the facts and findings as tables, a CSV file each, in a folder that is there. saved() or failed() follows.
    void saveTables(const QString& folder);
    /// What is being worked out, for waiting.
    [[nodiscard]] LatestJob& job() { return job_; }

  Q_SIGNALS:
    /// A report has been saved: the file, or the folder of its tables.
    void saved(const QString& path);
    /// A report cannot be saved.
    void failed(const rankscope::Error& error);

  private:
    /// What a report is about; held as long as it is worked out.
    struct Subject {
        OpenRuns runs;
        std::shared_ptr<const ComparedRuns> compared;
        OpenSnapshots snapshots;
    };

    /// Nothing, with failed() for `path`, where something is not analysed yet.
    [[nodiscard]] std::optional<Subject> subject(const QString& path);
    /// Whether a file is one of the traces or snapshots that are open; says so with failed().
    [[nodiscard]] bool refuseTrace(const QString& path);
    /// Works `write` out on a thread, and reports how it went.
    void start(const QString& path, std::function<std::optional<Error>()> write);
    [[nodiscard]] QString proposedName() const;

    static std::string textOf(const Subject& subject, ReportFormat format);
    static std::optional<Error> writeTables(const Subject& subject, const QString& folder);

    Session& session_;
    Comparing& comparing_;
    LatestJob job_;
};

}  // namespace rankscope::ui
