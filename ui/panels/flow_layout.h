// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace rankscope::ui {

/// A row of controls that goes on in another line where it has no room, as words do: controls have longer words in
/// other languages and sizes of text. What is wanted expanding has the room that is left in its line. Like every layout
/// it owns its items, and the widget it is set on owns it.
class FlowLayout : public QLayout {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FlowLayout)

  public:
    /// `gap`: logical pixels between two controls, and between two lines.
    explicit FlowLayout(int gap);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    /// All in one line.
    [[nodiscard]] QSize sizeHint() const override;
    /// As wide as the widest control.
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& area) override;

  private:
    /// Lays out the controls from the top of `area`, and places them if `place`. Returns how high that is.
    [[nodiscard]] int flow(const QRect& area, bool place) const;
    /// Places one line of controls.
    void placeLine(const QRect& area, int top, int height, const std::vector<QLayoutItem*>& line, int used) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
    int gap_;
};

}  // namespace rankscope::ui
