// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

/// The values that a slider sets, from `least` to `most`.
struct ChangeRange {
    double least = 1;
    double most = 1;
    double typical = 1;  ///< what is played if only the change is asked for
    bool logarithmic = false;
    bool whole = false;
    QString shown;  ///< a value in words: "%1 MiB"
};

/// A change of a run that the window offers as a switch, or as a switch with a slider.
struct OfferedChange {
    std::string text;  ///< as core/whatif reads it; with a range, the value follows
    QString title;
    std::optional<ChangeRange> range = {};

    /// The change as core/whatif reads it: "link:x2".
    [[nodiscard]] std::string with(double value) const;
    /// The same with the typical value.
    [[nodiscard]] std::string typical() const { return with(range ? range->typical : 0); }
    /// The title, with the typical value.
    [[nodiscard]] QString typicalTitle() const;
    /// A value in words: "x 2", "50 MiB"; empty without a range.
    [[nodiscard]] QString valueWords(double value) const;
};

/// All of them, in the order in which they are listed.
[[nodiscard]] std::vector<OfferedChange> offeredChanges();

/// The changes that play the fixes of the findings, the first finding first, then those that are about what a step
/// waits for most: up to three, each as OfferedChange::typical(). Whether the run can tell them is not known yet.
[[nodiscard]] std::vector<OfferedChange> changesFor(const AnalysedRun& run);

}  // namespace rankscope::ui
