// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/panels/shared/open_runs.h"

class QLabel;
class QPushButton;

namespace rankscope::ui {

/// A strip above open runs that offers to compare two of them. Once declined, it stays away until other runs are open.
class CompareOffer : public QWidget {
    Q_OBJECT

  public:
    explicit CompareOffer(QWidget* parent = nullptr);

    /// Shows the offer where at least two runs are open, none are compared now and the user has not declined it.
    /// `whole`: the indices of those that are no parts of others, which alone are offered.
    void setRuns(const OpenRuns& runs, const std::vector<std::size_t>& whole, bool comparing);

    /// What was declined in another window of the same runs is not offered here again.
    void declineAs(const CompareOffer& other);

  Q_SIGNALS:
    /// The user takes it.
    void accepted();

  private:
    QLabel* about_;
    QPushButton* compare_;
    std::size_t runs_ = 0;
    bool declined_ = false;
};

}  // namespace rankscope::ui
