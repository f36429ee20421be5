// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rankscope::ui {

/// A text of core in the language of the window: `english` as a whole if it is translated in the context "core", else
/// by its template in resources/core_words.json, "step {} of {}", whose values are looked up in turn. Without a
/// translation, `english` itself. Not for names from a file.
[[nodiscard]] QString coreText(std::string_view english);

/// The templates of coreText() for core's texts with values, as in core_words.json, and its fixed texts: what a
/// translator gets in addition to the texts of advice.json and sentences.json.
[[nodiscard]] const std::vector<QString>& coreTexts();

/// A text whose translation depends on a key: the texts of findings, by their place.
[[nodiscard]] QString coreText(const QString& english, const char* key);

/// Whether the window's language is not English: its translation replaces "English" with its own name.
[[nodiscard]] bool speaksAnotherLanguage();

/// `words` for `count` things, with the English plural written as in "%1 slice(s)": "1 slice", "2 slices". The count is
/// formatted like all counts ("10,240 ranks"). tr() gets it too, so that a translation has the plurals of its language,
/// without brackets.
[[nodiscard]] QString plural(const QString& words, std::uint64_t count);

}  // namespace rankscope::ui
