// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

#include "core/analysis/pipeline/pipeline.h"
#include "ui/theme/theme.h"

class QPainter;

namespace rankscope::ui {

// How the passes of a pipeline and its bubble look, in the picture of a step and in its legend.

/// The colour of a pass: forward bright, backward deep, and the gradient of the weights teal. Shapes show them too: a
/// backward has a bar below, a gradient of the weights one above. A rank's later stages are paler than its first.
[[nodiscard]] QColor passColour(PassKind kind, const Theme& theme, bool later_stage = false);
/// Whether a pass belongs to a later stage than the first one of its rank.
[[nodiscard]] bool isOfLaterStage(const PipelinePass& pass, const Pipeline& pipeline);
/// The kind for people: "backward".
[[nodiscard]] QString passTitle(PassKind kind);
/// Draws a pass without words, and a stretch of the bubble.
void drawPass(QPainter& painter, const QRectF& place, PassKind kind, const Theme& theme, bool later_stage = false);
void drawBubble(QPainter& painter, const QRectF& place, BubbleCause cause, const Theme& theme);

}  // namespace rankscope::ui
