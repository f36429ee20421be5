// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whatif/what_if_sweep.h"

#include <utility>

namespace rankscope::ui {
namespace {

Result<Forecast> forecastAlone(const WhatIfRun& run, const std::string& text, const std::stop_token& stop) {
    const Result<WhatIfChange> change = parseWhatIf(text);
    if (!change.ok()) {
        return change.error();
    }
    return run.forecast({&change.value(), 1}, stop);
}

}  // namespace

WhatIfSweep::WhatIfSweep(QObject* parent) : QObject(parent) {}

void WhatIfSweep::start(std::shared_ptr<const WhatIfRun> run, std::vector<std::string> texts) {
    run_ = std::move(run);
    texts_ = std::move(texts);
    next_ = 0;
    playNext();
}

void WhatIfSweep::stop() {
    job_.forget();
    run_.reset();
}

void WhatIfSweep::finish() {
    while (busy()) {
        job_.finish();
    }
}

void WhatIfSweep::playNext() {
    if (next_ == texts_.size()) {
        stop();
        return;
    }
    job_.start([this, run = run_, text = texts_[next_]](const std::stop_token& stop) -> LatestJob::Show {
        Result<Forecast> forecast = forecastAlone(*run, text, stop);
        if (forecast.cancelled()) {
            return {};
        }
        return [this, forecast = std::move(forecast)] {
            const std::size_t index = next_++;
            Q_EMIT known(index, forecast);
            if (run_ != nullptr) {  // a listener may have stopped it
                playNext();
            }
        };
    });
}

}  // namespace rankscope::ui
