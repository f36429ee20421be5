// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/keyed_splitter.h"

#include <QKeyEvent>
#include <QPainter>
#include <QSplitterHandle>
#include <QStyleOption>
#include <optional>
#include <utility>

#include "ui/theme/spoken.h"

namespace rankscope::ui {
namespace {

constexpr int kStep = 24;  // pixels

class Divider : public QSplitterHandle, public Spoken {
  public:
    explicit Divider(QSplitter* of) : QSplitterHandle(of->orientation(), of) { setFocusPolicy(Qt::TabFocus); }

    [[nodiscard]] QAccessible::Role spokenRole() const override { return QAccessible::Splitter; }
    [[nodiscard]] QString spokenContent() const override {
        const int after = place();
        const int first = splitter()->sizes().value(after - 1);
        const int both = first + splitter()->sizes().value(after);
        return KeyedSplitter::tr("The first part has %1\u00a0% of the space.").arg(both > 0 ? 100 * first / both : 0);
    }

  protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (const auto to = goalOf(*event)) {
            moveSplitter(*to);
            tellContentChanged(*this);
        } else {
            QSplitterHandle::keyPressEvent(event);
        }
    }
    void focusInEvent(QFocusEvent* event) override {
        QSplitterHandle::focusInEvent(event);
        showWidth();
    }
    void focusOutEvent(QFocusEvent* event) override {
        QSplitterHandle::focusOutEvent(event);
        showWidth();
        paintBesideAgain();
    }
    void resizeEvent(QResizeEvent* event) override {
        QSplitterHandle::resizeEvent(event);
        showWidth();
    }
    void paintEvent(QPaintEvent* event) override {
        if (hasFocus()) {
            paintWhole();
        } else {
            QSplitterHandle::paintEvent(event);
        }
    }

  private:
    /// Paints all of it in the colour that the line has under the pointer.
    void paintWhole() {
        QPainter painter(this);
        QStyleOption look;
        look.initFrom(this);
        look.rect = rect();
        look.state |= QStyle::State_Enabled | QStyle::State_MouseOver;
        look.state.setFlag(QStyle::State_Horizontal, orientation() == Qt::Horizontal);
        splitter()->style()->drawControl(QStyle::CE_Splitter, &look, &painter, splitter());
    }
    /// The index of the part after it.
    [[nodiscard]] int place() const {
        int at = 0;
        while (at < splitter()->count() && splitter()->handle(at) != this) {
            ++at;
        }
        return at;
    }
    // The handle is wider than its line, so that a mouse can grab it: the whole handle shows the focus.
    void showWidth() {
        hasFocus() ? clearMask() : setMask(contentsRect());
        update();
    }
    // An opaque widget is not repainted when only its neighbours are, so each neighbour is repainted.
    void paintBesideAgain() {
        for (QWidget* beside : splitter()->findChildren<QWidget*>()) {
            if (beside->isVisible() && beside->window() == window()) {
                beside->update(geometry().translated(-beside->mapTo(splitter(), QPoint())));
            }
        }
    }
    // The wanted position of the line, from the left or the upper edge of the splitter.
    [[nodiscard]] std::optional<int> goalOf(const QKeyEvent& event) const {
        const bool across = orientation() == Qt::Horizontal;
        const QPoint line = mapTo(splitter(), contentsRect().topLeft());
        const int at = across ? line.x() : line.y();
        const int step = event.modifiers().testFlag(Qt::ShiftModifier) ? 1 : kStep;
        const int whole = across ? splitter()->width() : splitter()->height();
        switch (event.key()) {
            case Qt::Key_Left: return across ? std::optional(at - step) : std::nullopt;
            case Qt::Key_Right: return across ? std::optional(at + step) : std::nullopt;
            case Qt::Key_Up: return across ? std::nullopt : std::optional(at - step);
            case Qt::Key_Down: return across ? std::nullopt : std::optional(at + step);
            case Qt::Key_Home: return 0;
            case Qt::Key_End: return whole;
            default: return std::nullopt;
        }
    }
};

}  // namespace

KeyedSplitter::KeyedSplitter(Qt::Orientation orientation, QString divider, QWidget* parent)
    : QSplitter(orientation, parent), divider_(std::move(divider)) {
    setHandleWidth(1);
    setChildrenCollapsible(false);
}

QSplitterHandle* KeyedSplitter::createHandle() {
    auto* made = new Divider(this);
    made->setAccessibleName(divider_);
    return made;
}

}  // namespace rankscope::ui
