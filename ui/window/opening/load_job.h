// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaObject>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "ui/window/opening/read_companions.h"
#include "ui/window/opening/run_loader.h"

namespace rankscope::ui {

/// One load, on its own thread. It reaches the loader only by posting to the loader's thread.
class RunLoader::Job {
  public:
    /// `stop` ends everything; `stop_reading` ends reading and lets it analyse what it has.
    Job(RunLoader* loader, std::uint64_t generation, std::stop_token stop, std::stop_token stop_reading,
        AnalysisChoices choices, LoadPart part)
        : loader_(loader),
          generation_(generation),
          stop_(std::move(stop)),
          stop_reading_(std::move(stop_reading)),
          choices_(std::move(choices)),
          part_(std::move(part)) {}

    /// Finds, reads and analyses what is at `paths`, and posts what happens. Runs get other names than those of `open`.
    void work(std::vector<std::string> paths, const std::vector<RunSource>& open);

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

    /// Replaces paths of other machines by digests and companions, which are created there and copied here; removes
    /// those that cannot be fetched. Returns the reasons, and what the other machine could not read or pack.
    [[nodiscard]] std::vector<Error> fetch(std::vector<std::string>& paths) const;
    /// Reports the steps of the first run, if it consists of digests with many ranks.
    void tellSteps(const Discovery& found) const;
    /// If memory or threads run out while one run is read or analysed, only that run fails.
    void loadOrTell(std::size_t index, const RunSource& source);
    void tellFault(std::size_t run, const std::string& name, const std::exception& error) const;
    void loadOne(std::size_t index, const RunSource& source);
    /// Reads snapshots, logs and dumps; `run` is the index of the first of these among those discovered.
    void readCompanions(const CompanionFiles& given, std::size_t run) const;
    /// Posts what happens to the files of a run.
    [[nodiscard]] CompanionReports reportsOf(std::size_t run, const std::vector<std::string>& files) const;
    void open(std::size_t index, const std::shared_ptr<const Run>& run) const;
    void analyse(std::size_t index, std::shared_ptr<const Run> run) const;

    RunLoader* loader_;
    std::uint64_t generation_;
    std::stop_token stop_;
    std::stop_token stop_reading_;
    AnalysisChoices choices_;
    LoadPart part_;
    std::size_t next_ = 0;  // index of the next run that is found inside a source of several
};

}  // namespace rankscope::ui
