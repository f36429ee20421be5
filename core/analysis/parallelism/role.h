// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace rankscope {

/// What a process group is for: how the work of the job is divided among its members.
enum class Role : std::uint8_t {
    Data,      ///< each has the whole model and different data: DDP's group, the replicas of hybrid sharding
    Shard,     ///< as Data, with parameters, gradients or optimizer state divided: FSDP, ZeRO
    Pipeline,  ///< each has some of the layers
    Sequence,  ///< each has a part of every sequence: context parallelism, Ulysses, ring attention
    Tensor,    ///< each has a part of every layer
    Expert,    ///< each has some of the experts
    World,     ///< all ranks, for anything that concerns all
};
inline constexpr std::size_t kRoleCount = 7;
[[nodiscard]] std::string_view roleName(Role role);               ///< as in the JSON and in --roles: "data"
[[nodiscard]] std::string_view rolePlace(Role role);              ///< in the places of ranks: "dp", "pp", "tp"
[[nodiscard]] std::optional<Role> roleOf(std::string_view name);  ///< the role with this roleName(); nothing for other
                                                                  ///< words
[[nodiscard]] std::string roleNames();                            ///< all of them: "data, shard, ..., world"

/// Nanoseconds by role, and of groups whose role is unknown.
struct RoleTimes {
    std::array<DurationNs, kRoleCount + 1> ns{};  ///< the last is for groups without a role
    [[nodiscard]] DurationNs& operator[](std::optional<Role> role) { return ns[place(role)]; }
    [[nodiscard]] DurationNs operator[](std::optional<Role> role) const { return ns[place(role)]; }
    [[nodiscard]] DurationNs total() const { return std::accumulate(ns.begin(), ns.end(), DurationNs{0}); }
    RoleTimes& operator+=(const RoleTimes& other) {
        for (std::size_t i = 0; i < ns.size(); ++i) {
            ns[i] += other.ns[i];
        }
        return *this;
    }

  private:
    [[nodiscard]] static constexpr std::size_t place(std::optional<Role> role) {
        return role ? static_cast<std::size_t>(*role) : kRoleCount;
    }
};

}  // namespace rankscope
