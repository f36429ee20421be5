// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QScrollArea>
#include <vector>

class QButtonGroup;
class QPushButton;
class QVBoxLayout;

namespace rankscope::ui {

class PullOut;

/// The pages of a place as a column of buttons: the one of the page in front is pressed. Up and Down move from page to
/// page. A button can be dragged out of the column, and has a menu. The column is as wide as its longest title, or
/// slightly wider.
class PageList : public QScrollArea {
    Q_OBJECT

  public:
    explicit PageList(QWidget* parent = nullptr);

    /// Inserts a button for a page at this index. It is shown until setListed() hides it.
    void insert(int at, QWidget& page, const QString& title, const QString& about);
    /// Removes the button of a page.
    void remove(const QWidget& page);
    /// Sets the title of a page.
    void setTitle(const QWidget& page, const QString& title);
    /// Shows or hides the button of a page.
    void setListed(const QWidget& page, bool listed);
    /// Presses the button of a page, without chosen().
    void setCurrent(const QWidget& page);
    /// The button of a page, or nullptr.
    [[nodiscard]] QPushButton* buttonOf(const QWidget& page) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  Q_SIGNALS:
    /// The user has chosen this page.
    void chosen(QWidget* page);
    /// A page is dragged out of the column: see PullOut.
    void dragged(QWidget* page, const QPoint& at);
    /// The page was dropped there.
    void dropped(QWidget* page, const QPoint& at);
    /// The drag was cancelled.
    void dragCancelled();
    /// The user opens the menu of a page, by the mouse or the keyboard.
    void menuAsked(QWidget* page, const QPoint& at);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Entry {
        QWidget* page = nullptr;
        QPushButton* button = nullptr;
    };
    [[nodiscard]] std::vector<Entry>::const_iterator find(const QObject* page_or_button) const;

    std::vector<Entry> entries_;
    QWidget* column_;
    QVBoxLayout* layout_;
    QButtonGroup* group_;
    PullOut* pull_;
};

}  // namespace rankscope::ui
