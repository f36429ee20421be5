// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_group.h"

#include <QWidget>
#include <algorithm>
#include <iterator>

#include "ui/commands/command_registry.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

/// A key that is changed in `from` is changed in `to`.
void carryKeys(CommandRegistry& from, CommandRegistry& to) {
    QObject::connect(&from, &CommandRegistry::keysChanged, &to,
                     [&from, &to](const QString& id) { to.setKeys(id, from.keysOf(id)); });
}

void addMarks(TimelineWidget& timeline, const std::vector<TimeMark>& marks) {
    TimelineState state = timeline.state();
    const std::size_t before = state.marks.size();
    std::ranges::copy_if(marks, std::back_inserter(state.marks), [&state](const TimeMark& mark) {
        return std::ranges::find(state.marks, mark) == state.marks.end();
    });
    if (state.marks.size() > before) {
        timeline.setState(state);
    }
}

}  // namespace

int WindowGroup::join(QWidget& window, CommandRegistry& commands, TimelineWidget& timeline) {
    int number = 1;
    while (std::ranges::find(members_, number, &Member::number) != members_.end()) {
        ++number;
    }
    for (const Member& other : members_) {
        carryKeys(*other.commands, commands);
        carryKeys(commands, *other.commands);
    }
    members_.push_back({&window, &commands, &timeline, number});
    return number;
}

void WindowGroup::leave(const QWidget& window) {
    const auto at = std::ranges::find(members_, &window, &Member::window);
    if (at == members_.end()) {
        return;
    }
    const std::vector<TimeMark> marks = at->timeline->state().marks;
    members_.erase(at);
    for (const Member& other : members_) {
        addMarks(*other.timeline, marks);
    }
}

void WindowGroup::forget(const QWidget& window) {
    std::erase_if(members_, [&window](const Member& member) { return member.window == &window; });
}

void WindowGroup::closeAll(QWidget& last) {
    const std::vector<Member> all = members_;
    for (const Member& member : all) {
        if (member.window != &last) {
            member.window->close();
        }
    }
    if (std::ranges::find(all, &last, &Member::window) != all.end()) {
        last.close();
    }
}

}  // namespace rankscope::ui
