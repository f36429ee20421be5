// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QStackedWidget;

namespace rankscope::ui {

class PageList;

/// One place below the timeline: pages that answer one kind of question, one in front, and at the left the list that
/// chooses among them. The list is hidden where it has one page. A page that does not apply to what is open is not
/// listed, unless it is asked for. Where no page applies, the place says what would be there.
class PlacePages : public QWidget {
    Q_OBJECT

  public:
    /// `title` is that of its tab; `empty` is said where no page applies.
    PlacePages(const QString& title, const QString& empty, QWidget* parent = nullptr);

    /// Puts a page at this place among the others, in a list where it is called `title`. The place owns it until
    /// remove().
    void insert(int at, QWidget& page, const QString& title, const QString& about);
    /// Takes a page out, hidden; who puts it elsewhere owns it.
    void remove(QWidget& page);
    /// How many pages are here, listed or not.
    [[nodiscard]] int count() const { return static_cast<int>(pages_.size()); }
    /// Whether a page is here.
    [[nodiscard]] bool has(const QWidget& page) const;
    /// Another title for a page in the list.
    void setTitle(const QWidget& page, const QString& title);
    /// Says whether a page applies to what is open. The page in front that no longer does gives way to the first that
    /// does.
    void setApplies(const QWidget& page, bool applies);
    /// Whether the list has this page.
    [[nodiscard]] bool isListed(const QWidget& page) const;
    /// The page in front; nullptr where no page applies.
    [[nodiscard]] QWidget* current() const;
    /// Brings a page to the front. Of one that does not apply the list has it as long as it is in front.
    void bring(QWidget& page);
    /// Brings the next page of the list to the front (+1), or the one before (-1), round the end.
    void step(int by);
    /// The list, hidden where it has one page.
    [[nodiscard]] PageList& list() const { return *list_; }

  Q_SIGNALS:
    /// Another page is in front.
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
    bool asked_ = false;         // chosen_ does not apply, and is asked for all the same
    PageList* list_;
    QStackedWidget* stack_;
    QLabel* empty_;
};

}  // namespace rankscope::ui
