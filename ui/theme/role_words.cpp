// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/role_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <string_view>

namespace rankscope::ui {
namespace {

struct Roles {
    Q_DECLARE_TR_FUNCTIONS(Roles)
};

}  // namespace

QString roleTitle(std::optional<Role> role) {
    if (!role) {
        return Roles::tr("cannot tell");
    }
    switch (*role) {
        case Role::Data: return Roles::tr("data");
        case Role::Shard: return Roles::tr("shard");
        case Role::Pipeline: return Roles::tr("pipeline");
        case Role::Sequence: return Roles::tr("sequence");
        case Role::Tensor: return Roles::tr("tensor");
        case Role::Expert: return Roles::tr("expert");
        case Role::World: return Roles::tr("world");
    }
    return {};
}

QString roleTitle(const GroupRole& group) {
    QStringList roles;
    for (const GroupPart& part : group.parts) {
        if (part.role) {
            roles << roleTitle(part.role);
        }
    }
    return group.role || roles.isEmpty() ? roleTitle(group.role)
                                         : Roles::tr("in part %1").arg(roles.join(QStringLiteral(", ")));
}

QString roleHeading(Role role) {
    switch (role) {
        case Role::Data: return Roles::tr("Data");
        case Role::Shard: return Roles::tr("Shard");
        case Role::Pipeline: return Roles::tr("Pipeline");
        case Role::Sequence: return Roles::tr("Sequence");
        case Role::Tensor: return Roles::tr("Tensor");
        case Role::Expert: return Roles::tr("Expert");
        case Role::World: return Roles::tr("World");
    }
    return {};
}

QString placeTitle(Role role, std::int32_t place) {
    QString words;
    switch (role) {
        case Role::Data: words = Roles::tr("dp %1"); break;
        case Role::Shard: words = Roles::tr("shard %1"); break;
        case Role::Pipeline: words = Roles::tr("pp %1"); break;
        case Role::Sequence: words = Roles::tr("sp %1"); break;
        case Role::Tensor: words = Roles::tr("tp %1"); break;
        case Role::Expert: words = Roles::tr("ep %1"); break;
        case Role::World: words = Roles::tr("world %1"); break;
    }
    return words.arg(place);
}

QString placeTitle(const JobGrid& grid, RankPosition rank) {
    QStringList words;
    for (std::size_t d = 0; rank < grid.places.size() && d < grid.dimensions.size(); ++d) {
        if (const std::optional<std::int32_t>& place = grid.places[rank][d]) {
            words << placeTitle(grid.dimensions[d].role, *place);
        }
    }
    return words.join(QStringLiteral(", "));
}

}  // namespace rankscope::ui
