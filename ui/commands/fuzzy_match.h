// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>
#include <optional>
#include <vector>

namespace rankscope::ui {

/// How well a few typed letters fit a text that has them all, in their order.
struct FuzzyMatch {
    int score = 0;                     ///< more is better; comparable among texts for the same letters
    std::vector<qsizetype> positions;  ///< of the letters in the text
};

/// Fits `letters` (blanks left out, case ignored) into `text`: best where they begin words or follow one another.
/// Nothing where the text does not have them. O(letters x text).
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(QStringView letters, QStringView text);

}  // namespace rankscope::ui
