// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/places/dock_area.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QSettings>
#include <QShowEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ui/widgets/keyed_splitter.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"
#include "ui/window/places/place_pages.h"
#include "ui/window/session/layout_document.h"

namespace rankscope::ui {
namespace {

constexpr int kLeastBottom = 140;  // pixels: minimum for a panel
constexpr int kLeastSide = 300;
const QString kPanelsKey = QStringLiteral("layout/panels");
const QString kSideKey = QStringLiteral("layout/side-visible");

QSplitter* splitter(Qt::Orientation orientation, const char* name, const QString& divider) {
    auto* made = new KeyedSplitter(orientation, divider);
    made->setObjectName(QLatin1String(name));
    return made;
}

}  // namespace

DockArea::DockArea(const Centre& centre, QWidget* parent)
    : QWidget(parent),
      centre_(centre),
      places_(new PanelPlaces(*this, *centre.widget)),
      bottom_(&places_->dock(PanelPlace::Below)),
      sides_({&places_->dock(PanelPlace::SideTop), &places_->dock(PanelPlace::SideBottom)}),
      across_(splitter(Qt::Horizontal, "across", tr("Timeline and side"))),
      down_(splitter(Qt::Vertical, "down", tr("Timeline and details"))),
      side_(splitter(Qt::Vertical, "side", tr("Upper and lower part of the side"))) {
    layOut();
    wire();
}

void DockArea::layOut() {
    bottom_->setObjectName(QStringLiteral("below"));
    bottom_->setAccessibleName(tr("Places below the timeline"));
    sides_.front()->setAccessibleName(tr("Upper part of the side"));
    sides_.back()->setAccessibleName(tr("Lower part of the side"));
    auto* upper = new QWidget;
    auto* upper_layout = new QVBoxLayout(upper);
    upper_layout->setContentsMargins(0, 0, 0, 0);
    upper_layout->setSpacing(0);
    if (centre_.above != nullptr) {
        upper_layout->addWidget(centre_.above);
    }
    upper_layout->addWidget(centre_.widget, 1);
    down_->addWidget(upper);
    down_->addWidget(bottom_);
    down_->setStretchFactor(0, 1);
    for (PanelTabs* part : sides_) {
        side_->addWidget(part);
    }
    side_->setMinimumWidth(kLeastSide);
    across_->addWidget(down_);
    across_->addWidget(side_);
    across_->setStretchFactor(0, 1);
    across_->setStretchFactor(1, 0);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(across_);
    arrange();
}

void DockArea::arrange() {
    bottom_->setVisible(bottom_->count() > 0);
    bool returned = false;
    for (PanelTabs* part : sides_) {
        returned = returned || (part->isHidden() && part->count() > 0);
        part->setVisible(part->count() > 0);
    }
    if (returned) {
        shareSide();
    }
    const bool side_seen = centre_seen_ && side_wanted_ && (sides_.front()->count() > 0 || sides_.back()->count() > 0);
    if (side_->isVisible() && !side_seen) {
        side_width_ = side_->width();
    }
    const bool side_appears = side_->isHidden() && side_seen;
    if (!side_seen) {
        takeKeyboardFrom(*side_);
    }
    side_->setVisible(side_seen);
    if (side_appears) {
        shareWidth();
    }
    // In reading order: the centre, the dock below it, then the side.
    QWidget* last = centre_.in_tab_order.front();
    for (QWidget* next : centre_.in_tab_order) {
        if (next != last) {
            setTabOrder(std::exchange(last, next), next);
        }
    }
    const std::array<std::pair<QSplitter*, PanelTabs*>, 3> parts = {
        {{down_, bottom_}, {across_, sides_.front()}, {side_, sides_.back()}}};
    for (const auto& [splitter, part] : parts) {
        setTabOrder(std::exchange(last, splitter->handle(1)), splitter->handle(1));
        last = part->followInTabOrder(last);
    }
}

void DockArea::wire() {
    // A tab unfolds the lower dock, and the one in front folds it again.
    connect(bottom_, &PanelTabs::tabChosen, this,
            [this](bool was_in_front) { setBottomPanelVisible(bottom_folded_ || !was_in_front); });
    connect(down_, &QSplitter::splitterMoved, this, [this] { bottom_height_ = bottom_->height(); });
    connect(across_, &QSplitter::splitterMoved, this, [this] { side_width_ = side_->width(); });
    connect(side_, &QSplitter::splitterMoved, this, [this] {
        side_heights_ = {sides_.front()->height(), sides_.back()->height()};
    });
    connect(places_, &PanelPlaces::arranged, this, &DockArea::arrange);
    connect(places_, &PanelPlaces::placed, this, [this](QWidget* panel) {
        showBelow(*panel);
        panel->window()->activateWindow();
    });
}

void DockArea::bringToFront(QWidget& panel) {
    places_->toFront(panel);
    if (places_->placeOf(panel) == PanelPlace::Below) {
        unfoldBottom();
    }
}

void DockArea::showBelow(QWidget& panel) {
    bringToFront(panel);
    const PanelPlace place = places_->placeOf(panel);
    if (place == PanelPlace::SideTop || place == PanelPlace::SideBottom) {
        setSidePanelVisible(true);
    }
}

void DockArea::showPanel(const QString& name) {
    if (QWidget* panel = places_->find(name)) {
        places_->toFront(*panel);
    }
}

QString DockArea::panelInFront() const {
    const QWidget* front = places_->front(PanelPlace::Below);
    return front == nullptr ? QString() : front->objectName();
}

bool DockArea::showPlace(const QString& name) {
    PlacePages* place = places_->findPlace(name);
    if (place == nullptr || !places_->placeToFront(*place)) {
        return false;
    }
    unfoldBottom();
    return true;
}

void DockArea::stepPlace(int by) {
    if (const int tabs = bottom_->count(); tabs > 0) {
        bottom_->setCurrentIndex(((bottom_->currentIndex() + by) % tabs + tabs) % tabs);
        unfoldBottom();
    }
}

void DockArea::stepPage(int by) {
    if (auto* place = qobject_cast<PlacePages*>(bottom_->currentWidget())) {
        place->step(by);
        unfoldBottom();
    }
}

void DockArea::unfoldBottom() {
    if (bottom_folded_) {
        setBottomPanelVisible(true);
        Q_EMIT unfoldedForPanel();
    }
}

void DockArea::setSidePanelVisible(bool visible) {
    if (side_wanted_ != visible) {
        side_wanted_ = visible;
        arrange();
        Q_EMIT sidePanelToggled(visible);
    }
}

void DockArea::setCentreVisible(bool visible) {
    if (std::exchange(centre_seen_, visible) != visible) {
        down_->widget(0)->setVisible(visible);
        arrange();
        sizeBottom();
    }
}

void DockArea::setBottomPanelVisible(bool visible) {
    if (bottom_folded_ == visible) {
        bottom_folded_ = !visible;
        sizeBottom();
        Q_EMIT bottomPanelToggled(visible);
    }
}

void DockArea::takeKeyboardFrom(const QWidget& part) const {
    if (const QWidget* at = QApplication::focusWidget(); at != nullptr && part.isAncestorOf(at)) {
        centre_.widget->setFocus();
    }
}

int DockArea::bottomHeight() const {
    const int wanted = bottom_height_ < kLeastBottom ? std::clamp(height() * 40 / 100, 220, 520) : bottom_height_;
    return std::min(wanted, std::max(kLeastBottom, height() - kLeastBottom));
}

void DockArea::sizeBottom() {
    // Hidden, not only without height: the keyboard must not reach invisible widgets.
    auto* pages = bottom_->findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly);
    if (bottom_folded_) {
        takeKeyboardFrom(*pages);
    }
    pages->setVisible(!bottom_folded_);
    int wanted = centre_seen_ ? bottomHeight() : height();
    if (bottom_folded_) {
        wanted = bottom_->tabBar()->sizeHint().height();
        bottom_->setFixedHeight(wanted);
    } else {
        bottom_->setMinimumHeight(kLeastBottom);
        bottom_->setMaximumHeight(QWIDGETSIZE_MAX);
    }
    // A splitter does not apply the maximum height by itself.
    down_->setSizes({std::max(0, height() - wanted), wanted});
}

