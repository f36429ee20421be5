// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/session.h"

#include <QFileInfo>
#include <QSet>
#include <QThreadPool>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

/// Frees runs or companions on another thread: freeing gigabytes takes longer than a frame.
template <class Open>
void freeLater(Open open) {
    QThreadPool::globalInstance()->start([held = std::move(open)]() mutable { held = {}; });
}

void dispose(OpenRuns open) {
    std::erase(open, nullptr);
    if (!open.empty()) {
        freeLater(std::move(open));
    }
}

void dispose(Companions open) {
    if (!open.empty()) {
        freeLater(std::move(open));
    }
}

/// The names and files of the runs, to distinguish them from others.
std::vector<RunSource> sourcesOf(const OpenRuns& runs) {
    std::vector<RunSource> sources;
    for (const auto& run : runs) {
        RunSource& source = sources.emplace_back();
        source.name = run->run->name;
        for (const auto& rank : run->run->ranks) {
            for (const TraceFile& file : rank->files) {
                source.files.push_back({pathRead(file).toStdString(), file.digest.empty() ? file.member : ""});
            }
        }
    }
    return sources;
}

/// How many closed runs and companions can be reopened.
constexpr std::size_t kClosedKept = 20;

}  // namespace

QString pathRead(const TraceFile& file) {
    const std::string& path = file.digest.empty() ? file.path : file.digest;
    return QFileInfo(QString::fromStdString(path)).absoluteFilePath();
}

QStringList tracePaths(const Run& run) {
    QStringList paths;
    QSet<QString> known;
    const std::string* last = nullptr;  // ranks of one digest are adjacent
    for (const auto& rank : run.ranks) {
        for (const TraceFile& file : rank->files) {
            if (last != nullptr && *last == file.digest) {
                continue;
            }
            last = file.digest.empty() ? nullptr : &file.digest;
            const QString path = pathRead(file);
            if (!known.contains(path)) {  // an archive contains several
                known.insert(path);
                paths.append(path);
            }
        }
    }
    return paths;
}

Session::Session(QObject* parent) : QObject(parent) {
    connect(&loader_, &RunLoader::runKnown, this, &Session::take);
    connect(&loader_, &RunLoader::snapshotRead, this, &Session::takeSnapshot);
    connect(&loader_, &RunLoader::logsRead, this, &Session::takeLogs);
    connect(&loader_, &RunLoader::dumpsRead, this, &Session::takeDumps);
    connect(&loader_, &RunLoader::finished, this, [this] {
        tellReopened();
        if (waiting_.empty()) {
            if (std::exchange(again_, false)) {
                (void)analyseAgain();
            }
            Q_EMIT idle();
            return;
        }
        const Request next = std::move(waiting_.front());
        waiting_.pop_front();
        goes_on_ = true;
        begin(next, OpenMode::Beside);
        goes_on_ = false;
    });
    connect(&reanalysis_, &Reanalysis::finished, this, &Session::exchange);
}

void Session::open(const QStringList& paths, OpenMode mode, const AnalysisChoices& choices, const LoadPart& part) {
    if (paths.isEmpty()) {
        return;
    }
    // A companion replaces no run, and stops no load.
    if (loader_.busy() && (mode == OpenMode::Beside || kindOfFewFiles(paths))) {
        waiting_.push_back({paths, choices, part});
        return;
    }
    waiting_.clear();
    begin({paths, choices, part}, mode);
}

void Session::addForecast(const std::shared_ptr<const Run>& forecast, AnalysisChoice choice) {
    runs_.push_back(withoutFacts(forecast, choice.base_ns));
    parts_.emplace_back();
    ++forecasts_;
    reanalysis_.start(forecast, choice);
    choices_.push_back(std::move(choice));
    Q_EMIT runsChanged();
}

void Session::setPathMap(PathMap map) {
    if (map != map_) {
        map_ = std::move(map);
        Q_EMIT pathMapChanged();
    }
}

PathMap Session::pathMap() const {
    PathMap all = pathMapForUser();
    std::ranges::copy_if(map_, std::back_inserter(all),
                         [&all](const MappedFolder& folder) { return std::ranges::find(all, folder) == all.end(); });
    return all;
}

