// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <vector>

#include "ui/window/places/panel_layout.h"

class QSettings;
class QSplitter;

namespace rankscope::ui {

class PanelPlaces;
class PanelTabs;

/// A widget with docks of panels below and beside it, and dividers that the user moves. The lower dock folds to its
/// tabs; the side hides. Sizes are logical pixels.
class DockArea : public QWidget {
    Q_OBJECT

  public:
    /// The content in the middle.
    struct Centre {
        QWidget* widget = nullptr;           ///< gets the keys of panels in their own windows, see PanelPlaces
        QWidget* above = nullptr;            ///< a bar over it, or nullptr
        std::vector<QWidget*> in_tab_order;  ///< its widgets with keyboard focus, in reading order
    };

    explicit DockArea(const Centre& centre, QWidget* parent = nullptr);

    /// The place of each panel, and moving panels.
    [[nodiscard]] PanelPlaces& places() const { return *places_; }
    /// Shows the docks that contain panels, and sets the Tab order to the reading order: call it after
    /// PanelPlaces::add(). When panels move, this happens automatically.
    void arrange();

    /// Brings a panel to the front, and unfolds the lower dock if the panel is there; a hidden side stays hidden.
    void bringToFront(QWidget& panel);
    /// Brings a panel to the front wherever it is: usually in a place of the lower dock, which unfolds, else at the
    /// side, or in its own window.
    void showBelow(QWidget& panel);
    /// Brings a panel to the front by its name, as from panelInFront(), without unfolding; ignores any other name.
    void showPanel(const QString& name);
    /// The name of the panel that is in front in the lower dock: "details", "area", "steps", "charts" ...; empty if
    /// there is none.
    [[nodiscard]] QString panelInFront() const;

    /// Brings a place below to the front, by its name, and unfolds the lower dock; false if there is no such place.
    bool showPlace(const QString& name);
    /// Brings the next tab of the lower dock to the front (+1), or the previous one (-1), with wrap-around, and unfolds
    /// it.
    void stepPlace(int by);
    /// The same for the pages of the place in front.
    void stepPage(int by);

    /// Shows or hides the side: the diagnoses and the explanation, and panels that were moved there.
    void setSidePanelVisible(bool visible);
    /// Shows the lower dock, or folds it to its tabs; it is folded until there is something to show.
    void setBottomPanelVisible(bool visible);
    /// Hides the centre and the side where they have nothing to show: the lower dock gets their room.
    void setCentreVisible(bool visible);
    [[nodiscard]] bool sidePanelVisible() const { return side_wanted_; }
    [[nodiscard]] bool bottomPanelVisible() const { return !bottom_folded_; }

    /// The places of the panels, and the sizes of the parts of the window.
    [[nodiscard]] PanelLayout layout() const;
    void setLayout(const PanelLayout& layout);
    /// Stores the layout, for restoreLayout() at the next start.
    void saveLayout(QSettings& settings) const;
    void restoreLayout(const QSettings& settings);

  Q_SIGNALS:
    /// The lower dock has been unfolded, or folded to its tabs.
    void bottomPanelToggled(bool visible);
    /// The side has been shown or hidden.
    void sidePanelToggled(bool visible);
    /// A panel that came to the front has unfolded the lower dock.
    void unfoldedForPanel();

  protected:
    /// The height of the tabs may have changed.
    void tabsChanged();
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void layOut();
    void wire();
    void unfoldBottom();
    /// Gives the parts their sizes, unless they have them.
    void shareRoom();
    void shareWidth();
    void shareSide();
    /// Moves the keyboard focus from a part that is being hidden to the centre: Qt would give it to the divider beside
    /// it.
    void takeKeyboardFrom(const QWidget& part) const;
    /// The height of the lower dock, unfolded.
    [[nodiscard]] int bottomHeight() const;
    /// The height that the lower dock takes, folded or not.
    void sizeBottom();

    Centre centre_;
    PanelPlaces* places_;
    PanelTabs* bottom_;
    std::array<PanelTabs*, 2> sides_;
    QSplitter* across_;  // centre and bottom, side
    QSplitter* down_;    // centre, bottom
    QSplitter* side_;    // sides_
    bool sized_ = false;
    bool bottom_folded_ = true;  // to its tabs
    bool side_wanted_ = true;    // and visible if it has a panel
    bool centre_seen_ = true;
    int bottom_height_ = 0;  // height of the unfolded lower dock, from the user or a layout; 0: the default
    int side_width_ = 0;     // from the user or a layout; 0: the default
    std::array<int, 2> side_heights_{};
};

}  // namespace rankscope::ui
