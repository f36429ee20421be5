// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/diagnosis/frame/advice.h"
#include "core/diagnosis/frame/sentences.h"

namespace rankscope {

/// Translates a text of resources/advice.json or resources/sentences.json; `key` is its place, such as
/// "dataloader-stall.why". Returns the text itself if there is no translation.
using TranslateText = std::function<std::string(const std::string& text, const std::string& key)>;

/// How a value is shown in a sentence: "4 steps", "rank 3". Names and numbers stay as they are.
using TranslateValue = std::function<std::string(const std::string& value)>;

/// The language of the findings: all texts that are data. Immutable, and shared by all threads that diagnose.
struct Wording {
    Advice advice;
    Sentences sentences;

    /// The built-in English; read once.
    [[nodiscard]] static std::shared_ptr<const Wording> builtIn();
    /// The same in another language. A translated sentence with other placeholders than the English one stays English:
    /// it could not be filled.
    [[nodiscard]] static std::shared_ptr<const Wording> translated(const TranslateText& translate,
                                                                   const TranslateValue& value);
};

}  // namespace rankscope
