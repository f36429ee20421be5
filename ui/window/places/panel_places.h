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

/// Where each panel is, and how the user moves it: by dragging its tab or its button in the list of a place, or by
/// their menu. A panel is in one place at any time and is never lost: closing its own window puts it back where it
/// usually is.
class PanelPlaces : public QObject {
    Q_OBJECT

  public:
    /// Own windows of panels belong to `owner`; `timeline` gets keys from them, see PanelWindow.
    PanelPlaces(QWidget& owner, QWidget& timeline);

    /// Takes up a panel at its usual place, behind those that are there. Its object name becomes `name`.
    void add(QWidget& panel, const char* name, const QString& title, const QString& about, PanelPlace usual);
    /// Takes up a place for pages below, behind those that are there; its object name becomes `name`.
    void addPlace(PlacePages& place, const char* name, const QString& about);
    /// Takes up a panel as a page of a place, behind those that are there. In the list of the place it is called
    /// `in_list`, elsewhere `title`.
    void addPage(QWidget& panel, const char* name, const QString& title, const QString& in_list, const QString& about,
                 PlacePages& place);
    /// How many lines of a panel want a look; its titles and that of its place say so.
    void setCount(const QWidget& panel, std::size_t lines);
    /// Says whether a page applies to what is open: see PlacePages.
    void setApplies(const QWidget& panel, bool applies);
    /// The tabs of a place that is a part of the window.
    [[nodiscard]] PanelTabs& dock(PanelPlace place) const;
    /// All panels, in order of add(), with what they show.
    [[nodiscard]] std::vector<PanelSummary> summaries() const;
    /// The panel with this name, or nullptr.
    [[nodiscard]] QWidget* find(const QString& name) const;
    /// The place with this name, or nullptr.
    [[nodiscard]] PlacePages* findPlace(const QString& name) const;
    /// The panel in front in a part of the window: of a place in front its page; nullptr where there is none.
    [[nodiscard]] QWidget* front(PanelPlace place) const;
    /// Brings a place to the front of the tabs below; false where all of its pages are elsewhere.
    bool placeToFront(PlacePages& place);
    /// The panel that has the keyboard, else the one in front below the timeline; nullptr where there is none.
    [[nodiscard]] QWidget* current() const;

    /// Where a panel is now.
    [[nodiscard]] PanelPlace placeOf(const QWidget& panel) const;
    /// Whether a panel is where it usually is.
    [[nodiscard]] bool isHome(const QWidget& panel) const;
    /// Whether all are.
    [[nodiscard]] bool allHome() const;
    /// Whether a panel is in front of the others of its tabs and of its place.
    [[nodiscard]] bool isInFront(const QWidget& panel) const;
    /// Brings a panel to the front of its tabs, or its own window above others.
    void toFront(QWidget& panel);
    /// Gives the keyboard to the tab of a panel that is in front: commands are about it then, see current().
    void takeKeyboard(const QWidget& panel);
    /// Puts a panel elsewhere, in front of what is there; `window` is for a window of its own, an empty one: as large
    /// as the panel is now.
    void move(QWidget& panel, PanelPlace to, const QRect& window = {});
    /// Puts a panel where it usually is.
    void putBack(QWidget& panel);
    void putAllBack();

    /// The panels that are not where they usually are.
    [[nodiscard]] std::vector<PanelLayout::Moved> moved() const;
    /// Puts all panels as moved() said; names that no panel has are passed over.
    void setMoved(const std::vector<PanelLayout::Moved>& moved);
    /// Shows the own windows of panels, or hides them as long as what they are about is not shown.
    void showWindows(bool shown);
    /// Writes the name of what is open into their titles.
    void nameWindows();

    /// Adds to a menu what can be done with the place of a panel.
    void fillMenu(QMenu& menu, QWidget& panel);

  Q_SIGNALS:
    /// Panels are elsewhere than before.
    void arranged();
    /// The user has put this panel elsewhere, and wants to see it.
    void placed(QWidget* panel);
    /// A panel has a new window of its own.
    void windowOpened(QWidget* window);
    /// The usual layout of everything is asked for.
    void defaultLayoutAsked();

  private:
    struct Panel {
        QWidget* widget = nullptr;
        QString title;  ///< where it is no page
        QString about;
        PlacePages* home = nullptr;  ///< has it as a page where it is below; nullptr: it is a tab there
        QString in_list;             ///< its title there
        std::size_t count = 0;       ///< lines that want a look
        bool applies = true;
        PanelPlace usual = PanelPlace::Below;
        PanelPlace place = PanelPlace::Below;
        PanelWindow* own = nullptr;
        QRect window;  ///< of its own window, where it has none now: the last one
    };

    [[nodiscard]] Panel& panelOf(const QWidget& panel);
    [[nodiscard]] const Panel& panelOf(const QWidget& panel) const;
    [[nodiscard]] PanelTabs& tabsOf(const Panel& panel) const;
    /// What has a tab for a panel: the panel, or its place where it is a page now.
    [[nodiscard]] static QWidget& tabOf(const Panel& panel);
    [[nodiscard]] static bool isPage(const Panel& panel);
    /// The panel that a tab shows: the page in front of a place, which may be nullptr.
    [[nodiscard]] static QWidget* panelIn(QWidget* tab);
    Panel& take(QWidget& panel, const char* name, const QString& title, const QString& about);
    void takeOut(const Panel& panel);
    /// Writes the titles of a panel, and of a place, where they have changed.
    void name(const Panel& panel);
    void name(PlacePages& place);
    void listen(PanelTabs& tabs);
    void insert(const Panel& panel, PanelTabs& tabs);
    void put(Panel& panel, PanelPlace to, const QRect& window);
    void openWindow(Panel& panel, const QRect& wanted);
    [[nodiscard]] QRect firstWindow(const QWidget& panel) const;
    /// Where a panel would be put if it were let go at a point of the screens.
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
