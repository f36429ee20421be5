// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagnosis/frame/cannot_tell.h"
#include "core/report/tables/cut_table.h"

// What the reports for people say, before it is laid out in a format. Private to core/report.
namespace rankscope::report {

/// The format that a part is made for. Most parts are the same in all formats.
enum class Format : std::uint8_t { Text, Markdown, Html };

/// A title within a part.
struct Subtitle {
    std::string text;
};

/// A list.
struct Points {
    std::vector<std::string> texts;
    bool keeps_line = false;  ///< Markdown ends the list with an empty line even if it is empty
};

/// A paragraph.
struct Note {
    std::string text;
};

/// How many rows of a table text and Markdown show, and what the other rows are called: see cutTo().
struct RowLimit {
    std::size_t most = kAllRows;
    std::string_view one = {};
    std::string_view where = "--json";
};

/// A table in HTML: the name of its data, its caption, and how many rows it shows.
struct OnPage {
    std::string name = {};
    std::string caption = {};
    std::size_t most = kAllRows;
};

/// A table.
struct Rows {
    Table table;
    RowLimit limit = {};
    OnPage html = {};
};

/// A line of the health check, a question of a check list with its answer, or a step of the protocol.
struct MarkedLine {
    std::string_view mark;           ///< a class of report.css: "look", "ok", "next" or "cannot-tell"
    std::string_view status;         ///< for people: "look here"
    std::string title;               ///< what the line is about, or the question
    std::string text;                ///< the sentence with the figure
    std::vector<std::string> notes;  ///< such as "To find out: record with_stack."
    std::string command;             ///< a command to type; empty if there is none
};

/// Marked lines of one kind.
struct Marks {
    enum class Kind : std::uint8_t { Lines, Questions, Steps };
    Kind kind = Kind::Lines;
    std::vector<MarkedLine> lines;
    OnPage html = {};  ///< its `most` is ignored: all are shown
};

/// Findings that cannot be judged, and why.
struct Untold {
    std::vector<CannotTellTogether> reasons;
};

using Block = std::variant<Subtitle, Points, Note, Rows, Marks, Untold>;

/// A part of a report with its own title. A part without blocks has nothing to say and is left out.
struct Part {
    std::string title;
    std::vector<Block> blocks = {};
    std::string_view key = {};  ///< for a block of runParts(): its name in `--section`
};

}  // namespace rankscope::report
