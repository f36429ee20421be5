// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/session_keeper.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/write_file.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/search/search.h"
#include "ui/panels/shared/words.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/selection_flow.h"
#include "ui/window/session/session.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kRowsKept = 20;  // same as the number that Session reopens
const QString kEnding = QStringLiteral(".rankscope");

QString filter() {
    return SessionKeeper::tr("Sessions (*%1)").arg(kEnding);
}

QStringList listOf(const std::vector<std::string>& paths) {
    QStringList list;
    for (const std::string& path : paths) {
        list.append(QString::fromStdString(path));
    }
    return list;
}

/// Whether these paths belong to a run of the session, or to its companions.
bool expected(const SessionDocument& document, const QStringList& paths) {
    return paths == listOf(document.companions) ||
           std::ranges::any_of(document.runs,
                               [&](const SessionDocument::OpenRun& run) { return paths == listOf(run.files); });
}

/// All files named by a session.
std::vector<std::string*> filesOf(SessionDocument& document) {
    std::vector<std::string*> files;
    for (SessionDocument::OpenRun& run : document.runs) {
        std::ranges::transform(run.files, std::back_inserter(files), [](std::string& file) { return &file; });
    }
    std::ranges::transform(document.companions, std::back_inserter(files), [](std::string& file) { return &file; });
    return files;
}

std::vector<std::string> filesOf(const Run& run) {
    std::vector<std::string> files;
    for (const QString& path : tracePaths(run)) {
        files.push_back(path.toStdString());
    }
    return files;
}

/// Normalised paths of files for comparing, independent of their order.
std::set<std::string> placesOf(const std::vector<std::string>& files) {
    std::set<std::string> places;
    std::ranges::transform(files, std::inserter(places, places.end()), [](const std::string& file) {
        return QDir::cleanPath(QFileInfo(QString::fromStdString(file)).absoluteFilePath()).toStdString();
    });
    return places;
}

/// Whether the open run has all files of the session's run, and no others.
bool isWhole(const Run& open, const SessionDocument::OpenRun& run) {
    return placesOf(filesOf(open)) == placesOf(run.files);
}

/// Whether each open run has the files of the session's run in its place, or some of them: otherwise it is another run,
/// in place of one that could not be read.
bool areOf(const Session& session, const SessionDocument& document) {
    const OpenRuns& runs = session.runs();
    bool are = runs.size() == document.runs.size();
    for (std::size_t i = 0; are && i < runs.size(); ++i) {
        are = session.parts()[i] == document.runs[i].part &&
              std::ranges::includes(placesOf(document.runs[i].files), placesOf(filesOf(*runs[i]->run)));
    }
    return are;
}

/// The path of a file named by a session of another machine: the longest end of its path that exists below `folder`.
std::string foundBeside(const std::string& file, const std::string& folder) {
    std::error_code ignored;
    const bool here = std::filesystem::exists(file, ignored);
    const std::optional<MappedFolder> mapped = here ? std::nullopt : mappingInto(folder, file);
    return mapped ? pathHere(file, {*mapped}) : file;
}

bool isEmpty(const SessionDocument& document) {
    return document.runs.empty() && document.companions.empty();
}

Error problem(const QString& path, const QString& cause) {
    return {path.toStdString(), std::nullopt, cause.toStdString()};
}

}  // namespace

SessionKeeper::SessionKeeper(Session& session, Workspace& workspace, Comparing& comparing, QString last,
                             QObject* parent)
    : QObject(parent), session_(session), workspace_(workspace), comparing_(comparing), last_(std::move(last)) {
    connect(&session_, &Session::idle, this, [this] {
        if (const auto document = std::exchange(awaited_, std::nullopt)) {
            show(*document);
        }
    });
    connect(&session_, &Session::closing, this, &SessionKeeper::keepRows);
    connect(&session_, &Session::reopened, this, &SessionKeeper::putBackRows);
    connect(&session_, &Session::opening, this, [this](const QStringList& paths) {
        if (awaited_ && !isEmpty(*awaited_) && !expected(*awaited_, paths)) {
            awaited_.reset();  // the user has opened something else in the meantime
        }
        if (incomplete_ && !expected(*incomplete_, paths)) {
            incomplete_.reset();
            Q_EMIT filesMissing(0, 0);
        }
    });
}

