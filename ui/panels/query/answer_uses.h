// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/panels/query/answer.h"
#include "ui/timeline/selection/asked_marks.h"

namespace rankscope::ui {

/// The places of all rows, for the timeline: the slice that a row names, else its time on the rank that it names.
/// nullptr if no row has one. O(rows x log rows).
[[nodiscard]] std::shared_ptr<const AskedMarks> marksOf(const Answer& answer);

/// How the cells of a row are separated.
enum class TextForm : std::uint8_t {
    Csv,        ///< as the files of the reports
    Clipboard,  ///< by tabs, for spreadsheets
};

/// Rows of an answer with the titles, each number in full. An empty list is all rows. O(cells).
[[nodiscard]] std::string textOf(const Answer& answer, TextForm form, const std::vector<std::size_t>& rows = {});

}  // namespace rankscope::ui
