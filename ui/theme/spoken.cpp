// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/spoken.h"

#include <QAccessibleWidget>
#include <QPointer>
#include <QWidget>
#include <map>

namespace rankscope::ui {
namespace {

/// Nothing while the widget is being destroyed: it is a plain one by then.
const Spoken* spokenOf(const QWidget* widget) {
    return dynamic_cast<const Spoken*>(widget);
}

std::size_t partsOf(const QWidget* widget) {
    const Spoken* spoken = spokenOf(widget);
    return spoken != nullptr ? spoken->spokenParts() : 0;
}

/// One part of a widget. It exists as long as the widget's interface; if there are fewer parts by now, it is invalid.
class PartInterface : public QAccessibleInterface {
  public:
    PartInterface(QWidget* of, std::size_t index) : widget_(of), index_(index) {}

    [[nodiscard]] bool isValid() const override { return index_ < partsOf(widget_); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QWindow* window() const override {
        QAccessibleInterface* above = parent();
        return above != nullptr ? above->window() : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(widget_);
    }
    [[nodiscard]] QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
    [[nodiscard]] QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
    void setText(QAccessible::Text /*which*/, const QString& /*text*/) override {}

    [[nodiscard]] QString text(QAccessible::Text which) const override {
        const SpokenPart part = this->part();
        return which == QAccessible::Name ? part.name : which == QAccessible::Description ? part.about : QString();
    }
    [[nodiscard]] QRect rect() const override {
        const QRect place = part().place;
        return widget_ != nullptr ? QRect(widget_->mapToGlobal(place.topLeft()), place.size()) : QRect();
    }
    [[nodiscard]] QAccessible::Role role() const override { return part().role; }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        const SpokenPart part = this->part();
        state.selectable = true;
        state.selected = part.chosen;
        state.focused = part.chosen && widget_->hasFocus();
        state.offscreen = !widget_->isVisible() || !widget_->rect().intersects(part.place);
        state.expandable = part.unfolded.has_value();
        state.expanded = part.unfolded.value_or(false);
        state.collapsed = !part.unfolded.value_or(true);
        return state;
    }

  private:
    [[nodiscard]] SpokenPart part() const { return isValid() ? spokenOf(widget_)->spokenPart(index_) : SpokenPart(); }

    QPointer<QWidget> widget_;
    std::size_t index_;
};

/// The widget itself: its child widgets come first, then its parts.
class SpokenInterface : public QAccessibleWidget {
  public:
    SpokenInterface(QWidget* widget, const Spoken& spoken) : QAccessibleWidget(widget, spoken.spokenRole()) {}
    ~SpokenInterface() override {
        for (const auto& [index, id] : parts_) {
            QAccessible::deleteAccessibleInterface(id);
        }
    }
    SpokenInterface(const SpokenInterface&) = delete;
    SpokenInterface& operator=(const SpokenInterface&) = delete;
    SpokenInterface(SpokenInterface&&) = delete;
    SpokenInterface& operator=(SpokenInterface&&) = delete;

    [[nodiscard]] QString text(QAccessible::Text which) const override {
        const bool content = which == QAccessible::Description || which == QAccessible::Value;
        const Spoken* spoken = content ? spokenOf(widget()) : nullptr;
        const QString said = spoken != nullptr ? spoken->spokenContent() : QString();
        return said.isEmpty() ? QAccessibleWidget::text(which) : said;
    }
    [[nodiscard]] int childCount() const override {
        return QAccessibleWidget::childCount() + static_cast<int>(partsOf(widget()));
    }
    [[nodiscard]] QAccessibleInterface* child(int index) const override {
        const int widgets = QAccessibleWidget::childCount();
        if (index < widgets) {
            return QAccessibleWidget::child(index);
        }
        return index < childCount() ? part(static_cast<std::size_t>(index - widgets)) : nullptr;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
        for (const auto& [index, id] : parts_) {
            if (QAccessible::accessibleInterface(id) == child) {
                return QAccessibleWidget::childCount() + static_cast<int>(index);
            }
        }
        return QAccessibleWidget::indexOfChild(child);
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
        if (QAccessibleInterface* found = QAccessibleWidget::childAt(x, y)) {
            return found;
        }
        const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
        for (std::size_t i = 0; i < partsOf(widget()); ++i) {
            if (spokenOf(widget())->spokenPart(i).place.contains(at)) {
                return part(i);
            }
        }
        return nullptr;
    }

  private:
    [[nodiscard]] QAccessibleInterface* part(std::size_t index) const {
        auto at = parts_.find(index);
        if (at == parts_.end()) {
            const QAccessible::Id id = QAccessible::registerAccessibleInterface(new PartInterface(widget(), index));
            at = parts_.emplace(index, id).first;
        }
        return QAccessible::accessibleInterface(at->second);
    }

    mutable std::map<std::size_t, QAccessible::Id> parts_;  // parts that were requested
};

QAccessibleInterface* spokenInterface(const QString& /*class_name*/, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    const Spoken* spoken = spokenOf(widget);
    return spoken != nullptr ? new SpokenInterface(widget, *spoken) : nullptr;
}

}  // namespace

Spoken::Spoken() {
    QAccessible::installFactory(spokenInterface);  // only once, however often it is called
}

void tellContentChanged(QWidget& widget) {
    if (QAccessible::isActive()) {
        QAccessibleEvent described(&widget, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&described);
    }
}

}  // namespace rankscope::ui
