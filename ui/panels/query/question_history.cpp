// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/question_history.h"

namespace rankscope::ui {

void QuestionHistory::set(const QStringList& questions) {
    if (questions != questions_) {
        questions_ = questions.mid(0, kMost);
        at_ = -1;
    }
}

void QuestionHistory::add(const QString& question) {
    questions_.removeAll(question);
    questions_.prepend(question);
    questions_ = questions_.mid(0, kMost);
    at_ = 0;
}

QString QuestionHistory::step(int older, const QString& current) {
    const bool is_changed = at_ >= 0 && at_ < questions_.size() && questions_[at_] != current;
    if (at_ < 0 || is_changed) {
        unasked_ = current;
        at_ = -1;
    }
    const qsizetype to = at_ + older;
    if (to < -1 || to >= questions_.size()) {
        return {};
    }
    at_ = to;
    return to < 0 ? unasked_ : questions_[to];
}

}  // namespace rankscope::ui
