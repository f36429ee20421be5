// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session.h"

#include <QFileInfo>
#include <QThreadPool>
#include <algorithm>
#include <utility>

namespace rankscope::ui {
namespace {

/// Frees runs or snapshots on another thread: giving back gigabytes takes longer than a frame.
template <class Open>
void dispose(Open open) {
    std::erase(open, nullptr);
    if (!open.empty()) {
        QThreadPool::globalInstance()->start([held = std::move(open)]() mutable { held.clear(); });
    }
}

/// How many closed runs can be opened again.
constexpr std::size_t kClosedKept = 20;

}  // namespace

QStringList tracePaths(const Run& run) {
    QStringList paths;
    for (const auto& rank : run.ranks) {
        for (const TraceFile& file : rank->files) {
            const QString path = QFileInfo(QString::fromStdString(file.path)).absoluteFilePath();
            if (!paths.contains(path)) {  // an archive holds several
                paths.append(path);
            }
        }
    }
    return paths;
}

Session::Session(QObject* parent) : QObject(parent) {
    connect(&loader_, &RunLoader::runKnown, this, &Session::take);
    connect(&loader_, &RunLoader::snapshotRead, this, &Session::takeSnapshot);
    connect(&loader_, &RunLoader::finished, this, [this] {
        if (waiting_.empty()) {
            if (std::exchange(again_, false)) {
                (void)analyseAgain();
            }
            Q_EMIT idle();
            return;
        }
        const Request next = std::move(waiting_.front());
        waiting_.pop_front();
        begin(next, OpenMode::Beside);
    });
    connect(&reanalysis_, &Reanalysis::finished, this, &Session::exchange);
}

void Session::open(const QStringList& paths, OpenMode mode, const ClockChoices& clocks) {
    if (paths.isEmpty()) {
        return;
    }
    // A snapshot takes the place of nothing, and ends no load.
    if (loader_.busy() && (mode == OpenMode::Beside || areSnapshots(paths))) {
        waiting_.push_back({paths, clocks});
        return;
    }
    waiting_.clear();
    begin({paths, clocks}, mode);
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
    loading_clocks_ = request.clocks;
    loading_paths_ = request.paths;
    Q_EMIT opening(request.paths);
    loader_.load(std::move(names), request.clocks);
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
    keepClosed(run);
    OpenRuns old = {std::exchange(runs_[run], nullptr)};
    runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(run));
    clocks_.erase(clocks_.begin() + static_cast<std::ptrdiff_t>(run));
    Q_EMIT runsChanged();
    dispose(std::move(old));
}

void Session::keepClosed(std::size_t run) {
    const QStringList paths = tracePaths(*runs_[run]->run);
    if (paths.isEmpty()) {
        return;
    }
    closed_runs_.push_back({paths, {{{}, clocks_[run]}}});
    if (closed_runs_.size() > kClosedKept) {
        closed_runs_.pop_front();
    }
}

void Session::reopen() {
    if (closed_runs_.empty()) {
        return;
    }
    const Request last = std::move(closed_runs_.back());
    closed_runs_.pop_back();
    open(last.paths, OpenMode::Beside, last.clocks);
}

void Session::closeAll() {
    for (std::size_t run = runs_.size(); run-- > 0;) {
        keepClosed(run);  // the first is the first to come back
    }
    waiting_.clear();
    loader_.giveUp();
    slot_.clear();
    OpenRuns old = std::exchange(runs_, {});
    OpenSnapshots old_snapshots = std::exchange(snapshots_, {});
    clocks_.clear();
    closed_ = true;
    Q_EMIT runsChanged();
    dispose(std::move(old));
    dispose(std::move(old_snapshots));
}

void Session::closeSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot) {
    OpenSnapshots old = {snapshot};
    if (std::erase(snapshots_, snapshot) > 0) {
        Q_EMIT runsChanged();
        dispose(std::move(old));
    }
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
    std::erase_if(snapshots_, [&snapshot](const auto& open) { return open->snapshot.path == snapshot->snapshot.path; });
    snapshots_.push_back(snapshot);
    Q_EMIT runsChanged();
    Q_EMIT snapshotOpened(snapshot);
}

void Session::take(std::size_t run, const std::shared_ptr<const AnalysedRun>& known) {
    if (closed_) {
        return;
    }
    OpenRuns old;
    OpenSnapshots old_snapshots;
    tellOpened();
    if (mode_ == OpenMode::Replace && !replaced_) {
        for (std::size_t old_run = runs_.size(); old_run-- > 0;) {
            keepClosed(old_run);
        }
        old = std::exchange(runs_, {});
        old_snapshots = std::exchange(snapshots_, {});
        clocks_.clear();
        replaced_ = true;
    }
    if (slot_.size() <= run) {
        slot_.resize(run + 1);
    }
    if (slot_[run] == kClosed) {
        return;
    }
    if (!slot_[run]) {
        slot_[run] = runs_.size();
        runs_.push_back(nullptr);
        clocks_.push_back(choiceFor(known->run->name, loading_clocks_));
    }
    old.push_back(std::exchange(runs_[*slot_[run]], known));
    Q_EMIT runsChanged();
    dispose(std::move(old));
    dispose(std::move(old_snapshots));
}

void Session::setClock(std::size_t run, const ClockChoice& choice) {
    if (run < runs_.size()) {
        reanalysis_.start(runs_[run]->run, choice);
    }
}

void Session::setRole(std::size_t run, const std::string& group, std::optional<Role> role) {
    if (run >= runs_.size()) {
        return;
    }
    ClockChoice choice = clocks_[run];
    std::erase_if(choice.roles, [&group](const auto& said) { return said.first == group; });
    if (role) {
        choice.roles.emplace_back(group, *role);
    }
    setClock(run, choice);
}

void Session::setJob(std::size_t run, const JobChoice& job) {
    if (run < runs_.size()) {
        ClockChoice choice = clocks_[run];
        choice.job = job;
        setClock(run, choice);
    }
}

bool Session::analyseAgain() {
    again_ = loader_.busy();
    bool any = false;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        if (!runs_[run]->facts.ranks.empty()) {
            reanalysis_.start(runs_[run]->run, clocks_[run]);
            any = true;
        }
    }
    return any;
}

void Session::exchange(const std::shared_ptr<const Run>& run, const ClockChoice& choice,
                       const std::shared_ptr<const AnalysedRun>& result) {
    const auto at = std::ranges::find_if(runs_, [&](const auto& open) { return open->run == run; });
    if (at == runs_.end() || !result) {
        return;  // closed meanwhile, or given up
    }
    clocks_[static_cast<std::size_t>(at - runs_.begin())] = choice;
    OpenRuns old = {std::exchange(*at, result)};
    Q_EMIT runsChanged();
    dispose(std::move(old));
}

}  // namespace rankscope::ui
