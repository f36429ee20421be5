// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "core/analysis/device/name_rules.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"

namespace rankscope::fuzz {

void fuzzNameRules(Input input) {
    // The table, and after a NUL a name; without one the table is the name too.
    const std::string_view text = textOf(input);
    const std::size_t end = text.find('\0');
    const Result<NameRules> rules = NameRules::fromJson(text.substr(0, end), "name_rules.json");
    if (!rules.ok()) {
        demand(!rules.error().text().empty(), "a refused table has a reason");
        return;
    }
    const NameRules all = rules.value().before(NameRules::builtIn());
    const std::string own(end == std::string_view::npos ? text : text.substr(end + 1));
    for (const std::string& name :
         {own, std::string("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
          std::string(600, 'a'), std::string()}) {
        demand(all.isCommunication(name) == all.isCommunication(name), "a name has one answer");
    }
}

}  // namespace rankscope::fuzz
