// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/keys_dialog.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/commands/command_registry.h"
#include "ui/commands/fuzzy_match.h"
#include "ui/commands/key_field.h"

namespace rankscope::ui {
namespace {

enum Column { kGroup, kTitle, kKeys, kColumns };

QTableWidgetItem* cell(const QString& text, const QString& id) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setData(Qt::UserRole, id);
    return item;
}

/// Typing letters only finds commands that the filter leaves visible: the default table also finds hidden rows.
class CommandTable : public QTableWidget {
  public:
    void keyboardSearch(const QString& letters) override {
        const int before = currentRow();
        QTableWidget::keyboardSearch(letters);
        if (currentRow() < 0 || !isRowHidden(currentRow())) {
            return;
        }
        int row = before;
        for (int i = 1; i <= rowCount(); ++i) {
            const int next = (before + i) % rowCount();
            if (!isRowHidden(next) && item(next, kTitle)->text().startsWith(letters, Qt::CaseInsensitive)) {
                row = next;
                break;
            }
        }
        setCurrentCell(row, kTitle);
    }
};

}  // namespace

KeysDialog::KeysDialog(CommandRegistry& commands, QWidget* parent)
    : QDialog(parent),
      commands_(commands),
      table_(new CommandTable),
      title_(new QLabel),
      edit_(new KeyField),
      set_(new QPushButton(tr("Set"))),
      reset_(new QPushButton(tr("Reset"))),
      reset_all_(new QPushButton(tr("Reset all"))),
      message_(new QLabel) {
    setWindowTitle(tr("Change keys"));
    layOut();
    fill();
    connect(table_, &QTableWidget::currentItemChanged, this, &KeysDialog::showCurrent);
    connect(edit_, &KeyField::keysChanged, this, &KeysDialog::tellHolder);
    connect(set_, &QPushButton::clicked, this, &KeysDialog::give);
    connect(reset_, &QPushButton::clicked, this, [this] { reset(false); });
    connect(&commands_, &CommandRegistry::keysChanged, this, &KeysDialog::fill);
    table_->setCurrentCell(0, kTitle);
    resize(640, 560);
}

