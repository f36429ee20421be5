// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_loader.h"

#include <QMetaObject>
#include <algorithm>
#include <chrono>
#include <optional>
#include <stop_token>
#include <utility>

namespace rankscope::ui {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kProgressEvery = std::chrono::milliseconds(40);

/// The run as far as it is read: every rank with its file's own times.
std::shared_ptr<const AnalysedRun> withoutFacts(std::shared_ptr<const Run> run) {
    auto known = std::make_shared<AnalysedRun>();
    known->clock.ranks.resize(run->ranks.size());
    std::optional<TimeNs> base;
    for (const auto& rank : run->ranks) {
        base = std::min(base.value_or(rank->window.start_ns), rank->window.start_ns);
    }
    known->clock.base_ns = base.value_or(0);
    known->run = std::move(run);
    return known;
}

}  // namespace

/// One load, on its thread. It reaches the loader only by posting to the loader's thread.
class RunLoader::Job {
  public:
    /// `stop` ends it all; `stop_reading` lets it analyse what has been read by then.
    Job(RunLoader* loader, std::uint64_t generation, std::stop_token stop, std::stop_token stop_reading,
        ClockChoices clocks)
        : loader_(loader),
          generation_(generation),
          stop_(std::move(stop)),
          stop_reading_(std::move(stop_reading)),
          clocks_(std::move(clocks)) {}

    void work(const std::vector<std::string>& paths) {
        const Discovery found = discoverRuns(paths);
        post([found](RunLoader& to) { Q_EMIT to.discovered(found); });
        for (std::size_t run = 0; run < found.runs.size() && !stop_reading_.stop_requested(); ++run) {
            loadOne(run, found.runs[run]);
        }
        post([cancelled = stop_reading_.stop_requested()](RunLoader& to) {
            to.busy_ = false;
            Q_EMIT to.finished(cancelled);
        });
    }

    /// Calls `action` on the loader's thread, unless another load has been started by then.
    template <class Action>
    void post(Action action) const {
        QMetaObject::invokeMethod(
            loader_,
            [to = loader_, generation = generation_, action = std::move(action)] {
                if (to->generation_ == generation) {
                    action(*to);
                }
            },
            Qt::QueuedConnection);
    }

  private:
    class Observer;

    void loadOne(std::size_t index, const RunSource& source);
    void analyse(std::size_t index, std::shared_ptr<const Run> run) const;

    RunLoader* loader_;
    std::uint64_t generation_;
    std::stop_token stop_;
    std::stop_token stop_reading_;
    ClockChoices clocks_;
};

/// Passes on what a load tells, a file at most 25 times a second, and builds the run as far as it has come.
class RunLoader::Job::Observer : public LoadObserver {
  public:
    Observer(const Job& job, std::size_t run, const RunSource& source)
        : job_(job), run_(run), last_(source.files.size()), failed_(source.files.size(), false) {
        so_far_.name = source.name;
    }

    void fileProgress(std::size_t file, std::uint64_t done, std::uint64_t total, std::uint64_t json_bytes) override {
        const auto now = Clock::now();
        if (done < total && now - last_[file] < kProgressEvery) {
            return;
        }
        last_[file] = now;
        job_.post([at = LoadingFile{run_, file}, progress = FileProgress{done, total, json_bytes}](RunLoader& to) {
            Q_EMIT to.fileProgressed(at, progress);
        });
    }

    void fileLoaded(std::size_t file, const std::shared_ptr<const RankTrace>& rank) override {
        const auto before = [](const std::shared_ptr<const RankTrace>& a, const std::shared_ptr<const RankTrace>& b) {
            // Ranks without a number stand last, in the order in which they came.
            return a->rank && (!b->rank || *a->rank < *b->rank);
        };
        so_far_.ranks.insert(std::ranges::upper_bound(so_far_.ranks, rank, before), rank);
        auto known = withoutFacts(std::make_shared<const Run>(so_far_));
        job_.post([at = LoadingFile{run_, file}, known = std::move(known)](RunLoader& to) {
            Q_EMIT to.fileLoaded(at);
            Q_EMIT to.runKnown(at.run, known);
        });
    }