void SessionKeeper::keepRows(std::size_t run) {
    const TimelineState rows = stateOfRun(workspace_.timeline().state(), static_cast<std::uint32_t>(run), 0);
    closed_.push_back({filesOf(*session_.runs()[run]->run), session_.parts()[run], rows});
    if (closed_.size() > kRowsKept) {
        closed_.pop_front();
    }
}

void SessionKeeper::putBackRows(std::size_t run) {
    const auto files = filesOf(*session_.runs()[run]->run);
    const auto last = std::find_if(closed_.rbegin(), closed_.rend(), [&](const Closed& kept) {
        return kept.files == files && kept.part == session_.parts()[run];
    });
    if (last != closed_.rend()) {
        workspace_.timeline().addState(stateOfRun(last->rows, 0, static_cast<std::uint32_t>(run)));
        closed_.erase(std::next(last).base());
    }
}

bool SessionKeeper::isSession(const QString& path) {
    return path.endsWith(kEnding, Qt::CaseInsensitive);
}

void SessionKeeper::askToOpen(QWidget* parent) {
    const QString path = QFileDialog::getOpenFileName(parent, tr("Open a session"), {}, filter());
    if (!path.isEmpty()) {
        open(path);
    }
}

QString SessionKeeper::defaultName() const {
    const OpenRuns& runs = session_.runs();
    QString name = runs.empty() ? tr("session") : text(runs.front()->run->name);
    return name.replace(QLatin1Char('/'), QLatin1Char('-')) + kEnding;
}

void SessionKeeper::askToSave(QWidget* parent) {
    const QString path = QFileDialog::getSaveFileName(parent, tr("Save the session"), defaultName(), filter());
    if (!path.isEmpty()) {
        const QString to = isSession(path) ? path : path + kEnding;
        if (write(to)) {
            Q_EMIT saved(to);  // its extension may differ from the typed one
        }
    }
}

void SessionKeeper::open(const QString& path) {
    if (const auto document = read(path)) {
        restore(*document);
    }
}

void SessionKeeper::save(const QString& path) {
    write(path);
}

void SessionKeeper::openLast() {
    if (!QFileInfo::exists(last_)) {
        return;
    }
    if (const auto document = read(last_)) {
        restore(*document);
    } else {
        const QString aside = last_ + QStringLiteral(".damaged");
        QFile::remove(aside);
        QFile::rename(last_, aside);
    }
}

void SessionKeeper::saveLast() {
    write(last_);
}

std::optional<SessionDocument> SessionKeeper::read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        Q_EMIT failed(problem(path, file.errorString()));
        return std::nullopt;
    }
    const QByteArray bytes = file.readAll();
    const std::filesystem::path where = QFileInfo(path).absoluteFilePath().toStdString();
    Result<SessionDocument> document = readSession({bytes.constData(), static_cast<std::size_t>(bytes.size())}, where);
    if (!document.ok()) {
        Q_EMIT failed(document.error());
        return std::nullopt;
    }
    for (std::string* each : filesOf(document.value())) {
        *each = foundBeside(*each, where.parent_path().string());
    }
    return std::move(document).value();
}

bool SessionKeeper::write(const QString& path) {
    const std::filesystem::path folder = QFileInfo(path).absolutePath().toStdString();
    const std::string json = sessionJson(captured(), folder);
    const std::optional<Error> error = writeFileAtomically(path.toStdString(), json);
    if (error) {
        Q_EMIT failed(*error);
    }
    return !error;
}

