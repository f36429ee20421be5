// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>

#include "ui/panels/whatif/offered_changes.h"

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QSlider;

namespace rankscope::ui {

/// A change as a switch, with a slider and its value if it has a range. Moving the slider turns the switch on.
class ChangeControl : public QWidget {
    Q_OBJECT

  public:
    explicit ChangeControl(OfferedChange offer, QWidget* parent = nullptr);

    /// The change that it makes.
    [[nodiscard]] const OfferedChange& offer() const { return offer_; }
    /// Whether the change is made.
    [[nodiscard]] bool isOn() const;
    /// Turns it on or off, without changed().
    void setOn(bool on);
    /// Turns it on with its typical value, without changed().
    void choose();
    /// The change with the current value, as core/whatif reads it.
    [[nodiscard]] std::string text() const;

  Q_SIGNALS:
    /// The user turned it on or off, or set another value.
    void changed();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void addSlider(QHBoxLayout& row);
    [[nodiscard]] double value() const;
    void showValue();
    /// The tooltip says what the change means, with its value.
    void showMeaning();
    /// Gives title and value the room of the widest ones: sliders are below each other, and none moves while the user
    /// drags.
    void fitSlider();

    OfferedChange offer_;
    QCheckBox* box_;
    QSlider* slider_ = nullptr;
    QLabel* value_ = nullptr;
};

}  // namespace rankscope::ui
