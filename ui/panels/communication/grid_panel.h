// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/panels/communication/grid_choice.h"
#include "ui/panels/communication/grid_map.h"
#include "ui/panels/communication/groups_view.h"
#include "ui/panels/shared/run_panel.h"

class QComboBox;
class QLabel;
class QScrollArea;

namespace rankscope::ui {

class HeatLegend;
class TurningSplitter;

/// The grid of a job: its ranks as a map along two dimensions, coloured by the chosen value, with what is unknown, and
/// the process groups with their roles. A thread makes the map once the panel is visible.
class GridPanel : public RunPanel {
    Q_OBJECT

  public:
    explicit GridPanel(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    /// The rank of the selection on the timeline, as run and rank; nothing: none.
    void setSelected(std::optional<std::pair<std::uint32_t, RankPosition>> rank);
    /// Colours the map by this from now on; for ExposedCommunication, only of groups of `role`, if given.
    void setMeasure(RankMeasure measure, std::optional<Role> role = std::nullopt);
    /// The user's choices, for a session; without those that the user did not make.
    [[nodiscard]] GridChoice choice() const;
    /// Makes these choices, as far as the open runs have them.
    void setChoice(const GridChoice& choice);
    /// Shows the progress of an analysis with other roles; empty: none is running.
    void showProgress(const QString& words);

    /// The text of the panel above the map, as plain text.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] GridMap& map() { return *map_; }
    [[nodiscard]] GroupsView& groups() { return *groups_; }

  Q_SIGNALS:
    /// The user wants to see a rank on the timeline.
    void rankActivated(std::uint32_t run, rankscope::RankPosition rank);
    /// The user sets what the groups of a name are for; nothing: the role that was found applies.
    void roleChosen(std::uint32_t run, const QString& group, std::optional<rankscope::Role> role);
    /// The user wants to see the collectives of a group of CollectiveFacts.
    void collectivesAsked(std::uint32_t run, std::uint32_t group);

  private:
    /// A choice of the value that colours the map.
    struct Shade {
        RankMeasure measure = RankMeasure::Lateness;
        std::optional<Role> role;
        friend bool operator==(const Shade&, const Shade&) = default;
    };

    void wireChoices();
    /// The dimensions of the run as axes, and the roles that communicate.
    void offerChoices(const AnalysedRun* of) override;
    void showRun(const std::shared_ptr<const AnalysedRun>& of) override;
    void showNothing(const QString& why) override;
    void offerShades(const RunFacts& facts);
    void offerAxes(const JobGrid& grid);
    [[nodiscard]] GridAxes axes() const;
    /// The dimensions of the chosen run's grid that are shown as axes.
    [[nodiscard]] GridChoice::Axes axesByRole() const;
    /// Shows what colours the map, without choosing anything.
    void nameShade();
    void showPicture(const std::shared_ptr<const GridPicture>& picture);
    void outlineSelected();

    std::vector<Shade> shades_;
    Shade shade_;
    bool shade_chosen_ = false;  // the user chose it
    std::optional<std::pair<std::uint32_t, RankPosition>> selected_;
    QLabel* title_;
    QLabel* about_;
    QLabel* notes_;
    QComboBox* shade_box_;
    QComboBox* across_;
    QComboBox* down_;
    HeatLegend* legend_;
    GridMap* map_;
    QScrollArea* scroll_;
    GroupsView* groups_;
    TurningSplitter* split_;
};

}  // namespace rankscope::ui