void DockArea::tabsChanged() {
    if (bottom_folded_) {
        sizeBottom();
    }
}

// ---- the layout

PanelLayout DockArea::layout() const {
    PanelLayout layout;
    layout.moved = places_->moved();
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        const QWidget* front = sides_.at(i)->currentWidget();
        layout.side_fronts.at(i) = front == nullptr ? std::string() : front->objectName().toStdString();
    }
    layout.side_heights = side_heights_;
    layout.side_width = side_width_;
    layout.bottom_height = bottom_height_;
    return layout;
}

void DockArea::setLayout(const PanelLayout& layout) {
    places_->setMoved(layout.moved);
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        sides_.at(i)->setCurrentWidget(places_->find(QString::fromStdString(layout.side_fronts.at(i))));
    }
    side_heights_ = layout.side_heights;
    side_width_ = layout.side_width;
    bottom_height_ = layout.bottom_height;
    sized_ = false;
    if (isVisible()) {
        shareRoom();
    }
}

void DockArea::saveLayout(QSettings& settings) const {
    settings.setValue(kPanelsKey, QString::fromStdString(layoutJson(layout()).dump()));
    settings.setValue(kSideKey, side_wanted_);
}

void DockArea::restoreLayout(const QSettings& settings) {
    const std::string kept = settings.value(kPanelsKey).toString().toStdString();
    try {
        if (!kept.empty()) {
            setLayout(layoutFromJson(Json::parse(kept)));
        }
    } catch (const Json::exception&) {  // NOLINT(bugprone-empty-catch): the usual layout is used instead
    }
    setSidePanelVisible(settings.value(kSideKey, true).toBool());
}

void DockArea::shareRoom() {
    sizeBottom();
    if (std::exchange(sized_, true)) {
        return;
    }
    shareWidth();
    shareSide();
}

void DockArea::shareWidth() {
    const int side = side_width_ > 0 ? std::clamp(side_width_, kLeastSide, std::max(kLeastSide, width() * 2 / 3))
                                     : std::clamp(width() * 28 / 100, 340, 520);
    across_->setSizes({width() - side, side});
}

void DockArea::shareSide() {
    const bool by_itself = side_heights_.front() <= 0 || side_heights_.back() <= 0;
    side_->setSizes(by_itself ? QList<int>{height() * 54 / 100, height() * 46 / 100}
                              : QList<int>{side_heights_.front(), side_heights_.back()});
}

void DockArea::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    shareRoom();
    places_->showWindows(true);
}

void DockArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (bottom_height_ < kLeastBottom && !bottom_folded_) {
        sizeBottom();  // its share was of a window without its final size
    }
}

void DockArea::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!event->spontaneous()) {  // their contents no longer exist
        places_->showWindows(false);
    }
}

}  // namespace rankscope::ui
