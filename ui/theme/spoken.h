// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QRect>
#include <QString>
#include <cstddef>
#include <optional>

class QWidget;

namespace rankscope::ui {

/// A painted part of a widget, for screen readers: a row, a bar, a box.
struct SpokenPart {
    QString name;
    QString about;  ///< more details; may be empty
    QRect place;    ///< in the widget, logical pixels; may be outside
    QAccessible::Role role = QAccessible::ListItem;
    bool chosen = false;
    std::optional<bool> unfolded;  ///< for parts that fold
};

/// For widgets that paint their content themselves: a widget that derives from this is accessible to screen readers
/// with the role, the words and the parts that it returns here. They are computed on request, and not kept. The
/// widget's accessible name is its name; its content is its description and its value.
class Spoken {
  public:
    Spoken();
    virtual ~Spoken() = default;
    Spoken(const Spoken&) = delete;
    Spoken& operator=(const Spoken&) = delete;
    Spoken(Spoken&&) = delete;
    Spoken& operator=(Spoken&&) = delete;

    /// Its role for screen readers.
    [[nodiscard]] virtual QAccessible::Role spokenRole() const { return QAccessible::Chart; }
    /// The current content, the selection first: whole sentences.
    [[nodiscard]] virtual QString spokenContent() const = 0;
    /// The number of parts that are read out one by one.
    [[nodiscard]] virtual std::size_t spokenParts() const { return 0; }
    /// One of these parts, by its index below spokenParts().
    [[nodiscard]] virtual SpokenPart spokenPart(std::size_t /*index*/) const { return {}; }
};

/// Notifies screen readers that the content or selection of `widget`, which is Spoken, has changed. Free if there is
/// none.
void tellContentChanged(QWidget& widget);

}  // namespace rankscope::ui
