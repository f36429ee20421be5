// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "ui/panels/query/asked_runs.h"
#include "ui/panels/query/question_history.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/panels/shared/page_panel.h"
#include "ui/timeline/selection/selection.h"

class QLabel;
class QPushButton;

namespace rankscope::ui {

class AnswerTable;
class SqlEditor;

/// Questions in SQL about all open runs, and the rows of their answers. A thread answers; a question of runs that are
/// closed or analysed again is dropped.
class QueryPanel : public PagePanel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QueryPanel)

  public:
    explicit QueryPanel(const Theme& theme, QWidget* parent = nullptr);
    ~QueryPanel() override;

    /// Asks about these runs from now on. The answer stays while it is about the same files.
    void setRuns(const OpenRuns& runs);
    /// Asks about these logs and dumps too from now on.
    void setCompanions(const JobCompanions& companions);
    void setTheme(const Theme& theme) override;
    /// The table `selection` has the slices of this area from now on.
    void setArea(const std::optional<AreaSelection>& area);

    /// Gives the field the keyboard.
    void edit();
    /// Asks a question, as soon as all runs are analysed.
    void ask(const QString& sql);
    /// The text in the field.
    [[nodiscard]] QString question() const;
    /// Puts a text into the field.
    void setQuestion(const QString& sql);
    /// The questions that were asked, the latest first.
    [[nodiscard]] const QStringList& history() const { return history_.all(); }
    void setHistory(const QStringList& questions) { history_.set(questions); }
    /// The answer that is shown, or nullptr.
    [[nodiscard]] const std::shared_ptr<const Answer>& answer() const { return asked_.answer; }
    /// Whether something is being worked out.
    [[nodiscard]] bool busy() const { return job().busy() || words_.busy() || copying_.busy() || saving_.busy(); }

  Q_SIGNALS:
    /// A cell that names a slice was followed.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);
    /// A cell that names a rank was followed.
    void rankActivated(std::uint32_t run, rankscope::RankPosition rank);
    /// A cell that names a step was followed.
    void stepActivated(std::uint32_t run, rankscope::RankPosition rank, rankscope::RankStepPosition step);
    /// These places are to be marked on the timeline; nullptr: none.
    void marksAsked(const std::shared_ptr<const rankscope::ui::AskedMarks>& marks);
    /// history() has changed.
    void historyChanged(const QStringList& questions);

  private:
    void refresh() override;
    [[nodiscard]] QWidget* questionPart();
    [[nodiscard]] QWidget* answerPart();
    void fillExamples();
    void fillHistory();
    void run();
    /// Drops the database, because what it is of has changed.
    void forgetDatabase();
    void cancel();
    void stepHistory(int older);
    /// Whether facts and clocks of all runs are there.
    [[nodiscard]] bool canAsk() const;
    void start();
    /// Takes what came of a question, which may be another one than the field has by now.
    void take(const QString& sql, bool has_area, const Asked& asked);
    void showRunning();
    void showState();
    void showMessage(const QString& words, bool is_error);
    void showError(const QString& sql, const Error& error);
    void follow(const CellTarget& target);
    void setMarked(bool marked);
    void copy();
    void save();
    void dropAnswer();

    OpenRuns runs_;
    JobCompanions companions_;
    AskedArea area_;
    std::shared_ptr<AskedRuns> database_;  // of runs_; nullptr: not made
    QuestionHistory history_;
    Asked asked_;
    bool is_earlier_ = false;         // asked_ is not of the question that was asked last
    std::optional<QString> waiting_;  // the question that is asked when the runs are analysed
    std::shared_ptr<std::atomic<std::uint64_t>> rows_found_;
    QElapsedTimer since_;
    QTimer tick_;  // while a question is being answered
    LatestJob words_;
    LatestJob copying_;
    LatestJob saving_;
    SqlEditor* editor_;
    QPushButton* run_;
    QPushButton* cancel_;
    QPushButton* examples_;
    QPushButton* recent_;
    QLabel* message_;
    QLabel* state_;
    QPushButton* mark_;
    QPushButton* copy_;
    QPushButton* save_;
    QLabel* none_;
    AnswerTable* table_;
};

}  // namespace rankscope::ui
