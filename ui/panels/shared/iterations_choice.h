// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/panels/shared/analysis_choice.h"
#include "ui/panels/shared/open_runs.h"

class QComboBox;
class QLabel;

namespace rankscope::ui {

/// The kind of a server's iterations that medians and prices are of, and the user's choice of another: `--iterations`
/// of the command line. Shown only if an open run serves.
class IterationsChoice : public QWidget {
    Q_OBJECT

  public:
    explicit IterationsChoice(QWidget* parent = nullptr);

    /// Offers the kinds of these runs. `choices` as `runs`: the user's choices about their analysis.
    void setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices);
    /// Shows the progress of an analysis with other iterations; empty: none is running.
    void showProgress(const QString& words);

    /// The kinds that medians and prices of a run can be of: those with complete iterations, prefill first. Empty for
    /// runs that do not serve.
    [[nodiscard]] static std::vector<IterationKind> kindsOf(const AnalysedRun& run);

  Q_SIGNALS:
    /// The user wants medians and prices of iterations of this kind; nothing: of the kind with most time.
    void chosen(std::uint32_t run, std::optional<rankscope::IterationKind> kind);

  private:
    void offerKinds();
    [[nodiscard]] std::uint32_t run() const;

    OpenRuns runs_;
    std::vector<AnalysisChoice> choices_;
    QComboBox* run_;
    QComboBox* kind_;
    QLabel* about_;
};

}  // namespace rankscope::ui
