// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"

class QVBoxLayout;

namespace rankscope::ui {

class FindingCard;
class VerdictCard;

/// The verdict of one run, its findings as cards, most severe first, and what is unknown.
class RunFindings : public QWidget {
    Q_OBJECT

  public:
    /// `named`: shows the name of the run, since there are others.
    RunFindings(std::shared_ptr<const AnalysedRun> run, bool named, const Theme& theme, QWidget* parent = nullptr);

    /// The run whose findings these are.
    [[nodiscard]] const std::shared_ptr<const AnalysedRun>& run() const { return run_; }
    /// Whether the name of the run is above the cards.
    [[nodiscard]] bool named() const { return named_; }
    /// A card for each finding.
    [[nodiscard]] const std::vector<FindingCard*>& cards() const { return cards_; }

    /// The verdict, above the cards; nullptr while it is not known.
    [[nodiscard]] VerdictCard* verdict() const { return verdict_; }

    /// Draws the cards in the colours of this theme from now on.
    void setTheme(const Theme& theme);

  Q_SIGNALS:
    /// A card was clicked, or activated by a key.
    void activated(std::uint32_t finding);

  private:
    void addVerdict(const Theme& theme);
    void addCards(const Theme& theme);
    void addCannotTell();

    std::shared_ptr<const AnalysedRun> run_;
    bool named_;
    QVBoxLayout* list_;
    VerdictCard* verdict_ = nullptr;
    std::vector<FindingCard*> cards_;
};

}  // namespace rankscope::ui
