// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whatif/change_list.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/panels/shared/words.h"
#include "ui/panels/whatif/change_control.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/linked_label.h"

namespace rankscope::ui {
namespace {

constexpr const char* kTyped = "typed";  // property of a control whose change was typed
constexpr int kWidest = 560;             // pixels: a slider should not be far from its name
constexpr int kBetweenLines = 4;         // pixels

/// Forms as completions of what is typed.
QCompleter* completerOfForms(QWidget* parent) {
    QStringList forms;
    for (const WhatIfKind& kind : whatIfKinds()) {
        forms << text(kind.form);
    }
    auto* completer = new QCompleter(forms, parent);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    completer->popup()->setProperty("role", QStringLiteral("words"));
    return completer;
}

/// Selects the first word in capitals, which stands for a value: typing replaces it.
void selectValue(QLineEdit& line, const QString& form) {
    qsizetype begin = 0;
    while (begin < form.size() && !form[begin].isUpper()) {
        ++begin;
    }
    qsizetype end = begin;
    while (end < form.size() && form[end].isUpper()) {
        ++end;
    }
    if (begin < end) {
        line.setSelection(static_cast<int>(begin), static_cast<int>(end - begin));
    }
}

std::size_t placeOf(const std::string& text) {
    const std::vector<OfferedChange> all = offeredChanges();
    return static_cast<std::size_t>(std::ranges::find(all, text, &OfferedChange::text) - all.begin());
}

}  // namespace

ChangeList::ChangeList(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      scroll_(new QScrollArea),
      refused_words_(new LinkedLabel("dim")),
      line_(new QLineEdit),
      error_(plainLabel()) {
    auto* column = new QWidget;
    column->setMaximumWidth(kWidest);
    list_ = new QVBoxLayout(column);
    list_->setContentsMargins(0, 0, kBetweenLines, 0);
    list_->setSpacing(kBetweenLines);
    list_->addWidget(line_);
    list_->addWidget(error_);
    list_->addWidget(refused_words_);
    list_->addStretch();
    scroll_->setWidget(column);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setProperty("role", QStringLiteral("page"));
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    column->setAutoFillBackground(false);
    scroll_->viewport()->setAutoFillBackground(false);
    line_->setPlaceholderText(tr("Any change, like kernels:gemm:x0.8"));
    line_->setAccessibleName(tr("Any change"));
    line_->setClearButtonEnabled(true);
    auto* completer = completerOfForms(this);
    line_->setCompleter(completer);
    error_->setProperty("role", QStringLiteral("error"));
    error_->setWordWrap(true);
    error_->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->addWidget(scroll_);
    // Queued: the completer writes the form into the line after this signal.
    connect(
        completer, qOverload<const QString&>(&QCompleter::activated), line_,
        [this](const QString& form) { selectValue(*line_, form); }, Qt::QueuedConnection);
    connect(line_, &QLineEdit::returnPressed, this, &ChangeList::addTyped);
    connect(line_, &QLineEdit::textEdited, this, [this] { say({}); });
    connect(refused_words_, &QLabel::linkActivated, this, [this] {
        unfolded_ = !unfolded_;
        showRefused();
    });
    showRefused();
}

std::vector<ChangeControl*> ChangeList::controls() const {
    std::vector<ChangeControl*> all;
    for (int i = 0; i < list_->count(); ++i) {
        if (auto* control = qobject_cast<ChangeControl*>(list_->itemAt(i)->widget())) {
            all.push_back(control);
        }
    }
    return all;
}

void ChangeList::clear() {
    for (ChangeControl* control : controls()) {
        delete control;
    }
    last_ = nullptr;
    refused_.clear();
    showRefused();
    say({});
}

ChangeControl* ChangeList::add(const OfferedChange& change, int at) {
    auto* control = new ChangeControl(change);
    connect(control, &ChangeControl::changed, this, [this, control] {
        say({});
        tell(control);
    });
    list_->insertWidget(at, control);
    return control;
}

void ChangeList::offer(const OfferedChange& change) {
    const std::vector<ChangeControl*> now = controls();
    const std::size_t place = placeOf(change.text);
    const auto before =
        std::ranges::count_if(now, [place](const ChangeControl* each) { return placeOf(each->offer().text) < place; });
    (void)add(change, static_cast<int>(before));
}

void ChangeList::refuse(const OfferedChange& change, const QString& reason) {
    refused_.push_back({change.title, reason});
    showRefused();
}

void ChangeList::showRefused() {
    refused_words_->write(refusedHtml(refused_, unfolded_, theme_));
    refused_words_->setVisible(!refused_.empty());
}

std::vector<WhatIfChange> ChangeList::changes() const {
    std::vector<WhatIfChange> on;
    for (const ChangeControl* control : controls()) {
        Result<WhatIfChange> change = parseWhatIf(control->text());
        if (control->isOn() && change.ok()) {
            on.push_back(std::move(change).value());
        }
    }
    return on;
}

void ChangeList::tell(ChangeControl* control) {
    last_ = control;
    if (control->isOn()) {
        turnOffOthers(*control);
    }
    Q_EMIT changed();
}

void ChangeList::turnOffOthers(const ChangeControl& control) const {
    const Result<WhatIfChange> own = parseWhatIf(control.text());
    for (ChangeControl* other : controls()) {
        const Result<WhatIfChange> change = parseWhatIf(other->text());
        if (other == &control || !other->isOn() || !own.ok() || !change.ok()) {
            continue;
        }
        if (excludeOneAnother(std::array{own.value(), change.value()})) {
            other->setOn(false);
        }
    }
}

void ChangeList::toggle(const std::string& text) {
    const std::vector<ChangeControl*> now = controls();
    const auto found = std::ranges::find(now, text, [](const ChangeControl* each) { return each->offer().typical(); });
    ChangeControl* control = found == now.end() ? nullptr : *found;
    say({});
    if (control == nullptr) {
        control = add({.text = text, .title = ui::text(text)}, static_cast<int>(now.size()));
        control->setProperty(kTyped, true);
        control->setOn(true);
    } else if (control->isOn() && control->text() == text) {
        control->setOn(false);
    } else {
        control->choose();
    }
    scroll_->ensureWidgetVisible(control);
    tell(control);
}

void ChangeList::reset() {
    for (ChangeControl* control : controls()) {
        control->setOn(false);
    }
    last_ = nullptr;
    say({});
    Q_EMIT changed();
}

void ChangeList::addTyped() {
    const std::string typed = line_->text().trimmed().toStdString();
    if (typed.empty()) {
        return;
    }
    const Result<WhatIfChange> change = parseWhatIf(typed);
    if (!change.ok()) {
        say(coreText(change.error().cause));
        return;
    }
    const std::vector<ChangeControl*> now = controls();
    const bool is_on =
        std::ranges::any_of(now, [&](const ChangeControl* each) { return each->isOn() && each->text() == typed; });
    line_->clear();
    if (!is_on) {
        toggle(typed);
    }
}

void ChangeList::reject(const QString& why) {
    ChangeControl* const last = std::exchange(last_, nullptr);
    if (last == nullptr) {
        say(why);
        return;
    }
    last->setOn(false);
    if (last->property(kTyped).toBool()) {
        line_->setText(last->offer().title);
        last->hide();
        list_->removeWidget(last);
        last->deleteLater();
    }
    Q_EMIT changed();
    say(why);
}

QString ChangeList::error() const {
    return error_->isHidden() ? QString() : error_->text();
}

void ChangeList::say(const QString& why) {
    error_->setText(why);
    error_->setVisible(!why.isEmpty());
    line_->setAccessibleDescription(why);
    if (!why.isEmpty()) {
        QMetaObject::invokeMethod(  // it has its place after the layout
            this, [this] { scroll_->ensureWidgetVisible(error_); }, Qt::QueuedConnection);
    }
}

void ChangeList::setTheme(const Theme& theme) {
    theme_ = theme;
    showRefused();
}

}  // namespace rankscope::ui
