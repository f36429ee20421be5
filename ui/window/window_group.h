// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "ui/timeline/index_store.h"
#include "ui/window/appearance.h"
#include "ui/window/session/session.h"

class QWidget;

namespace rankscope::ui {

class CommandRegistry;
class TimelineWidget;

/// The windows of the same open runs, and what they own together: which runs these are, what drawing them needs, so
/// that a further window reads and indexes nothing again, and how all of them look. They have the same keys.
class WindowGroup : public QObject {
    Q_OBJECT

  public:
    /// `settings` keep how the windows look, and must outlive this.
    explicit WindowGroup(QSettings& settings) : appearance_(settings) {}

    /// Which runs are open.
    [[nodiscard]] Session& session() { return session_; }
    /// What drawing the runs needs.
    [[nodiscard]] const std::shared_ptr<IndexStore>& indices() const { return indices_; }
    /// How all windows look.
    [[nodiscard]] Appearance& appearance() { return appearance_; }

    /// Takes a window up, whose keys and marks are those of `commands` and `timeline`. Returns its number: the lowest
    /// from 1 on that no other has.
    int join(QWidget& window, CommandRegistry& commands, TimelineWidget& timeline);
    /// Lets go of a window, whose kept marks go to the others.
    void leave(const QWidget& window);
    /// Lets go of a window that is being destroyed.
    void forget(const QWidget& window);
    /// How many windows there are.
    [[nodiscard]] std::size_t size() const { return members_.size(); }
    /// Closes all windows, `last` after the others.
    void closeAll(QWidget& last);

  Q_SIGNALS:
    /// A window has opened something: another entry is among what was opened lately.
    void recentChanged();

  private:
    struct Member {
        QWidget* window = nullptr;
        CommandRegistry* commands = nullptr;
        TimelineWidget* timeline = nullptr;
        int number = 1;
    };

    Session session_;
    std::shared_ptr<IndexStore> indices_ = std::make_shared<IndexStore>();
    Appearance appearance_;
    std::vector<Member> members_;  // in the order in which they were opened
};

}  // namespace rankscope::ui
