// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/comparison/comparing.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "ui/compare/compare_view.h"
#include "ui/panels/shared/words.h"
#include "ui/window/opening/recent_paths.h"

namespace rankscope::ui {
namespace {

QString absolute(const QString& path) {
    return QDir::cleanPath(QFileInfo(path).absoluteFilePath());
}

/// Whether a file of the run is at one of the paths, or below one.
bool isFrom(const Run& run, const QStringList& paths) {
    return std::ranges::any_of(run.ranks, [&](const auto& rank) {
        return std::ranges::any_of(rank->files, [&](const TraceFile& file) {
            const QString at = QDir::cleanPath(pathRead(file));
            return std::ranges::any_of(paths, [&](const QString& path) {
                const QString from = absolute(path);
                return at == from || at.startsWith(from + QLatin1Char('/'));
            });
        });
    });
}

}  // namespace

Comparing::Comparing(Session& session, CompareView& view, QObject* parent)
    : QObject(parent), session_(session), view_(view) {
    connect(&session_, &Session::runsChanged, this, &Comparing::look);
    connect(&session_, &Session::idle, this, [this] {
        if (!beginWithAwaited(true)) {
            look();
        }
        awaited_.reset();  // the loading strip says what could not be read
        added_.clear();
        tellOpened(std::exchange(opened_, {}));
    });
    connect(&session_, &Session::opened, this,
            [this](const QStringList& paths) { opened_ = compared_ ? paths : QStringList(); });
    connect(&view_, &CompareView::leaveAsked, this, &Comparing::leave);
    connect(&view_, &CompareView::swapAsked, this, &Comparing::swap);
}

void Comparing::start(const CompareSources& a, const CompareSources& b) {
    const auto is_open = [](const CompareSource& source) { return !std::holds_alternative<QStringList>(source); };
    OpenMode mode =
        std::ranges::any_of(a, is_open) || std::ranges::any_of(b, is_open) ? OpenMode::Beside : OpenMode::Replace;
    awaited_ = {a, b};
    for (const CompareSources* side : {&a, &b}) {
        for (const CompareSource& source : *side) {
            if (const auto* paths = std::get_if<QStringList>(&source)) {
                Q_EMIT openAsked(*paths, std::exchange(mode, OpenMode::Beside));
            }
        }
    }
    look();
}

void Comparing::startOpen(const Indices& sides) {
    const OpenRuns& runs = session_.runs();
    Sources sources;
    std::set<std::size_t> used;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        for (const std::size_t run : sides[side]) {
            if (run < runs.size() && used.insert(run).second) {
                sources[side].emplace_back(runs[run]->run);
            }
        }
    }
    if (!sources.front().empty() && !sources.back().empty()) {
        start(sources.front(), sources.back());
    }
}

bool Comparing::startOnlyTwo() {
    const std::vector<std::size_t> whole = session_.wholeRuns();
    if (session_.runs().size() == 2) {
        startOpen({{{0}, {1}}});
    } else if (whole.size() == 2) {
        startOpen({{{whole.front()}, {whole.back()}}});
    } else {
        return false;
    }
    return true;
}

void Comparing::add(Side side, const QStringList& paths) {
    if (compared_ && !paths.isEmpty()) {
        added_.emplace_back(side, paths);
        Q_EMIT openAsked(paths, OpenMode::Beside);
        look();
    }
}

void Comparing::swap() {
    if (compared_) {
        std::swap(compared_->front(), compared_->back());
        look();
        Q_EMIT changed();
    }
}

void Comparing::leave() {
    awaited_.reset();
    added_.clear();
    if (compared_) {
        compared_.reset();
        view_.setSides({}, {});
        Q_EMIT changed();
    }
}

std::optional<std::size_t> Comparing::find(const CompareSource& source, const std::set<std::size_t>& except) const {
    const OpenRuns& runs = session_.runs();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto* open = std::get_if<std::shared_ptr<const Run>>(&source);
        const bool is = open != nullptr ? runs[i]->run == *open : isFrom(*runs[i]->run, std::get<QStringList>(source));
        if (is && !except.contains(i) && isAnalysed(*runs[i])) {
            return i;
        }
    }
    return std::nullopt;
}

