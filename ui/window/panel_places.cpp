// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panel_places.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QRubberBand>
#include <QTabBar>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/theme/plain_text.h"
#include "ui/window/panel_tabs.h"
#include "ui/window/panel_window.h"

namespace rankscope::ui {
namespace {

constexpr int kEdge = 80;             // pixels at an edge of the window that stand for a place with no panel in it
constexpr QSize kSmallest(480, 320);  // of a window that a panel gets first
constexpr QPoint kGrip(48, 16);       // where the pointer holds a window that is dragged out
constexpr QPoint kCascade(32, 32);    // from one window to the next
constexpr QPoint kBesidePointer(16, 16);

QString wordsOf(PanelPlace place) {
    switch (place) {
        case PanelPlace::Below: return PanelPlaces::tr("Below the timeline");
        case PanelPlace::SideTop: return PanelPlaces::tr("At the side, above");
        case PanelPlace::SideBottom: return PanelPlaces::tr("At the side, below");
        case PanelPlace::Window: break;
    }
    return PanelPlaces::tr("A window of its own");
}

}  // namespace

PanelPlaces::PanelPlaces(QWidget& owner, QWidget& timeline)
    : QObject(&owner), owner_(owner), timeline_(timeline), target_(new QRubberBand(QRubberBand::Rectangle, &owner)) {
    for (PanelTabs*& dock : docks_) {
        dock = new PanelTabs;
        listen(*dock);
    }
}

void PanelPlaces::listen(PanelTabs& tabs) {
    connect(&tabs, &PanelTabs::dragged, this,
            [this](const QWidget* panel, const QPoint& at) { showTarget(*panel, at); });
    connect(&tabs, &PanelTabs::dropped, this, [this](QWidget* panel, const QPoint& at) { drop(*panel, at); });
    connect(&tabs, &PanelTabs::dragCancelled, this, &PanelPlaces::hideTarget);
    connect(&tabs, &PanelTabs::menuAsked, this, [this](QWidget* panel, const QPoint& at) { showMenu(*panel, at); });
}

void PanelPlaces::add(QWidget& panel, const char* name, const QString& title, const QString& about, PanelPlace usual) {
    panel.setObjectName(QLatin1String(name));
    panel.setWindowTitle(title);
    panels_.push_back({&panel, title, about, usual, usual, nullptr, {}});
    insert(panels_.back(), dock(usual));
}

PanelPlaces::Panel& PanelPlaces::panelOf(const QWidget& panel) {
    return *std::ranges::find(panels_, &panel, &Panel::widget);
}

const PanelPlaces::Panel& PanelPlaces::panelOf(const QWidget& panel) const {
    return *std::ranges::find(panels_, &panel, &Panel::widget);
}

PanelTabs& PanelPlaces::dock(PanelPlace place) const {
    return *docks_.at(static_cast<std::size_t>(place));
}

PanelTabs& PanelPlaces::tabsOf(const Panel& panel) const {
    return panel.own != nullptr ? panel.own->tabs() : dock(panel.place);
}

void PanelPlaces::setTitle(const QWidget& panel, const QString& title) {
    Panel& of = panelOf(panel);
    of.title = title;
    PanelTabs& tabs = tabsOf(of);
    if (const int tab = tabs.indexOf(of.widget); tabs.tabText(tab) != title) {  // which would lay out all tabs
        tabs.setTabText(tab, title);
    }
}

std::vector<PanelSummary> PanelPlaces::summaries() const {
    std::vector<PanelSummary> all;
    for (const Panel& panel : panels_) {
        all.push_back({panel.widget->windowTitle(), panel.about});
    }
    return all;
}

QWidget* PanelPlaces::find(const QString& name) const {
    const auto at = std::ranges::find(panels_, name, [](const Panel& panel) { return panel.widget->objectName(); });
    return at == panels_.end() ? nullptr : at->widget;
}

QWidget* PanelPlaces::current() const {
    const QWidget* focus = QApplication::focusWidget();
    const auto has = [focus](const Panel& panel) {
        return focus != nullptr &&
               (panel.widget->isAncestorOf(focus) || (panel.own != nullptr && panel.own->isAncestorOf(focus)));
    };
    if (const auto at = std::ranges::find_if(panels_, has); at != panels_.end()) {
        return at->widget;
    }
    for (const PanelTabs* dock : docks_) {
        if (focus != nullptr && dock->isAncestorOf(focus)) {
            return dock->currentWidget();
        }
    }
    return dock(PanelPlace::Below).currentWidget();
}

PanelPlace PanelPlaces::placeOf(const QWidget& panel) const {
    return panelOf(panel).place;
}

bool PanelPlaces::isHome(const QWidget& panel) const {
    return panelOf(panel).place == panelOf(panel).usual;
}

bool PanelPlaces::allHome() const {
    return std::ranges::all_of(panels_, [this](const Panel& panel) { return isHome(*panel.widget); });
}

bool PanelPlaces::isInFront(const QWidget& panel) const {
    return tabsOf(panelOf(panel)).currentWidget() == &panel;
}

void PanelPlaces::takeKeyboard(const QWidget& panel) {
    tabsOf(panelOf(panel)).tabBar()->setFocus(Qt::OtherFocusReason);
}

void PanelPlaces::toFront(QWidget& panel) {
    const Panel& of = panelOf(panel);
    tabsOf(of).setCurrentWidget(&panel);
    if (of.own != nullptr && windows_shown_) {
        of.own->show();
        of.own->raise();
    }
}

// Panels that are at home stand before those that came, each in the order of add().
void PanelPlaces::insert(const Panel& panel, PanelTabs& tabs) const {
    const auto came = [&](const Panel& of) { return &tabs != &dock(of.usual); };
    int at = 0;
    for (const Panel& other : panels_) {
        const bool before = came(other) == came(panel) ? &other < &panel : came(panel);
        at += &other != &panel && before && tabs.indexOf(other.widget) >= 0 ? 1 : 0;
    }
    at = tabs.insertTab(at, panel.widget, panel.title);
    tabs.setTabToolTip(at, panel.about);
}

QRect PanelPlaces::firstWindow(const QWidget& panel) const {
    const auto others = std::ranges::count_if(panels_, [](const Panel& of) { return of.own != nullptr; });
    const QPoint from = owner_.window()->geometry().topLeft() + kCascade * (static_cast<int>(others) + 2);
    return {from, panel.size().expandedTo(kSmallest)};
}

void PanelPlaces::openWindow(Panel& panel, const QRect& wanted) {
    const QRect usual = panel.window.isEmpty() ? firstWindow(*panel.widget) : panel.window;
    auto* own = new PanelWindow(owner_, timeline_);
    panel.own = own;
    own->setWindowIcon(owner_.window()->windowIcon());
    listen(own->tabs());
    own->tabs().setAccessibleName(panel.title);
    connect(own, &PanelWindow::closed, this, [this, widget = panel.widget] { putBack(*widget); });
    insert(panel, own->tabs());
    own->setGeometry(onAScreen(wanted.isEmpty() ? usual : wanted));
    Q_EMIT windowOpened(own);
    own->setVisible(windows_shown_);
}

void PanelPlaces::put(Panel& panel, PanelPlace to, const QRect& window) {
    if (to == PanelPlace::Window && panel.own != nullptr) {
        panel.own->setGeometry(onAScreen(window.isEmpty() ? panel.own->geometry() : window));
        return;
    }
    if (to == panel.place) {
        dock(to).setCurrentWidget(panel.widget);  // taken out and put back, it would leave another row of tabs
        return;
    }
    PanelTabs& from = tabsOf(panel);
    from.removeTab(from.indexOf(panel.widget));
    PanelWindow* left = std::exchange(panel.own, nullptr);
    panel.place = to;
    if (to == PanelPlace::Window) {
        openWindow(panel, window);
    } else {
        insert(panel, dock(to));
        dock(to).setCurrentWidget(panel.widget);
    }
    if (left != nullptr) {
        panel.window = left->geometry();
        left->hide();
        left->deleteLater();  // one of its events may have led here
    }
}

void PanelPlaces::move(QWidget& panel, PanelPlace to, const QRect& window) {
    put(panelOf(panel), to, window);
    nameWindows();
    Q_EMIT arranged();
}

void PanelPlaces::putBack(QWidget& panel) {
    move(panel, panelOf(panel).usual);
}

void PanelPlaces::putAllBack() {
    setMoved({});
}

std::vector<PanelLayout::Moved> PanelPlaces::moved() const {
    std::vector<PanelLayout::Moved> all;
    for (const Panel& panel : panels_) {
        if (panel.place != panel.usual) {
            all.push_back({panel.widget->objectName().toStdString(), panel.place,
                           panel.own != nullptr ? panel.own->geometry() : QRect()});
        }
    }
    return all;
}

void PanelPlaces::setMoved(const std::vector<PanelLayout::Moved>& moved) {
    std::array<QWidget*, kDocks> fronts{};
    std::ranges::transform(docks_, fronts.begin(), [](const PanelTabs* dock) { return dock->currentWidget(); });
    for (Panel& panel : panels_) {
        const auto wanted =
            std::ranges::find(moved, panel.widget->objectName().toStdString(), &PanelLayout::Moved::panel);
        const PanelPlace to = wanted == moved.end() ? panel.usual : wanted->place;
        if (panel.place != to || to == PanelPlace::Window) {
            put(panel, to, wanted == moved.end() ? QRect() : wanted->window);
        }
    }
    for (std::size_t i = 0; i < kDocks; ++i) {
        docks_.at(i)->setCurrentWidget(fronts.at(i));  // where it still is
    }
    nameWindows();
    Q_EMIT arranged();
}

void PanelPlaces::showWindows(bool shown) {
    windows_shown_ = shown;
    for (const Panel& panel : panels_) {
        if (panel.own != nullptr) {
            panel.own->setVisible(shown);
        }
    }
}

void PanelPlaces::nameWindows() {
    for (const Panel& panel : panels_) {
        if (panel.own != nullptr) {
            panel.own->setWindowTitle(panel.widget->windowTitle() + QStringLiteral(" – ") +
                                      owner_.window()->windowTitle());
        }
    }
}

void PanelPlaces::fillMenu(QMenu& menu, QWidget& panel) {
    const PanelPlace place = placeOf(panel);
    const auto entry = [&](const QString& words, bool can, auto act) {
        QAction* action = menu.addAction(words);
        action->setEnabled(can);
        connect(action, &QAction::triggered, this, act);
    };
    const auto go = [&](const QString& words, PanelPlace to) {
        entry(words, place != to, [this, &panel, to] {
            move(panel, to);
            Q_EMIT placed(&panel);
        });
    };
    const bool at_side = place == PanelPlace::SideTop || place == PanelPlace::SideBottom;
    go(tr("Move to a &Window of Its Own"), PanelPlace::Window);
    go(tr("Move to the &Side"), at_side ? place : PanelPlace::SideBottom);
    go(tr("Move &Below"), PanelPlace::Below);
    menu.addSeparator();
    entry(tr("Put &Back"), !isHome(panel), [this, &panel] {
        putBack(panel);
        Q_EMIT placed(&panel);
    });
    entry(tr("Put &All Panels Back"), !allHome(), [this] { putAllBack(); });
    entry(tr("&Usual Layout"), true, [this] { Q_EMIT usualLayoutAsked(); });
}

void PanelPlaces::showMenu(QWidget& panel, const QPoint& at) {
    auto* menu = new QMenu(tabsOf(panelOf(panel)).window());
    menu->setObjectName(QStringLiteral("panel-menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu, panel);
    menu->popup(at);
}

// ---- dragging a tab

QRect PanelPlaces::areaOf(PanelPlace place) const {
    const PanelTabs& tabs = dock(place);
    if (tabs.isVisible()) {
        return {tabs.mapTo(&owner_, QPoint()), tabs.size()};
    }
    const QRect all = owner_.rect();
    if (place == PanelPlace::Below) {
        return all.adjusted(0, all.height() - kEdge, 0, 0);
    }
    const bool upper = place == PanelPlace::SideTop;
    const PanelTabs& other = dock(upper ? PanelPlace::SideBottom : PanelPlace::SideTop);
    if (other.isVisible()) {
        const QRect beside(other.mapTo(&owner_, QPoint()), other.size());
        return upper ? beside.adjusted(0, 0, 0, kEdge - beside.height())
                     : beside.adjusted(0, beside.height() - kEdge, 0, 0);
    }
    const QRect side = all.adjusted(all.width() - kEdge, 0, 0, 0);
    return upper ? side.adjusted(0, 0, 0, -side.height() / 2) : side.adjusted(0, side.height() / 2, 0, 0);
}

PanelPlace PanelPlaces::placeAt(const Panel& panel, const QPoint& at) const {
    const QPoint here = owner_.mapFromGlobal(at);
    const bool over_own = panel.own != nullptr && panel.own->frameGeometry().contains(at);
    if (!owner_.isVisible() || !owner_.rect().contains(here) || over_own) {
        return PanelPlace::Window;
    }
    // A place with no panel in it lies over the edge of one that has some.
    for (const bool visible : {false, true}) {
        for (const PanelPlace place : {PanelPlace::SideTop, PanelPlace::SideBottom, PanelPlace::Below}) {
            if (dock(place).isVisible() == visible && areaOf(place).contains(here)) {
                return place;
            }
        }
    }
    return PanelPlace::Window;
}

void PanelPlaces::showTarget(const QWidget& panel, const QPoint& at) {
    const PanelPlace to = placeAt(panelOf(panel), at);
    target_->setVisible(to != PanelPlace::Window);
    if (to != PanelPlace::Window) {
        target_->setGeometry(areaOf(to));
        target_->raise();
    }
    // Without a place to stay in, the words would not follow the pointer.
    QToolTip::showText(at + kBesidePointer, plainTip(wordsOf(to)), &owner_, {owner_.mapFromGlobal(at), QSize(1, 1)});
}

void PanelPlaces::hideTarget() {
    target_->hide();
    QToolTip::hideText();
}

void PanelPlaces::drop(QWidget& panel, const QPoint& at) {
    hideTarget();
    const Panel& of = panelOf(panel);
    const PanelPlace to = placeAt(of, at);
    if (to == of.place && to != PanelPlace::Window) {
        return;
    }
    const QRect window = of.own != nullptr ? of.own->geometry() : of.window.isEmpty() ? firstWindow(panel) : of.window;
    move(panel, to, {at - kGrip, window.size()});
    Q_EMIT placed(&panel);
}

}  // namespace rankscope::ui
