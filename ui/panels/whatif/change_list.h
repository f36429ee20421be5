// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/whatif/change.h"
#include "ui/panels/whatif/forecast_text.h"
#include "ui/panels/whatif/offered_changes.h"
#include "ui/theme/theme.h"

class QLabel;
class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace rankscope::ui {

class ChangeControl;
class LinkedLabel;

/// The changes that a run can tell, each as a switch or a slider, in the order of offeredChanges(); below them those
/// that it cannot tell, folded; and a line in which any change can be typed. Of changes that exclude each other, the
/// last one that was turned on stays.
class ChangeList : public QWidget {
    Q_OBJECT

  public:
    explicit ChangeList(const Theme& theme, QWidget* parent = nullptr);

    /// Offers no change.
    void clear();
    /// Offers a change that the run can tell.
    void offer(const OfferedChange& change);
    /// Lists a change that the run cannot tell, and why.
    void refuse(const OfferedChange& change, const QString& reason);

    /// The changes that are on.
    [[nodiscard]] std::vector<WhatIfChange> changes() const;
    /// Turns a change on or off, as a click on its control; one that has no control is added as if it were typed.
    void toggle(const std::string& text);
    /// Turns all changes off.
    void reset();
    /// The run cannot play the changes that are on: turns the last one off, and shows why. A typed one is in the line
    /// again.
    void reject(const QString& why);

    /// Shows below the line why something is not done; empty: nothing.
    void say(const QString& why);

    /// Writes in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Controls, from top to bottom.
    [[nodiscard]] std::vector<ChangeControl*> controls() const;
    /// What is wrong with the change in the line; empty: nothing.
    [[nodiscard]] QString error() const;

  Q_SIGNALS:
    /// Other changes are on, or have another value.
    void changed();

  private:
    void addTyped();
    [[nodiscard]] ChangeControl* add(const OfferedChange& change, int at);
    void tell(ChangeControl* control);
    void turnOffOthers(const ChangeControl& control) const;
    void showRefused();

    Theme theme_;
    std::vector<RefusedOffer> refused_;
    bool unfolded_ = false;
    ChangeControl* last_ = nullptr;  // the one that was changed last
    QScrollArea* scroll_;
    QVBoxLayout* list_;
    LinkedLabel* refused_words_;
    QLineEdit* line_;
    QLabel* error_;
};

}  // namespace rankscope::ui
