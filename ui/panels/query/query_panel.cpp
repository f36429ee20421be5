// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/query_panel.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyle>
#include <QThreadPool>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/query/dialect.h"
#include "ui/panels/query/answer_table.h"
#include "ui/panels/query/sql_editor.h"
#include "ui/panels/query/sql_tokens.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/turning_splitter.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr int kTickMs = 100;
constexpr qsizetype kLongestEntry = 90;  // letters of a question in a menu

/// A question in one line, for a menu.
QString entryOf(const QString& question) {
    QString words = question.simplified();
    if (words.size() > kLongestEntry) {
        words = words.left(kLongestEntry) + QStringLiteral("…");
    }
    return words.replace(QLatin1Char('&'), QLatin1String("&&"));
}

/// Whether a question reads the table of the marked area.
bool asksOfSelection(const QString& question) {
    SqlOpen open = SqlOpen::Nothing;
    const std::vector<SqlToken> tokens = sqlTokens(question, open);
    return std::ranges::any_of(tokens, [&](const SqlToken& token) {
        return token.kind == SqlKind::Word &&
               question.mid(token.from, token.length).toLower() == text(tables::kSelectionTable);
    });
}

bool sameFiles(const OpenRuns& a, const OpenRuns& b) {
    const auto run = [](const auto& of) { return of->run; };
    return std::ranges::equal(a, b, {}, run, run);
}

/// Frees something large on another thread: that takes longer than a frame.
template <class T>
void freeElsewhere(std::shared_ptr<T> held) {
    if (held) {
        QThreadPool::globalInstance()->start([held = std::move(held)]() mutable { held.reset(); });
    }
}

}  // namespace

QueryPanel::QueryPanel(const Theme& theme, QWidget* parent)
    : PagePanel(theme, parent),
      editor_(new SqlEditor(theme)),
      run_(new QPushButton(tr("Run"))),
      cancel_(new QPushButton(tr("Cancel"))),
      examples_(new QPushButton(tr("Examples"))),
      recent_(new QPushButton(tr("History"))),
      message_(plainLabel()),
      state_(plainLabel()),
      mark_(new QPushButton(tr("Show on the Timeline"))),
      copy_(new QPushButton(tr("Copy"))),
      save_(new QPushButton(tr("Save as CSV"))),
      none_(plainLabel(tr("The rows of the answer appear here."))),
      table_(new AnswerTable(theme)) {
    tick_.setInterval(kTickMs);
    connect(&tick_, &QTimer::timeout, this, &QueryPanel::showRunning);
    auto* parts = new TurningSplitter(tr("Question and answer"));
    parts->addWidget(questionPart());
    parts->addWidget(answerPart());
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    parts->setSizes({2'000, 3'000});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 0);
    layout->addWidget(parts);
    showState();
    showMessage({}, false);
}

QueryPanel::~QueryPanel() = default;

QWidget* QueryPanel::questionPart() {
    run_->setProperty("role", QStringLiteral("primary"));
    run_->setToolTip(plainTip(tr("Asks the question (Ctrl+Enter)")));
    cancel_->setToolTip(plainTip(tr("Stops answering (Esc)")));
    cancel_->hide();
    examples_->setMenu(new QMenu(examples_));
    recent_->setMenu(new QMenu(recent_));
    recent_->setToolTip(plainTip(tr("Questions that were asked (Ctrl+Up and Ctrl+Down in the field)")));
    examples_->menu()->setToolTipsVisible(true);
    recent_->menu()->setToolTipsVisible(true);
    connect(run_, &QPushButton::clicked, this, &QueryPanel::run);
    connect(cancel_, &QPushButton::clicked, this, &QueryPanel::cancel);
    connect(examples_->menu(), &QMenu::aboutToShow, this, &QueryPanel::fillExamples);
    connect(recent_->menu(), &QMenu::aboutToShow, this, &QueryPanel::fillHistory);
    connect(editor_, &SqlEditor::runAsked, this, &QueryPanel::run);
    connect(editor_, &SqlEditor::cancelAsked, this, &QueryPanel::cancel);
    connect(editor_, &SqlEditor::historyAsked, this, &QueryPanel::stepHistory);
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* part = new QWidget;
    auto* head = new WrappingRow;
    head->setSpacing(6);
    for (QWidget* button : std::initializer_list<QWidget*>{run_, cancel_, examples_, recent_}) {
        head->addWidget(button);
    }
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(editor_, 1);
    layout->addWidget(message_);
    return part;
}

