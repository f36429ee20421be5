// SPDX-License-Identifier: GPL-3.0-or-later
#include <variant>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/companions_command.h"
#include "app/cli/hang_command.h"
#include "app/cli/merge_command.h"
#include "app/cli/query_command.h"
#include "app/cli/what_if_command.h"
#include "app/fatal_error.h"

int main(int argc, char** argv) {
    rankscope::endOnUncaughtExceptions("rankscope-cli");
    try {
        const auto parsed = rankscope::cli::parseCommandLine(argc, argv);
        if (const int* code = std::get_if<int>(&parsed)) {
            return *code;
        }
        if (const auto* digest = std::get_if<rankscope::cli::DigestRequest>(&parsed)) {
            return rankscope::cli::runDigest(*digest);
        }
        if (const auto* merge = std::get_if<rankscope::cli::MergeRequest>(&parsed)) {
            return rankscope::cli::runMerge(*merge);
        }
        if (const auto* companions = std::get_if<rankscope::cli::CompanionsRequest>(&parsed)) {
            return rankscope::cli::runCompanions(*companions);
        }
        if (const auto* hang = std::get_if<rankscope::cli::HangRequest>(&parsed)) {
            return rankscope::cli::runHang(*hang);
        }
        if (const auto* query = std::get_if<rankscope::cli::QueryRequest>(&parsed)) {
            return rankscope::cli::runQuery(*query);
        }
        if (const auto* what_if = std::get_if<rankscope::cli::WhatIfRequest>(&parsed)) {
            return rankscope::cli::runWhatIf(*what_if);
        }
        if (const auto* mcp = std::get_if<rankscope::cli::McpRequest>(&parsed)) {
            return rankscope::cli::runMcp(*mcp);
        }
        if (const auto* recipe = std::get_if<rankscope::cli::RecipeRequest>(&parsed)) {
            return rankscope::cli::runRecipe(*recipe);
        }
        if (const auto* doctor = std::get_if<rankscope::cli::DoctorRequest>(&parsed)) {
            return rankscope::cli::runDoctor(doctor->runs);
        }
        return rankscope::cli::runCommand(std::get<rankscope::cli::Request>(parsed));
    } catch (...) {
        return rankscope::tellFatalError("rankscope-cli");
    }
}
