// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/panels/deferred_panel.h"
#include "ui/panels/grid_choice.h"
#include "ui/panels/grid_map.h"
#include "ui/panels/groups_view.h"
#include "ui/panels/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"

class QComboBox;
class QLabel;
class QScrollArea;

namespace rankscope::ui {

class HeatLegend;
class TurningSplitter;

/// The grid of a job: its ranks as a map along two dimensions, coloured by what is chosen, with what cannot be told of
/// it, and the process groups with their roles. The map is made on a thread, when the panel is seen.
class GridPanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit GridPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Looks at these runs from now on.
    void setRuns(const OpenRuns& runs);
    /// Draws in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// The rank of what is selected on the timeline, as run and rank; nothing: none.
    void setSelected(std::optional<std::pair<std::uint32_t, RankPosition>> rank);
    /// Colours the map by this from now on; of ExposedCommunication, by that of groups of one role.
    void setMeasure(RankMeasure measure, std::optional<Role> role = std::nullopt);
    /// What the user chose, for a session; what was not chosen is left out.
    [[nodiscard]] GridChoice choice() const;
    /// Chooses that, as far as the open runs have it.
    void setChoice(const GridChoice& choice);
    /// Says how far an analysis with other roles is; empty: none is going on.
    void showProgress(const QString& words);

    /// What the panel says above the map, as plain text.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] GridMap& map() { return *map_; }
    [[nodiscard]] GroupsView& groups() { return *groups_; }
    /// The thread that makes the map, for whoever waits until it is shown.
    [[nodiscard]] LatestJob& job() { return job_; }
    [[nodiscard]] const LatestJob& job() const { return job_; }

  Q_SIGNALS:
    /// The user wants to see a rank on the timeline.
    void rankActivated(std::uint32_t run, rankscope::RankPosition rank);
    /// The user says what the groups of a name are for; nothing: what is found of them holds.
    void roleChosen(std::uint32_t run, const QString& group, std::optional<rankscope::Role> role);
    /// The user wants to see the collectives of a group of CollectiveFacts.
    void collectivesAsked(std::uint32_t run, std::uint32_t group);

  protected:
    void refresh() override;

  private:
    /// What the map can be coloured by.
    struct Shade {
        RankMeasure measure = RankMeasure::Lateness;
        std::optional<Role> role;
        friend bool operator==(const Shade&, const Shade&) = default;
    };

    void wireChoices();
    [[nodiscard]] std::shared_ptr<const AnalysedRun> run() const;
    [[nodiscard]] std::uint32_t runIndex() const;
    /// Offers what the chosen run has, once it is seen: its dimensions as axes, the roles that communicate.
    void offer();
    void offerShades(const RunFacts& facts);
    void offerAxes(const JobGrid& grid);
    [[nodiscard]] GridAxes axes() const;
    /// The dimensions of the chosen run's grid that are shown as axes.
    [[nodiscard]] GridChoice::Axes axesByRole() const;
    /// Shows by what the map is coloured, and chooses nothing.
    void nameShade();
    void showPicture(const std::shared_ptr<const GridPicture>& picture);
    void outlineSelected();

    Theme theme_;
    OpenRuns runs_;
    std::vector<Shade> shades_;
    Shade shade_;
    bool offered_ = true;        // what the chosen run has
    bool shade_chosen_ = false;  // by the user
    std::optional<std::pair<std::uint32_t, RankPosition>> selected_;
    QLabel* title_;
    QLabel* about_;
    QLabel* notes_;
    QComboBox* run_;
    QComboBox* shade_box_;
    QComboBox* across_;
    QComboBox* down_;
    HeatLegend* legend_;
    GridMap* map_;
    QScrollArea* scroll_;
    GroupsView* groups_;
    TurningSplitter* split_;
    LatestJob job_;
};

}  // namespace rankscope::ui
