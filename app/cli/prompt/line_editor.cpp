// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prompt/line_editor.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <utility>

#ifdef RANKSCOPE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

namespace rankscope::cli {
namespace {

/// Waits until something is typed; false if Ctrl+C is.
bool waitForInput(const Interrupts& interrupts) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return ppoll(&input, 1, nullptr, &interrupts.waitingMask()) >= 0 || errno != EINTR;
}

#ifdef RANKSCOPE_READLINE

constexpr int kMostRemembered = 1'000;

/// What Readline's functions, which take no argument of ours, look at: one editor at a time.
struct Shared {
    const std::vector<std::string>* words = nullptr;
    std::optional<LineEditor::Typed> typed;
};

Shared& shared() {
    static Shared one;
    return one;
}

bool beginsWith(const std::string& word, std::string_view typed) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return typed.size() <= word.size() && std::equal(typed.begin(), typed.end(), word.begin(), same);
}

/// The next word that completes `typed`; the first for state 0. Readline frees it.
char* nextWord(const char* typed, int state) {
    static std::size_t at = 0;
    at = state == 0 ? 0 : at;
    const std::vector<std::string>& words = *shared().words;
    while (at < words.size()) {
        const std::string& word = words[at++];
        if (beginsWith(word, typed)) {
            return strdup(word.c_str());
        }
    }
    return nullptr;
}

char** completionsOf(const char* typed, int /*from*/, int /*to*/) {
    rl_attempted_completion_over = 1;  // files are no completions
    return rl_completion_matches(typed, nextWord);
}

void takeLine(char* line) {
    shared().typed = line == nullptr ? LineEditor::Typed{LineEditor::End::Closed, {}}
                                     : LineEditor::Typed{LineEditor::End::Line, line};
    std::free(line);  // NOLINT(cppcoreguidelines-no-malloc): Readline's
    rl_callback_handler_remove();
}

#endif

}  // namespace

std::filesystem::path historyPath() {
    const auto folder = [](const char* variable) -> std::filesystem::path {
        const char* const value = std::getenv(variable);
        return value == nullptr || *value != '/' ? std::filesystem::path() : std::filesystem::path(value);
    };
    const std::filesystem::path home = folder("HOME");
    const std::filesystem::path state = folder("XDG_STATE_HOME");
    return !state.empty()  ? state / "rankscope" / "query_history"
           : !home.empty() ? home / ".local" / "state" / "rankscope" / "query_history"
                           : std::filesystem::path();
}

#ifdef RANKSCOPE_READLINE

LineEditor::LineEditor(const Interrupts& interrupts, std::vector<std::string> words, std::filesystem::path history)
    : interrupts_(interrupts), words_(std::move(words)), history_(std::move(history)) {
    shared().words = &words_;
    rl_readline_name = "rankscope";
    rl_catch_signals = 0;  // Interrupts has them
    rl_attempted_completion_function = completionsOf;
    rl_variable_bind("completion-ignore-case", "on");
    stifle_history(kMostRemembered);
    if (!history_.empty()) {
        read_history(history_.c_str());
    }
}

LineEditor::~LineEditor() {
    std::error_code error;
    std::filesystem::create_directories(history_.parent_path(), error);
    if (!history_.empty() && write_history(history_.c_str()) == 0) {
        using std::filesystem::perms;
        std::filesystem::permissions(history_, perms::owner_read | perms::owner_write, error);
    }
    shared().words = nullptr;
}

LineEditor::Typed LineEditor::read(const std::string& prompt) {
    shared().typed.reset();
    std::cout.flush();
    rl_callback_handler_install(prompt.c_str(), takeLine);
    while (!shared().typed) {
        if (waitForInput(interrupts_)) {
            rl_callback_read_char();
        } else {
            shared().typed = Typed{End::Cancelled, {}};
            rl_free_line_state();
            rl_callback_sigcleanup();
            rl_callback_handler_remove();
            std::cout << "^C" << std::endl;
        }
    }
    return *shared().typed;
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): Readline's history is that of the one editor
void LineEditor::remember(const std::string& statement) {
    std::string line = statement;  // the file has a statement a line
    std::ranges::replace(line, '\n', ' ');
    add_history(line.c_str());
}

#else

LineEditor::LineEditor(const Interrupts& interrupts, std::vector<std::string> words, std::filesystem::path history)
    : interrupts_(interrupts), words_(std::move(words)), history_(std::move(history)) {}

LineEditor::~LineEditor() = default;

LineEditor::Typed LineEditor::read(const std::string& prompt) {
    std::cout << prompt << std::flush;
    if (std::cin.rdbuf()->in_avail() <= 0 && !waitForInput(interrupts_)) {
        std::cout << "^C" << std::endl;
        return {End::Cancelled, {}};
    }
    Typed typed;
    typed.end = std::getline(std::cin, typed.text) ? End::Line : End::Closed;
    return typed;
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): as with Readline
void LineEditor::remember(const std::string& /*statement*/) {}

#endif

}  // namespace rankscope::cli
