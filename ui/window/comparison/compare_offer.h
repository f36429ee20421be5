// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/panels/shared/open_runs.h"

class QLabel;
class QPushButton;

namespace rankscope::ui {

/// A strip above open runs that offers to compare two of them. Once declined, it stays hidden until other runs are
/// open.
class CompareOffer : public QWidget {
    Q_OBJECT

  public:
    explicit CompareOffer(QWidget* parent = nullptr);

    /// Shows the offer if at least two runs are open, none are compared now and the user has not declined it. `whole`:
    /// the indices of runs that are not parts of others; only these are offered.
    void setRuns(const OpenRuns& runs, const std::vector<std::size_t>& whole, bool comparing);

    /// An offer declined in another window of the same runs is not shown here again.
    void declineAs(const CompareOffer& other);

  Q_SIGNALS:
    /// The user has accepted the offer.
    void accepted();

  private:
    QLabel* about_;
    QPushButton* compare_;
    std::size_t runs_ = 0;
    bool declined_ = false;
};

}  // namespace rankscope::ui