    void fileFailed(std::size_t file, const Error& error) override {
        failed_[file] = true;
        job_.post([at = LoadingFile{run_, file}, error](RunLoader& to) { Q_EMIT to.fileFailed(at, error); });
    }

    [[nodiscard]] bool failed(std::size_t file) const { return failed_[file]; }

  private:
    const Job& job_;
    std::size_t run_;
    std::vector<Clock::time_point> last_;
    std::vector<bool> failed_;
    Run so_far_;
};

void RunLoader::Job::loadOne(std::size_t index, const RunSource& source) {
    Observer observer(*this, index, source);
    LoadOptions options;
    options.keep_when_stopped = true;
    Result<Run> loaded = loadRun(source, options, observer, stop_reading_);
    if (loaded.cancelled() || stop_.stop_requested()) {
        return;
    }
    if (loaded.failed()) {
        post([index, error = loaded.error()](RunLoader& to) { Q_EMIT to.runFailed(index, error); });
        return;
    }
    auto run = std::make_shared<const Run>(std::move(loaded).value());
    // Files can be refused after they were read: windows of one rank that overlap belong to two runs.
    for (const Error& error : run->unreadable) {
        const auto at = std::ranges::find_if(source.files, [&](const FileSource& file) {
            return file.path == error.path || file.label() == error.path;
        });
        const auto file = static_cast<std::size_t>(at - source.files.begin());
        if (at != source.files.end() && !observer.failed(file)) {
            observer.fileFailed(file, error);
        }
    }
    post([index, known = withoutFacts(run)](RunLoader& to) { Q_EMIT to.runKnown(index, known); });
    analyse(index, std::move(run));
}

void RunLoader::Job::analyse(std::size_t index, std::shared_ptr<const Run> run) const {
    post([](RunLoader& to) { to.analysing_ = true; });
    const auto progress = [this, index](const Progress& now) {
        post([index, now](RunLoader& to) { Q_EMIT to.analysisProgressed(index, now); });
    };
    AnalysisOptions options;
    Result<NameRules> rules = NameRules::forUser();
    if (rules.ok()) {
        options.rules = std::move(rules).value();
    } else {
        post([index, error = rules.error()](RunLoader& to) { Q_EMIT to.runFailed(index, error); });
    }
    const ClockChoice clocks = choiceFor(run->name, clocks_);
    options.file_clocks = clocks.file_times;
    options.typed_offset_ns = typedOffsets(*run, clocks);
    Result<AnalysedRun> analysed = analyseRun(std::move(run), options, progress, stop_);
    if (analysed.failed()) {
        post([index, error = analysed.error()](RunLoader& to) { Q_EMIT to.runFailed(index, error); });
    } else if (analysed.ok()) {
        auto known = std::make_shared<const AnalysedRun>(std::move(analysed).value());
        post([index, known = std::move(known)](RunLoader& to) { Q_EMIT to.runKnown(index, known); });
    }
    post([](RunLoader& to) { to.analysing_ = false; });
}

RunLoader::RunLoader(QObject* parent) : QObject(parent) {}

RunLoader::~RunLoader() {
    ++generation_;
    stop_reading_.request_stop();
    worker_.request_stop();
    for (std::jthread& thread : retired_) {
        thread.request_stop();
    }
}

void RunLoader::load(std::vector<std::string> paths, ClockChoices clocks) {
    retire();
    ++generation_;
    busy_ = true;
    analysing_ = false;
    stop_reading_ = std::stop_source();
    const std::uint64_t generation = generation_;
    worker_ = std::jthread([this, generation, paths = std::move(paths), clocks = std::move(clocks),
                            stop_reading = stop_reading_.get_token()](const std::stop_token& stop) {
        Job(this, generation, stop, stop_reading, clocks).work(paths);
        // Whoever was retired before has ended by the time this is delivered, or soon after.
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
