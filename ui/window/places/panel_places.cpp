// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/places/panel_places.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QRubberBand>
#include <QTabBar>
#include <QToolTip>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/theme/plain_text.h"
#include "ui/window/places/page_list.h"
#include "ui/window/places/panel_tabs.h"
#include "ui/window/places/panel_window.h"
#include "ui/window/places/place_pages.h"

namespace rankscope::ui {
namespace {

constexpr int kEdge = 80;             // pixels at an edge of the window that stand for an empty place
constexpr QSize kSmallest(480, 320);  // initial size of the window of a panel
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

/// A title with the number of lines that are worth a look.
QString counted(const QString& title, std::size_t lines) {
    return lines > 0 ? PanelPlaces::tr("%1 (%2)").arg(title).arg(lines) : title;
}

/// Setting an unchanged title would lay out all tabs.
void setTabTitle(PanelTabs& tabs, const QWidget& of, const QString& title) {
    if (const int tab = tabs.indexOf(&of); tab >= 0 && tabs.tabText(tab) != title) {
        tabs.setTabText(tab, title);
    }
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
    const auto with_panel = [this](auto act) {
        return [this, act](QWidget* tab, const QPoint& at) {
            if (QWidget* panel = panelIn(tab)) {
                (this->*act)(*panel, at);
            }
        };
    };
    connect(&tabs, &PanelTabs::dragged, this, with_panel(&PanelPlaces::showTarget));
    connect(&tabs, &PanelTabs::dropped, this, with_panel(&PanelPlaces::drop));
    connect(&tabs, &PanelTabs::dragCancelled, this, &PanelPlaces::hideTarget);
    connect(&tabs, &PanelTabs::menuAsked, this, with_panel(&PanelPlaces::showMenu));
}

PanelPlaces::Panel& PanelPlaces::take(QWidget& panel, const char* name, const QString& title, const QString& about) {
    panel.setObjectName(QLatin1String(name));
    panel.setWindowTitle(title);
    Panel& taken = panels_.emplace_back();
    taken.widget = &panel;
    taken.title = title;
    taken.about = about;
    return taken;
}

void PanelPlaces::add(QWidget& panel, const char* name, const QString& title, const QString& about, PanelPlace usual) {
    Panel& taken = take(panel, name, title, about);
    taken.usual = usual;
    taken.place = usual;
    insert(taken, dock(usual));
}

void PanelPlaces::addPage(QWidget& panel, const char* name, const QString& title, const QString& in_list,
                          const QString& about, PlacePages& place) {
    Panel& taken = take(panel, name, title, about);
    taken.home = &place;
    taken.in_list = in_list;
    insert(taken, dock(PanelPlace::Below));
}

void PanelPlaces::addPlace(PlacePages& place, const char* name, const QString& about) {
    place.setObjectName(QLatin1String(name));
    places_.push_back({&place, about});
    const PageList& list = place.list();
    connect(&list, &PageList::dragged, this, [this](QWidget* page, const QPoint& at) { showTarget(*page, at); });
    connect(&list, &PageList::dropped, this, [this](QWidget* page, const QPoint& at) { drop(*page, at); });
    connect(&list, &PageList::dragCancelled, this, &PanelPlaces::hideTarget);
    connect(&list, &PageList::menuAsked, this, [this](QWidget* page, const QPoint& at) { showMenu(*page, at); });
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

bool PanelPlaces::isPage(const Panel& panel) {
    return panel.home != nullptr && panel.place == PanelPlace::Below;
}

QWidget& PanelPlaces::tabOf(const Panel& panel) {
    return isPage(panel) ? *panel.home : *panel.widget;
}

QWidget* PanelPlaces::panelIn(QWidget* tab) {
    const auto* place = qobject_cast<PlacePages*>(tab);
    return place != nullptr ? place->current() : tab;
}

void PanelPlaces::setCount(const QWidget& panel, std::size_t lines) {
    Panel& of = panelOf(panel);
    of.count = lines;
    name(of);
}

void PanelPlaces::name(const Panel& panel) {
    if (isPage(panel)) {
        panel.home->setTitle(*panel.widget, counted(panel.in_list, panel.count));
        name(*panel.home);
    } else {
        setTabTitle(tabsOf(panel), *panel.widget, counted(panel.title, panel.count));
    }
}

void PanelPlaces::name(PlacePages& place) {
    std::size_t lines = 0;
    for (const Panel& panel : panels_) {
        lines += panel.home == &place && isPage(panel) ? panel.count : 0;
    }
    setTabTitle(dock(PanelPlace::Below), place, counted(place.windowTitle(), lines));
}

void PanelPlaces::setApplies(const QWidget& panel, bool applies) {
    Panel& of = panelOf(panel);
    of.applies = applies;
    if (of.home != nullptr) {
        of.home->setApplies(panel, applies);
    }
}

std::vector<PanelSummary> PanelPlaces::summaries() const {
    std::vector<PanelSummary> all;
    for (const Panel& panel : panels_) {
        const QString at = panel.home != nullptr ? panel.home->windowTitle() : tr("At the side");
        all.push_back({at, panel.home != nullptr ? panel.in_list : panel.title, panel.about});
    }
    return all;
}

QWidget* PanelPlaces::find(const QString& name) const {
    const auto at = std::ranges::find(panels_, name, [](const Panel& panel) { return panel.widget->objectName(); });
    return at == panels_.end() ? nullptr : at->widget;
}

PlacePages* PanelPlaces::findPlace(const QString& name) const {
    const auto at = std::ranges::find(places_, name, [](const Place& place) { return place.pages->objectName(); });
    return at == places_.end() ? nullptr : at->pages;
}

QWidget* PanelPlaces::front(PanelPlace place) const {
    return panelIn(dock(place).currentWidget());
}

bool PanelPlaces::placeToFront(PlacePages& place) {
    PanelTabs& below = dock(PanelPlace::Below);
    const bool there = below.indexOf(&place) >= 0;
    if (there) {
        below.setCurrentWidget(&place);
    }
    return there;
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
            return panelIn(dock->currentWidget());
        }
    }
    return front(PanelPlace::Below);
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
    return panelIn(tabsOf(panelOf(panel)).currentWidget()) == &panel;
}

void PanelPlaces::takeKeyboard(const QWidget& panel) {
    tabsOf(panelOf(panel)).tabBar()->setFocus(Qt::OtherFocusReason);
}

void PanelPlaces::toFront(QWidget& panel) {
    const Panel& of = panelOf(panel);
    if (isPage(of)) {
        of.home->bring(panel);
    }
    tabsOf(of).setCurrentWidget(&tabOf(of));
    if (of.own != nullptr && windows_shown_) {
        of.own->show();
        of.own->raise();
    }
}

// Panels at home come before those moved here, each in the order of add(); the position of a place is that of its first
// page.
void PanelPlaces::insert(const Panel& panel, PanelTabs& tabs) {
    std::vector<const QWidget*> order;
    int among_pages = 0;
    for (const bool came : {false, true}) {
        for (const Panel& other : panels_) {
            const bool here = &tabsOf(other) == &tabs && (&tabs != &dock(other.usual)) == came;
            if (here && std::ranges::find(order, &tabOf(other)) == order.end()) {
                order.push_back(&tabOf(other));
            }
            among_pages += here && isPage(other) && other.home == panel.home && &other < &panel ? 1 : 0;
        }
    }
    QWidget& tab = tabOf(panel);
    if (isPage(panel)) {
        panel.home->insert(among_pages, *panel.widget, panel.in_list, panel.about);
        panel.home->setApplies(*panel.widget, panel.applies);
    }
    if (tabs.indexOf(&tab) < 0) {
        const auto at = static_cast<int>(std::ranges::find(order, &tab) - order.begin());
        const auto place = std::ranges::find(places_, &tab, &Place::pages);
        tabs.setTabToolTip(tabs.insertTab(at, &tab, tab.windowTitle()),
                           place != places_.end() ? place->about : panel.about);
    }
    name(panel);
}

// A place has no tab while all its pages are elsewhere.
void PanelPlaces::takeOut(const Panel& panel) {
    PanelTabs& tabs = tabsOf(panel);
    if (isPage(panel)) {
        panel.home->remove(*panel.widget);
    }
    if (!isPage(panel) || panel.home->count() == 0) {
        tabs.removeTab(tabs.indexOf(&tabOf(panel)));
    }
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
        toFront(*panel.widget);  // removing and adding it would change the order of tabs
        return;
    }
    takeOut(panel);
    PanelWindow* left = std::exchange(panel.own, nullptr);
    panel.place = to;
    if (panel.home != nullptr) {
        name(*panel.home);  // without its number of lines
    }
    if (to == PanelPlace::Window) {
        openWindow(panel, window);
    } else {
        insert(panel, dock(to));
        toFront(*panel.widget);
    }
    if (left != nullptr) {
        panel.window = left->geometry();
        left->hide();
        left->deleteLater();  // one of its events may have caused this call
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
    std::vector<QWidget*> pages;
    std::ranges::transform(places_, std::back_inserter(pages),
                           [](const Place& place) { return place.pages->current(); });
    for (Panel& panel : panels_) {
        const auto wanted =
            std::ranges::find(moved, panel.widget->objectName().toStdString(), &PanelLayout::Moved::panel);
        const PanelPlace to = wanted == moved.end() ? panel.usual : wanted->place;
        if (panel.place != to || to == PanelPlace::Window) {
            put(panel, to, wanted == moved.end() ? QRect() : wanted->window);
        }
    }
    for (std::size_t i = 0; i < kDocks; ++i) {
        docks_.at(i)->setCurrentWidget(fronts.at(i));  // if it is still there
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        if (pages[i] != nullptr) {
            places_[i].pages->bring(*pages[i]);
        }
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
    entry(tr("&Usual Layout"), true, [this] { Q_EMIT defaultLayoutAsked(); });
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
    // The edge of the window for an empty place is over the widgets of other places.
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
    // Without a rectangle to stay in, the text would not follow the pointer.
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
