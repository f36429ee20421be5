// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/pipeline_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/analysis/pipeline/typical_step.h"
#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/selection/slice_step.h"
#include "ui/widgets/panel_page.h"

namespace rankscope::ui {

PipelinePanel::PipelinePanel(const Theme& theme, QWidget* parent)
    : RunPanel(theme, parent),
      title_(plainLabel()),
      about_(plainLabel()),
      notes_(plainLabel()),
      pipeline_(new QComboBox),
      step_(new QComboBox),
      legend_(new PipelineLegend(theme)),
      view_(new PipelineView(theme)),
      scroll_(new QScrollArea) {
    notes_->setProperty("role", QStringLiteral("dim"));
    notes_->setWordWrap(true);
    scroll_->setObjectName(QStringLiteral("picture"));
    scroll_->setWidget(view_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    wireChoices();
    setPage(makePanelHead(*title_, *about_, {&runBox(), pipeline_, step_}), {notes_, legend_, scroll_});
    connect(view_, &PipelineView::sliceActivated, this, [this](RankPosition rank, SliceRef slice) {
        Q_EMIT sliceActivated({runIndex(), rank, slice});
    });
    offerChoices(nullptr);
}

void PipelinePanel::wireChoices() {
    pipeline_->setAccessibleName(tr("Pipeline"));
    step_->setAccessibleName(tr("Step"));
    connect(pipeline_, &QComboBox::currentIndexChanged, this, [this] {
        offerSteps();
        outdate();
    });
    connect(step_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
}

std::span<const Pipeline> PipelinePanel::pipelines() const {
    const auto of = run();
    return of != nullptr ? std::span(of->facts.pipeline.pipelines) : std::span<const Pipeline>();
}

const Pipeline* PipelinePanel::pipeline() const {
    const auto at = static_cast<std::size_t>(std::max(0, pipeline_->currentIndex()));
    return at < pipelines().size() ? &pipelines()[at] : nullptr;
}

void PipelinePanel::follow(const Selection& selection) {
    const auto of = rankOf(selection);
    if (!of || of->first >= runs().size()) {
        return;
    }
    const auto& [run, rank] = *of;
    const auto* slice = std::get_if<SliceSelection>(&selection);
    const bool known = slice != nullptr && rank < runs()[run]->facts.ranks.size();
    showRank(run, rank,
             known ? stepOfSlice(*runs()[run]->run->ranks[rank], runs()[run]->facts.ranks[rank], slice->slice)
                   : std::nullopt);
}

void PipelinePanel::showRank(std::uint32_t run, RankPosition rank, const std::optional<RankStepPosition>& step) {
    const std::span<const Pipeline> of_run = run < runs().size()
                                                 ? std::span<const Pipeline>(runs()[run]->facts.pipeline.pipelines)
                                                 : std::span<const Pipeline>();
    for (std::size_t p = 0; p < of_run.size(); ++p) {
        const auto at = std::ranges::find(of_run[p].ranks, rank);
        if (at == of_run[p].ranks.end()) {
            continue;
        }
        runBox().setCurrentIndex(static_cast<int>(run));
        offer();
        pipeline_->setCurrentIndex(static_cast<int>(p));
        const auto place = static_cast<std::size_t>(at - of_run[p].ranks.begin());
        const auto same = std::ranges::find_if(
            of_run[p].steps, [&](const PipelineStep& each) { return step && each.ranks[place].step == *step; });
        if (same != of_run[p].steps.end()) {
            setStep(static_cast<std::size_t>(same - of_run[p].steps.begin()));
        }
        return;
    }
}

void PipelinePanel::setTheme(const Theme& theme) {
    RunPanel::setTheme(theme);
    view_->setTheme(theme);
    legend_->setTheme(theme);
}

void PipelinePanel::setStep(std::size_t step) {
    step_->setCurrentIndex(static_cast<int>(step));
}

// ---- choices

void PipelinePanel::offerChoices(const AnalysedRun* of) {
    const QSignalBlocker quiet(pipeline_);
    pipeline_->clear();
    if (of != nullptr) {
        for (const Pipeline& each : of->facts.pipeline.pipelines) {
            pipeline_->addItem(ranksName(*of->run, each.ranks));
        }
    }
    pipeline_->setVisible(pipeline_->count() > 1);
    offerSteps();
}

void PipelinePanel::offerSteps() {
    const QSignalBlocker quiet(step_);
    step_->clear();
    const auto of = run();
    if (const Pipeline* chosen = pipeline()) {
        for (const PipelineStep& step : chosen->steps) {
            step_->addItem(tr("Step %1").arg(of->facts.steps[step.step].index));
        }
        step_->setCurrentIndex(chosen->steps.empty() ? -1 : static_cast<int>(typicalStepOf(*chosen)));
    }
    step_->setVisible(step_->count() > 1);
}

// ---- contents

void PipelinePanel::showRun(const std::shared_ptr<const AnalysedRun>& of) {
    const Pipeline* chosen = pipeline();
    if (chosen == nullptr) {
        showNothing(tr("No pipeline found."));
        about_->setText(
            tr("Open the traces of all stages of a job with pipeline parallelism to see its micro-batches and the "
               "bubble. If a group is a pipeline, set its role in Grid."));
        about_->show();
        return;
    }
    const auto step = static_cast<std::size_t>(std::max(0, step_->currentIndex()));
    tell(*chosen, step);
    showPicture(step < chosen->steps.size()
                    ? makePipelinePicture(of, static_cast<std::size_t>(std::max(0, pipeline_->currentIndex())), step)
                    : nullptr);
}

void PipelinePanel::showNothing(const QString& why) {
    title_->setText(why);
    about_->hide();
    notes_->hide();
    showPicture(nullptr);
}

void PipelinePanel::tell(const Pipeline& pipeline, std::size_t step) {
    const QString schedule = pipeline.schedule ? coreText(scheduleTitle(*pipeline.schedule)) : tr("unknown schedule");
    const auto stages = static_cast<std::uint64_t>(std::max(0, pipeline.stages()));
    QStringList parts{plural(tr("%n stage(s)", nullptr, pipeline.stages()), stages)};
    if (pipeline.micro_batches > 0) {
        parts << (pipeline.micro_batches == 1 ? tr("1 micro-batch")
                                              : tr("%1 micro-batches").arg(pipeline.micro_batches));
    }
    parts << schedule;
    title_->setText(parts.join(QStringLiteral(" · ")));
    const QString about = aboutBubble(pipeline, step);
    about_->setText(about);
    about_->setVisible(!about.isEmpty());
    QStringList notes;
    for (const std::string& note : pipeline.notes) {
        notes << coreText(note);
    }
    notes_->setText(notes.join(QLatin1Char(' ')));
    notes_->setVisible(!notes.isEmpty());
}

QString PipelinePanel::aboutBubble(const Pipeline& pipeline, std::size_t step) {
    if (step >= pipeline.steps.size()) {
        return {};
    }
    const auto share = [](double of) { return unbroken(text(formatPercent(of))); };
    const QString of_step = share(pipeline.steps[step].bubbleShare());
    QStringList about{pipeline.whole() ? tr("bubble %1 here").arg(of_step)
                                       : tr("bubble of these ranks at least %1 of this step").arg(of_step)};
    if (pipeline.counted.size() > 1) {
        const QString of_all = share(pipeline.bubbleShare());
        about << (pipeline.whole() ? tr("%1 of steady steps").arg(of_all)
                                   : tr("at least %1 of steady steps").arg(of_all));
    }
    if (pipeline.theory) {
        const QString equal = share(*pipeline.theory);
        about << (pipeline.whole() ? tr("%1 with equal stages").arg(equal)
                                   : tr("%1 of all ranks with equal stages").arg(equal));
    }
    return about.join(QStringLiteral(", "));
}

void PipelinePanel::showPicture(std::shared_ptr<const PipelinePicture> picture) {
    picture_ = std::move(picture);
    legend_->setStep(picture_ != nullptr ? &picture_->facts() : nullptr, picture_ != nullptr ? picture_->step : 0);
    legend_->setVisible(picture_ != nullptr);
    scroll_->setVisible(picture_ != nullptr);  // its view draws nothing without a picture, not even its background
    view_->setPicture(picture_);
}

QString PipelinePanel::summary() const {
    QString words = title_->text();
    for (const QLabel* more : {about_, notes_}) {
        words += more->isHidden() ? QString() : QLatin1Char('\n') + more->text();
    }
    return words;
}

}  // namespace rankscope::ui
