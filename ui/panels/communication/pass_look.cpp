// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/pass_look.h"

#include <QObject>
#include <QPainter>
#include <algorithm>
#include <string_view>

#include "core/report/palette.h"
#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr double kBarPixels = 3;  // height of the bar that shows the kind
constexpr unsigned kPaler = 105;  // out of 256

}  // namespace

QColor passColour(PassKind kind, const Theme& theme, bool later_stage) {
    const auto name = [kind]() -> std::string_view {
        switch (kind) {
            case PassKind::Forward: return "pass-forward";
            case PassKind::Backward: return "pass-backward";
            case PassKind::WeightGradient: return "pass-weight-gradient";
        }
        return "compute";
    };
    const auto palette = report::palette();
    const auto at = std::ranges::find(palette, name(), &report::PaletteColour::name);
    if (at == palette.end()) {
        return theme.text_dim;
    }
    const QRgb first = theme.dark ? at->dark : at->light;
    return QColor::fromRgb(later_stage ? mix(first, qRgb(255, 255, 255), kPaler) : first);
}

bool isOfLaterStage(const PipelinePass& pass, const Pipeline& pipeline) {
    return pass.stage >= pipeline.size;
}

QString passTitle(PassKind kind) {
    switch (kind) {
        case PassKind::Forward: return QObject::tr("forward");
        case PassKind::Backward: return QObject::tr("backward");
        case PassKind::WeightGradient: return QObject::tr("weight gradient");
    }
    return {};
}

void drawPass(QPainter& painter, const QRectF& place, PassKind kind, const Theme& theme, bool later_stage) {
    const QColor fill = passColour(kind, theme, later_stage);
    painter.fillRect(place, fill);
    if (kind == PassKind::Forward || place.height() < 3 * kBarPixels) {
        return;
    }
    const double top = kind == PassKind::Backward ? place.bottom() - kBarPixels : place.top();
    painter.fillRect(QRectF(place.left(), top, place.width(), kBarPixels),
                     QColor::fromRgb(mix(fill.rgb(), theme.text.rgb(), 96)));
}

void drawBubble(QPainter& painter, const QRectF& place, BubbleCause cause, const Theme& theme) {
    QColor ink = theme.border;
    Qt::BrushStyle pattern = Qt::SolidPattern;
    switch (cause) {
        case BubbleCause::WarmUp:
        case BubbleCause::Drain: break;
        case BubbleCause::StageWait:
            ink = theme.gap;
            pattern = Qt::BDiagPattern;
            break;
        case BubbleCause::HandOver:
            ink = theme.text_dim;
            pattern = Qt::Dense6Pattern;
            break;
    }
    painter.fillRect(place, QBrush(ink, pattern));
}

}  // namespace rankscope::ui