void Session::begin(const Request& request, OpenMode mode) {
    mode_ = mode;
    replaced_ = false;
    closed_ = false;
    slot_.clear();
    std::vector<std::string> names;
    for (const QString& path : request.paths) {
        names.push_back(path.toStdString());
    }
    loading_choices_ = request.choices;
    loading_part_ = request.part;
    loading_again_ = request.again;
    loading_place_ = request.place;
    loading_paths_ = request.paths;
    Q_EMIT opening(request.paths);
    LoadPart part = request.part;
    part.map = map_;
    loader_.load(std::move(names), request.choices, part,
                 mode == OpenMode::Beside ? sourcesOf(runs_) : std::vector<RunSource>());
}

void Session::close(std::size_t run) {
    if (run >= runs_.size()) {
        return;
    }
    if (runs_.size() == 1) {
        closeAll();
        return;
    }
    for (std::optional<std::size_t>& slot : slot_) {
        if (slot && *slot == run) {
            slot = kClosed;
        } else if (slot && *slot != kClosed && *slot > run) {
            --*slot;
        }
    }
    keepRun(run, true);
    forecasts_ -= isForecast(run) ? 1U : 0U;
    OpenRuns old = {std::exchange(runs_[run], nullptr)};
    runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(run));
    choices_.erase(choices_.begin() + static_cast<std::ptrdiff_t>(run));
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(run));
    Q_EMIT runsChanged();
    dispose(std::move(old));
}

void Session::keepClosed(Request closed) {
    if (closed.paths.isEmpty()) {
        return;
    }
    reopenable_.push_back(std::move(closed));
    if (reopenable_.size() > kClosedKept) {
        reopenable_.pop_front();
    }
}

void Session::keepRun(std::size_t run, bool in_place) {
    if (isForecast(run)) {
        return;
    }
    Q_EMIT closing(run);
    Request closed{tracePaths(*runs_[run]->run), {{{}, choices_[run]}}, parts_[run]};
    closed.again = true;
    if (in_place) {
        closed.place = run;
    }
    keepClosed(std::move(closed));
}

void Session::keepAll(bool in_place) {
    const std::vector<QStringList> companions = companions_.files();
    std::for_each(companions.rbegin(), companions.rend(), [this](const QStringList& files) {
        keepClosed({files, {}});
    });
    for (std::size_t run = runs_.size(); run-- > 0;) {
        keepRun(run, in_place);
    }
}

void Session::reopen() {
    if (reopenable_.empty()) {
        return;
    }
    Request last = std::move(reopenable_.back());
    reopenable_.pop_back();
    if (loader_.busy()) {
        waiting_.push_back(std::move(last));
    } else {
        begin(last, OpenMode::Beside);
    }
}

void Session::tellReopened() {
    for (const std::optional<std::size_t>& slot : std::exchange(loading_again_, false) ? slot_ : decltype(slot_)()) {
        if (slot && *slot != kClosed && !closed_) {
            Q_EMIT reopened(*slot);
        }
    }
}

void Session::closeAll() {
    keepAll(true);
    waiting_.clear();
    loader_.giveUp();
    slot_.clear();
    OpenRuns old = std::exchange(runs_, {});
    Companions old_companions = std::exchange(companions_, {});
    forecasts_ = 0;
    choices_.clear();
    parts_.clear();
    closed_ = true;
    Q_EMIT runsChanged();
    dispose(std::move(old));
    dispose(std::move(old_companions));
}

void Session::closeSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot) {
    Companions old{{}, {snapshot}};
    if (std::erase(companions_.snapshots, snapshot) > 0) {
        keepOld(std::move(old));
    }
}

void Session::closeLogs() {
    keepOld({{std::exchange(companions_.logs, nullptr), nullptr}, {}});
}

void Session::closeDumps() {
    keepOld({{nullptr, std::exchange(companions_.dumps, nullptr)}, {}});
}

void Session::keepOld(Companions old) {
    for (const QStringList& files : old.files()) {
        keepClosed({files, {}});
    }
    if (!old.empty()) {
        Q_EMIT runsChanged();
        dispose(std::move(old));
    }
}

std::vector<std::size_t> Session::wholeRuns() const {
    std::vector<std::size_t> whole;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        if (!isPart(run)) {
            whole.push_back(run);
        }
    }
    return whole;
}

void Session::tellOpened() {
    if (const QStringList opened = std::exchange(loading_paths_, {}); !opened.isEmpty()) {
        Q_EMIT this->opened(opened);
    }
}

void Session::takeSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot) {
    if (closed_) {
        return;
    }
    tellOpened();
    OpenSnapshots& open = companions_.snapshots;
    std::erase_if(open, [&snapshot](const auto& each) { return each->snapshot.path == snapshot->snapshot.path; });
    open.push_back(snapshot);
    Q_EMIT runsChanged();
    Q_EMIT snapshotOpened(snapshot);
}

