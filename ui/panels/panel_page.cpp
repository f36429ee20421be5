// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/panel_page.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

namespace rankscope::ui {
namespace {

constexpr int kLeastBody = 5;  // lines of what fills the rest: the head of a table and two rows

/// What scrolls: as high as the least of all that is in it, at its width. QScrollArea would ask for what it likes best,
/// and scroll where a table has room enough.
class PageContent : public QWidget {
  public:
    PageContent() : column_(new QVBoxLayout(this)) {}

    [[nodiscard]] QVBoxLayout& column() const { return *column_; }

    [[nodiscard]] int heightForWidth(int width) const override {
        int height = column_->totalMinimumHeightForWidth(width);
        for (int i = 0; i < column_->count(); ++i) {
            if (column_->stretch(i) > 0) {
                height +=
                    std::max(0, kLeastBody * fontMetrics().lineSpacing() - column_->itemAt(i)->minimumSize().height());
            }
        }
        return height;
    }

  private:
    QVBoxLayout* column_;
};

class PanelPage : public QScrollArea {
  public:
    PanelPage() : content_(new PageContent) {
        setFrameShape(QFrame::NoFrame);
        setProperty("role", QStringLiteral("page"));
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);  // what is in it has the keyboard, and is scrolled to
        setWidget(content_);
        viewport()->setAutoFillBackground(false);
        content_->setAutoFillBackground(false);
    }

    [[nodiscard]] QVBoxLayout& column() const { return content_->column(); }

    [[nodiscard]] QSize sizeHint() const override { return content_->sizeHint(); }

    /// As wide as what is in it, beside the bar that may come; as low as one likes.
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {content_->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), 0};
    }

  private:
    PageContent* content_;
};

}  // namespace

QVBoxLayout* makePanelPage(QWidget& panel) {
    auto* page = new PanelPage;
    auto* around = new QVBoxLayout(&panel);
    around->setContentsMargins(0, 0, 0, 0);
    around->addWidget(page);
    return &page->column();
}

}  // namespace rankscope::ui