QWidget* QueryPanel::answerPart() {
    none_->setProperty("role", QStringLiteral("dim"));
    state_->setProperty("role", QStringLiteral("dim"));
    mark_->setCheckable(true);
    mark_->setToolTip(
        plainTip(tr("Marks the slices of all rows, or their times from start_ns to end_ns on their ranks")));
    copy_->setToolTip(plainTip(tr("Copies the selected rows, or all rows if none is selected (Ctrl+C)")));
    for (QPushButton* button : {mark_, copy_, save_}) {
        button->setProperty("role", button == mark_ ? QStringLiteral("choice") : QStringLiteral("quiet"));
    }
    connect(mark_, &QPushButton::toggled, this, &QueryPanel::setMarked);
    connect(copy_, &QPushButton::clicked, this, &QueryPanel::copy);
    connect(save_, &QPushButton::clicked, this, &QueryPanel::save);
    connect(table_, &AnswerTable::copyAsked, this, &QueryPanel::copy);
    connect(table_, &AnswerTable::followed, this, &QueryPanel::follow);
    auto* part = new QWidget;
    auto* head = new WrappingRow;
    head->setSpacing(6);
    head->addWidget(state_, 1);
    for (QWidget* button : std::initializer_list<QWidget*>{mark_, copy_, save_}) {
        head->addWidget(button);
    }
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(none_);
    layout->addWidget(table_, 1);
    layout->addStretch();  // below the text, if there are no rows
    return part;
}

// ---- runs

void QueryPanel::forgetDatabase() {
    if (tick_.isActive()) {
        cancel();
        showMessage(tr("The runs have changed: ask again."), false);
    }
    freeElsewhere(std::exchange(database_, nullptr));
}

void QueryPanel::setCompanions(const JobCompanions& companions) {
    if (companions != companions_) {
        forgetDatabase();
        companions_ = companions;
    }
}

void QueryPanel::setRuns(const OpenRuns& runs) {
    if (runs == runs_) {
        return;
    }
    forgetDatabase();
    if (!sameFiles(runs, runs_)) {
        dropAnswer();
    }
    runs_ = runs;
    if (runs_.empty()) {
        waiting_.reset();
        showMessage({}, false);
    }
    ++area_.revision;
    if (waiting_ && canAsk()) {
        start();
    }
}

void QueryPanel::setTheme(const Theme& theme) {
    PagePanel::setTheme(theme);
    editor_->setTheme(theme);
    table_->setTheme(theme);
}

void QueryPanel::setArea(const std::optional<AreaSelection>& area) {
    area_.area = area ? std::optional(tables::AreaOfRun{area->run, area->area}) : std::nullopt;
    ++area_.revision;
}

// The words of the dialect do not depend on the runs.
void QueryPanel::refresh() {
    words_.start([this](const std::stop_token&) -> LatestJob::Show {
        return [this, lexicon = makeSqlLexicon()] { editor_->setLexicon(lexicon); };
    });
}

bool QueryPanel::canAsk() const {
    const auto is_analysed = [](const auto& run) {
        const std::size_t ranks = run->run->ranks.size();
        return run->facts.ranks.size() == ranks && run->clock.ranks.size() == ranks;
    };
    return !runs_.empty() && std::ranges::all_of(runs_, is_analysed);
}

// ---- questions

void QueryPanel::fillExamples() {
    QMenu& menu = *examples_->menu();
    menu.clear();
    for (const query::Example& example : query::examples()) {
        QAction* entry = menu.addAction(entryOf(coreText(example.title)));
        entry->setToolTip(plainTip(text(example.sql)));
        connect(entry, &QAction::triggered, this, [this, sql = text(example.sql)] { ask(sql); });
    }
}

void QueryPanel::fillHistory() {
    QMenu& menu = *recent_->menu();
    menu.clear();
    for (const QString& question : history_.all()) {
        QAction* entry = menu.addAction(entryOf(question));
        entry->setToolTip(plainTip(question));
        connect(entry, &QAction::triggered, this, [this, question] {
            setQuestion(question);
            editor_->setFocus();
        });
    }
    if (history_.all().isEmpty()) {
        menu.addAction(tr("No question was asked yet."))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Forget All")), &QAction::triggered, this, [this] {
        history_.set({});
        Q_EMIT historyChanged({});
    });
}

QString QueryPanel::question() const {
    return editor_->toPlainText();
}

void QueryPanel::setQuestion(const QString& sql) {
    editor_->setQuestion(sql);
}

void QueryPanel::edit() {
    editor_->setFocus();
}

void QueryPanel::stepHistory(int older) {
    if (const QString found = history_.step(older, question()); !found.isEmpty()) {
        setQuestion(found);
    }
}

