// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/run_findings.h"

#include <QVBoxLayout>
#include <optional>
#include <utility>

#include "core/base/format.h"
#include "core/diagnosis/frame/cannot_tell.h"
#include "core/report/words/summary.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/panels/diagnosis/verdict_card.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/widgets/wrapped_label.h"

namespace rankscope::ui {
namespace {

WrappedLabel* paragraphLabel(const QString& words, const char* role) {
    auto* label = new WrappedLabel(words, role);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

bool analysed(const AnalysedRun& run) {
    return run.facts.ranks.size() == run.run->ranks.size();
}

/// The step that prices are compared with; for a server, an iteration of their kind, and for a window without marks,
/// all of it.
QString pricedStep(const RunFacts& facts) {
    if (report::isWholeWindow(facts)) {
        return QObject::tr("whole window %1").arg(duration(facts.pricedStep()));
    }
    const bool mean = facts.basis == StepBasis::Mean;
    const IterationSums* priced = facts.iterations.priced();
    if (priced != nullptr && priced->kind) {
        const QString kind = coreText(iterationTitle(priced->kind));
        return (mean ? QObject::tr("mean %1 iteration %2") : QObject::tr("median %1 iteration %2"))
            .arg(kind, duration(facts.pricedStep()));
    }
    return (mean ? QObject::tr("mean step %1") : QObject::tr("median step %1")).arg(duration(facts.pricedStep()));
}

QString aboutRun(const AnalysedRun& run, bool named) {
    QStringList about;
    if (named) {
        about.append(text(run.run->name));
    }
    if (run.facts.pricedStep() > 0) {
        about.append(pricedStep(run.facts));
    }
    if (const QString base = baseText(run); !base.isEmpty()) {
        about.append(base);
    }
    return about.join(QStringLiteral("  ·  "));
}

}  // namespace

RunFindings::RunFindings(std::shared_ptr<const AnalysedRun> run, bool named, const Theme& theme, QWidget* parent)
    : QWidget(parent), run_(std::move(run)), named_(named), list_(new QVBoxLayout(this)) {
    list_->setContentsMargins(0, 0, 0, 0);
    list_->setSpacing(8);
    if (const QString about = aboutRun(*run_, named); !about.isEmpty()) {
        list_->addWidget(paragraphLabel(about, "dim"));
    }
    if (analysed(*run_)) {
        addVerdict(theme);
        addCards(theme);
        addCannotTell();
    } else {
        list_->addWidget(paragraphLabel(tr("Diagnoses appear when all ranks are read."), "dim"));
    }
}

void RunFindings::setTheme(const Theme& theme) {
    if (verdict_ != nullptr) {
        verdict_->setTheme(theme);
    }
    for (FindingCard* card : cards_) {
        card->setTheme(theme);
    }
}

void RunFindings::addVerdict(const Theme& theme) {
    verdict_ = new VerdictCard(run_, theme);
    list_->addWidget(verdict_);
}

void RunFindings::addCards(const Theme& theme) {
    const std::vector<Finding>& findings = run_->diagnosis.findings;
    if (findings.empty()) {
        const std::optional<double> bubble = report::unpricedBubble(*run_);
        list_->addWidget(paragraphLabel(
            run_->facts.efficiency.no_flops == NoFlops::NoDevice
                ? tr("No finding: without GPU work nothing can be priced.")
            : bubble
                ? tr("No finding: nothing that has a price costs 1\u00a0% of the step or more. A bubble of %1 of the "
                     "pipeline's working time is measured, but has no price.")
                      .arg(QString::fromStdString(formatPercent(*bubble)))
            : run_->diagnosis.headline.known ? tr("No finding: nothing costs 1\u00a0% of the step or more.")
                                             : tr("No finding: no recorded cause costs 1\u00a0% of the step or more."),
            "plain"));
    }
    for (std::uint32_t i = 0; i < findings.size(); ++i) {
        auto* card = new FindingCard(*run_, findings[i], theme);
        connect(card, &FindingCard::activated, this, [this, i] { Q_EMIT activated(i); });
        cards_.push_back(card);
        list_->addWidget(card);
    }
}

void RunFindings::addCannotTell() {
    const std::vector<CannotTellTogether> items = cannotTellByReason(run_->diagnosis.cannot_tell);
    if (items.empty()) {
        return;
    }
    list_->addSpacing(8);
    list_->addWidget(paragraphLabel(tr("Unknown from these traces"), "section"));
    for (const CannotTellTogether& item : items) {
        auto* entry = new QWidget;
        auto* lines = new QVBoxLayout(entry);
        lines->setContentsMargins(0, 0, 0, 4);
        lines->setSpacing(2);
        lines->addWidget(paragraphLabel(coreText(item.reason), "plain"));
        if (!item.record.empty()) {
            lines->addWidget(paragraphLabel(coreText(item.record), "dim"));
        }
        list_->addWidget(entry);
    }
}

}  // namespace rankscope::ui
