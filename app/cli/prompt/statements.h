// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankscope::cli {

/// Lines of SQL as they are typed, cut into statements that end with a semicolon. Semicolons in quotes, brackets and
/// comments end nothing.
class Statements {
  public:
    /// Adds a line, without its end.
    void add(std::string_view line);
    /// Takes the next complete statement, without its semicolon; nothing if there is none. Statements that contain only
    /// blanks and comments are left out.
    [[nodiscard]] std::optional<std::string> next();
    /// Takes what is there, as the end of the input ends a statement too; nothing if that is only blanks and comments.
    [[nodiscard]] std::optional<std::string> rest();
    /// Whether a statement has begun, and not ended.
    [[nodiscard]] bool hasBegun() const;
    /// Forgets what was added.
    void clear() { text_.clear(); }

  private:
    std::string text_;
};

}  // namespace rankscope::cli
