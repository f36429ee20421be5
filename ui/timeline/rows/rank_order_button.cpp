// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/rank_order_button.h"

#include <QActionGroup>
#include <QMenu>

#include "ui/timeline/words.h"

namespace rankscope::ui {

QString rankOrderTitle(RankOrder order) {
    switch (order) {
        case RankOrder::Number: return Timeline::tr("By number");
        case RankOrder::Lateness: return Timeline::tr("By lateness");
        case RankOrder::Cost: return Timeline::tr("By cost of findings");
    }
    return {};
}

RankOrderButton::RankOrderButton(QWidget* parent) : QPushButton(parent), orders_(new QActionGroup(this)) {
    setProperty("role", QStringLiteral("menu"));
    setFocusPolicy(Qt::TabFocus);  // a click leaves the keys with the timeline
    setAccessibleName(tr("Order of the ranks"));
    auto* menu = new QMenu(this);
    for (std::size_t o = 0; o < kRankOrderCount; ++o) {
        const auto order = static_cast<RankOrder>(o);
        QAction* choice = menu->addAction(rankOrderTitle(order), this, [this, order] { Q_EMIT orderChosen(order); });
        choice->setCheckable(true);
        orders_->addAction(choice);
    }
    menu->addSeparator();
    fold_ = menu->addAction(tr("Fold ranks that are alike"));
    fold_->setCheckable(true);
    connect(fold_, &QAction::triggered, this, &RankOrderButton::alikeFoldedChosen);
    setMenu(menu);
}

void RankOrderButton::showChoice(RankOrder order, bool alike_folded) {
    setText(rankOrderTitle(order));
    orders_->actions().at(static_cast<qsizetype>(order))->setChecked(true);
    fold_->setChecked(alike_folded);
}

}  // namespace rankscope::ui
