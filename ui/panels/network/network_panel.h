// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/panels/network/network_graph.h"
#include "ui/panels/network/network_page.h"
#include "ui/panels/shared/companion_panel.h"

namespace rankscope::ui {

class NetworkMap;
class SortedTable;
class TransportLegend;

/// What NCCL uses between the ranks of a job, from its logs: findings with their lines, communicators with their rings
/// and trees as a picture, calls, start-up, processes, settings and paths. A thread makes the content once the panel is
/// visible.
class NetworkPanel : public CompanionPanel {
    Q_OBJECT

  public:
    explicit NetworkPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these logs from now on; nullptr: none.
    void setLogs(std::shared_ptr<const ReadLogs> logs);
    void setTheme(const Theme& theme) override;
    /// Shows a communicator of the job, by its index in Job::communicators.
    void showCommunicator(std::size_t communicator);

    /// The picture of the communicator.
    [[nodiscard]] NetworkMap& map() { return *map_; }
    /// Whether something is being worked out.
    [[nodiscard]] bool busy() const { return CompanionPanel::busy() || drawing_.busy(); }

  private:
    void refresh() override;
    [[nodiscard]] std::function<QString()> copied() const override;
    [[nodiscard]] QWidget* picturePart();
    void offerJobs();
    void showPage(std::shared_ptr<const NetworkPage> page);
    void showNothing();
    void takeGraph(std::shared_ptr<const NetworkGraph> graph);
    void showShape(int shape);

    std::shared_ptr<const ReadLogs> logs_;
    std::shared_ptr<const NetworkPage> page_;  // nullptr: nothing is shown
    std::shared_ptr<const NetworkGraph> graph_;
    LatestJob drawing_;
    QComboBox* job_;
    SortedTable* communicators_;
    QLabel* shown_;
    QComboBox* shape_;
    NetworkMap* map_;
    TransportLegend* legend_;
};

}  // namespace rankscope::ui
