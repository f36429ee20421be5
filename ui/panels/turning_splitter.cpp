// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/turning_splitter.h"

#include <QResizeEvent>

namespace rankscope::ui {
namespace {

constexpr int kNarrow = 70;  // letters in a line

}  // namespace

TurningSplitter::TurningSplitter(QWidget* parent) : QSplitter(Qt::Horizontal, parent) {
    setHandleWidth(1);
    setChildrenCollapsible(false);
}

void TurningSplitter::resizeEvent(QResizeEvent* event) {
    const bool narrow = event->size().width() < kNarrow * fontMetrics().averageCharWidth();
    const Qt::Orientation wanted = narrow ? Qt::Vertical : Qt::Horizontal;
    if (orientation() != wanted) {
        setOrientation(wanted);
    }
    QSplitter::resizeEvent(event);
}

}  // namespace rankscope::ui
