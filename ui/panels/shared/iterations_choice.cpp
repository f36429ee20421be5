// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/iterations_choice.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

/// A kind, and its number of complete iterations: "decode (12 complete)".
QString entryOf(const AnalysedRun& run, IterationKind kind) {
    const IterationSums* sums = run.facts.iterations.of(kind);
    return IterationsChoice::tr("%1 (%2 complete)", "a kind of iterations, how many")
        .arg(coreText(iterationTitle(kind)))
        .arg(sums != nullptr ? sums->complete : 0);
}

QString pricedNow(const AnalysedRun& run) {
    const IterationSums* priced = run.facts.iterations.priced();
    if (priced == nullptr) {
        return {};
    }
    return IterationsChoice::tr("now: %1").arg(coreText(iterationTitle(priced->kind)));
}

}  // namespace

IterationsChoice::IterationsChoice(QWidget* parent)
    : QWidget(parent), run_(new QComboBox), kind_(new QComboBox), about_(plainLabel()) {
    run_->setAccessibleName(tr("Run"));
    kind_->setAccessibleName(tr("Iterations for medians and prices"));
    kind_->setToolTip(
        plainTip(tr("A server has several kinds of iterations, and a median over all describes none of them. A choice "
                    "analyses the run again.")));
    about_->setProperty("role", QStringLiteral("dim"));
    auto* row = new WrappingRow(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    row->addWidget(plainLabel(tr("Medians and prices of")));
    row->addWidget(run_);
    row->addWidget(kind_);
    row->addWidget(about_, 1);
    connect(run_, &QComboBox::currentIndexChanged, this, &IterationsChoice::offerKinds);
    connect(kind_, &QComboBox::activated, this, [this] {
        const QVariant kind = kind_->currentData();
        Q_EMIT chosen(run(), kind.isValid() ? std::optional(static_cast<IterationKind>(kind.toInt())) : std::nullopt);
    });
    hide();
}

std::vector<IterationKind> IterationsChoice::kindsOf(const AnalysedRun& run) {
    std::vector<IterationKind> kinds;
    for (const IterationSums& sums : run.facts.iterations.kinds) {
        if (sums.kind && sums.complete > 0) {
            kinds.push_back(*sums.kind);
        }
    }
    return kinds;
}

std::uint32_t IterationsChoice::run() const {
    return run_->currentData().toUInt();
}

void IterationsChoice::setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices) {
    const QString before = run_->currentText();
    runs_ = runs;
    choices_ = choices;
    choices_.resize(runs.size());
    const QSignalBlocker quiet(run_);
    run_->clear();
    for (std::uint32_t i = 0; i < runs.size(); ++i) {
        if (!kindsOf(*runs[i]).empty()) {
            run_->addItem(text(runs[i]->run->name), i);
        }
    }
    run_->setCurrentIndex(std::max(0, run_->findText(before)));
    run_->setVisible(run_->count() > 1);
    setVisible(run_->count() > 0);
    offerKinds();
}

void IterationsChoice::offerKinds() {
    kind_->clear();
    about_->clear();
    if (run_->count() == 0) {
        return;
    }
    const AnalysedRun& of = *runs_[run()];
    kind_->addItem(tr("what takes most time"));
    for (const IterationKind kind : kindsOf(of)) {
        kind_->addItem(entryOf(of, kind), static_cast<int>(kind));
    }
    const std::optional<IterationKind>& chosen = choices_[run()].iterations;
    kind_->setCurrentIndex(chosen ? std::max(0, kind_->findData(static_cast<int>(*chosen))) : 0);
    about_->setText(pricedNow(of));
}

void IterationsChoice::showProgress(const QString& words) {
    if (words.isEmpty()) {
        offerKinds();
    } else {
        about_->setText(words);
    }
}

}  // namespace rankscope::ui