SessionDocument SessionKeeper::captured() const {
    if (awaited_) {
        return *awaited_;  // still missing: it must not be forgotten for that
    }
    SessionDocument document;
    document.map = session_.pathMap();
    const OpenRuns& runs = session_.runs();
    bool all = true;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (session_.isForecast(i)) {
            all = false;
            continue;
        }
        document.runs.push_back(
            {runs[i]->run->name, filesOf(*runs[i]->run), session_.choices()[i], session_.parts()[i]});
    }
    for (const QStringList& files : session_.companions().files()) {
        std::ranges::transform(files, std::back_inserter(document.companions),
                               [](const QString& file) { return QFileInfo(file).absoluteFilePath().toStdString(); });
    }
    if (!runs.empty()) {
        const TimelineWidget& timeline = workspace_.timeline();
        document.timeline = timeline.state();
        if (const auto* slice = std::get_if<SliceSelection>(&timeline.selection())) {
            document.selection = *slice;
        }
        if (all && comparing_.runs()) {
            const CompareView& view = comparing_.view();
            document.compared = {comparing_.recordings(), view.linked(), view.byPhase(), view.stacked()};
        }
        const Search& search = comparing_.active() ? comparing_.view().search() : workspace_.search();
        document.search = search.query().toStdString();
        document.question = workspace_.query().question().toStdString();
        document.panel = workspace_.panelInFront().toStdString();
        document.side_panel = workspace_.sidePanelVisible();
        document.bottom_panel = workspace_.bottomPanelVisible();
        document.layout = workspace_.layout();
        document.grid = workspace_.grid().choice();
    }
    return document;
}

void SessionKeeper::restore(const SessionDocument& document) {
    if (isEmpty(document)) {
        return;
    }
    if (document.runs.empty()) {
        session_.closeAll();  // no run will replace the open ones
    }
    awaited_ = document;
    session_.setPathMap(document.map);
    lookForFiles(document);
    OpenMode mode = OpenMode::Replace;
    for (const SessionDocument::OpenRun& run : document.runs) {
        session_.open(listOf(run.files), mode, {{{}, run.choice}}, run.part);
        mode = OpenMode::Beside;
    }
    session_.open(listOf(document.companions), OpenMode::Beside);
}

void SessionKeeper::lookForFiles(SessionDocument document) {
    const std::vector<std::string*> files = filesOf(document);
    const std::ptrdiff_t missing = std::ranges::count_if(
        files, [](const std::string* file) { return !QFileInfo::exists(QString::fromStdString(*file)); });
    const auto all = static_cast<int>(files.size());
    incomplete_ = missing > 0 ? std::optional(std::move(document)) : std::nullopt;
    Q_EMIT filesMissing(static_cast<int>(missing), all);
}

void SessionKeeper::locate(const QString& folder) {
    if (!incomplete_) {
        return;
    }
    SessionDocument document = *incomplete_;
    for (std::string* file : filesOf(document)) {
        *file = foundBeside(*file, folder.toStdString());
    }
    restore(document);
}

// A session names ranks by their index in the run, and times relative to its first instant: without all files these
// differ.
void SessionKeeper::showView(const SessionDocument& document) {
    const OpenRuns& runs = session_.runs();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!isWhole(*runs[i]->run, document.runs[i])) {
            Q_EMIT failed(problem(text(runs[i]->run->name), tr("Not all files of the session could be read. Its view, "
                                                               "marks and pins are left out.")));
            return;
        }
    }
    if (document.selection && document.selection->run < runs.size() &&
        exists(*runs[document.selection->run], document.selection->rank, document.selection->slice)) {
        workspace_.flow().pointAt(*document.selection);
    }
    if (!document.timeline.window.empty()) {
        workspace_.timeline().setState(document.timeline);
    }
}

void SessionKeeper::show(const SessionDocument& document) {
    if (!areOf(session_, document)) {
        return;  // a run could not be read: positions in all runs together are no longer valid
    }
    showView(document);
    if (document.layout) {
        workspace_.setLayout(*document.layout);
    }
    workspace_.grid().setChoice(document.grid);
    workspace_.query().setQuestion(QString::fromStdString(document.question));
    workspace_.showPanel(QString::fromStdString(document.panel));
    workspace_.setSidePanelVisible(document.side_panel);
    workspace_.setBottomPanelVisible(document.bottom_panel);
    if (document.compared) {
        CompareView& view = comparing_.view();
        view.setLinked(document.compared->linked);
        view.setByPhase(document.compared->by_phase);
        view.setStacked(document.compared->stacked);
        comparing_.startOpen(document.compared->sides);
    }
    if (!document.search.empty()) {
        const bool compared = comparing_.active();
        (compared ? comparing_.view().search() : workspace_.search())
            .searchFor(QString::fromStdString(document.search));
        (compared ? comparing_.view().activeTimeline() : workspace_.timeline()).setFocus();
    }
    Q_EMIT shown();
}

}  // namespace rankscope::ui
