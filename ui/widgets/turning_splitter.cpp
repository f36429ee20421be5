// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/turning_splitter.h"

#include <QResizeEvent>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr int kNarrow = 70;   // letters on a line
constexpr int kEqual = 1000;  // pixels, more than any screen: the size that each part requests

}  // namespace

TurningSplitter::TurningSplitter(QString divider, QWidget* parent)
    : KeyedSplitter(Qt::Horizontal, std::move(divider), parent) {}

void TurningSplitter::addEqual(std::initializer_list<QWidget*> parts) {
    for (QWidget* part : parts) {
        addWidget(part);
        setStretchFactor(count() - 1, 1);
    }
    setSizes(QList<int>(count(), kEqual));
}

void TurningSplitter::resizeEvent(QResizeEvent* event) {
    const bool narrow = event->size().width() < kNarrow * fontMetrics().averageCharWidth();
    const Qt::Orientation wanted = narrow ? Qt::Vertical : Qt::Horizontal;
    if (orientation() != wanted) {
        setOrientation(wanted);
    }
    KeyedSplitter::resizeEvent(event);
}

}  // namespace rankscope::ui
