// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QRect>
#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "ui/commands/reference_page.h"
#include "ui/window/places/panel_layout.h"

class QMenu;
class QRubberBand;
class QWidget;

namespace rankscope::ui {

class PanelTabs;
class PanelWindow;
class PlacePages;

/// The place of each panel, and moving panels: by dragging a tab or a button in the list of a place, or by their menu.
/// A panel is always in exactly one place and is never lost: closing its own window puts it back at its usual place.
class PanelPlaces : public QObject {
    Q_OBJECT

  public:
    /// Own windows of panels belong to `owner`; `timeline` gets keys from them, see PanelWindow.
    PanelPlaces(QWidget& owner, QWidget& timeline);

    /// Adds a panel at its usual place, after those already there. Its object name becomes `name`.
    void add(QWidget& panel, const char* name, const QString& title, const QString& about, PanelPlace usual);
    /// Adds a place for pages below, after those already there; its object name becomes `name`.
    void addPlace(PlacePages& place, const char* name, const QString& about);
    /// Adds a panel as a page of a place, after those already there. In the list of the place its title is `in_list`,
    /// elsewhere `title`.
    void addPage(QWidget& panel, const char* name, const QString& title, const QString& in_list, const QString& about,
                 PlacePages& place);
    /// Sets how many lines of a panel need a look; its title and that of its place show the number.
    void setCount(const QWidget& panel, std::size_t lines);
    /// Sets whether a page applies to the open runs: see PlacePages.
    void setApplies(const QWidget& panel, bool applies);
    /// The tabs of a place that is a part of the window.
    [[nodiscard]] PanelTabs& dock(PanelPlace place) const;
    /// All panels, in order of add(), with their descriptions.
    [[nodiscard]] std::vector<PanelSummary> summaries() const;
    /// The panel with this name, or nullptr.
    [[nodiscard]] QWidget* find(const QString& name) const;
    /// The place with this name, or nullptr.
    [[nodiscard]] PlacePages* findPlace(const QString& name) const;
    /// The panel in front in a part of the window; if a place is in front, its page; nullptr if there is none.
    [[nodiscard]] QWidget* front(PanelPlace place) const;
    /// Brings a place to the front of the tabs below; false if all of its pages are elsewhere.
    bool placeToFront(PlacePages& place);
    /// The panel that has the keyboard, else the one in front below the timeline; nullptr if there is none.
    [[nodiscard]] QWidget* current() const;

    /// The current place of a panel.
    [[nodiscard]] PanelPlace placeOf(const QWidget& panel) const;
    /// Whether a panel is at its usual place.
    [[nodiscard]] bool isHome(const QWidget& panel) const;
    /// Whether all are.
    [[nodiscard]] bool allHome() const;
    /// Whether a panel is in front of the others of its tabs and of its place.
    [[nodiscard]] bool isInFront(const QWidget& panel) const;
    /// Brings a panel to the front of its tabs, or its own window above others.
    void toFront(QWidget& panel);
    /// Gives the keyboard to the tab of a panel that is in front: commands then apply to it, see current().
    void takeKeyboard(const QWidget& panel);
    /// Moves a panel to another place, in front of others; `window` is for its own window; empty: as large as the panel
    /// is now.
    void move(QWidget& panel, PanelPlace to, const QRect& window = {});
    /// Puts a panel back at its usual place.
    void putBack(QWidget& panel);
    void putAllBack();

    /// The panels that are not at their usual places.
    [[nodiscard]] std::vector<PanelLayout::Moved> moved() const;
    /// Moves all panels as in moved(); ignores unknown names.
    void setMoved(const std::vector<PanelLayout::Moved>& moved);
    /// Shows the own windows of panels, or hides them while their subject is not shown.
    void showWindows(bool shown);
    /// Writes the name of the open run into their titles.
    void nameWindows();

    /// Adds the commands for the place of a panel to a menu.
    void fillMenu(QMenu& menu, QWidget& panel);

  Q_SIGNALS:
    /// Panels have moved.
    void arranged();
    /// The user has moved this panel, and wants to see it.
    void placed(QWidget* panel);
    /// A panel has got its own window.
    void windowOpened(QWidget* window);
    /// The user wants the default layout.
    void defaultLayoutAsked();

  private:
    struct Panel {
        QWidget* widget = nullptr;
        QString title;  ///< its title outside a list of pages
        QString about;
        PlacePages* home = nullptr;  ///< its place if it is a page when it is below; nullptr: it is a tab there
        QString in_list;             ///< its title there
        std::size_t count = 0;       ///< lines that need a look
        bool applies = true;
        PanelPlace usual = PanelPlace::Below;
        PanelPlace place = PanelPlace::Below;
        PanelWindow* own = nullptr;
        QRect window;  ///< its own window; the last one if it has none now
    };

    [[nodiscard]] Panel& panelOf(const QWidget& panel);
    [[nodiscard]] const Panel& panelOf(const QWidget& panel) const;
    [[nodiscard]] PanelTabs& tabsOf(const Panel& panel) const;
    /// The widget with a tab for a panel: the panel, or its place if it is now a page.
    [[nodiscard]] static QWidget& tabOf(const Panel& panel);
    [[nodiscard]] static bool isPage(const Panel& panel);
    /// The panel that a tab shows: the page in front of a place, which may be nullptr.
    [[nodiscard]] static QWidget* panelIn(QWidget* tab);
    Panel& take(QWidget& panel, const char* name, const QString& title, const QString& about);
    void takeOut(const Panel& panel);
    /// Writes the titles of a panel and of its place, if they have changed.
    void name(const Panel& panel);
    void name(PlacePages& place);
    void listen(PanelTabs& tabs);
    void insert(const Panel& panel, PanelTabs& tabs);
    void put(Panel& panel, PanelPlace to, const QRect& window);
    void openWindow(Panel& panel, const QRect& wanted);
    [[nodiscard]] QRect firstWindow(const QWidget& panel) const;
    /// Where a panel would be put if it were dropped at a point of the screens.
    [[nodiscard]] PanelPlace placeAt(const Panel& panel, const QPoint& at) const;
    /// The part of the owner that a place takes, or would take.
    [[nodiscard]] QRect areaOf(PanelPlace place) const;
    void showTarget(const QWidget& panel, const QPoint& at);
    void hideTarget();
    void drop(QWidget& panel, const QPoint& at);
    void showMenu(QWidget& panel, const QPoint& at);

    QWidget& owner_;
    QWidget& timeline_;
    std::array<PanelTabs*, kDocks> docks_{};
    std::vector<Panel> panels_;
    struct Place {
        PlacePages* pages = nullptr;
        QString about;
    };
    std::vector<Place> places_;
    bool windows_shown_ = false;
    QRubberBand* target_;  // where a dragged panel would go
};

}  // namespace rankscope::ui