bool Comparing::beginWithAwaited(bool some) {
    Indices found;
    std::set<std::size_t> used;
    bool all = awaited_.has_value();
    for (std::size_t side = 0; awaited_ && side < found.size(); ++side) {
        for (const CompareSource& source : (*awaited_)[side]) {
            if (const auto run = find(source, used)) {
                found[side].push_back(*run);
                used.insert(*run);
            } else {
                all = false;
            }
        }
    }
    if ((!all && !some) || found.front().empty() || found.back().empty()) {
        return false;
    }
    awaited_.reset();
    begin(found);
    return true;
}

void Comparing::look() {
    if (beginWithAwaited(false)) {
        return;
    }
    if (compared_) {
        takeAdded();
        OpenRuns a = openOf(Side::A);
        OpenRuns b = openOf(Side::B);
        if (a.empty() || b.empty()) {
            leave();
        } else {
            view_.setSides(std::move(a), std::move(b));
        }
    }
}

void Comparing::begin(const Indices& sides) {
    added_.clear();
    compared_.emplace();
    for (std::size_t side = 0; side < sides.size(); ++side) {
        for (const std::size_t run : sides[side]) {
            (*compared_)[side].push_back(session_.runs()[run]->run);
        }
    }
    view_.setSides(openOf(Side::A), openOf(Side::B));
    Q_EMIT changed();
}

void Comparing::takeAdded() {
    const auto is_compared = [this](const std::shared_ptr<const Run>& run) {
        return std::ranges::any_of(
            *compared_, [&run](const Recordings& side) { return std::ranges::find(side, run) != side.end(); });
    };
    for (const auto& [side, paths] : added_) {
        for (const auto& open : session_.runs()) {
            if (isAnalysed(*open) && isFrom(*open->run, paths) && !is_compared(open->run)) {
                recordingsOf(side).push_back(open->run);
            }
        }
    }
}

OpenRuns Comparing::openOf(Side side) const {
    OpenRuns open;
    for (const auto& run : (*compared_)[indexOf(side)]) {
        if (const auto at = find(run)) {
            open.push_back(session_.runs()[*at]);
        }
    }
    return open;
}

void Comparing::tellOpened(const QStringList& paths) {
    const bool of_it = compared_ && std::ranges::any_of(*compared_, [&](const Recordings& side) {
                           return std::ranges::any_of(side, [&](const auto& run) { return isFrom(*run, paths); });
                       });
    if (compared_ && !of_it && !paths.isEmpty()) {
        Q_EMIT openedBehind(RecentPaths::title(paths));
    }
}

std::optional<std::array<std::size_t, 2>> Comparing::runs() const {
    std::array<std::size_t, 2> shown{};
    for (const Side side : {Side::A, Side::B}) {
        const Recordings of_side = compared_ ? (*compared_)[indexOf(side)] : Recordings();
        const auto& view = view_.compared();
        const bool is_shown = view && std::ranges::find(of_side, view->run(side).run) != of_side.end();
        const auto at = is_shown ? find(view->run(side).run) : of_side.empty() ? std::nullopt : find(of_side.front());
        if (!at) {
            return std::nullopt;
        }
        shown[indexOf(side)] = *at;
    }
    return shown;
}

Comparing::Indices Comparing::recordings() const {
    Indices sides;
    for (std::size_t side = 0; compared_ && side < sides.size(); ++side) {
        for (const auto& run : (*compared_)[side]) {
            if (const auto at = find(run)) {
                sides[side].push_back(*at);
            }
        }
    }
    return sides;
}

std::size_t Comparing::currentRun() const {
    const auto pair = runs();
    return pair ? (*pair)[view_.activeSide() == Side::A ? 0 : 1] : 0;
}

}  // namespace rankscope::ui
