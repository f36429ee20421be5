// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/guide_strip.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {
namespace {

QLabel* paragraph(const char* role) {
    QLabel* label = plainLabel();
    label->setWordWrap(true);
    label->setProperty("role", QLatin1String(role));
    return label;
}

void write(QLabel& label, const QString& words) {
    label.setText(words);
    label.setVisible(!words.isEmpty());
}

}  // namespace

GuideStrip::GuideStrip(QWidget* parent)
    : QWidget(parent),
      question_(paragraph("heading")),
      where_(plainLabel()),
      seen_(paragraph("plain")),
      otherwise_(paragraph("dim")),
      next_(paragraph("plain")),
      back_(new QPushButton(tr("&Back"))),
      forward_(new QPushButton(tr("&Next"))) {
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Guide through this trace"));
    where_->setProperty("role", QStringLiteral("dim"));
    auto* close = new QPushButton(tr("Close"));
    for (QPushButton* button : {back_, close}) {
        button->setProperty("role", QStringLiteral("quiet"));
    }
    connect(back_, &QPushButton::clicked, this, [this] { goTo(at_ - 1); });
    connect(forward_, &QPushButton::clicked, this, [this] { at_ + 1 < stops_.size() ? goTo(at_ + 1) : end(); });
    connect(close, &QPushButton::clicked, this, &GuideStrip::end);
    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    for (QLabel* label : {question_, seen_, otherwise_, next_}) {
        words->addWidget(label);
    }
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(8);
    layout->addLayout(words, 1);
    auto* controls = new QHBoxLayout;  // on one line
    controls->setSpacing(8);
    for (QWidget* control : std::initializer_list<QWidget*>{where_, back_, forward_, close}) {
        controls->addWidget(control, 0, Qt::AlignVCenter);
    }
    auto* at_the_top = new QVBoxLayout;
    at_the_top->addLayout(controls);
    at_the_top->addStretch();
    layout->addLayout(at_the_top);
    hide();
}

void GuideStrip::start(std::shared_ptr<const AnalysedRun> run) {
    run_ = std::move(run);
    stops_ = report::guideOf(*run_);
    if (stops_.empty()) {
        write(*question_, tr("No step to walk through."));
        write(*seen_, tr("No rank of %1 has a complete step with GPU work.").arg(text(run_->run->name)));
        write(*otherwise_, {});
        write(*next_, tr("Call prof.step() after each step, and record ProfilerActivity.CUDA."));
        where_->clear();
        back_->hide();
        forward_->hide();
        show();
        return;
    }
    back_->show();
    forward_->show();
    show();
    goTo(0);
    forward_->setFocus();
}

void GuideStrip::keepTo(const std::vector<std::shared_ptr<const AnalysedRun>>& runs) {
    if (run_ != nullptr && std::ranges::find(runs, run_) == runs.end()) {
        end();
    }
}

QString GuideStrip::words() const {
    QStringList all;
    for (const QLabel* label : {question_, seen_, otherwise_, next_, where_}) {
        all.append(label->text());
    }
    return all.join(QLatin1Char('\n'));
}

void GuideStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        end();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        // Outside a dialog, buttons ignore Enter and pass it to their parent.
        auto* at = qobject_cast<QPushButton*>(focusWidget());
        QPushButton* const pressed = at != nullptr && at->isVisibleTo(this) ? at : forward_;
        pressed->click();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void GuideStrip::goTo(std::size_t stop) {
    at_ = stop;
    const report::GuideStop& here = stops_[stop];
    write(*question_, coreText(here.question));
    write(*seen_, coreText(here.seen));
    write(*otherwise_, coreText(here.otherwise));
    write(*next_, here.next.empty() ? tr("What to do: nothing here, as no diagnosis covers it.") : coreText(here.next));
    where_->setText(tr("%1 of %2").arg(stop + 1).arg(stops_.size()));
    back_->setEnabled(stop > 0);
    forward_->setText(stop + 1 < stops_.size() ? tr("&Next") : tr("&Done"));
    Q_EMIT stopReached(here);
}

void GuideStrip::end() {
    hide();
    run_.reset();
    stops_.clear();
}

}  // namespace rankscope::ui
