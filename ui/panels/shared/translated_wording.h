// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/diagnosis/frame/wording.h"

namespace rankscope::ui {

/// The texts of findings in the language of the window; nullptr where that is English. Costs some milliseconds: once
/// for each run that is diagnosed.
[[nodiscard]] std::shared_ptr<const Wording> translatedWording();

/// The same of the sentences of the health check.
[[nodiscard]] std::shared_ptr<const Sentences> translatedCheckSentences();

}  // namespace rankscope::ui
