// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/device/communication_suspects.h"
#include "core/base/ids.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/deferred_panel.h"

class QTreeWidget;
class QTreeWidgetItem;

namespace rankscope::ui {

/// What the files of each rank contain, and what in them is missing or wrong.
class HealthPanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit HealthPanel(const Theme& theme, QWidget* parent = nullptr);
    /// Draws the panel in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Shows the files of these runs.
    void setRuns(const OpenRuns& runs);

  Q_SIGNALS:
    /// The user has decided whether kernels of this name, which look like communication, are communication.
    void treatAsked(const QString& kernel, bool communication);

  private:
    void refresh() override;
    /// Facts about more than one rank of a run: listed once below the run, and not below each rank.
    struct OfSeveral {
        struct Suspect {
            std::vector<RankPosition> ranks;
            CommunicationSuspect sum;  ///< over all of them
        };
        std::map<std::string, std::vector<RankPosition>> notes;
        std::map<std::string_view, Suspect> suspects;  ///< by the kernel's name
    };
    [[nodiscard]] static OfSeveral ofSeveral(const AnalysedRun& run);
    void addOfSeveral(QTreeWidgetItem* under, const AnalysedRun& run, const OfSeveral& several);
    /// `of`: the ranks that have it, for people; empty below a single rank.
    void addSuspect(QTreeWidgetItem* under, const CommunicationSuspect& suspect, const QString& of);
    /// Adds the next ranks of all runs.
    void fillOn() override;
    /// Adds the next ranks of a run, up to `most`; returns how many.
    std::size_t addRanks(std::uint32_t run, std::size_t most);
    /// Fills the rows below a rank when it is first unfolded.
    void describe(QTreeWidgetItem* row);

    Theme theme_;
    OpenRuns runs_;
    std::vector<OfSeveral> several_;                              // as runs_, once shown
    std::vector<RankPosition> filled_;                            // as runs_: the number of ranks that have their rows
    std::set<std::pair<std::uint32_t, std::uint32_t>> unfolded_;  // runs and ranks that were unfolded when it was last
                                                                  // filled
    QTreeWidget* tree_;
};

}  // namespace rankscope::ui
