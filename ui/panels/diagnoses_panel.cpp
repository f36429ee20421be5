// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnoses_panel.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/finding_card.h"
#include "ui/panels/words.h"

namespace rankscope::ui {
namespace {

QLabel* paragraph(const QString& words, const char* role) {
    auto* label = new QLabel(words);
    label->setProperty("role", QLatin1String(role));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

bool analysed(const AnalysedRun& run) {
    return run.facts.ranks.size() == run.run->ranks.size();
}

}  // namespace

DiagnosesPanel::DiagnosesPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), scroll_(new QScrollArea(this)) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    scroll_->setWidgetResizable(true);
    scroll_->setAccessibleName(tr("Diagnoses"));
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll_);
    rebuild();
}

void DiagnosesPanel::setRuns(const OpenRuns& runs) {
    const auto same_findings = [](const auto& a, const auto& b) { return a == b; };
    if (std::ranges::equal(runs_, runs, same_findings)) {
        return;
    }
    runs_ = runs;
    selected_.reset();
    rebuild();
}

void DiagnosesPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    for (const auto& [finding, card] : cards_) {
        card->setTheme(theme);
    }
}

void DiagnosesPanel::rebuild() {
    cards_.clear();
    auto* page = new QWidget;
    page->setProperty("role", QStringLiteral("surface"));
    list_ = new QVBoxLayout(page);
    list_->setContentsMargins(16, 12, 16, 16);
    list_->setSpacing(8);
    list_->addWidget(paragraph(tr("Diagnoses"), "title"));
    if (runs_.empty()) {
        list_->addWidget(paragraph(tr("Open a run to see what its steps wait for."), "dim"));
    }
    for (std::uint32_t run = 0; run < runs_.size(); ++run) {
        addRun(run);
    }
    list_->addStretch();
    scroll_->setWidget(page);  // deletes the page before
}

void DiagnosesPanel::addRun(std::uint32_t index) {
    const AnalysedRun& run = *runs_[index];
    QStringList about;
    if (runs_.size() > 1) {
        about.append(text(run.run->name));
    }
    if (run.facts.median_step_ns > 0) {
        about.append(tr("median step %1").arg(duration(run.facts.median_step_ns)));
    }
    if (!about.isEmpty()) {
        list_->addWidget(paragraph(about.join(QStringLiteral("  ·  ")), "dim"));
    }
    if (!analysed(run)) {
        list_->addWidget(paragraph(tr("Diagnoses follow when all ranks are read."), "dim"));
        return;
    }
    if (run.diagnosis.findings.empty()) {
        list_->addWidget(paragraph(
            tr("No finding: nothing that this version looks for costs 1\u00a0% of the step or more."), "plain"));
    }
    for (std::uint32_t i = 0; i < run.diagnosis.findings.size(); ++i) {
        auto* card = new FindingCard(run, run.diagnosis.findings[i], theme_);
        const FindingSelection finding{index, i};
        cards_.emplace_back(finding, card);
        connect(card, &FindingCard::activated, this, [this, finding] {
            select(finding);
            Q_EMIT findingSelected(finding);
        });
        list_->addWidget(card);
    }
    addCannotTell(run);
}

void DiagnosesPanel::addCannotTell(const AnalysedRun& run) {
    if (run.diagnosis.cannot_tell.empty()) {
        return;
    }
    list_->addSpacing(8);
    list_->addWidget(paragraph(tr("Cannot be told from these traces"), "section"));
    for (const CannotTell& item : run.diagnosis.cannot_tell) {
        auto* entry = new QWidget;
        auto* lines = new QVBoxLayout(entry);
        lines->setContentsMargins(0, 0, 0, 4);
        lines->setSpacing(2);
        lines->addWidget(paragraph(text(item.reason), "plain"));
        if (!item.record.empty()) {
            lines->addWidget(paragraph(text(item.record), "dim"));
        }
        list_->addWidget(entry);
    }
}

void DiagnosesPanel::select(std::optional<FindingSelection> finding) {
    selected_ = finding;
    for (const auto& [of, card] : cards_) {
        const bool chosen = finding && of == *finding;
        card->setSelected(chosen);
        if (chosen) {
            scroll_->ensureWidgetVisible(card, 0, 16);
        }
    }
}

void DiagnosesPanel::step(int direction) {
    if (cards_.empty()) {
        return;
    }
    const auto count = static_cast<std::ptrdiff_t>(cards_.size());
    std::ptrdiff_t at = direction > 0 ? -1 : count;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        if (selected_ && cards_[static_cast<std::size_t>(i)].first == *selected_) {
            at = i;
        }
    }
    const FindingSelection next = cards_[static_cast<std::size_t>((at + direction + count) % count)].first;
    select(next);
    Q_EMIT findingSelected(next);
}

}  // namespace rankscope::ui
