// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace rankscope::report {
struct ComparisonOutline;  // core/report/words/comparison_outline.h
}  // namespace rankscope::report

namespace rankscope::ui {

class ElidedLabel;
class LinkedLabel;

/// What a comparison begins with: the answer in a large sentence, as on a terminal, and in one line how sure it is and
/// what these recordings cannot show.
class CompareAnswer : public QWidget {
    Q_OBJECT

  public:
    explicit CompareAnswer(QWidget* parent = nullptr);

    /// nullptr: nothing is compared yet, and nothing is shown.
    void setOutline(const report::ComparisonOutline* outline);
    /// The sentence, as plain text.
    [[nodiscard]] QString answer() const;
    /// The line below it, as plain text.
    [[nodiscard]] QString doubt() const;

  private:
    LinkedLabel* answer_;
    ElidedLabel* doubt_;
};

}  // namespace rankscope::ui
