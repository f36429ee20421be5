// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <vector>

namespace rankscope::ui {

/// A row of controls that wraps into further rows if it does not fit, as in a panel at the side.
class WrappingRow : public QLayout {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WrappingRow)

  public:
    explicit WrappingRow(QWidget* parent = nullptr);
    ~WrappingRow() override;

    /// Adds a control; one with a `stretch` gets the rest of its row.
    void addWidget(QWidget* widget, int stretch = 0);
    /// Aligns what follows to the right end of its row.
    void addStretch();

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    /// All in one row.
    [[nodiscard]] QSize sizeHint() const override;
    /// As wide as the widest control, and as high as needed at the current width: a splitter does not ask for a height
    /// at a width.
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& area) override;

  private:
    struct Item {
        QLayoutItem* item = nullptr;
        int stretch = 0;
    };
    /// The items [first, last) of one row.
    struct Row {
        std::size_t first = 0;
        std::size_t last = 0;
        int width = 0;
        int height = 0;
    };

    [[nodiscard]] std::vector<Row> rowsFor(int width) const;
    void place(const Row& row, const QRect& area) const;

    std::vector<Item> items_;
    int width_ = QWIDGETSIZE_MAX;  // width of the last layout
};

}  // namespace rankscope::ui