void QueryPanel::ask(const QString& sql) {
    setQuestion(sql);
    run();
}

void QueryPanel::run() {
    cancel();
    const QString sql = question();
    if (!sql.trimmed().isEmpty()) {
        history_.add(sql);
        Q_EMIT historyChanged(history_.all());
    }
    waiting_ = sql;
    is_earlier_ = true;
    if (canAsk()) {
        start();
    } else {
        showState();
        showMessage(tr("The question is asked when the runs are analysed."), false);
    }
}

void QueryPanel::start() {
    const QString sql = *std::exchange(waiting_, std::nullopt);
    if (database_ == nullptr) {
        database_ = std::make_shared<AskedRuns>(runs_, companions_);
    }
    rows_found_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    editor_->setRunning(true);
    run_->hide();
    cancel_->show();
    showMessage({}, false);
    since_.start();
    tick_.start();
    job().start([this, database = database_, sql, area = area_,
                 rows = rows_found_](const std::stop_token& stop) -> LatestJob::Show {
        return [this, sql, has_area = area.area.has_value(),
                asked = database->ask(sql.toStdString(), area, *rows, stop)] { take(sql, has_area, asked); };
    });
}

void QueryPanel::cancel() {
    waiting_.reset();
    if (!tick_.isActive()) {
        return;
    }
    job().forget();
    tick_.stop();
    editor_->setRunning(false);
    cancel_->hide();
    run_->show();
    showState();
    showMessage(tr("Cancelled."), false);
}

void QueryPanel::take(const QString& sql, bool has_area, const Asked& asked) {
    tick_.stop();
    editor_->setRunning(false);
    cancel_->hide();
    run_->show();
    if (asked.error) {
        showState();
        showError(sql, *asked.error);
        return;
    }
    dropAnswer();
    asked_ = asked;
    is_earlier_ = false;
    table_->setAnswer(asked_.answer);
    showState();
    const bool lacks_area = !has_area && asksOfSelection(sql);
    showMessage(lacks_area ? tr("No area is marked, so the table selection is empty. Drag over the tracks to mark one.")
                           : QString(),
                false);
}

// ---- what is said

void QueryPanel::showRunning() {
    const std::uint64_t rows = rows_found_->load(std::memory_order_relaxed);
    state_->show();
    const QString found = plural(tr("%1 row(s) so far", nullptr, static_cast<int>(rows)), rows).arg(count(rows));
    state_->setText(tr("%1, %2").arg(duration(since_.nsecsElapsed()), found));
}

void QueryPanel::showState() {
    const bool has_rows = asked_.answer != nullptr && asked_.answer->rows() > 0;
    table_->setVisible(asked_.answer != nullptr);
    none_->setVisible(asked_.answer == nullptr);
    mark_->setVisible(asked_.marks != nullptr);
    copy_->setVisible(has_rows);
    save_->setVisible(has_rows);
    state_->setVisible(asked_.answer != nullptr);
    if (asked_.answer == nullptr) {
        return;
    }
    const std::uint64_t rows = asked_.answer->rows();
    const QString words = asked_.answer->hasMore() ? tr("first %1 row(s)", nullptr, static_cast<int>(rows))
                                                   : tr("%1 row(s)", nullptr, static_cast<int>(rows));
    const QString said = tr("%1 in %2").arg(plural(words, rows).arg(count(rows)), duration(asked_.took.count()));
    state_->setText(is_earlier_ ? tr("%1, answer to an earlier question").arg(said) : said);
}

void QueryPanel::showMessage(const QString& words, bool is_error) {
    message_->setText(words);
    message_->setVisible(!words.isEmpty());
    message_->setProperty("role", is_error ? QStringLiteral("error") : QStringLiteral("dim"));
    message_->style()->unpolish(message_);
    message_->style()->polish(message_);
}

// In the words of core, with the line in place of the byte; without a place if the question has been edited since.
void QueryPanel::showError(const QString& sql, const Error& error) {
    if (!error.byte_offset || sql != question()) {
        showMessage(text(Error{error.path, std::nullopt, error.cause}.text()), true);
        return;
    }
    const auto [line, column] = editor_->placeOf(*error.byte_offset);
    editor_->markError(*error.byte_offset);
    showMessage(tr("%1, line %2, column %3: %4")
                    .arg(text(error.path), QString::number(line), QString::number(column), text(error.cause)),
                true);
}

void QueryPanel::dropAnswer() {
    mark_->setChecked(false);
    table_->setAnswer(nullptr);
    freeElsewhere(std::exchange(asked_, {}).answer);
    showState();
}

}  // namespace rankscope::ui
