// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/recording/recipe.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

struct Request;  // app/cli/command_line.h

/// How a job is to be recorded.
struct RecipeRequest {
    Framework framework = Framework::Ddp;
    std::optional<RecordingQuestion> question;
};

/// The texts of the options of `recipe`, unchecked.
struct RecipeTexts {
    std::string framework;
    std::string question;
};

/// Adds the command `recipe` to the program.
[[nodiscard]] CLI::App* addRecipe(CLI::App& app, RecipeTexts& texts);
/// The request in the texts, which CLI11 has checked.
[[nodiscard]] RecipeRequest readRecipe(const RecipeTexts& texts);

/// Prints the lines that record a job. The exit code.
[[nodiscard]] int runRecipe(const RecipeRequest& request);
/// Prints what recordings lack for which question, and what would add it. The exit code.
[[nodiscard]] int runDoctor(Request request);

}  // namespace rankscope::cli
