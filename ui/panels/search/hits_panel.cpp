// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/search/hits_panel.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include "core/base/format.h"
#include "ui/panels/search/hits_model.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

constexpr qsizetype kLongestQuery = 80;  // letters of the query, as the sentence above the hits quotes it

/// The query, without its middle if it is long: the field contains all of it.
QString quotedQuery(const QString& query) {
    return query.size() <= kLongestQuery
               ? query
               : query.left(kLongestQuery / 2) + QStringLiteral("…") + query.right(kLongestQuery / 2);
}

}  // namespace

HitsPanel::HitsPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent), model_(new HitsModel(theme, this)), table_(new QTableView), about_(plainLabel()) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    table_->setModel(model_);
    table_->setAccessibleName(tr("Hits of the search"));
    dressTable(*table_);
    // All columns of one run fit next to the list of pages in a window that is 1280 wide.
    const int widths[] = {160, 104, 104, 380, 90, 120};
    for (int column = 0; column < HitsModel::kColumns; ++column) {
        table_->setColumnWidth(column, widths[column]);
    }
    widenToTitles(*table_);
    growWithText(*table_, theme);
    about_->setProperty("role", QStringLiteral("dim"));
    about_->setMargin(8);
    // However long the query, the window does not grow with it.
    about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    about_->setMinimumWidth(0);
    about_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 0);
    layout->setSpacing(0);
    layout->addWidget(about_);
    layout->addWidget(table_, 1);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (row.isValid() && !quiet_) {
            Q_EMIT hitActivated(static_cast<std::size_t>(row.row()));
        }
    });
    setResults({}, nullptr);
}

void HitsPanel::setResults(const OpenRuns& runs, const std::shared_ptr<const SearchResults>& results) {
    model_->set(runs, results);
    table_->setVisible(model_->rowCount() > 0);
    table_->setColumnHidden(HitsModel::kRun, runs.size() < 2);
    about_->setAlignment(model_->rowCount() > 0 ? Qt::AlignLeft : Qt::AlignLeft | Qt::AlignTop);
    if (!results) {
        about_->setText(
            tr("No search yet. Press / and type a part of a name to list the slices with it here, on all ranks."));
        return;
    }
    const std::uint64_t total = results->total();
    QString words =
        total == 0 ? tr("No slice has “%1” in its name or its arguments.").arg(quotedQuery(results->text))
        : results->of_steps
            ? plural(tr("%1 mark(s) of “%2”.", nullptr, static_cast<int>(total)), total)
                  .arg(text(formatCount(total)), quotedQuery(results->text))
            : plural(tr("%1 slice(s) with “%2” in the name or the arguments.", nullptr, static_cast<int>(total)), total)
                  .arg(text(formatCount(total)), quotedQuery(results->text));
    if (results->total() > results->size()) {
        words += QLatin1Char(' ') + tr("The earliest %1 are listed.").arg(text(formatCount(results->size())));
    }
    about_->setText(words);
}

void HitsPanel::setTheme(const Theme& theme) {
    model_->setTheme(theme);
    growWithText(*table_, theme);
}

void HitsPanel::setCurrent(std::optional<std::size_t> hit) {
    quiet_ = true;
    if (hit) {
        table_->selectRow(static_cast<int>(*hit));
        table_->scrollTo(table_->currentIndex());
    } else {
        table_->clearSelection();
    }
    quiet_ = false;
}

void HitsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // The hit that was reached while another panel was in front.
    table_->scrollTo(table_->currentIndex(), QAbstractItemView::PositionAtCenter);
}

}  // namespace rankscope::ui
