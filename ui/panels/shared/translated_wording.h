// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/diagnosis/frame/wording.h"

namespace rankscope::ui {

/// The texts of findings in the language of the window; nullptr for English. Costs a few milliseconds, once per
/// diagnosed run.
[[nodiscard]] std::shared_ptr<const Wording> translatedWording();

/// The same for the sentences of the health check.
[[nodiscard]] std::shared_ptr<const Sentences> translatedCheckSentences();

}  // namespace rankscope::ui
