// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/diagnosis/advice.h"
#include "core/diagnosis/sentences.h"

namespace rankscope {

/// The translation of a text of resources/advice.json or resources/sentences.json; `key` says where it stands, as in
/// "dataloader-stall.why". The text itself where there is none.
using TranslateText = std::function<std::string(const std::string& text, const std::string& key)>;

/// How a value that is filled into a sentence is told: "4 steps", "rank 3". The value itself where it is a name or a
/// number.
using TranslateValue = std::function<std::string(const std::string& value)>;

/// The language in which findings are told: all texts that are data. Immutable, and shared by all threads that
/// diagnose.
struct Wording {
    Advice advice;
    Sentences sentences;

    /// English, as it is built in; read once.
    [[nodiscard]] static std::shared_ptr<const Wording> builtIn();
    /// The same in another language. A translated sentence that names other placeholders than the English one stays
    /// English: it could not be filled.
    [[nodiscard]] static std::shared_ptr<const Wording> translated(const TranslateText& translate,
                                                                   const TranslateValue& value);
};

}  // namespace rankscope
