// SPDX-License-Identifier: GPL-3.0-or-later
// Lines to paste: they are complete, and Python and the shell accept them.
#include "core/recording/recipe.h"

#include "tests/support/process.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using Question = std::optional<RecordingQuestion>;

/// All recipes, each with its name.
std::vector<std::pair<std::string, std::string>> allRecipes() {
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string_view framework : frameworkNames()) {
        all.emplace_back(framework, recipeFor(*frameworkNamed(framework), {}));
        for (const std::string_view question : recordingQuestionNames()) {
            all.emplace_back(std::string(framework) + " for " + std::string(question),
                             recipeFor(*frameworkNamed(framework), recordingQuestionNamed(question)));
        }
    }
    return all;
}

/// The part to paste.
std::string linesOf(const std::string& recipe) {
    return recipe.substr(0, recipe.find("\nWhat it costs"));
}

TEST(Recipes, HaveNoHoleAndSayWhatTheyCostAndWhatComesThen) {
    for (const auto& [name, recipe] : allRecipes()) {
        for (const char* hole : {"{options}", "{active}", "{end}", "{before}", "{train}"}) {
            EXPECT_EQ(recipe.find(hole), std::string::npos) << name;
        }
        EXPECT_THAT(recipe, HasSubstr("What it costs:")) << name;
        EXPECT_THAT(recipe, HasSubstr("rankscope-cli ")) << name;
    }
}

/// Parses a file, and fails with the names in it that are neither made there nor the reader's own.
constexpr const char* kNamesAreKnown = R"(
import ast, builtins, sys
names = [n for n in ast.walk(ast.parse(open(sys.argv[1]).read())) if isinstance(n, (ast.Name, ast.alias))]
made = {(n.asname or n.name).split('.')[0] for n in names if isinstance(n, ast.alias)}
made |= {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
made |= {'loader', 'train_one_step', 'engine'} | set(dir(builtins))
unknown = {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - made
sys.exit(str(unknown) if unknown else 0)
)";

TEST(Recipes, InPythonAreValidPythonWithoutUnknownNames) {
    const TempFolder folder;
    for (const char* framework : {"ddp", "fsdp", "deepspeed", "lightning", "accelerate"}) {
        for (const Question question :
             {Question(), Question(RecordingQuestion::Memory), Question(RecordingQuestion::Input)}) {
            const std::string file =
                folder.write("recipe.py", linesOf(recipeFor(*frameworkNamed(framework), question)));
            const ProcessResult parsed = runProcess({"python3", "-c", kNamesAreKnown, file});
            EXPECT_EQ(parsed.code, 0) << framework << "\n" << parsed.err;
        }
    }
}

TEST(Recipes, InTheShellAreValidShell) {
    const TempFolder folder;
    for (const char* framework : {"megatron", "vllm", "nsys"}) {
        for (const Question question :
             {Question(), Question(RecordingQuestion::Overlap), Question(RecordingQuestion::Hang)}) {
            const std::string file =
                folder.write("recipe.sh", linesOf(recipeFor(*frameworkNamed(framework), question)));
            EXPECT_EQ(runProcess({"sh", "-n", file}).code, 0) << framework;
        }
    }
}

TEST(Recipes, OfAHangAreTheSameForAllFrameworks) {
    EXPECT_EQ(recipeFor(Framework::Megatron, RecordingQuestion::Hang),
              recipeFor(Framework::Ddp, RecordingQuestion::Hang));
    EXPECT_THAT(recipeFor(Framework::Ddp, RecordingQuestion::Hang), HasSubstr("TORCH_NCCL_DUMP_ON_TIMEOUT=1"));
}

TEST(Recipes, OfMemoryRecordMemory) {
    EXPECT_THAT(recipeFor(Framework::Fsdp, RecordingQuestion::Memory), HasSubstr("profile_memory=True"));
    EXPECT_THAT(recipeFor(Framework::Fsdp, {}), Not(HasSubstr("profile_memory")));
    EXPECT_THAT(recipeFor(Framework::Vllm, RecordingQuestion::Memory), HasSubstr("torch_profiler_with_memory"));
}

TEST(Recipes, OfUnknownNamesAreNone) {
    EXPECT_FALSE(frameworkNamed("keras"));
    EXPECT_FALSE(recordingQuestionNamed(""));
}

}  // namespace
}  // namespace rankscope::test
