// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <string>

#include "core/analysis/device/name_rules.h"
#include "core/analysis/device/work_class.h"
#include "core/base/result.h"
#include "core/trace/rank_trace.h"

class QLabel;
class QMenu;
class QPushButton;

namespace rankscope::ui {

class Session;

/// What the user says kernels are, kept in the user's own file of name rules: after each change the open runs are
/// analysed again. A strip above them says so while that goes on, and offers to take it back.
class NameRuleStrip : public QWidget {
    Q_OBJECT

  public:
    explicit NameRuleStrip(Session& session, QWidget* parent = nullptr);

    /// Adds to the menu of a slice what can be said of it: of a kernel that is counted as compute, and of one that only
    /// the user's own rule counts as communication. `work` is what it is counted as now.
    void offer(QMenu& menu, const RankTrace& rank, SliceRef slice, WorkClass work);
    /// From now on kernels of this name are communication, or are none.
    void treat(const std::string& kernel, bool communication);
    /// Takes back what treat() said of kernels of this name.
    void forget(const std::string& kernel);

  private:
    using Rule = NameRules::Rule;
    /// What was changed in the file: the one rule of a pattern.
    struct Change {
        std::string pattern;
        std::optional<Rule> before;
        std::optional<Rule> after;
        QString words;  ///< "my_ring counts as communication."
    };
    enum class State : std::uint8_t { Idle, Working, Done };

    void make(Change change);
    void undo();
    void end(bool failed);
    void showState(State state, const QString& about);
    void showError(const Error& error);

    Session& session_;
    std::optional<Change> change_;
    State state_ = State::Idle;
    bool failed_ = false;  // one of the runs could not be analysed
    QLabel* words_;
    QLabel* about_;
    QPushButton* undo_;
    QPushButton* dismiss_;
};

}  // namespace rankscope::ui
