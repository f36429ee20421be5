// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/recording_commands.h"

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/output_files.h"
#include "app/cli/progress_line.h"
#include "app/exit_code.h"
#include "core/recording/lacks.h"
#include "core/request/companions_of_runs.h"

namespace rankscope::cli {
namespace {

constexpr const char* kRecipeFooter =
    "rankscope-cli recipe fsdp --for overlap\n"
    "rankscope-cli recipe --for hang\n"
    "`rankscope-cli doctor PATH...` shows what a recording lacks.";

std::vector<std::string> listOf(std::span<const std::string_view> names) {
    return {names.begin(), names.end()};
}

}  // namespace

CLI::App* addRecipe(CLI::App& app, RecipeTexts& texts) {
    CLI::App* const recipe = app.add_subcommand("recipe", "Print the lines that record a job, and what they cost");
    recipe->add_option("FRAMEWORK", texts.framework, "What trains, serves or records: ddp if none is named")
        ->check(CLI::IsMember(listOf(frameworkNames())));
    recipe->add_option("--for", texts.question, "What the recording is to show")
        ->check(CLI::IsMember(listOf(recordingQuestionNames())))
        ->type_name("QUESTION");
    recipe->footer(kRecipeFooter);
    return recipe;
}

RecipeRequest readRecipe(const RecipeTexts& texts) {
    return {frameworkNamed(texts.framework).value_or(Framework::Ddp), recordingQuestionNamed(texts.question)};
}

int runRecipe(const RecipeRequest& request) {
    return writeOutput("-", recipeFor(request.framework, request.question)) ? kDone : kWrongUsage;
}

int runDoctor(Request request) {
    OnStandardError shown;
    if (!fetchRemotePaths(request, shown)) {
        return kNothingReadable;
    }
    request.bucket_sizes = false;
    const ReadRuns read = readJob(request, shown);
    shown.clear();
    std::string text;
    for (const AnalysedRun& run : read.runs) {
        text += (text.empty() ? "" : "\n") + answersText(run);
    }
    if (read.runs.empty()) {
        return kNothingReadable;
    }
    if (!writeOutput("-", text + "\nThe lines to record it: rankscope-cli recipe --help\n")) {
        return kWrongUsage;
    }
    return read.complete() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
