// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/reanalysis.h"

#include <QMetaObject>
#include <exception>
#include <utility>

#include "ui/panels/shared/translated_wording.h"

namespace rankscope::ui {

Reanalysis::Reanalysis(QObject* parent) : QObject(parent) {}

Reanalysis::~Reanalysis() {
    cancel();
    for (auto& [number, thread] : retired_) {
        thread.request_stop();
    }
}

void Reanalysis::start(const std::shared_ptr<const Run>& run, const AnalysisChoice& choice) {
    Job& job = jobs_[run.get()];
    if (job.thread.joinable()) {
        job.thread.request_stop();
        retired_[job.number] = std::move(job.thread);
    }
    job.number = ++last_;
    job.choice = choice;
    job.thread = std::jthread([this, number = job.number, run, choice](const std::stop_token& stop) {
        AnalysisOptions options;
        options.wording = translatedWording();
        if (Result<NameRules> rules = NameRules::forUser(); rules.ok()) {
            options.rules = std::move(rules).value();
        }
        heed(choice, *run, options);
        const auto tell = [this, stop](const Progress& progress) {
            if (!stop.stop_requested()) {
                QMetaObject::invokeMethod(
                    this, [this, progress] { Q_EMIT progressed(progress); }, Qt::QueuedConnection);
            }
        };
        std::shared_ptr<const AnalysedRun> result;
        try {
            if (Result<AnalysedRun> analysed = analyseRun(run, options, tell, stop); analysed.ok()) {
                result = std::make_shared<const AnalysedRun>(std::move(analysed).value());
            }
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): without a result the old one stays
        }
        QMetaObject::invokeMethod(
            this, [this, number, run, choice, result] { end(number, run, choice, result); }, Qt::QueuedConnection);
    });
}

std::optional<AnalysisChoice> Reanalysis::pending(const Run& run) const {
    const auto at = jobs_.find(&run);
    const bool goes_on = at != jobs_.end() && !at->second.thread.get_stop_token().stop_requested();
    return goes_on ? std::optional(at->second.choice) : std::nullopt;
}

void Reanalysis::cancel() {
    for (auto& [run, job] : jobs_) {
        job.thread.request_stop();
    }
}

void Reanalysis::end(std::uint64_t number, const std::shared_ptr<const Run>& run, const AnalysisChoice& choice,
                     const std::shared_ptr<const AnalysedRun>& result) {
    retired_.erase(number);
    const auto at = jobs_.find(run.get());
    if (at == jobs_.end() || at->second.number != number) {
        return;  // a newer request has replaced it
    }
    jobs_.erase(at);
    Q_EMIT finished(run, choice, result);
}

}  // namespace rankscope::ui
