// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>
#include <optional>
#include <vector>

namespace rankscope::ui {

/// How well a few typed letters match a text that contains them all in order.
struct FuzzyMatch {
    int score = 0;                     ///< higher is better; comparable among texts for the same letters
    std::vector<qsizetype> positions;  ///< positions of the letters in the text
};

/// Matches `letters` (without blanks, case-insensitive) with `text`: best if they begin words or are adjacent. Nothing
/// if the text does not contain them. O(letters x text).
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(QStringView letters, QStringView text);

}  // namespace rankscope::ui
