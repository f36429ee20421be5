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

/// The windows of the same open runs, and what they share: the session, the indices for drawing (so that another window
/// reads and indexes nothing again), and their appearance. They have the same keys.
class WindowGroup : public QObject {
    Q_OBJECT

  public:
    /// `settings` store how the windows look, and must outlive this.
    explicit WindowGroup(QSettings& settings) : appearance_(settings) {}

    /// The open runs.
    [[nodiscard]] Session& session() { return session_; }
    /// The indices for drawing the runs.
    [[nodiscard]] const std::shared_ptr<IndexStore>& indices() const { return indices_; }
    /// How all windows look.
    [[nodiscard]] Appearance& appearance() { return appearance_; }

    /// Adds a window with its `commands` and `timeline`, to share keys and marks. Returns its number: the lowest unused
    /// one, from 1.
    int join(QWidget& window, CommandRegistry& commands, TimelineWidget& timeline);
    /// Removes a window, whose kept marks go to the others.
    void leave(const QWidget& window);
    /// Removes a window that is being destroyed.
    void forget(const QWidget& window);
    /// The number of windows.
    [[nodiscard]] std::size_t size() const { return members_.size(); }
    /// Closes all windows, `last` after the others.
    void closeAll(QWidget& last);

  Q_SIGNALS:
    /// A window has opened something: the recent entries have changed.
    void recentChanged();
    /// A window has asked a question, or forgotten all: these are the questions of all windows.
    void questionsChanged(const QStringList& questions);

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
    std::vector<Member> members_;  // in the order of opening
};

}  // namespace rankscope::ui
