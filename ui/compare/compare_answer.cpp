// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_answer.h"

#include <QVBoxLayout>
#include <string>

#include "core/report/words/comparison_outline.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/linked_label.h"

namespace rankscope::ui {

CompareAnswer::CompareAnswer(QWidget* parent)
    : QWidget(parent), answer_(new LinkedLabel("title")), doubt_(new ElidedLabel("dim")) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    answer_->setTextInteractionFlags(Qt::NoTextInteraction);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 6, 16, 6);
    layout->setSpacing(1);
    layout->addWidget(answer_);
    layout->addWidget(doubt_);
    setOutline(nullptr);
}

void CompareAnswer::setOutline(const report::ComparisonOutline* outline) {
    setVisible(outline != nullptr);
    if (outline == nullptr) {
        return;
    }
    answer_->write(printed(coreText(outline->answer)).toHtmlEscaped());
    QStringList lines;
    for (const std::string* line : {&outline->range, &outline->doubt}) {
        if (!line->empty()) {
            lines << printed(coreText(*line));
        }
    }
    doubt_->setText(lines.join(QLatin1Char(' ')));
    doubt_->setVisible(!lines.isEmpty());
}

QString CompareAnswer::answer() const {
    return answer_->words();
}

QString CompareAnswer::doubt() const {
    return doubt_->text();
}

}  // namespace rankscope::ui
