// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/name_rule_strip.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QStyle>
#include <utility>

#include "core/analysis/device/name_rules_file.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

/// Makes `rule` the only one for its pattern in the user's file, or removes all for it.
std::optional<Error> writeRule(const std::string& pattern, const std::optional<NameRules::Rule>& rule) {
    const std::string path = NameRules::userFile();
    if (path.empty()) {
        return Error{{}, {}, "there is no home folder for a file of name rules"};
    }
    if (ruleInFile(pattern, path)) {
        if (std::optional<Error> error = removeRuleFromFile(pattern, path)) {
            return error;
        }
    }
    return rule ? NameRules::addToFile(*rule, path) : std::nullopt;
}

QString wordsOf(const std::string& kernel, bool communication) {
    const QString name = nameInLine(kernel);
    return communication ? NameRuleStrip::tr("%1 counts as communication.").arg(name)
                         : NameRuleStrip::tr("%1 counts as compute.").arg(name);
}

void setRole(QLabel& label, const char* role) {
    label.setProperty("role", QLatin1String(role));
    label.style()->unpolish(&label);
    label.style()->polish(&label);
}

}  // namespace

NameRuleStrip::NameRuleStrip(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      words_(plainLabel()),
      about_(plainLabel()),
      undo_(new QPushButton),
      dismiss_(new QPushButton(tr("Dismiss"))) {
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    words_->setProperty("role", QStringLiteral("heading"));
    about_->setProperty("role", QStringLiteral("dim"));
    about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    dismiss_->setProperty("role", QStringLiteral("quiet"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(16, 6, 8, 6);
    line->setSpacing(12);
    line->addWidget(words_);
    line->addWidget(about_, 1);
    line->addWidget(undo_);
    line->addWidget(dismiss_);
    connect(undo_, &QPushButton::clicked, this, &NameRuleStrip::undo);
    connect(dismiss_, &QPushButton::clicked, this, [this] { showState(State::Idle, {}); });
    const Reanalysis& reanalysis = session_.reanalysis();
    connect(&reanalysis, &Reanalysis::progressed, this, [this](const Progress& progress) {
        if (state_ == State::Working) {
            about_->setText(tr("Analysing again: %1").arg(coreText(progress.stage)));
        }
    });
    connect(&reanalysis, &Reanalysis::finished, this,
            [this](const auto&, const auto&, const std::shared_ptr<const AnalysedRun>& result) {
                failed_ = failed_ || result == nullptr;
                if (state_ == State::Working && !session_.reanalysis().busy()) {
                    end(failed_);
                }
            });
    hide();
}

void NameRuleStrip::offer(QMenu& menu, const RankTrace& rank, SliceRef slice, WorkClass work) {
    if (rank.category(slice) != Category::Kernel) {
        return;
    }
    const std::string kernel(rank.name(slice));
    const std::optional<Rule> own = ruleInFile(NameRules::ruleFor(kernel, true).pattern, NameRules::userFile());
    if (work == WorkClass::Compute) {
        connect(menu.addAction(tr("Treat as &Communication")), &QAction::triggered, this,
                [this, kernel] { treat(kernel, true); });
    } else if (work == WorkClass::Communication && own && own->communication) {
        connect(menu.addAction(tr("Treat as C&ompute Again")), &QAction::triggered, this,
                [this, kernel] { forget(kernel); });
    }
}

void NameRuleStrip::treat(const std::string& kernel, bool communication) {
    const Rule rule = NameRules::ruleFor(kernel, communication);
    make({rule.pattern, ruleInFile(rule.pattern, NameRules::userFile()), rule, wordsOf(kernel, communication)});
}

void NameRuleStrip::forget(const std::string& kernel) {
    const std::string pattern = NameRules::ruleFor(kernel, true).pattern;
    make({pattern, ruleInFile(pattern, NameRules::userFile()), std::nullopt,
          tr("The rule about %1 is forgotten.").arg(nameInLine(kernel))});
}

void NameRuleStrip::make(Change change) {
    if (const std::optional<Error> error = writeRule(change.pattern, change.after)) {
        showError(*error);
        return;
    }
    change_ = std::move(change);
    failed_ = false;
    showState(State::Working, tr("Analysing again..."));
    if (!session_.analyseAgain()) {
        end(false);
    }
}

// While the runs are still being analysed, they show the state before the change.
void NameRuleStrip::undo() {
    if (!change_) {
        return;
    }
    const bool stopped = state_ == State::Working;
    Change back = *std::exchange(change_, std::nullopt);
    std::swap(back.before, back.after);
    back.words = tr("The change is undone.");
    if (!stopped) {
        make(std::move(back));
        return;
    }
    showState(State::Idle, {});
    session_.reanalysis().cancel();
    if (const std::optional<Error> error = writeRule(back.pattern, back.after)) {
        showError(*error);
    }
}

void NameRuleStrip::end(bool failed) {
    if (failed) {
        showError({{},
                   {},
                   tr("The runs could not be analysed again. The rule applies from the next time on.").toStdString()});
        return;
    }
    const bool gone = change_ && !change_->after;
    const QString about = gone ? tr("The rule is gone from %1.") : tr("By a rule in %1.");
    showState(State::Done, about.arg(text(NameRules::userFile())));
}

void NameRuleStrip::showState(State state, const QString& about) {
    state_ = state;
    setRole(*words_, "heading");
    words_->setText(change_ ? change_->words : QString());
    about_->setText(about);
    undo_->setText(state == State::Working ? tr("Cancel") : tr("Undo"));
    undo_->show();
    dismiss_->setVisible(state == State::Done);
    setVisible(state != State::Idle);
}

void NameRuleStrip::showError(const Error& error) {
    change_.reset();
    showState(State::Done, {});
    setRole(*words_, "error");
    words_->setText(text(error.text()));
    undo_->hide();
}

}  // namespace rankscope::ui
