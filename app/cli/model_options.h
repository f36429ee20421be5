// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/analysis/model_size.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}

namespace rankscope::cli {

/// What the user types of the size of the model, before it is checked.
struct ModelTexts {
    std::string parameters;
    std::string layers;
    std::string hidden;
    std::string sequence;
    std::string micro_batch;
    std::string heads;
};

/// The options that say how large the model is.
void addModel(CLI::App& command, ModelTexts& texts);

/// Reads them by countOf(): "7000000000", "7e9" or "7B". Throws CLI::ValidationError for others.
[[nodiscard]] ModelSize readModel(const ModelTexts& texts);

}  // namespace rankscope::cli
