// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "ui/panels/shared/open_runs.h"
#include "ui/panels/shared/page_panel.h"

class QComboBox;

namespace rankscope::ui {

/// A panel that shows one of the open runs, with the box that chooses the run, and a text if nothing is shown.
class RunPanel : public PagePanel {
    Q_OBJECT

  public:
    explicit RunPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these runs from now on; keeps the chosen index while there are enough runs.
    void setRuns(const OpenRuns& runs);

  protected:
    /// Offers the choices for the run; nullptr: none. Called once per run, when the panel is visible.
    virtual void offerChoices(const AnalysedRun* run) = 0;
    /// Shows the chosen run, whose facts are known.
    virtual void showRun(const std::shared_ptr<const AnalysedRun>& run) = 0;
    /// Says why there is nothing to show.
    virtual void showNothing(const QString& why) = 0;

    /// Offers the choices for the chosen run, if that has not been done.
    void offer();
    /// Whether that has been done.
    [[nodiscard]] bool offered() const { return offered_ == run(); }
    [[nodiscard]] const OpenRuns& runs() const { return runs_; }
    /// The chosen run, or nullptr.
    [[nodiscard]] std::shared_ptr<const AnalysedRun> run() const;
    /// Its index among the open ones; 0 if none is open.
    [[nodiscard]] std::uint32_t runIndex() const;
    /// The box that chooses it: to be put into the head of the panel, which then owns it.
    [[nodiscard]] QComboBox& runBox() const { return *run_; }

  private:
    void refresh() final;

    OpenRuns runs_;
    std::shared_ptr<const AnalysedRun> offered_;
    QComboBox* run_;
};

}  // namespace rankscope::ui
