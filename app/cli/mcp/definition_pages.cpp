// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/definition_pages.h"

#include <algorithm>

#include "resources/definitions.h"

namespace rankscope::cli {

std::string_view DefinitionPage::title() const {
    const std::size_t begin = std::min(text.find_first_not_of("# \n"), text.size());
    return text.substr(begin, text.find('\n', begin) - begin);
}

const std::vector<DefinitionPage>& definitionPages() {
    static const std::vector<DefinitionPage> all = {RANKSCOPE_DEFINITIONS};
    return all;
}

const DefinitionPage* definitionPage(std::string_view uri) {
    const std::vector<DefinitionPage>& all = definitionPages();
    const auto page = std::ranges::find(all, uri, &DefinitionPage::uri);
    return page == all.end() ? nullptr : &*page;
}

}  // namespace rankscope::cli
