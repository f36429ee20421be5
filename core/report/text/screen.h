// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/reports.h"

// One screen of a terminal: lines that are never wider than it, in colour if requested. Private to core/report.
namespace rankscope::report {

/// How a text is emphasized.
enum class Ink : std::uint8_t { Plain, Bold, Dim, High, Medium, Low, Good };

/// A text in one ink.
struct InkText {
    std::string text;
    Ink ink = Ink::Plain;
};

/// A table of a screen. Columns are aligned left, numbers right. A column without text in any row is left out.
struct ScreenTable {
    struct Column {
        std::string title;
        bool is_number = false;
        /// The width that it may shrink to; 0: it keeps its width.
        std::size_t least = 0;
        /// Texts that do not fit continue in a second line; if that is not allowed or not enough, their middle is cut.
        bool wraps = false;
    };
    std::vector<Column> columns;
    std::vector<std::vector<InkText>> rows;  ///< each with as many cells as `columns`
};

/// `text` in up to `width` characters: "torch.nn.Mod…forward" if it is longer.
[[nodiscard]] std::string shortenedInTheMiddle(std::string_view text, std::size_t width);

/// The lines of a screen, from the top. Each call adds lines of up to the style's width.
class Screen {
  public:
    explicit Screen(const ScreenStyle& style) : style_(style) {}

    /// A line of texts one after the other; the end of the last one is cut if it does not fit.
    void line(const std::vector<InkText>& texts);
    /// `head`, followed by the aligned lines of `text`: up to `most`, the rest is cut.
    void paragraph(const InkText& head, std::string_view text, std::size_t most);
    /// The titles of the columns, and a line or two per row.
    void table(const ScreenTable& all);
    void gap() { text_ += "\n"; }

    /// The number of lines so far.
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
