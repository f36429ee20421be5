// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/pipeline_legend.h"

#include <QPainter>
#include <algorithm>
#include <array>

#include "ui/panels/communication/pass_look.h"
#include "ui/panels/shared/words.h"
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
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("What the boxes mean"));
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
    setToolTip(plainTip(tr("Causes of the bubble, mean of the ranks in this step")));
    updateGeometry();
    update();
}

// Warm-up and drain share an entry: they look alike, and only their position distinguishes them.
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
    return causes_.empty() ? QString() : tr("mean bubble:");
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

std::vector<QRect> PipelineLegend::places(int width) const {
    const QFontMetrics metrics(legendFont());
    const int height = metrics.height() + 2;
    std::vector<QRect> made;
    int x = 0;
    int y = 0;
    const auto place = [&](const QString& title, int before) {
        const int wanted = before + kPassPatch + kPassSpace + metrics.horizontalAdvance(title) + 1;
        if (x > 0 && x + wanted > width) {
            x = 0;
            y += height;
        }
        made.emplace_back(x, y, std::min(wanted, width), height);
        x += wanted + kPassBetween;
    };
    for (const Kind& each : kinds_) {
        place(each.title, 0);
    }
    for (std::size_t i = 0; i < causes_.size(); ++i) {  // the title before them stays next to the first
        place(causes_[i].second, i == 0 ? metrics.horizontalAdvance(meansTitle()) + kPassSpace : 0);
    }
    return made;
}

QSize PipelineLegend::sizeHint() const {
    const std::vector<QRect> in_one_line = places(QWIDGETSIZE_MAX);
    return {in_one_line.empty() ? 0 : in_one_line.back().right() + 1, heightForWidth(QWIDGETSIZE_MAX)};
}

QSize PipelineLegend::minimumSizeHint() const {
    return {0, QFontMetrics(legendFont()).height() + 2};
}

int PipelineLegend::heightForWidth(int width) const {
    const std::vector<QRect> all = places(width);
    return all.empty() ? minimumSizeHint().height() : all.back().bottom() + 1;
}

void PipelineLegend::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setFont(legendFont());
    const QFontMetrics metrics(painter.font());
    const std::vector<QRect> all = places(width());
    const auto write = [&](const QRect& where, const QString& title) {
        painter.setPen(theme_.text_dim);
        painter.drawText(where, Qt::AlignVCenter, metrics.elidedText(title, Qt::ElideRight, where.width()));
    };
    const auto patch = [&](const QRect& where) {
        return QRectF(where.left(), where.top() + (where.height() - metrics.ascent()) / 2.0, kPassPatch,
                      metrics.ascent());
    };
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        drawPass(painter, patch(all[i]), kinds_[i].kind, theme_, kinds_[i].later_stage);
        write(all[i].adjusted(kPassPatch + kPassSpace, 0, 0, 0), kinds_[i].title);
    }
    for (std::size_t i = 0; i < causes_.size(); ++i) {
        QRect where = all[kinds_.size() + i];
        if (i == 0) {
            write(where, meansTitle());
            where.adjust(metrics.horizontalAdvance(meansTitle()) + kPassSpace, 0, 0, 0);
        }
        drawBubble(painter, patch(where), causes_[i].first, theme_);
        write(where.adjusted(kPassPatch + kPassSpace, 0, 0, 0), causes_[i].second);
    }
}

}  // namespace rankscope::ui