void KeysDialog::layOut() {
    auto* field = new QLineEdit;
    field->setPlaceholderText(tr("Find a command"));
    field->setAccessibleName(tr("Find a command"));
    connect(field, &QLineEdit::textChanged, this, &KeysDialog::filter);
    table_->setColumnCount(kColumns);
    table_->setHorizontalHeaderLabels({tr("Menu"), tr("Command"), tr("Keys")});
    table_->horizontalHeader()->setSectionResizeMode(kTitle, QHeaderView::Stretch);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    for (int column = 0; column < kColumns; ++column) {
        table_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
    table_->setColumnWidth(kKeys, 150);
    table_->verticalHeader()->hide();
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->setAccessibleName(tr("Commands and their keys"));
    title_->setProperty("role", QStringLiteral("heading"));
    edit_->setAccessibleName(tr("New keys"));
    edit_->setMaximumWidth(200);
    message_->setProperty("role", QStringLiteral("dim"));
    message_->setWordWrap(true);
    message_->setMinimumHeight(message_->fontMetrics().height() * 2);
    message_->setAlignment(Qt::AlignTop);
    auto* close = new QPushButton(tr("Close"));
    for (QPushButton* button : {set_, reset_, reset_all_, close}) {
        button->setAutoDefault(false);  // Enter is a key like any other here
    }
    connect(reset_all_, &QPushButton::clicked, this, [this] { reset(true); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* line = new QHBoxLayout;
    line->addWidget(title_, 1);
    line->addWidget(edit_);
    line->addWidget(set_);
    line->addWidget(reset_);
    auto* last = new QHBoxLayout;
    last->addWidget(reset_all_);
    last->addStretch();
    last->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(field);
    layout->addWidget(table_, 1);
    layout->addLayout(line);
    layout->addWidget(message_);
    layout->addLayout(last);
}

void KeysDialog::fill() {
    const auto& commands = commands_.commands();
    table_->setRowCount(static_cast<int>(commands.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const Command& command = commands[static_cast<std::size_t>(row)];
        const QKeySequence keys = commands_.keysOf(command.id);
        QString shown = keys.toString(QKeySequence::NativeText);
        if (keys != command.keys) {
            shown += shown.isEmpty() ? tr("(changed)") : tr("  (changed)");
        }
        const QString texts[kColumns] = {command.group, command.plainTitle(), shown};
        for (int column = 0; column < kColumns; ++column) {
            if (QTableWidgetItem* item = table_->item(row, column)) {
                item->setText(texts[column]);
            } else {
                table_->setItem(row, column, cell(texts[column], command.id));
            }
        }
    }
}

void KeysDialog::filter(const QString& letters) {
    for (int row = 0; row < table_->rowCount(); ++row) {
        const QString words = table_->item(row, kGroup)->text() + QLatin1Char(' ') + table_->item(row, kTitle)->text();
        table_->setRowHidden(row, !fuzzyMatch(letters, words));
    }
    if (table_->currentRow() < 0 || table_->isRowHidden(table_->currentRow())) {
        chooseFirstInSight();
    }
}

void KeysDialog::chooseFirstInSight() {
    for (int row = 0; row < table_->rowCount(); ++row) {
        if (!table_->isRowHidden(row)) {
            table_->setCurrentCell(row, kTitle);
            return;
        }
    }
    table_->setCurrentItem(nullptr);
}

const QTableWidgetItem* KeysDialog::currentInSight() const {
    const int row = table_->currentRow();
    return row < 0 || table_->isRowHidden(row) ? nullptr : table_->item(row, kTitle);
}

QString KeysDialog::currentId() const {
    const QTableWidgetItem* item = currentInSight();
    return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

void KeysDialog::showCurrent() {
    const QTableWidgetItem* item = currentInSight();
    title_->setText(item == nullptr ? QString() : item->text());
    edit_->setEnabled(item != nullptr);
    edit_->setKeys(commands_.keysOf(currentId()));
    tellHolder();
}

void KeysDialog::tellHolder() {
    const QString holder = commands_.holder(edit_->keys(), currentId());
    const bool fixed = !holder.isEmpty() && commands_.commandWith(edit_->keys(), currentId()).isEmpty();
    set_->setText(holder.isEmpty() || fixed ? tr("Set") : tr("Reassign"));
    set_->setEnabled(!fixed && !currentId().isEmpty() && edit_->keys() != commands_.keysOf(currentId()));
    const auto changed = [this](const Command& each) { return commands_.keysOf(each.id) != each.keys; };
    const auto& all = commands_.commands();
    const auto current = std::ranges::find(all, currentId(), &Command::id);
    reset_->setEnabled(current != all.end() && (changed(*current) || edit_->keys() != current->keys));
    reset_all_->setEnabled(std::ranges::any_of(all, changed));
    const QString keys = edit_->keys().toString(QKeySequence::NativeText);
    if (holder.isEmpty()) {
        message_->setText(tr("Click the field and press the new keys."));
    } else if (fixed) {
        message_->setText(tr("%1 is taken: on the timeline it means “%2”.").arg(keys, holder));
    } else {
        message_->setText(tr("%1 belongs to “%2”. That would be left without keys.").arg(keys, holder));
    }
}

void KeysDialog::give() {
    const QString id = currentId();
    const QKeySequence keys = edit_->keys();
    for (QString other = commands_.commandWith(keys, id); !other.isEmpty(); other = commands_.commandWith(keys, id)) {
        commands_.setKeys(other, {});
    }
    commands_.setKeys(id, keys);
    showCurrent();
}

void KeysDialog::reset(bool all) {
    for (const Command& command : commands_.commands()) {
        if (!all && command.id == currentId() && !command.keys.isEmpty()) {
            edit_->setKeys(command.keys);  // they may belong to another command by now
            if (commands_.holder(command.keys, command.id).isEmpty()) {
                commands_.setKeys(command.id, command.keys);
            }
        } else if (!all && command.id == currentId()) {
            commands_.setKeys(command.id, {});
        } else if (all) {
            commands_.setKeys(command.id, command.keys);
        }
    }
    showCurrent();
}

}  // namespace rankscope::ui
