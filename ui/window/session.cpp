// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session.h"

#include <QThreadPool>
#include <utility>

namespace rankscope::ui {
namespace {

/// Frees runs on another thread: giving back gigabytes takes longer than a frame.
void dispose(OpenRuns runs) {
    std::erase(runs, nullptr);
    if (!runs.empty()) {
        QThreadPool::globalInstance()->start([held = std::move(runs)]() mutable { held.clear(); });
    }
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {
    connect(&loader_, &RunLoader::runKnown, this, &Session::take);
    connect(&loader_, &RunLoader::finished, this, [this] {
        if (waiting_.empty()) {
            Q_EMIT idle();
            return;
        }
        const QStringList next = std::move(waiting_.front());
        waiting_.pop_front();
        begin(next, OpenMode::Beside);
    });
}

void Session::open(const QStringList& paths, OpenMode mode) {
    if (paths.isEmpty()) {
        return;
    }
    if (mode == OpenMode::Beside && loader_.busy()) {
        waiting_.push_back(paths);
        return;
    }
    waiting_.clear();
    begin(paths, mode);
}

void Session::begin(const QStringList& paths, OpenMode mode) {
    mode_ = mode;
    replaced_ = false;
    closed_ = false;
    slot_.clear();
    std::vector<std::string> names;
    for (const QString& path : paths) {
        names.push_back(path.toStdString());
    }
    Q_EMIT opening(paths);
    loader_.load(std::move(names));
}

void Session::close() {
    waiting_.clear();
    loader_.cancel();
    slot_.clear();
    OpenRuns old = std::exchange(runs_, {});
    closed_ = true;
    Q_EMIT runsChanged();
    dispose(std::move(old));
}

void Session::take(std::size_t run, const std::shared_ptr<const AnalysedRun>& known) {
    if (closed_) {
        return;
    }
    OpenRuns old;
    if (mode_ == OpenMode::Replace && !replaced_) {
        old = std::exchange(runs_, {});
        replaced_ = true;
    }
    if (slot_.size() <= run) {
        slot_.resize(run + 1);
    }
    if (!slot_[run]) {
        slot_[run] = runs_.size();
        runs_.push_back(nullptr);
    }
    old.push_back(std::exchange(runs_[*slot_[run]], known));
    Q_EMIT runsChanged();
    dispose(std::move(old));
}

}  // namespace rankscope::ui
