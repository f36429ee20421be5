// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_strip.h"

#include <QPushButton>

#include "ui/theme/plain_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

QPushButton* button(const char* role, const QString& words, const QString& what) {
    auto* made = new QPushButton(words);
    made->setProperty("role", QLatin1String(role));
    made->setToolTip(plainTip(what));
    made->setFocusPolicy(Qt::TabFocus);
    made->setCheckable(qstrcmp(role, "choice") == 0);
    return made;
}

}  // namespace

CompareStrip::CompareStrip(QWidget* parent)
    : QWidget(parent),
      steps_(new ElidedLabel("dim")),
      link_(button("choice", tr("Linked"), tr("The two timelines move together, step by step"))),
      phase_(
          button("choice", tr("By phase"), tr("Within a step, align forward with forward and backward with backward"))),
      stack_(button("choice", tr("Above and below"), tr("Put one timeline above the other"))) {
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    auto* swap_runs = button("quiet", tr("Swap"), tr("Swap A and B"));
    auto* leave = button("quiet", tr("Leave the comparison"), tr("Show all open runs again"));
    auto* line = new WrappingRow(this);
    line->setContentsMargins(16, 3, 8, 3);
    line->setSpacing(4);
    line->addWidget(steps_, 1);
    for (QPushButton* each : {link_, phase_, stack_, swap_runs, leave}) {
        line->addWidget(each);
    }
    connect(link_, &QPushButton::clicked, this, &CompareStrip::linkToggled);
    connect(phase_, &QPushButton::clicked, this, &CompareStrip::phaseToggled);
    connect(stack_, &QPushButton::clicked, this, &CompareStrip::stackToggled);
    connect(swap_runs, &QPushButton::clicked, this, &CompareStrip::swapAsked);
    connect(leave, &QPushButton::clicked, this, &CompareStrip::leaveAsked);
}

void CompareStrip::setSteps(const QString& words, const QString& why) {
    steps_->setText(words);
    steps_->setToolTip(plainTip(why.isEmpty() ? words : words + QStringLiteral("\n\n") + why));  // they may be cut
}

QString CompareStrip::stepsText() const {
    return steps_->text();
}

void CompareStrip::setLinked(bool linked) {
    link_->setChecked(linked);
    phase_->setEnabled(linked);
}

void CompareStrip::setByPhase(bool by_phase) {
    phase_->setChecked(by_phase);
}

void CompareStrip::setStacked(bool stacked) {
    stack_->setChecked(stacked);
}

}  // namespace rankscope::ui
