// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/turning_splitter.h"

#include <QResizeEvent>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr int kNarrow = 70;  // letters in a line

}  // namespace

TurningSplitter::TurningSplitter(QString divider, QWidget* parent)
    : KeyedSplitter(Qt::Horizontal, std::move(divider), parent) {}

void TurningSplitter::resizeEvent(QResizeEvent* event) {
    const bool narrow = event->size().width() < kNarrow * fontMetrics().averageCharWidth();
    const Qt::Orientation wanted = narrow ? Qt::Vertical : Qt::Horizontal;
    if (orientation() != wanted) {
        setOrientation(wanted);
    }
    KeyedSplitter::resizeEvent(event);
}

}  // namespace rankscope::ui
