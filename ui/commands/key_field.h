// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QLineEdit>

namespace rankscope::ui {

/// A field that shows the keys that are pressed in it. Backspace empties it; Tab leaves it.
class KeyField : public QLineEdit {
    Q_OBJECT

  public:
    explicit KeyField(QWidget* parent = nullptr);

    /// Shows these keys.
    void setKeys(const QKeySequence& keys);
    /// The keys that were pressed last; empty for none.
    [[nodiscard]] const QKeySequence& keys() const { return keys_; }

  Q_SIGNALS:
    /// The user has pressed other keys, or emptied the field.
    void keysChanged();

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QKeySequence keys_;
};

}  // namespace rankscope::ui
