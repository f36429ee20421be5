// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/step_opener.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/ingest/files/content_hash.h"
#include "core/ingest/files/path_map.h"
#include "ui/panels/shared/words.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

/// The origin for the rank's step, read from its trace, that aligns it with the same step of the run. A trace's own
/// times are not on the run's clock, and its first instant is not that of the run.
AnalysisChoice standingUnder(const AnalysedRun& run, RankPosition rank, std::int64_t number) {
    AnalysisChoice choice;
    if (rank < run.clock.ranks.size()) {
        TimeNs at_ns = run.run->ranks[rank]->window.start_ns;
        if (rank < run.facts.ranks.size()) {
            const auto& steps = run.facts.ranks[rank].steps;
            const auto step = std::ranges::find(steps, number, &RankStep::index);
            at_ns = step == steps.end() ? at_ns : step->span.start_ns;  // where drift is small, even after a long time
        }
        const DurationNs on_axis_ns = run.clock.ranks[rank].toRun(FileTime(at_ns)) - run.clock.base_ns;
        choice.base_ns = RunTime(at_ns - on_axis_ns);
    }
    return choice;
}

}  // namespace

StepOpener::StepOpener(Session& session, QObject* parent) : QObject(parent), session_(session) {
    connect(&session_, &Session::idle, this, &StepOpener::tellOpened);
    connect(&session_, &Session::opening, this, [this] { awaited_.reset(); });
}

std::size_t StepOpener::partsOpen() const {
    return session_.runs().size() - session_.wholeRuns().size();
}

// Runs that are opened in addition to others come after them, and forecasts come last.
void StepOpener::tellOpened() {
    const auto opening = std::exchange(opening_, std::nullopt);
    const OpenRuns& runs = session_.runs();
    std::size_t last = runs.size();
    while (last > 0 && !session_.isPart(last - 1)) {
        --last;
    }
    if (!opening || partsOpen() <= opening->parts_before || last == 0) {
        return;  // it was not readable, or is already closed
    }
    const std::vector<RunStep>& steps = runs[last - 1]->facts.steps;
    const auto step = std::ranges::find(steps, opening->number, &RunStep::index);
    if (const auto own = step != steps.end() ? step->of(RankPosition(0)) : std::nullopt) {
        Q_EMIT opened(static_cast<std::uint32_t>(last - 1), RankPosition(0), *own);
    }
}

void StepOpener::open(const TimelineWidget& timeline) {
    const auto step = timeline.stepInView();
    const auto selected = rankOf(timeline.selection());
    if (!step || step->run >= session_.runs().size()) {
        Q_EMIT told(tr("No step in view can be opened."));
        return;
    }
    const std::shared_ptr<const AnalysedRun>& run = session_.runs()[step->run];
    const bool here = selected && selected->first == step->run;
    if (!here && run->run->ranks.size() > 1) {
        Q_EMIT told(tr("Select something on the rank whose step you want to open."));
        return;
    }
    open(run, here ? selected->second : RankPosition(0), run->facts.steps[step->step].index);
}

void StepOpener::open(const std::shared_ptr<const AnalysedRun>& run, RankPosition rank, std::int64_t number) {
    const RankTrace& trace = *run->run->ranks[rank];
    const TraceFile* file = trace.files.empty() ? nullptr : &trace.files.front();
    if (file == nullptr || file->digest.empty()) {
        Q_EMIT told(tr("%1 was read from its trace: all of it is here.").arg(rankName(*run->run, rank)));
        return;
    }
    job_.start([this, of = *file, map = session_.pathMap(), part = LoadPart{trace.rank, number, {}},
                choice = standingUnder(*run, rank, number),
                name = rankName(*run->run, rank)](const std::stop_token&) -> LatestJob::Show {
        const std::string here = pathHere(of, map);
        const bool there = hasSizeOf(here, of);  // not a file of another job with the same name
        return [this, here, there, part, choice, name] {
            if (there) {
                opening_ = {*part.step, partsOpen()};
                session_.open({text(here)}, OpenMode::Beside, {{{}, choice}}, part);
                return;
            }
            Q_EMIT notHere(name, text(std::filesystem::path(here).parent_path().string()));
        };
    });
}

void StepOpener::goTo(RankNumber rank, std::int64_t number) {
    std::optional<std::pair<std::shared_ptr<const AnalysedRun>, RankPosition>> unread;
    for (std::uint32_t r = 0; r < session_.runs().size(); ++r) {
        const AnalysedRun& run = *session_.runs()[r];
        const auto at = std::ranges::find_if(run.run->ranks, [rank](const auto& each) { return each->rank == rank; });
        const auto of_run = std::ranges::find(run.facts.steps, number, &RunStep::index);
        if (at == run.run->ranks.end()) {
            continue;
        }
        const RankPosition position(static_cast<std::size_t>(at - run.run->ranks.begin()));
        if (of_run == run.facts.steps.end()) {
            unread = {session_.runs()[r], position};
            continue;
        }
        if (const auto own = of_run->of(position)) {
            Q_EMIT opened(r, position, *own);
            return;
        }
    }
    if (session_.loader().busy()) {
        awaited_ = {rank, number};
        Q_EMIT waiting(tr("Going to step %1 of rank %2 as soon as it is read").arg(number).arg(rank.value));
    } else if (unread) {
        open(unread->first, unread->second, number);  // not among the steps that fit into memory
    }
}

void StepOpener::goOn() {
    if (const auto step = std::exchange(awaited_, std::nullopt)) {
        goTo(step->first, step->second);
    }
}

}  // namespace rankscope::ui
