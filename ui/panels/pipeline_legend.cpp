// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/pipeline_legend.h"

#include <QPainter>
#include <array>

#include "ui/panels/pass_look.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

constexpr int kPipelineLegendText = 11;
constexpr int kPassPatch = 18;
constexpr int kPassSpace = 6;
constexpr int kPassBetween = 16;

}  // namespace

PipelineLegend::PipelineLegend(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("What the boxes stand for"));
}

void PipelineLegend::setStep(const Pipeline* pipeline, std::size_t step) {
    kinds_.clear();
    causes_.clear();
    if (pipeline != nullptr && !pipeline->steps[step].ranks.empty()) {
        PipelineTimes times;
        std::array<bool, kPassKinds> has{};
        bool has_later = false;
        for (const RankPipelineStep& rank : pipeline->steps[step].ranks) {
            times += rank.times;
            for (const PipelinePass& pass : rank.passes) {
                has.at(static_cast<std::size_t>(pass.kind)) = true;
                has_later = has_later || isOfLaterStage(pass, *pipeline);
            }
        }
        for (std::size_t kind = 0; kind < kPassKinds; ++kind) {
            if (has.at(kind)) {
                kinds_.push_back({static_cast<PassKind>(kind), passTitle(static_cast<PassKind>(kind))});
            }
        }
        if (has_later) {
            kinds_.push_back({PassKind::Forward, tr("paler: a later stage of the rank"), true});
        }
        tellCauses(times, static_cast<DurationNs>(pipeline->steps[step].ranks.size()));
    }
    setToolTip(plainTip(tr("The bubble by its causes, on average of the ranks in this step")));
    updateGeometry();
    update();
}

// Warm-up and drain look alike, since they are told by where they stand: they are one entry.
void PipelineLegend::tellCauses(const PipelineTimes& times, DurationNs ranks) {
    const auto add = [&](BubbleCause cause, const QString& title, DurationNs sum_ns) {
        if (sum_ns > 0) {
            causes_.emplace_back(cause, namedTime(title, sum_ns / ranks));
        }
    };
    const DurationNs warm_up_ns = times.bubbleOf(BubbleCause::WarmUp);
    const DurationNs drain_ns = times.bubbleOf(BubbleCause::Drain);
    add(warm_up_ns > 0 ? BubbleCause::WarmUp : BubbleCause::Drain,
        warm_up_ns > 0 && drain_ns > 0
            ? tr("warm-up and drain")
            : coreText(bubbleCauseTitle(warm_up_ns > 0 ? BubbleCause::WarmUp : BubbleCause::Drain)),
        warm_up_ns + drain_ns);
    for (const BubbleCause cause : {BubbleCause::StageWait, BubbleCause::HandOver}) {
        add(cause, coreText(bubbleCauseTitle(cause)), times.bubbleOf(cause));
    }
}

QString PipelineLegend::meansTitle() const {
    return causes_.empty() ? QString() : tr("bubble, mean of a rank:");
}

void PipelineLegend::setTheme(const Theme& theme) {
    theme_ = theme;
    updateGeometry();
    update();
}

QFont PipelineLegend::legendFont() const {
    QFont font = theme_.ui_font;
    font.setPixelSize(scaled(kPipelineLegendText, theme_));
    return font;
}

QString PipelineLegend::spokenContent() const {
    QStringList words;
    for (const auto& [cause, title] : causes_) {
        words << title;
    }
    return words.isEmpty() ? tr("There is no bubble.")
                           : tr("Bubble, mean of a rank: %1.").arg(words.join(QStringLiteral(", ")));
}

QSize PipelineLegend::sizeHint() const {
    const QFontMetrics metrics(legendFont());
    int width = 0;
    for (const Kind& each : kinds_) {
        width += kPassPatch + kPassSpace + metrics.horizontalAdvance(each.title) + kPassBetween;
    }
    if (!causes_.empty()) {
        width += metrics.horizontalAdvance(meansTitle()) + kPassSpace;
    }
    for (const auto& [cause, title] : causes_) {
        width += kPassPatch + kPassSpace + metrics.horizontalAdvance(title) + kPassBetween;
    }
    return {width, metrics.height() + 2};
}

void PipelineLegend::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setFont(legendFont());
    const QFontMetrics metrics(painter.font());
    int x = 0;
    const auto words = [&](const QString& title) {
        painter.setPen(theme_.text_dim);
        painter.drawText(QRect(x, 0, metrics.horizontalAdvance(title) + 2, height()), Qt::AlignVCenter, title);
        x += metrics.horizontalAdvance(title);
    };
    const auto write = [&](const QString& title) {
        x += kPassPatch + kPassSpace;
        words(title);
        x += kPassBetween;
    };
    const auto patch = [&] { return QRectF(x, (height() - metrics.ascent()) / 2.0, kPassPatch, metrics.ascent()); };
    for (const Kind& each : kinds_) {
        drawPass(painter, patch(), each.kind, theme_, each.later_stage);
        write(each.title);
    }
    if (!causes_.empty()) {
        words(meansTitle());
        x += kPassSpace;
    }
    for (const auto& [cause, title] : causes_) {
        drawBubble(painter, patch(), cause, theme_);
        write(title);
    }
}

}  // namespace rankscope::ui
