// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/run_loader.h"

#include <QMetaObject>
#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "ui/window/opening/load_job.h"

namespace rankscope::ui {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kUpdateEvery{60};  // while ranks arrive: often enough to look alive
constexpr int kIdleShare = 4;  // and rarely enough that showing them takes a fifth of the time at most

}  // namespace

std::shared_ptr<const AnalysedRun> withoutFacts(std::shared_ptr<const Run> run, const std::optional<RunTime>& zero) {
    auto known = std::make_shared<AnalysedRun>();
    known->clock.ranks.resize(run->ranks.size());
    std::optional<TimeNs> base;
    for (const auto& rank : run->ranks) {
        base = std::min(base.value_or(rank->window.start_ns), rank->window.start_ns);
    }
    known->clock.base_ns = zero.value_or(RunTime{base.value_or(0)});
    known->run = std::move(run);
    return known;
}

RunLoader::RunLoader(QObject* parent) : QObject(parent) {
    update_.setSingleShot(true);
    connect(&update_, &QTimer::timeout, this, &RunLoader::tellArrived);
}

RunLoader::~RunLoader() {
    ++generation_;
    stop_reading_.request_stop();
    worker_.request_stop();
    for (std::jthread& thread : retired_) {
        thread.request_stop();
    }
}

void RunLoader::addRank(const LoadingFile& at, const std::string& name, const std::shared_ptr<const RankTrace>& rank,
                        const std::optional<RunTime>& zero) {
    const auto before = [](const std::shared_ptr<const RankTrace>& a, const std::shared_ptr<const RankTrace>& b) {
        // Ranks without a number come last, in the order of their arrival.
        return a->rank && (!b->rank || *a->rank < *b->rank);
    };
    Arriving& arriving = arriving_[at.run];
    arriving.run.name = name;
    arriving.zero = zero;
    arriving.run.ranks.insert(std::ranges::upper_bound(arriving.run.ranks, rank, before), rank);
    const bool first = arriving.run.ranks.size() == 1;
    arriving.outdated = true;
    if (std::exchange(last_loaded_, at) != at) {  // a file may have thousands of ranks
        Q_EMIT fileLoaded(at);
    }
    if (first) {
        tellArrived();
    } else if (!update_.isActive()) {
        update_.start(kUpdateEvery);
    }
}

void RunLoader::tellArrived() {
    const auto begun = Clock::now();
    std::vector<std::pair<std::size_t, std::shared_ptr<const AnalysedRun>>> news;
    for (auto& [index, arriving] : arriving_) {
        if (std::exchange(arriving.outdated, false)) {
            news.emplace_back(index, withoutFacts(std::make_shared<const Run>(arriving.run), arriving.zero));
        }
    }
    const std::uint64_t generation = generation_;
    for (const auto& [index, known] : news) {
        if (generation == generation_) {  // no listener has started another load
            Q_EMIT runKnown(index, known);
        }
    }
    if (!news.empty()) {
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
        update_.start(std::max(kUpdateEvery, took * kIdleShare));
    }
}

void RunLoader::tellKnown(std::size_t run, const std::shared_ptr<const AnalysedRun>& known) {
    arriving_.erase(run);
    Q_EMIT runKnown(run, known);
}

void RunLoader::end(bool cancelled) {
    const std::uint64_t generation = generation_;
    tellArrived();  // ranks of a run whose reading was stopped
    if (generation != generation_) {
        return;  // a listener has started another load
    }
    forgetArrived();
    busy_ = false;
    Q_EMIT finished(cancelled);
}

void RunLoader::forgetArrived() {
    arriving_.clear();
    update_.stop();
}

void RunLoader::load(std::vector<std::string> paths, AnalysisChoices choices, const LoadPart& part,
                     std::vector<RunSource> open) {
    retire();
    ++generation_;
    forgetArrived();
    busy_ = true;
    analysing_ = false;
    last_loaded_.reset();
    stop_reading_ = std::stop_source();
    try {
        start(std::move(paths), std::move(choices), part, std::move(open));
    } catch (const std::system_error& error) {  // no thread could be started
        const Error told{{}, {}, std::string("no thread can be started to open this: ") + error.what()};
        QMetaObject::invokeMethod(
            this,
            [this, generation = generation_, told] {
                if (generation == generation_) {
                    Q_EMIT runFailed(0, told);
                    end(false);
                }
            },
            Qt::QueuedConnection);
    }
}

void RunLoader::start(std::vector<std::string> paths, AnalysisChoices choices, const LoadPart& part,
                      std::vector<RunSource> open) {
    worker_ = std::jthread([this, generation = generation_, paths = std::move(paths), choices = std::move(choices),
                            part, open = std::move(open),
                            stop_reading = stop_reading_.get_token()](const std::stop_token& stop) {
        Job(this, generation, stop, stop_reading, choices, part).work(paths, open);
        // Loads that were retired earlier have ended by the time this is delivered, or end soon after.
        const std::thread::id self = std::this_thread::get_id();
        QMetaObject::invokeMethod(
            this, [this, self] { std::erase_if(retired_, [&](const std::jthread& t) { return t.get_id() == self; }); },
            Qt::QueuedConnection);
    });
}

void RunLoader::cancel() {
    stop_reading_.request_stop();
    if (analysing_) {
        worker_.request_stop();
    }
}

void RunLoader::giveUp() {
    stop_reading_.request_stop();
    worker_.request_stop();
}

void RunLoader::retire() {
    if (worker_.joinable()) {
        giveUp();
        if (busy_) {
            retired_.push_back(std::move(worker_));
        }
    }
}

}  // namespace rankscope::ui
