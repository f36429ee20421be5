// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/comparison/compare_offer.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "ui/panels/shared/words.h"
#include "ui/widgets/elided_label.h"

namespace rankscope::ui {

CompareOffer::CompareOffer(QWidget* parent) : QWidget(parent), about_(new ElidedLabel("")), compare_(new QPushButton) {
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    auto* decline = new QPushButton(tr("Not now"));
    decline->setProperty("role", QStringLiteral("quiet"));
    connect(compare_, &QPushButton::clicked, this, &CompareOffer::accepted);
    connect(decline, &QPushButton::clicked, this, [this] {
        declined_ = true;
        hide();
    });
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(16, 6, 8, 6);
    line->addWidget(about_, 1);
    line->addWidget(compare_);
    line->addWidget(decline);
    hide();
}

void CompareOffer::declineAs(const CompareOffer& other) {
    declined_ = other.declined_;
    runs_ = other.runs_;
    setVisible(!isHidden() && !declined_);
}

void CompareOffer::setRuns(const OpenRuns& runs, const std::vector<std::size_t>& whole, bool comparing) {
    declined_ = declined_ && whole.size() == runs_;
    runs_ = whole.size();
    if (whole.size() == 2) {
        const QString a = text(runs[whole.front()]->run->name);
        const QString b = text(runs[whole.back()]->run->name);
        about_->setText(tr("What changed from %1 to %2, and is it more than noise?").arg(a, b));
        compare_->setText(tr("Compare the two"));
    } else {
        about_->setText(tr("%n runs are open.", nullptr, static_cast<int>(whole.size())));
        compare_->setText(tr("Compare two of them..."));
    }
    setVisible(whole.size() >= 2 && !comparing && !declined_);
}

}  // namespace rankscope::ui
