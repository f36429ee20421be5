// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/reports.h"

// One screen of a terminal: lines that are never wider than it, in colour where that is wanted. Private to core/report.
namespace rankscope::report {

/// How a text stands out.
enum class Ink : std::uint8_t { Plain, Bold, Dim, High, Medium, Low, Good };

/// A text in one ink.
struct InkText {
    std::string text;
    Ink ink = Ink::Plain;
};

/// A table of a screen. Columns are set to the left, but for the numbers among them. One without a text in any row is
/// left out.
struct ScreenTable {
    struct Column {
        std::string title;
        bool is_number = false;
        /// The width that it may shrink to; 0: it keeps its width.
        std::size_t least = 0;
        /// Texts that have no room go on in a second line; else, and there, they lose their middle.
        bool wraps = false;
    };
    std::vector<Column> columns;
    std::vector<std::vector<InkText>> rows;  ///< each as `columns`
};

/// `text` in at most `width` characters: "torch.nn.Mod…forward" where it is longer.
[[nodiscard]] std::string shortenedInTheMiddle(std::string_view text, std::size_t width);

/// The lines of a screen, top down. Each call adds lines of at most the style's width.
class Screen {
  public:
    explicit Screen(const ScreenStyle& style) : style_(style) {}

    /// A line of texts one after the other; the end of the last one has to fit, or is cut.
    void line(const std::vector<InkText>& texts);
    /// `head` and, beneath one another behind it, the lines that `text` breaks into: at most `most`, the rest is cut.
    void paragraph(const InkText& head, std::string_view text, std::size_t most);
    /// The titles of the columns, and a line or two per row.
    void table(const ScreenTable& all);
    void gap() { text_ += "\n"; }

    /// How many lines there are so far.
    [[nodiscard]] std::size_t height() const;
    [[nodiscard]] const ScreenStyle& style() const { return style_; }
    [[nodiscard]] std::size_t width() const { return style_.width; }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    [[nodiscard]] std::string inked(const std::string& text, Ink ink) const;

    ScreenStyle style_;
    std::string text_;
};

}  // namespace rankscope::report
