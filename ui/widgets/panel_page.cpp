// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel_page.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace rankscope::ui {
namespace {

constexpr int kLeastBody = 5;     // lines of the widget that fills the rest: the head of a table and two rows
constexpr int kLeastStacked = 6;  // lines of each part of a column, with its scroll bar

/// The widget that determines the height of a body: of several pages, the current one.
const QWidget* shownOf(const QWidget* body) {
    const auto* pages = qobject_cast<const QStackedWidget*>(body);
    return pages != nullptr && pages->currentWidget() != nullptr ? pages->currentWidget() : body;
}

/// The minimum height of a body in pixels, with lines of text that are `line` high.
int leastBody(const QWidget* body, int line) {
    const auto* parts = qobject_cast<const QSplitter*>(shownOf(body));
    if (parts == nullptr || parts->orientation() == Qt::Horizontal) {
        return kLeastBody * line;
    }
    int height = 0;
    for (int i = 0; i < parts->count(); ++i) {
        const QWidget& part = *parts->widget(i);
        if (!part.isHidden()) {
            height += (height > 0 ? parts->handleWidth() : 0) +
                      std::max({part.minimumHeight(), part.minimumSizeHint().height(), kLeastStacked * line});
        }
    }
    return height;
}

/// The scrolled content: as high as the minimum of its contents at its width. QScrollArea would use the preferred
/// height, and scroll although a table has enough room.
class PageContent : public QWidget {
  public:
    PageContent() : column_(new QVBoxLayout(this)) {}

    [[nodiscard]] QVBoxLayout& column() const { return *column_; }

    [[nodiscard]] int heightForWidth(int width) const override {
        return column_->totalMinimumHeightForWidth(width) + missingOfBodies();
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return QWidget::minimumSizeHint() + QSize(0, missingOfBodies());
    }

  private:
    /// By how much the minimum height of bodies is above the one that they report.
    [[nodiscard]] int missingOfBodies() const {
        int missing = 0;
        for (int i = 0; i < column_->count(); ++i) {
            if (column_->stretch(i) > 0) {
                const QLayoutItem& item = *column_->itemAt(i);
                const int least = leastBody(item.widget(), fontMetrics().lineSpacing());
                missing += std::max(0, least - item.minimumSize().height());
            }
        }
        return missing;
    }

    QVBoxLayout* column_;
};

class PanelPage : public QScrollArea {
  public:
    PanelPage() : content_(new PageContent) {
        setFrameShape(QFrame::NoFrame);
        setProperty("role", QStringLiteral("page"));
        setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);  // in the largest text size, a word may be too wide
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);  // its contents take the keyboard focus, and are scrolled to
        setWidget(content_);
        viewport()->setAutoFillBackground(false);
        content_->setAutoFillBackground(false);
    }

    [[nodiscard]] QVBoxLayout& column() const { return content_->column(); }

    [[nodiscard]] QSize sizeHint() const override { return content_->sizeHint(); }

    /// As wide as its contents and a scroll bar; any height.
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
