// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ui/panels/shared/open_runs.h"
#include "ui/panels/trace/check_text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/selection/selection.h"
#include "ui/widgets/deferred_panel.h"

class QComboBox;
class QLayout;
class QPushButton;

namespace rankscope::ui {

class RichText;

/// The health check of a run, the protocol and the check lists, one page each. If two runs are open, the second
/// validates what was changed after the first. Each line leads to its rank and step, its finding, or a panel. Computed
/// on a thread.
class CheckPanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit CheckPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these runs from now on.
    void setRuns(const OpenRuns& runs);
    /// Draws in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Shows this page.
    void showPage(CheckPage page);
    [[nodiscard]] CheckPage page() const { return page_; }

    /// Its text, without markup.
    [[nodiscard]] QString words() const;
    /// Follows a link in the page, as if it were clicked.
    void follow(const QString& link);
    /// The thread that computes the page, to wait until it is shown.
    [[nodiscard]] LatestJob& job() { return job_; }
    [[nodiscard]] const LatestJob& job() const { return job_; }

  Q_SIGNALS:
    /// The check of the chosen run is ready: `look` of its lines say "look here".
    void checked(std::size_t look);
    /// The user wants to see a finding.
    void findingAsked(const rankscope::ui::FindingSelection& finding);
    /// The user wants to see a slice.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);
    /// The user wants to see a rank.
    void rankActivated(std::uint32_t run, rankscope::RankPosition rank);
    /// The user wants to see a panel, by its name, and a page of it; empty: its current page.
    void panelAsked(const QString& name, const QString& page);

  protected:
    void refresh() override;

  private:
    [[nodiscard]] QLayout* makeChoices();
    void work();

    Theme theme_;
    OpenRuns runs_;
    CheckPage page_ = CheckPage::Check;
    CheckText text_;
    QComboBox* run_;
    std::array<QPushButton*, kCheckPages> pages_{};
    RichText* body_;
    LatestJob job_;
};

}  // namespace rankscope::ui
