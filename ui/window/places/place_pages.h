// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QStackedWidget;

namespace rankscope::ui {

class PageList;

/// One place below the timeline: pages that answer one kind of question, one in front, and at the left the list that
/// chooses among them. The list is hidden if it has one page. A page that does not apply to the open runs is not
/// listed, unless it is requested. If no page applies, the place says what would be there.
class PlacePages : public QWidget {
    Q_OBJECT

  public:
    /// `title` is that of its tab; `empty` is shown if no page applies.
    PlacePages(const QString& title, const QString& empty, QWidget* parent = nullptr);

    /// Inserts a page at this index, with `title` in the list. The place owns it until remove().
    void insert(int at, QWidget& page, const QString& title, const QString& about);
    /// Removes a page, hidden; the caller then owns it.
    void remove(QWidget& page);
    /// The number of pages, listed or not.
    [[nodiscard]] int count() const { return static_cast<int>(pages_.size()); }
    /// Whether a page is here.
    [[nodiscard]] bool has(const QWidget& page) const;
    /// Sets the title of a page in the list.
    void setTitle(const QWidget& page, const QString& title);
    /// Sets whether a page applies to the open runs. If the page in front no longer does, the first one that does comes
    /// to the front.
    void setApplies(const QWidget& page, bool applies);
    /// Whether the page is in the list.
    [[nodiscard]] bool isListed(const QWidget& page) const;
    /// The page in front; nullptr if no page applies.
    [[nodiscard]] QWidget* current() const;
    /// Brings a page to the front. A page that does not apply is in the list while it is in front.
    void bring(QWidget& page);
    /// Brings the next page of the list to the front (+1), or the previous one (-1), with wrap-around.
    void step(int by);
    /// The list, hidden if it has one page.
    [[nodiscard]] PageList& list() const { return *list_; }

  Q_SIGNALS:
    /// The page in front has changed.
    void currentChanged();

  private:
    struct Page {
        QWidget* widget = nullptr;
        bool applies = true;
    };
    [[nodiscard]] std::vector<Page>::iterator find(const QWidget& page);
    [[nodiscard]] bool listed(const Page& page) const;
    void arrange();

    std::vector<Page> pages_;
    QWidget* chosen_ = nullptr;  // the last one that was brought to the front; nullptr: none was
    bool asked_ = false;         // chosen_ does not apply, but was requested
    PageList* list_;
    QStackedWidget* stack_;
    QLabel* empty_;
};

}  // namespace rankscope::ui
