// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/verdict_card.h"

#include <QStringList>
#include <QVBoxLayout>
#include <utility>

#include "core/report/words/summary.h"
#include "ui/panels/diagnosis/late_dots.h"
#include "ui/panels/diagnosis/phase_strip.h"
#include "ui/panels/diagnosis/step_places.h"
#include "ui/panels/diagnosis/verdict_text.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/linked_label.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {
namespace {

constexpr int kBetweenParts = 6;  // logical pixels
constexpr int kUnderTitle = 3;    // logical pixels, between the title of a picture and the picture, and below
                                  // everything
constexpr int kAbovePicture = 8;  // logical pixels, above the title of a picture

}  // namespace

VerdictCard::VerdictCard(std::shared_ptr<const AnalysedRun> run, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      run_(std::move(run)),
      theme_(theme),
      head_(new LinkedLabel("plain")),
      reason_(new LinkedLabel("dim")),
      bar_(new StackedBar),
      legend_(new LinkedLabel("plain")),
      what_if_(new LinkedLabel("plain")),
      phases_title_(new LinkedLabel("plain")),
      phases_(new PhaseStrip(run_, theme)),
      late_title_(new LinkedLabel("plain")),
      late_(new LateDots(run_, theme)) {
    bar_->setAccessibleName(tr("Shares of a step"));
    head_->setToolTip(plainTip(coreText(report::coverageLine(*run_))));
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, kUnderTitle);
    lines->setSpacing(kBetweenParts);
    for (QWidget* part : std::initializer_list<QWidget*>{head_, reason_, bar_, legend_, what_if_}) {
        lines->addWidget(part);
    }
    const auto add_picture = [lines](QWidget* title, QWidget* picture) {
        auto* both = new QVBoxLayout;
        both->setContentsMargins(0, kAbovePicture - kBetweenParts, 0, 0);
        both->setSpacing(kUnderTitle);
        both->addWidget(title);
        both->addWidget(picture);
        lines->addLayout(both);
    };
    add_picture(phases_title_, phases_);
    add_picture(late_title_, late_);
    for (const LinkedLabel* label : {head_, reason_, legend_, what_if_, late_title_}) {
        connect(label, &QLabel::linkActivated, this, &VerdictCard::follow);
    }
    connect(phases_, &PhaseStrip::spanAsked, this, &VerdictCard::spanAsked);
    connect(late_, &LateDots::rankAsked, this, [this](RankPosition rank) {
        if (const SliceRef mark = markOfLatestStep(run_->facts, rank); mark.valid()) {
            Q_EMIT sliceAsked(rank, mark);
        }
    });
    refresh();
}

void VerdictCard::setTheme(const Theme& theme) {
    theme_ = theme;
    phases_->setTheme(theme);
    late_->setTheme(theme);
    refresh();
}

QString VerdictCard::words() const {
    QStringList lines = {head_->words()};
    if (reason_unfolded_) {
        lines << reason_->words();
    }
    lines << bar_->spokenContent() << legend_->words() << what_if_->words();
    if (phases_->hasPhases()) {
        lines << phases_title_->words() << phases_->spokenContent();
    }
    if (late_->hasRanks()) {
        lines << late_title_->words() << late_->labels();
    }
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

std::vector<QWidget*> VerdictCard::stops() const {
    return {head_, reason_, legend_, what_if_, phases_, late_title_, late_};
}

void VerdictCard::refresh() {
    const Verdict& verdict = run_->facts.verdict;
    head_->write(verdictHeadHtml(*run_, reason_unfolded_, theme_));
    reason_->write(verdictReasonHtml(*run_, theme_));
    reason_->setVisible(reason_unfolded_);
    bar_->setParts(verdictParts(verdict, theme_));
    bar_->setVisible(verdict.shares.has_value());
    legend_->write(verdictLegendHtml(verdict, width(), theme_));
    legend_->setVisible(!legend_->text().isEmpty());
    what_if_->write(whatIfHtml(*run_, theme_));
    what_if_->setVisible(!what_if_->text().isEmpty());
    phases_title_->write(phasesTitleHtml(phases_->ofDevice(), phases_->overlap(), theme_));
    late_title_->write(latenessTitleHtml(*run_, theme_));
    for (QWidget* part : std::initializer_list<QWidget*>{phases_title_, phases_}) {
        part->setVisible(phases_->hasPhases());
    }
    for (QWidget* part : std::initializer_list<QWidget*>{late_title_, late_}) {
        part->setVisible(late_->hasRanks());
    }
}

void VerdictCard::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    legend_->write(verdictLegendHtml(run_->facts.verdict, width(), theme_));
}

void VerdictCard::follow(const QString& link) {
    const QString kind = link.section(QLatin1Char(':'), 0, 0);
    const QString what = link.section(QLatin1Char(':'), 1);  // all that follows: "loader:ready"
    if (kind == QStringLiteral("fold")) {
        reason_unfolded_ = !reason_unfolded_;
        refresh();
    } else if (kind == QStringLiteral("chart")) {
        Q_EMIT chartAsked(static_cast<StepChart>(what.toInt()));
    } else if (kind == QStringLiteral("what-if")) {
        Q_EMIT whatIfAsked(what.toStdString());
    }
}

}  // namespace rankscope::ui
