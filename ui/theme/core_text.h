// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rankscope::ui {

/// What core says to people, in the language of the window: `english` as a whole where it is translated in the context
/// "core", else by the template in resources/core_words.json that it was made from, "step {} of {}", whose values are
/// looked up in turn. Without a translation it is what core says. Names from a file are not for this.
[[nodiscard]] QString coreText(std::string_view english);

/// The templates of coreText() for core's texts with values in them, as they are in core_words.json, and
/// its fixed texts: what a translator is given beside the texts of advice.json and sentences.json.
[[nodiscard]] const std::vector<QString>& coreTexts();

/// A text that differs from the same one elsewhere by a key: the texts of findings, by their place.
[[nodiscard]] QString coreText(const QString& english, const char* key);

/// Whether the window speaks another language than English: its translation names it in place of "English".
[[nodiscard]] bool speaksAnotherLanguage();

/// `words` of `count` things, in which the plural of English is written as in "%1 slice(s)": "1 slice", "2 slices".
/// The count is written as all counts are ("10,240 ranks"). tr() is given it too, so that a translation has the plurals
/// of its own language, and no brackets.
[[nodiscard]] QString plural(const QString& words, std::uint64_t count);

}  // namespace rankscope::ui
