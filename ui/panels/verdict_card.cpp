// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/verdict_card.h"

#include <QStringList>
#include <QVBoxLayout>
#include <utility>

#include "core/report/model/summary.h"
#include "ui/panels/linked_label.h"
#include "ui/panels/stacked_bar.h"
#include "ui/panels/verdict_text.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {

// Why nothing can be told is what there is to say; why something is, only for those who ask.
VerdictCard::VerdictCard(std::shared_ptr<const AnalysedRun> run, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      run_(std::move(run)),
      theme_(theme),
      head_(new LinkedLabel("plain")),
      bar_(new StackedBar),
      legend_(new LinkedLabel("plain")),
      reason_(new WrappedLabel(verdictReasonText(*run_), "dim")),
      phases_(new LinkedLabel("plain")),
      late_(new LinkedLabel("plain")),
      reason_unfolded_(!run_->facts.verdict.bound) {
    bar_->setAccessibleName(tr("Shares of a step"));
    head_->setToolTip(plainTip(coreText(report::coverageLine(*run_))));
    reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 6);
    lines->setSpacing(6);
    for (QWidget* part : std::initializer_list<QWidget*>{head_, bar_, legend_, reason_, phases_, late_}) {
        lines->addWidget(part);
    }
    for (const LinkedLabel* label : {head_, legend_, phases_, late_}) {
        connect(label, &QLabel::linkActivated, this, &VerdictCard::follow);
    }
    refresh();
}

void VerdictCard::setTheme(const Theme& theme) {
    theme_ = theme;
    refresh();
}

QString VerdictCard::words() const {
    QStringList lines = {head_->words()};
    for (const LinkedLabel* label : {legend_, phases_, late_}) {
        lines.append(label->words());
    }
    if (!reason_->isHidden()) {
        lines.insert(2, reason_->text());
    }
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

std::vector<QWidget*> VerdictCard::stops() const {
    return {head_, legend_, phases_, late_};
}

void VerdictCard::refresh() {
    const Verdict& verdict = run_->facts.verdict;
    head_->write(verdictHeadHtml(*run_, theme_));
    bar_->setParts(verdictParts(verdict, theme_));
    legend_->write(verdictLegendHtml(verdict, width(), theme_));
    phases_->write(phasesHtml(*run_, phases_unfolded_, theme_));
    late_->write(latenessHtml(*run_, late_unfolded_, width(), theme_));
    bar_->setVisible(verdict.shares.has_value());
    reason_->setVisible(reason_unfolded_ && !reason_->text().isEmpty());
    for (LinkedLabel* label : {legend_, phases_, late_}) {
        label->setVisible(!label->text().isEmpty());
    }
}

void VerdictCard::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    legend_->write(verdictLegendHtml(run_->facts.verdict, width(), theme_));
    if (late_unfolded_) {
        late_->write(latenessHtml(*run_, true, width(), theme_));
    }
}

void VerdictCard::follow(const QString& link) {
    const QString kind = link.section(QLatin1Char(':'), 0, 0);
    const QString what = link.section(QLatin1Char(':'), 1);
    if (kind == QStringLiteral("fold")) {
        fold(what);
    } else if (kind == QStringLiteral("chart")) {
        Q_EMIT chartAsked(static_cast<StepChart>(what.toInt()));
    } else if (kind == QStringLiteral("phase")) {
        if (const auto place = placeOfPhase(*run_, static_cast<Phase>(what.toInt()))) {
            Q_EMIT spanAsked(place->rank, place->span);
        }
    } else if (kind == QStringLiteral("late")) {
        const RankPosition rank(what.toUInt());
        Q_EMIT sliceAsked(rank, markOfLatestStep(run_->facts, rank));
    }
}

void VerdictCard::fold(const QString& part) {
    bool& unfolded = part == QStringLiteral("phases") ? phases_unfolded_
                     : part == QStringLiteral("late") ? late_unfolded_
                                                      : reason_unfolded_;
    unfolded = !unfolded;
    refresh();
}

}  // namespace rankscope::ui
