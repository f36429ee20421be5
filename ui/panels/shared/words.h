// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

// How the panels name things. They only word facts, and compute nothing.

/// UTF-8 as a QString; invalid bytes become U+FFFD.
[[nodiscard]] QString text(std::string_view utf8);
/// formatDuration as a QString.
[[nodiscard]] QString duration(DurationNs ns);
/// formatCount as a QString: "12,345".
[[nodiscard]] QString count(std::uint64_t number);
/// "DataLoader 58.2 ms": a part in words, with its time.
[[nodiscard]] QString namedTime(const QString& name, DurationNs ns);
/// The confidence in a price, in words: "high confidence".
[[nodiscard]] QString confidenceText(Confidence confidence);
/// rankLabel() as a QString: "rank 3", or "file 2" if no file has its number.
[[nodiscard]] QString rankName(const Run& run, RankPosition rank);
/// rankName() with the rank's place in the grid of the job, if it is known: "rank 5 · dp 1, pp 2, tp 0".
[[nodiscard]] QString rankInPlace(const AnalysedRun& run, RankPosition rank);
/// Whole numbers in ascending order, consecutive ones as a range: "0 to 2, 5"; if there are too many ranges the first
/// and the last.
[[nodiscard]] QString numbersText(std::vector<std::int64_t> numbers);
/// "rank 3", "ranks 0 to 2, 5", "ranks 0 to 2, file 4" or "all 8 ranks".
[[nodiscard]] QString ranksName(const Run& run, const std::vector<RankPosition>& ranks);
/// "28 of 29 steps priced": the number of steps with prices, and of those that the compared step represents, if the two
/// differ; else empty.
[[nodiscard]] QString baseText(const AnalysedRun& run);
/// The step of `rank` with this index, or nullptr.
[[nodiscard]] const RankStep* findStep(const AnalysedRun& run, RankPosition rank, std::int64_t index);

/// Whether the slice exists in the current run.
[[nodiscard]] bool exists(const AnalysedRun& run, RankPosition rank, SliceRef slice);
/// A slice as an address for links inside panels, and back.
[[nodiscard]] QString sliceLink(const SliceSelection& slice);
[[nodiscard]] std::optional<SliceSelection> sliceOfLink(const QString& link);
/// The number of letters that fit two lines of a panel at its usual width; a loader's "enumerate(DataLoader)#..." does.
inline constexpr int kLongestName = 64;
/// A slice's name for one line: without a C++ function's parameters, and cut to `longest` characters.
[[nodiscard]] QString nameInLine(std::string_view name, int longest = kLongestName);
/// <a href="...">name</a> of a slice, its name cut to `longest` characters; plain dim text if there is no slice.
[[nodiscard]] QString sliceAnchor(const AnalysedRun& run, const SliceSelection& slice, int longest = kLongestName);
/// A share in one word: "33 %".
[[nodiscard]] QString percent(double share);
/// A number with a no-break space before its unit.
[[nodiscard]] QString unbroken(QString number);
/// A number with a real minus sign, not a hyphen.
[[nodiscard]] QString withMinus(QString number);
/// Words with typographic numbers: real minus signs, and no line break before units.
[[nodiscard]] QString printed(QString words);
/// `html` in the theme's dim colour.
[[nodiscard]] QString dim(const QString& html, const Theme& theme);
/// A link in the theme's colour, for labels, which do not use the style sheet of documents. `words` are plain text.
[[nodiscard]] QString labelLink(const QString& to, const QString& words, const Theme& theme);
/// The style sheet of the documents that panels show.
[[nodiscard]] QString documentStyle(const Theme& theme);

}  // namespace rankscope::ui
