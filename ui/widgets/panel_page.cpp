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

constexpr int kLeastBody = 5;     // lines of what fills the rest: the head of a table and two rows
constexpr int kLeastStacked = 6;  // of each part of a column: and the bar that scrolls it

/// What of a body is as high as all of it: of pages the one that is seen.
const QWidget* shownOf(const QWidget* body) {
    const auto* pages = qobject_cast<const QStackedWidget*>(body);
    return pages != nullptr && pages->currentWidget() != nullptr ? pages->currentWidget() : body;
}

/// How high a body is at least, pixels, where a line of text is `line` high.
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

/// What scrolls: as high as the least of all that is in it, at its width. QScrollArea would ask for what it likes best,
/// and scroll where a table has room enough.
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
    /// By how much bodies are higher at least than they say.
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
        setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);  // of the largest text a word may be too wide
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
