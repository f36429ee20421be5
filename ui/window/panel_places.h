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
#include "ui/window/panel_layout.h"

class QMenu;
class QRubberBand;
class QWidget;

namespace rankscope::ui {

class PanelTabs;
class PanelWindow;

/// Where each panel stands, and how the user moves it: by dragging its tab, or by the tab's menu. A panel stands in one
/// place at any time and is never lost: closing its own window puts it back where it usually is.
class PanelPlaces : public QObject {
    Q_OBJECT

  public:
    /// Own windows of panels belong to `owner`; `timeline` gets keys from them, see PanelWindow.
    PanelPlaces(QWidget& owner, QWidget& timeline);

    /// Takes up a panel at its usual place, behind those that are there. Its object name becomes `name`.
    void add(QWidget& panel, const char* name, const QString& title, const QString& about, PanelPlace usual);
    /// Another title on the tab of a panel.
    void setTitle(const QWidget& panel, const QString& title);
    /// The tabs of a place that is a part of the window.
    [[nodiscard]] PanelTabs& dock(PanelPlace place) const;
    /// All panels, in order of add(), with what they show.
    [[nodiscard]] std::vector<PanelSummary> summaries() const;
    /// The panel with this name, or nullptr.
    [[nodiscard]] QWidget* find(const QString& name) const;
    /// The panel that has the keyboard, else the one in front below the timeline; nullptr where there is none.
    [[nodiscard]] QWidget* current() const;

    [[nodiscard]] PanelPlace placeOf(const QWidget& panel) const;
    /// Whether a panel is where it usually is.
    [[nodiscard]] bool isHome(const QWidget& panel) const;
    /// Whether all are.
    [[nodiscard]] bool allHome() const;
    /// Whether a panel is in front of the others of its tabs.
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
    /// Puts all panels as moved() told; names that no panel has are passed over.
    void setMoved(const std::vector<PanelLayout::Moved>& moved);
    /// Shows the own windows of panels, or hides them as long as what they are about is not shown.
    void showWindows(bool shown);
    /// Writes the name of what is open into their titles.
    void nameWindows();

    /// Adds to a menu what can be done with the place of a panel.
    void fillMenu(QMenu& menu, QWidget& panel);

  Q_SIGNALS:
    /// Panels stand elsewhere than before.
    void arranged();
    /// The user has put this panel elsewhere, and wants to see it.
    void placed(QWidget* panel);
    /// A panel has a new window of its own.
    void windowOpened(QWidget* window);
    /// The usual layout of everything is asked for.
    void usualLayoutAsked();

  private:
    struct Panel {
        QWidget* widget = nullptr;
        QString title;
        QString about;
        PanelPlace usual = PanelPlace::Below;
        PanelPlace place = PanelPlace::Below;
        PanelWindow* own = nullptr;
        QRect window;  ///< of its own window, where it has none now: the last one
    };

    [[nodiscard]] Panel& panelOf(const QWidget& panel);
    [[nodiscard]] const Panel& panelOf(const QWidget& panel) const;
    [[nodiscard]] PanelTabs& tabsOf(const Panel& panel) const;
    void listen(PanelTabs& tabs);
    void insert(const Panel& panel, PanelTabs& tabs) const;
    void put(Panel& panel, PanelPlace to, const QRect& window);
    void openWindow(Panel& panel, const QRect& wanted);
    [[nodiscard]] QRect firstWindow(const QWidget& panel) const;
    /// Where a panel would come to stand if it were let go at a point of the screens.
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
    bool windows_shown_ = false;
    QRubberBand* target_;  // where a dragged panel would go
};

}  // namespace rankscope::ui
