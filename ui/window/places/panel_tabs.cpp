// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/places/panel_tabs.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>
#include <utility>
#include <vector>

#include "ui/theme/plain_text.h"
#include "ui/window/places/pull_out.h"

namespace rankscope::ui {

namespace {

// Logical pixels, same as for tabs in the style sheet.
constexpr int kBeforeMore = 12;
constexpr int kUnderline = 2;
constexpr int kMoreIndicator = 26;  // the chevron with the space around it

}  // namespace

/// The row of tabs, and the list of tabs that do not fit.
class PanelTabBar : public QTabBar {
  public:
    explicit PanelTabBar(PanelTabs* tabs)
        : QTabBar(tabs), tabs_(tabs), pull_(new PullOut(*this)), more_(new QPushButton(tabs)) {
        // Arrow keys move through all tabs, hidden ones too: the scroll buttons are for the mouse.
        for (QToolButton* scroll : findChildren<QToolButton*>()) {
            scroll->setFocusPolicy(Qt::NoFocus);
        }
        more_->setText(PanelTabs::tr("More"));
        more_->setAccessibleName(PanelTabs::tr("More panels"));
        more_->setToolTip(plainTip(PanelTabs::tr("Panels whose tabs have no room here")));
        more_->setProperty("role", QStringLiteral("more"));
        auto* list = new QMenu(more_);
        connect(list, &QMenu::aboutToShow, this, [this, list] { fillList(*list); });
        more_->setMenu(list);
        more_->hide();
        connect(this, &QTabBar::currentChanged, this, &PanelTabBar::fold);
        connect(pull_, &PullOut::dragged, tabs_, &PanelTabs::dragged);
        connect(pull_, &PullOut::dropped, tabs_, &PanelTabs::dropped);
        connect(pull_, &PullOut::cancelled, tabs_, &PanelTabs::dragCancelled);
    }

    [[nodiscard]] QPushButton& more() const { return *more_; }

    /// Shows the tabs that fit, and the button after them if some do not.
    void fold() {
        if (folding_) {
            return;
        }
        folding_ = true;
        if (currentIndex() >= 0 && !isTabVisible(currentIndex())) {
            chosen_ = tabs_->widget(currentIndex());
        }
        const std::vector<bool> shown = whatHasRoom();
        bool changed = false;
        int end = 0;  // end of the row
        for (int tab = 0; tab < count(); ++tab) {
            if (isTabVisible(tab) != shown[static_cast<std::size_t>(tab)]) {
                // If the value is unchanged, Qt would forget that other tabs still need their positions.
                setTabVisible(tab, shown[static_cast<std::size_t>(tab)]);
                changed = true;
            }
            end += shown[static_cast<std::size_t>(tab)] ? tabSizeHint(tab).width() : 0;
        }
        more_->setGeometry(x() + end + kBeforeMore, y(), widthOfMore(), height() - kUnderline);
        more_->setVisible(std::ranges::find(shown, false) != shown.end());
        scrollBack();
        folding_ = false;
        if (changed) {
            updateGeometry();  // the row has a new width
        }
    }

  protected:
    // Called after every change of the width of tabs: other text, another text size, another theme.
    void tabLayoutChange() override {
        QTabBar::tabLayoutChange();
        fold();
    }

    void moveEvent(QMoveEvent* event) override {
        QTabBar::moveEvent(event);
        fold();
    }

    void mousePressEvent(QMouseEvent* event) override {
        const int tab = event->button() == Qt::LeftButton ? tabAt(event->position().toPoint()) : -1;
        pull_->press(tab < 0 ? nullptr : tabs_->widget(tab));
        was_in_front_ = tab == currentIndex();
        QTabBar::mousePressEvent(event);
    }

    void mouseMoveEvent(QMouseEvent* event) override {
        if (!pull_->move(event->globalPosition().toPoint())) {
            QTabBar::mouseMoveEvent(event);
        }
    }

    void mouseReleaseEvent(QMouseEvent* event) override {
        QTabBar::mouseReleaseEvent(event);
        const bool held = pull_->held() != nullptr && event->button() == Qt::LeftButton;
        if (held && !pull_->release(event->globalPosition().toPoint())) {
            Q_EMIT tabs_->tabChosen(was_in_front_);
        }
    }

    void keyPressEvent(QKeyEvent* event) override {
        if (!pull_->dragging()) {
            QTabBar::keyPressEvent(event);
        } else if (event->key() == Qt::Key_Escape) {
            pull_->cancel();
        }
    }

    void contextMenuEvent(QContextMenuEvent* event) override {
        const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
        const int tab = by_key ? currentIndex() : tabAt(event->pos());
        if (tab >= 0) {
            Q_EMIT tabs_->menuAsked(tabs_->widget(tab),
                                    by_key ? mapToGlobal(tabRect(tab).bottomLeft()) : event->globalPos());
        }
    }

