// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/screen_options.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "app/cli/complain.h"
#include "core/base/suggestion.h"
#include "core/report/words/outline.h"

namespace rankscope::cli {
namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kWidest = 100;

std::size_t terminalWidth() {
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;  // NOLINT(*-vararg)
    return known ? std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest) : kWidest;
}

bool wantsColour(const std::string& color) {
    if (color != "auto") {
        return color == "always";
    }
    const char* const no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): before any thread
    const char* const term = std::getenv("TERM");          // NOLINT(concurrency-mt-unsafe)
    const bool is_dumb = term == nullptr || std::string_view(term) == "dumb";
    return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0') && !is_dumb;
}

}  // namespace

void addScreen(CLI::App& command, PrintedTexts& texts) {
    command.add_flag("--full", texts.is_full, "Print all sections, not only the first screen");
    command.add_option("--color", texts.color, "Use colours: auto (on a terminal), always or never")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"auto", "always", "never"}));
}

void addSections(CLI::App& command, PrintedTexts& texts) {
    command.add_option("--section", texts.sections, "Print this section alone: " + report::listed(sectionNames()))
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.add_option("--finding", texts.finding, "Print this finding alone: its number on the first screen")
        ->type_name("N");
}

Printed readPrinted(const PrintedTexts& texts) {
    Printed printed;
    printed.is_full = texts.is_full;
    printed.sections = texts.sections;
    const std::vector<std::string> names = sectionNames();
    for (const std::string& section : texts.sections) {
        if (std::ranges::find(names, section) == names.end()) {
            const std::string near = suggestion(section, names);
            refuseOption("--section", "there is no section \"" + section + "\"" +
                                          (near.empty() ? "; there are " + report::listed(names) : near));
        }
    }
    if (!texts.finding.empty()) {
        std::size_t number = 0;
        const char* const end = texts.finding.data() + texts.finding.size();
        const auto [stop, error] = std::from_chars(texts.finding.data(), end, number);
        if (error != std::errc() || stop != end || number == 0) {
            refuseOption("--finding", "\"" + texts.finding + "\" is no number from 1");
        }
        printed.finding = number;
    }
    printed.style = {terminalWidth(), wantsColour(texts.color)};
    return printed;
}

}  // namespace rankscope::cli
