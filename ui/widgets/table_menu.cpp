// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table_menu.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMetaType>
#include <QRegularExpression>
#include <QTableView>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/write_file.h"
#include "core/report/csv/csv_text.h"
#include "ui/theme/notice.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

/// A cell for programs; its text if the model has nothing else.
report::Cell exactCell(const QModelIndex& at) {
    const QVariant exact = at.data(kExactRole);
    switch (exact.typeId()) {
        case QMetaType::Bool: return exact.toBool();
        case QMetaType::Double: return exact.toDouble();
        case QMetaType::LongLong: return std::int64_t{exact.toLongLong()};
        default: break;
    }
    const QVariant whole = exact.isValid() ? exact : at.data(kWholeTextRole);
    return (whole.isValid() ? whole : at.data()).toString().toStdString();
}

/// Whether a column is visible and contains text: one that is only drawn contains nothing for programs.
bool isWritten(const QTableView& table, int column) {
    if (table.isColumnHidden(column)) {
        return false;
    }
    bool says = table.itemDelegateForColumn(column) == nullptr;
    for (int row = 0; row < table.model()->rowCount() && !says; ++row) {
        says = exactCell(table.model()->index(row, column)) != report::Cell(std::string());
    }
    return says;
}

void saveTable(QTableView& table) {
    const QString title = QObject::tr("Save the table");
    if (const std::optional<QString> path = askForCsv(table, title)) {
        tellSaved(table, title, *path, writeFileAtomically(path->toStdString(), csvOf(table)));
    }
}

}  // namespace

QString defaultCsvName(const QTableView& table) {
    QString title = table.accessibleName();
    for (const QWidget* in = table.parentWidget(); in != nullptr && !in->isWindow(); in = in->parentWidget()) {
        if (!in->windowTitle().isEmpty()) {
            title = in->windowTitle();
            break;
        }
    }
    const QWidget* window = table.window();
    while (window->parentWidget() != nullptr) {
        window = window->parentWidget()->window();  // the window of a panel that has its own
    }
    // "ZeroWorkers – Rankscope"; with several runs, joined by "+", none of them names the file.
    QString run = window->windowTitle();
    run.truncate(std::max<qsizetype>(0, run.lastIndexOf(QStringLiteral(" – "))));
    if (run.isEmpty() || run.contains(QStringLiteral(" + "))) {
        run = QStringLiteral("rankscope");
    }
    static const QRegularExpression not_of_names(QStringLiteral("[^\\w.-]+"),
                                                 QRegularExpression::UseUnicodePropertiesOption);
    QString name = run + QLatin1Char('-') + title.toLower();
    return name.replace(not_of_names, QStringLiteral("-")) + QStringLiteral(".csv");
}

std::optional<QString> askForCsv(QTableView& table, const QString& title) {
    QFileDialog dialog(&table, title, {}, QObject::tr("CSV (*.csv)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("csv"));  // before it asks whether to replace a file
    dialog.selectFile(defaultCsvName(table));
    const bool accepted = dialog.exec() == QDialog::Accepted;
    const QString path = dialog.selectedFiles().value(0);
    return accepted && !path.isEmpty() ? std::optional(path) : std::nullopt;
}

void tellSaved(QTableView& table, const QString& title, const QString& path, const std::optional<Error>& error) {
    if (error) {
        warnPlainly(&table, title, QString::fromStdString(error->text()));
    } else if (NoticeBoard* const board = noticeBoardOf(table)) {
        board->showNotice(QObject::tr("Saved"), path);
    }
}

std::string csvOf(const QTableView& table) {
    const QAbstractItemModel& model = *table.model();
    report::DataTable shown{"table", {}, {}};
    std::vector<int> columns;
    for (int column = 0; column < model.columnCount(); ++column) {
        if (isWritten(table, column)) {
            columns.push_back(column);
            const QVariant exact = model.headerData(column, Qt::Horizontal, kExactRole);
            const QVariant named = exact.isValid() ? exact : model.headerData(column, Qt::Horizontal);
            const std::string title = named.toString().toStdString();
            shown.columns.push_back({title, title, report::Unit::Text});
        }
    }
    for (int row = 0; row < model.rowCount(); ++row) {
        std::vector<report::Cell>& cells = shown.rows.emplace_back();
        for (const int column : columns) {
            cells.push_back(exactCell(model.index(row, column)));
        }
    }
    return report::csvText(shown);
}

void addTableMenu(QTableView& table) {
    auto* copy = new QAction(QObject::tr("&Copy the Table as CSV"), &table);
    QObject::connect(copy, &QAction::triggered, &table,
                     [&table] { QGuiApplication::clipboard()->setText(QString::fromStdString(csvOf(table))); });
    auto* save = new QAction(QObject::tr("&Save the Table as CSV..."), &table);
    QObject::connect(save, &QAction::triggered, &table, [&table] { saveTable(table); });
    table.addActions({copy, save});
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

QAction* addSortAction(QTableView& table, const std::function<void(int column)>& sort) {
    auto* made = new QAction(QObject::tr("S&ort by This Column"), &table);
    QObject::connect(made, &QAction::triggered, &table, [&table, sort] {
        if (table.currentIndex().isValid()) {
            sort(table.currentIndex().column());
        }
    });
    table.insertAction(table.actions().isEmpty() ? nullptr : table.actions().front(), made);
    return made;
}

}  // namespace rankscope::ui