  private:
    /// Scrolls the row to its start. Qt scrolls so that the tab in front is visible and uses the positions of hidden
    /// tabs, which it does not update: if the last tab is hidden, they may be outdated.
    void scrollBack() {
        int first = 0;
        while (first < count() && !isTabVisible(first)) {
            ++first;
        }
        if (first == count() || tabRect(first).left() == 0) {
            return;
        }
        const QSignalBlocker quiet(this);
        if (const int last = count() - 1; !isTabVisible(last)) {
            setTabVisible(last, true);  // it gets a position after the others, and keeps it
            setTabVisible(last, false);
        }
        const int in_front = currentIndex();
        setCurrentIndex(first);
        setCurrentIndex(in_front);
    }

    /// For each tab: the one in front always fits, then the tabs that must stay in the row, then as many as fit, from
    /// the first on.
    [[nodiscard]] std::vector<bool> whatHasRoom() const {
        std::vector<bool> shown(static_cast<std::size_t>(count()), true);
        int room = tabs_->width() - x();
        int wanted = 0;
        for (int tab = 0; tab < count(); ++tab) {
            wanted += tabSizeHint(tab).width();
        }
        if (wanted <= room) {
            return shown;
        }
        shown.assign(shown.size(), false);
        room -= kBeforeMore + widthOfMore();
        const auto show = [&](int tab) {
            const bool fits = tab == currentIndex() || tabSizeHint(tab).width() <= room;
            room -= fits ? tabSizeHint(tab).width() : 0;
            shown[static_cast<std::size_t>(tab)] = fits;
            return fits;
        };
        const auto show_all = [&](auto which) {
            for (int tab = 0; tab < count(); ++tab) {
                if (!shown[static_cast<std::size_t>(tab)] && which(tab) && !show(tab)) {
                    return;  // the tabs after it are not in the row either: otherwise it would have gaps
                }
            }
        };
        show_all([this](int tab) { return tab == currentIndex(); });
        show_all([this](int tab) { return tabs_->widget(tab) == chosen_; });
        show_all([this](int tab) { return tellsMore(tab); });
        show_all([](int /*tab*/) { return true; });
        return shown;
    }

    /// Whether the title contains more than the name of the panel: how much there is to look at.
    [[nodiscard]] bool tellsMore(int tab) const {
        const QWidget* panel = tabs_->widget(tab);
        return panel != nullptr && panel->windowTitle() != tabText(tab);
    }

    [[nodiscard]] int widthOfMore() const {
        return more_->fontMetrics().horizontalAdvance(more_->text()) + kMoreIndicator;
    }

    void fillList(QMenu& list) {
        list.clear();
        for (int tab = 0; tab < count(); ++tab) {
            if (!isTabVisible(tab)) {
                QAction* action = list.addAction(tabText(tab));
                connect(action, &QAction::triggered, this, [this, panel = QPointer(tabs_->widget(tab))] {
                    tabs_->setCurrentWidget(panel);
                    Q_EMIT tabs_->tabChosen(false);
                });
            }
        }
    }

    PanelTabs* tabs_;
    PullOut* pull_;
    bool was_in_front_ = false;
    QPushButton* more_;
    QPointer<QWidget> chosen_;  // from the list, last
    bool folding_ = false;
};

PanelTabs::PanelTabs(QWidget* parent) : QTabWidget(parent), bar_(new PanelTabBar(this)) {
    setTabBar(bar_);
    setDocumentMode(true);
    // Its tabs take the keyboard themselves: otherwise two focus orders would have to be kept in step.
    setFocusProxy(nullptr);
    setFocusPolicy(Qt::NoFocus);
}

QPushButton& PanelTabs::more() const {
    return bar_->more();
}

void PanelTabs::resizeEvent(QResizeEvent* event) {
    QTabWidget::resizeEvent(event);
    bar_->fold();
}

QWidget* PanelTabs::followInTabOrder(QWidget* before) {
    std::vector<QWidget*> stops;
    for (QWidget* each = nextInFocusChain(); each != this; each = each->nextInFocusChain()) {
        if (isAncestorOf(each) && each->focusPolicy() != Qt::NoFocus && each->focusProxy() == nullptr) {
            stops.push_back(each);
        }
    }
    const auto place = [this](const QWidget* stop) {
        const bool of_list = stop->property("role") == QStringLiteral("page");
        return stop == bar_ ? 0 : stop == &bar_->more() ? 1 : of_list ? 2 : 3;
    };
    std::ranges::stable_sort(stops, {}, place);
    for (QWidget* stop : stops) {
        setTabOrder(std::exchange(before, stop), stop);
    }
    return before;
}

}  // namespace rankscope::ui
