// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/role.h"

namespace rankscope {

std::string_view roleName(Role role) {
    switch (role) {
        case Role::Data: return "data";
        case Role::Shard: return "shard";
        case Role::Pipeline: return "pipeline";
        case Role::Sequence: return "sequence";
        case Role::Tensor: return "tensor";
        case Role::Expert: return "expert";
        case Role::World: return "world";
    }
    return "world";
}

std::string_view rolePlace(Role role) {
    switch (role) {
        case Role::Data: return "dp";
        case Role::Shard: return "shard";
        case Role::Pipeline: return "pp";
        case Role::Sequence: return "sp";
        case Role::Tensor: return "tp";
        case Role::Expert: return "ep";
        case Role::World: return "world";
    }
    return "world";
}

std::optional<Role> roleOf(std::string_view name) {
    for (std::size_t i = 0; i < kRoleCount; ++i) {
        const auto role = static_cast<Role>(i);
        if (roleName(role) == name) {
            return role;
        }
    }
    return std::nullopt;
}

std::string roleNames() {
    std::string names;
    for (std::size_t i = 0; i < kRoleCount; ++i) {
        names += (names.empty() ? "" : ", ") + std::string(roleName(static_cast<Role>(i)));
    }
    return names;
}

}  // namespace rankscope
