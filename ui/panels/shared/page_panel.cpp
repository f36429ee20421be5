// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/page_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/widgets/panel_page.h"

namespace rankscope::ui {

PagePanel::PagePanel(const Theme& theme, QWidget* parent) : DeferredPanel(parent), theme_(theme) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
}

void PagePanel::setTheme(const Theme& theme) {
    theme_ = theme;
}

void PagePanel::setPage(QLayout* head, std::initializer_list<QWidget*> parts) {
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    for (QWidget* part : parts) {
        if (auto* words = qobject_cast<QLabel*>(part)) {
            words->setAlignment(Qt::AlignLeft | Qt::AlignTop);  // below the head also where nothing fills the rest
        }
        layout->addWidget(part);
    }
    layout->setStretch(layout->count() - 1, 1);
    layout->addStretch();  // takes the rest while the last part is hidden
}

}  // namespace rankscope::ui