void Session::takeLogs(const std::shared_ptr<const ReadLogs>& logs) {
    if (!closed_) {
        tellOpened();
        Companions old{{std::exchange(companions_.logs, logs), nullptr}, {}};
        Q_EMIT runsChanged();
        Q_EMIT logsOpened();
        dispose(std::move(old));
    }
}

void Session::takeDumps(const std::shared_ptr<const ReadDumps>& dumps) {
    if (!closed_) {
        tellOpened();
        Companions old{{nullptr, std::exchange(companions_.dumps, dumps)}, {}};
        Q_EMIT runsChanged();
        Q_EMIT dumpsOpened();
        dispose(std::move(old));
    }
}

void Session::take(std::size_t run, const std::shared_ptr<const AnalysedRun>& known) {
    if (closed_) {
        return;
    }
    OpenRuns old;
    Companions old_companions;
    tellOpened();
    if (mode_ == OpenMode::Replace && !replaced_) {
        keepAll(false);
        old = std::exchange(runs_, {});
        old_companions = std::exchange(companions_, {});
        forecasts_ = 0;
        choices_.clear();
        parts_.clear();
        replaced_ = true;
    }
    if (slot_.size() <= run) {
        slot_.resize(run + 1);
    }
    if (slot_[run] == kClosed) {
        return;
    }
    if (!slot_[run]) {
        slot_[run] = addRun(*known->run);
    }
    old.push_back(std::exchange(runs_[*slot_[run]], known));
    Q_EMIT runsChanged();
    dispose(std::move(old));
    dispose(std::move(old_companions));
}

std::size_t Session::addRun(const Run& run) {
    const std::size_t at = std::min(loading_place_.value_or(recordings()), recordings());
    if (loading_place_) {
        loading_place_ = at + 1;  // another one of the same files follows it
    }
    for (std::optional<std::size_t>& slot : slot_) {
        if (slot && *slot != kClosed && *slot >= at) {
            ++*slot;
        }
    }
    const auto place = static_cast<std::ptrdiff_t>(at);
    runs_.insert(runs_.begin() + place, nullptr);
    choices_.insert(choices_.begin() + place, choiceFor(run.name, loading_choices_));
    parts_.insert(parts_.begin() + place, loading_part_);
    return at;
}

void Session::choose(std::size_t run, const std::function<void(AnalysisChoice&)>& change) {
    if (run >= runs_.size()) {
        return;
    }
    const std::shared_ptr<const Run>& of = runs_[run]->run;
    AnalysisChoice choice = reanalysis_.pending(*of).value_or(choices_[run]);
    change(choice);
    reanalysis_.start(of, choice);
}

void Session::setClocks(std::size_t run, const ClockChoice& clocks) {
    choose(run, [&](AnalysisChoice& choice) { choice.clocks = clocks; });
}

void Session::setRole(std::size_t run, const std::string& group, std::optional<Role> role) {
    choose(run, [&](AnalysisChoice& choice) {
        std::erase_if(choice.roles, [&group](const auto& said) { return said.first == group; });
        if (role) {
            choice.roles.emplace_back(group, *role);
        }
    });
}

void Session::setIterations(std::size_t run, std::optional<IterationKind> kind) {
    choose(run, [kind](AnalysisChoice& choice) { choice.iterations = kind; });
}

void Session::setJob(std::size_t run, const JobChoice& job) {
    choose(run, [&](AnalysisChoice& choice) { choice.job = job; });
}

bool Session::analyseAgain() {
    again_ = loader_.busy();
    bool any = false;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        if (!runs_[run]->facts.ranks.empty()) {
            choose(run, [](const AnalysisChoice&) {});
            any = true;
        }
    }
    return any;
}

void Session::exchange(const std::shared_ptr<const Run>& run, const AnalysisChoice& choice,
                       const std::shared_ptr<const AnalysedRun>& result) {
    const auto at = std::ranges::find_if(runs_, [&](const auto& open) { return open->run == run; });
    if (at == runs_.end() || !result) {
        return;  // closed in the meantime, or cancelled
    }
    choices_[static_cast<std::size_t>(at - runs_.begin())] = choice;
    OpenRuns old = {std::exchange(*at, result)};
    Q_EMIT runsChanged();
    dispose(std::move(old));
}

QStringList Session::names() const {
    QStringList names;
    for (const auto& run : runs_) {
        names.append(text(run->run->name));
    }
    return names.isEmpty() ? companions_.names() : names;
}

}  // namespace rankscope::ui
