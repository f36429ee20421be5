// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/run_panel.h"

#include <QComboBox>
#include <utility>

#include "ui/panels/shared/run_choice.h"

namespace rankscope::ui {

RunPanel::RunPanel(const Theme& theme, QWidget* parent) : PagePanel(theme, parent), run_(new QComboBox) {
    run_->setAccessibleName(tr("Run"));
    offerRuns(*run_, {});
    connect(run_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
}

void RunPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    offerRuns(*run_, runs);
    outdate();
}

std::uint32_t RunPanel::runIndex() const {
    return chosenRun(*run_);
}

std::shared_ptr<const AnalysedRun> RunPanel::run() const {
    return runIndex() < runs_.size() ? runs_[runIndex()] : nullptr;
}

void RunPanel::offer() {
    if (const auto of = run(); std::exchange(offered_, of) != of) {
        offerChoices(of.get());
    }
}

void RunPanel::refresh() {
    offer();
    const auto of = run();
    if (of == nullptr || of->facts.ranks.empty()) {
        job().forget();
        showNothing(of == nullptr ? tr("No run is open.") : tr("The run is being analysed."));
    } else {
        showRun(of);
    }
}

}  // namespace rankscope::ui
