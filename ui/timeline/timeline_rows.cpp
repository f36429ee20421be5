// SPDX-License-Identifier: GPL-3.0-or-later
// What the user does to the rows: their order, what is pinned, hidden, moved and resized.
#include <QContextMenuEvent>
#include <QMenu>

#include "ui/timeline/label_text.h"
#include "ui/timeline/timeline_impl.h"

namespace rankscope::ui {
namespace {

constexpr int kMargin = 6;

}  // namespace

QString TimelineWidget::orderTitle(RankOrder order) {
    switch (order) {
        case RankOrder::Number: return tr("By number");
        case RankOrder::Lateness: return tr("By lateness");
        case RankOrder::Cost: return tr("By cost of findings");
    }
    return {};
}

void TimelineWidget::Impl::makeOrderButton() {
    order_button.setProperty("role", QStringLiteral("choice"));
    order_button.setFocusPolicy(Qt::TabFocus);  // a click leaves the keys with the timeline
    order_button.setAccessibleName(TimelineWidget::tr("Order of the ranks"));
    auto* menu = new QMenu(&order_button);
    for (std::size_t o = 0; o < kRankOrderCount; ++o) {
        const auto order = static_cast<RankOrder>(o);
        menu->addAction(orderTitle(order), self, [this, order] { self->setRankOrder(order); });
    }
    menu->addSeparator();
    QAction* fold = menu->addAction(TimelineWidget::tr("Fold ranks that are alike"));
    fold->setCheckable(true);
    QObject::connect(menu, &QMenu::aboutToShow, fold, [this, fold] { fold->setChecked(self->alikeFolded()); });
    QObject::connect(fold, &QAction::triggered, self, [this](bool on) { self->setAlikeFolded(on); });
    order_button.setMenu(menu);
}

void TimelineWidget::Impl::placeOrderButton() {
    const QRect tracks = self->tracksArea();
    const EdgeSizes sizes = edgeSizes(scene.theme());
    order_button.setText(orderTitle(scene.choices().rank_order));
    order_button.setVisible(scene.model().rankCount() > 1);
    order_button.setGeometry(kMargin, tracks.top() - sizes.ruler + (sizes.ruler - sizes.button) / 2,
                             order_button.sizeHint().width(), sizes.button);
}

void TimelineWidget::Impl::changeRows(const std::function<void(RowChoices&)>& change) {
    RowChoices choices = scene.choices();
    change(choices);
    scene.setChoices(std::move(choices));
    overview.setOrder(scene.choices().rank_order);
    placeOrderButton();
    changed();
    Q_EMIT self->rowsChanged();
}

RankOrder TimelineWidget::rankOrder() const {
    return impl_->scene.choices().rank_order;
}

void TimelineWidget::setRankOrder(RankOrder order) {
    if (order != rankOrder()) {
        impl_->changeRows([order](RowChoices& choices) { choices.rank_order = order; });
    }
}

bool TimelineWidget::alikeFolded() const {
    return impl_->scene.choices().fold_alike;
}

void TimelineWidget::setAlikeFolded(bool folded) {
    if (folded != alikeFolded()) {
        impl_->changeRows([folded](RowChoices& choices) {
            choices.fold_alike = folded;
            choices.taken_out.clear();
        });
    }
}

const LayoutRow* TimelineWidget::Impl::selectedRow() const {
    const auto* slice = std::get_if<SliceSelection>(&selected);
    return slice != nullptr ? scene.layout().find(slice->run, slice->rank, slice->slice.track) : nullptr;
}

void TimelineWidget::Impl::pinSelected() {
    if (const LayoutRow* row = selectedRow()) {
        changeRows([key = row->key](RowChoices& choices) { togglePin(key, choices); });
    }
}

void TimelineWidget::Impl::hideSelected() {
    if (const LayoutRow* row = selectedRow()) {
        changeRows([key = row->key](RowChoices& choices) { choices.hidden.insert(key); });
    }
}

bool TimelineWidget::Impl::pressHead(const QPointF& at) {
    head = at.x() < 0 && at.y() >= 0 ? headAt(scene.layout(), scene.rows().toRows(static_cast<int>(at.y())))
                                     : std::nullopt;
    return head.has_value();
}

void TimelineWidget::Impl::dragHead(const QPointF& at) {
    const int y = scene.rows().toRows(static_cast<int>(at.y()));
    moveHead(scene.model(), scene.layout(), y, *head);
    if (head->begun && head->kind == HeadDrag::Kind::Resize) {
        changeRows([this, y](RowChoices& choices) { choices.sizes[head->row.key] = resizedTo(*head, y); });
    }
    refresh();
}

bool TimelineWidget::Impl::dropHead() {
    const std::optional<HeadDrag> dropped = std::exchange(head, std::nullopt);
    if (!dropped || !dropped->begun) {
        return false;
    }
    changeRows([&](RowChoices& choices) { ui::dropHead(scene.model(), *dropped, choices); });
    return true;
}

void TimelineWidget::Impl::fillRowMenu(QMenu& menu, const LayoutRow& row) {
    const auto add = [&](const QString& title, const std::function<void(RowChoices&)>& change) {
        QObject::connect(menu.addAction(title), &QAction::triggered, self, [this, change] { changeRows(change); });
    };
    const RowChoices& choices = scene.choices();
    const RowKey key = row.key;
    if (row.kind == RowKind::Track) {
        const bool pinned = std::ranges::find(choices.pinned, key) != choices.pinned.end();
        add(pinned ? TimelineWidget::tr("&Unpin") : TimelineWidget::tr("&Pin to the Top"),
            [key](RowChoices& c) { togglePin(key, c); });
    }
    if (row.kind != RowKind::Run && row.kind != RowKind::Alike && !row.pinned) {
        add(TimelineWidget::tr("&Hide"), [key](RowChoices& c) { c.hidden.insert(key); });
    }
    if (choices.taken_out.contains(key)) {
        add(TimelineWidget::tr("&Fold among Those Like It"), [key](RowChoices& c) { c.taken_out.erase(key); });
    }
    if (choices.sizes.contains(key)) {
        add(TimelineWidget::tr("Usual Hei&ght"), [key](RowChoices& c) { c.sizes.erase(key); });
    }
    const auto moved = [owner = key.owner](const auto& order) { return order.first.owner == owner; };
    if (key.owner != nullptr && std::ranges::any_of(choices.orders, moved)) {
        add(TimelineWidget::tr("Usual &Order"), [moved](RowChoices& c) { std::erase_if(c.orders, moved); });
    }
    const void* owner = row.kind == RowKind::Run || row.kind == RowKind::Alike ? nullptr : key.owner;
    if (const auto hidden = static_cast<int>(hiddenCount(owner, choices)); hidden > 0) {
        menu.addSeparator();
        add(TimelineWidget::tr("&Show What Is Hidden (%1)").arg(hidden),
            [owner](RowChoices& c) { showHidden(owner, c); });
    }
}

void TimelineWidget::contextMenuEvent(QContextMenuEvent* event) {
    Impl& i = *impl_;
    const LayoutRow* row = i.selectedRow();
    if (event->reason() == QContextMenuEvent::Mouse) {
        const QPointF at = i.inTracks(event->pos());
        row = at.y() >= 0 ? i.scene.rowAt(at.y()) : nullptr;
    }
    if (row == nullptr) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    i.fillRowMenu(*menu, *row);
    if (menu->isEmpty()) {
        delete menu;
        return;
    }
    menu->popup(event->globalPos());
}

}  // namespace rankscope::ui
