// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QRect>
#include <QString>
#include <cstddef>
#include <optional>

class QWidget;

namespace rankscope::ui {

/// A part of what a widget paints, as a screen reader finds it: a row, a bar, a box.
struct SpokenPart {
    QString name;
    QString about;  ///< more of it, for those who ask; may be empty
    QRect place;    ///< in the widget, logical pixels; may be outside of it
    QAccessible::Role role = QAccessible::ListItem;
    bool chosen = false;
    std::optional<bool> unfolded;  ///< of what folds
};

/// A widget that paints what it shows itself, for people who do not see it: a widget that derives from this is found by
/// screen readers with the role, the words and the parts that it gives here. They are worked out when they are asked
/// for, and not kept. The widget's accessible name is its name; what it shows is its description and its value.
class Spoken {
  public:
    Spoken();
    virtual ~Spoken() = default;
    Spoken(const Spoken&) = delete;
    Spoken& operator=(const Spoken&) = delete;
    Spoken(Spoken&&) = delete;
    Spoken& operator=(Spoken&&) = delete;

    /// What screen readers call it.
    [[nodiscard]] virtual QAccessible::Role spokenRole() const { return QAccessible::Chart; }
    /// What is shown now, what is selected in it first: whole sentences.
    [[nodiscard]] virtual QString spokenContent() const = 0;
    /// The number of parts that are read out one by one.
    [[nodiscard]] virtual std::size_t spokenParts() const { return 0; }
    /// One of them, by its index below spokenParts().
    [[nodiscard]] virtual SpokenPart spokenPart(std::size_t /*index*/) const { return {}; }
};

/// Tells screen readers that what `widget`, which is Spoken, shows or has selected is another now. Costs nothing while
/// none listens.
void tellContentChanged(QWidget& widget);

}  // namespace rankscope::ui
