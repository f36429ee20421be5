// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/prompt/interrupts.h"

namespace rankscope::cli {

/// Lines that a person types in a terminal. With GNU Readline, if the program was built with it: editing, history and
/// completion; else as the terminal gives them. One at a time.
class LineEditor {
  public:
    /// How the typing of a line ended.
    enum class End { Line, Cancelled, Closed };
    struct Typed {
        End end = End::Closed;
        std::string text;  ///< without its end
    };

    /// `words` complete what is typed. The history is read from `history` and written there; empty: none is kept.
    LineEditor(const Interrupts& interrupts, std::vector<std::string> words, std::filesystem::path history);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    /// Shows `prompt` and waits for a line. Ctrl+C cancels it; Ctrl+D on an empty line closes the input.
    [[nodiscard]] Typed read(const std::string& prompt);
    /// Adds a statement to the history.
    void remember(const std::string& statement);

  private:
    const Interrupts& interrupts_;
    std::vector<std::string> words_;
    std::filesystem::path history_;
};

/// Where the history of questions is kept: rankscope/query_history in $XDG_STATE_HOME or ~/.local/state. Empty without
/// a home.
[[nodiscard]] std::filesystem::path historyPath();

}  // namespace rankscope::cli
