// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankscope::cli {

/// A page of docs/definitions, which says what numbers mean.
struct DefinitionPage {
    std::string_view name;  ///< "gaps"
    std::string_view text;  ///< Markdown

    /// "definition://gaps".
    [[nodiscard]] std::string uri() const { return "definition://" + std::string(name); }
    /// Its heading: "Why the GPU is idle".
    [[nodiscard]] std::string_view title() const;
};

/// All pages, by name. They are part of the program.
[[nodiscard]] const std::vector<DefinitionPage>& definitionPages();

/// The page with this uri(); nullptr if there is none.
[[nodiscard]] const DefinitionPage* definitionPage(std::string_view uri);

}  // namespace rankscope::cli
