// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

#include "ui/panels/hang/hang_page.h"
#include "ui/panels/shared/companion_panel.h"

namespace rankscope::ui {

/// Why a job hangs, from the dumps of PyTorch's flight recorder: the ranks that stop it in a sentence, the lines that
/// they are in, and tables of who waits for whom, of calls that differ, and of the files. A thread makes the content
/// once the panel is visible.
class HangPanel : public CompanionPanel {
    Q_OBJECT

  public:
    explicit HangPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these dumps from now on; nullptr: none.
    void setDumps(std::shared_ptr<const ReadDumps> dumps);
    /// Looks for the calls of the dumps in these runs.
    void setRuns(const OpenRuns& runs);
    void setTheme(const Theme& theme) override;

  Q_SIGNALS:
    /// The user wants to see the last call of a rank in a trace.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  private:
    void refresh() override;
    [[nodiscard]] std::function<QString()> copied() const override;
    void showPage(std::shared_ptr<const HangPage> page);
    void showNothing();
    void writeAbout(std::size_t culprit);

    std::shared_ptr<const ReadDumps> dumps_;
    OpenRuns runs_;
    std::shared_ptr<const HangPage> page_;  // nullptr: nothing is shown
    std::size_t culprit_ = 0;               // whose last call is shown
};

}  // namespace rankscope::ui
