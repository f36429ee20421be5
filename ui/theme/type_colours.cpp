// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/type_colours.h"

#include <optional>

#include "ui/theme/swatches.h"

namespace rankscope::ui {

// Uses the hues of the roles, which colour-blind people can distinguish: no picture shows both.
QColor colourOf(NumberType type, const Theme& theme) {
    const auto as = [&theme](Role role) { return colourOf(std::optional(role), theme); };
    switch (type) {
        case NumberType::Float64: return as(Role::Expert);
        case NumberType::Float32: return as(Role::Data);
        case NumberType::Tf32: return as(Role::Shard);
        case NumberType::Float16: return as(Role::Pipeline);
        case NumberType::BFloat16: return as(Role::Sequence);
        case NumberType::Float8: return as(Role::Tensor);
        case NumberType::Int8: return as(Role::World);
    }
    return theme.text_dim;
}

}  // namespace rankscope::ui
