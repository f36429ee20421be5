// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/analysis/model_size.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}

namespace rankscope::cli {

/// The texts of the options about the size of the model, unchecked.
struct ModelTexts {
    std::string parameters;
    std::string layers;
    std::string hidden;
    std::string sequence;
    std::string micro_batch;
    std::string heads;
};

/// Adds the options about the size of the model.
void addModel(CLI::App& command, ModelTexts& texts);

/// Reads these options with countOf(): "7000000000", "7e9" or "7B". Throws CLI::ValidationError for other texts.
[[nodiscard]] ModelSize readModel(const ModelTexts& texts);

}  // namespace rankscope::cli
