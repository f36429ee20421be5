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

/// The user's decisions about kernels, stored in the user's own file of name rules: after each change the open runs are
/// analysed again. A strip above them says so while that runs, and offers to undo it.
class NameRuleStrip : public QWidget {
    Q_OBJECT

  public:
    explicit NameRuleStrip(Session& session, QWidget* parent = nullptr);

    /// Adds to the menu of a slice the possible decisions: for a kernel that counts as compute, and for one that counts
    /// as communication only by the user's own rule. `work` is its current class.
    void offer(QMenu& menu, const RankTrace& rank, SliceRef slice, WorkClass work);
    /// From now on kernels of this name count as communication, or not.
    void treat(const std::string& kernel, bool communication);
    /// Undoes treat() for kernels of this name.
    void forget(const std::string& kernel);

  private:
    using Rule = NameRules::Rule;
    /// A change of the file: the one rule of a pattern.
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
