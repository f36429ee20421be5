// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/rank_order_button.h"

#include <QActionGroup>
#include <QMenu>
#include <algorithm>

#include "ui/theme/role_words.h"
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

QString groupingTitle(std::optional<Role> role) {
    return role ? Timeline::tr("Under headings: %1").arg(roleTitle(role)) : Timeline::tr("No headings");
}

RankOrderButton::RankOrderButton(QWidget* parent)
    : QPushButton(parent),
      menu_(new QMenu(this)),
      orders_(new QActionGroup(this)),
      groupings_(new QActionGroup(this)),
      fold_(new QAction(tr("Fold ranks that are alike"), this)) {
    setProperty("role", QStringLiteral("menu"));
    setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard with the timeline
    setAccessibleName(tr("Order of the ranks"));
    for (std::size_t o = 0; o < kRankOrderCount; ++o) {
        const auto order = static_cast<RankOrder>(o);
        QAction* choice = menu_->addAction(rankOrderTitle(order), this, [this, order] { Q_EMIT orderChosen(order); });
        choice->setCheckable(true);
        orders_->addAction(choice);
    }
    menu_->addSeparator();
    fold_->setCheckable(true);
    menu_->addAction(fold_);
    connect(fold_, &QAction::triggered, this, &RankOrderButton::alikeFoldedChosen);
    setMenu(menu_);
}

// Inserts the dimensions between the orders and the folding; nothing if there is no dimension.
void RankOrderButton::offer(const std::vector<Role>& dimensions) {
    if (dimensions == dimensions_) {
        return;
    }
    dimensions_ = dimensions;
    qDeleteAll(groupings_->actions());
    if (dimensions_.empty()) {
        return;
    }
    QAction* before = orders_->actions().constLast();
    const QList<QAction*> all = menu_->actions();
    before = all.at(all.indexOf(before) + 1);  // the separator below the orders
    QAction* line = menu_->insertSeparator(before);
    groupings_->addAction(line);
    const auto add = [&](std::optional<Role> role) {
        auto* choice = new QAction(groupingTitle(role), groupings_);
        choice->setCheckable(true);
        groupings_->addAction(choice);
        menu_->insertAction(before, choice);
        connect(choice, &QAction::triggered, this, [this, role] { Q_EMIT groupingChosen(role); });
    };
    add(std::nullopt);
    for (const Role role : dimensions_) {
        add(role);
    }
}

void RankOrderButton::showChoice(const RankArrangement& chosen, const std::vector<Role>& dimensions,
                                 bool alike_folded) {
    offer(dimensions);
    const auto at = chosen.grouped_by ? std::ranges::find(dimensions_, *chosen.grouped_by) : dimensions_.end();
    setText(at == dimensions_.end() ? rankOrderTitle(chosen.order)
                                    : Timeline::tr("%1 \u00b7 %2", "headings over ranks, their order")
                                          .arg(roleHeading(*at), rankOrderTitle(chosen.order)));
    orders_->actions().at(static_cast<qsizetype>(chosen.order))->setChecked(true);
    if (!dimensions_.empty()) {
        const qsizetype which = at == dimensions_.end() ? 0 : at - dimensions_.begin() + 1;
        groupings_->actions().at(which + 1)->setChecked(true);  // after the separator
    }
    fold_->setChecked(alike_folded);
}

}  // namespace rankscope::ui
