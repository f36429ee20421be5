// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/usage.h"
#include "core/base/suggestion.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace rankscope::cli {
namespace {

constexpr const char* kFooter =
    "PATH is a trace file, a folder, a zip or tar, or (not to compare) a memory snapshot. Files are ranks of one run\n"
    "if their rank numbers or steps fit together, else separate runs. Several folders are one run each. Inside a\n"
    "folder, folders whose ranks complete one another are one run. Runs keep their order.\n"
    "ssh://[USER@]HOST[:PORT]/PATH is on another machine: digests are made there, and copied here over your ssh,\n"
    "with logs and dumps of the job.\n"
    "--run NAME=PATH... reads all paths up to the next option as one run of that name, regardless of their contents.\n"
    "To compare, each PATH is one run; the first is the baseline of all others. Or give several recordings per\n"
    "side, to include the variation between re-runs: compare A1 A2 A3 --against B1 B2 B3.\n"
    "F is a file, or - for standard output (one format at a time). DIR is a folder; it is created if missing.\n"
    "LIST is like 0,2-5.\n"
    "To check two runs: the second validates what was changed after the first.\n"
    "Exit code: 0 done; 1 a finding or a line of the check reaches --fail-on, or a regression exceeds\n"
    "--fail-on-regression; 2 wrong usage, or an output cannot be written; 3 nothing could be read or compared;\n"
    "4 done, but some files could not be read; 5 out of memory or threads, or an internal error.";

constexpr const char* kExamples =
    "rankscope-cli traces/                       what costs the time, and what to change\n"
    "rankscope-cli compare before/ after/        what differs between two recordings\n"
    "rankscope-cli traces/ --html report.html    a report to send\n"
    "\n"
    "Commands:\n";

std::vector<std::string> commandNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) {
        names.push_back(command->get_name());
    }
    return names;
}

}  // namespace

std::string usageFooter() {
    return kFooter;
}

std::string startText(const CLI::App& app) {
    std::string out = kExamples;
    for (const CLI::App* command : app.get_subcommands({})) {
        constexpr std::size_t kColumn = 12;
        const std::string& name = command->get_name();
        out += "  " + name + std::string(kColumn - std::min(kColumn, name.size()), ' ') + command->get_description() +
               "\n";
    }
    return out + "rankscope-cli COMMAND --help shows the options of a command.\n";
}

std::vector<std::string> argumentsOf(const CLI::App& app, std::vector<std::string> arguments) {
    static constexpr std::array<std::string_view, 3> kOfTheProgram = {"--help", "-h", "--version"};
    const std::vector<std::string> commands = commandNames(app);
    const std::string first = arguments.front();
    const bool is_own = std::ranges::find(kOfTheProgram, first) != kOfTheProgram.end();
    if (!is_own && std::ranges::find(commands, first) == commands.end()) {
        std::error_code error;
        if (const std::string meant = nearest(first, commands);
            !meant.empty() && !std::filesystem::exists(first, error)) {
            throw CLI::ValidationError("COMMAND",
                                       "there is no command \"" + first + "\"; did you mean \"" + meant + "\"?");
        }
        arguments.insert(arguments.begin(), "analyze");
    }
    std::ranges::reverse(arguments);
    return arguments;
}

std::string complaintOf(const CLI::App& app, const CLI::ParseError& error, std::string complaint,
                        const std::vector<std::string>& arguments) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) {
        return complaint;
    }
    std::vector<std::string> options;
    for (const CLI::App* command : app.get_subcommands({})) {
        for (const CLI::Option* option :
             command->parsed() ? command->get_options() : std::vector<const CLI::Option*>()) {
            options.push_back("--" + (option->get_lnames().empty() ? std::string() : option->get_lnames().front()));
        }
    }
    for (const std::string& argument : arguments) {
        const std::string word = argument.substr(0, argument.find('='));
        const bool is_known = std::ranges::find(options, word) != options.end();
        if (word.starts_with("--") && !is_known) {
            if (const std::string meant = nearest(word, options); !meant.empty()) {
                return fmt::format("{}: there is no such option; did you mean {}?\n", word, meant);
            }
        }
    }
    return complaint;
}

}  // namespace rankscope::cli
