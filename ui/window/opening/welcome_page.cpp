// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/welcome_page.h"

#include <QFontMetrics>
#include <QIcon>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/theme/plain_text.h"
#include "ui/window/opening/recent_paths.h"

namespace rankscope::ui {
namespace {

constexpr int kWidth = 680;
constexpr int kLeastHeight = 360;  // below this it scrolls: it must not enlarge the window while files are read
constexpr int kIcon = 56;
constexpr int kIndent = 10;  // indent of rows, so that their hover effect has space

QLabel* label(const QString& words, const char* role) {
    auto* made = plainLabel(words);
    made->setProperty("role", QLatin1String(role));
    made->setWordWrap(true);
    return made;
}

QLabel* sectionLabel(const QString& words) {
    QLabel* made = label(words, "section");
    made->setIndent(kIndent);
    return made;
}

QPushButton* button(const QString& words, const char* role) {
    auto* made = new QPushButton(words);
    made->setProperty("role", QLatin1String(role));
    made->setCursor(Qt::PointingHandCursor);
    return made;
}

/// `column` in the middle of a page that scrolls if it does not fit.
QScrollArea* scrolled(QWidget* column) {
    auto* page = new QWidget;
    auto* across = new QHBoxLayout(page);
    across->addStretch(1);
    across->addWidget(column, 100);
    across->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setProperty("role", QStringLiteral("page"));
    scroll->setFocusPolicy(Qt::NoFocus);  // Tab moves to its buttons, and it scrolls to them
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    page->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    return scroll;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent), recent_(new QWidget), samples_(new QWidget) {
    auto* recent = new QVBoxLayout(recent_);
    recent->setContentsMargins(0, 0, 0, 0);
    recent->setSpacing(4);
    recent->addWidget(sectionLabel(tr("Recent")));
    recent_list_ = new QVBoxLayout;
    recent_list_->setSpacing(0);
    recent->addLayout(recent_list_);

    auto* samples = new QVBoxLayout(samples_);
    samples->setContentsMargins(0, 0, 0, 0);
    samples->setSpacing(4);
    samples->addWidget(sectionLabel(tr("No trace at hand?")));
    QPushButton* open_samples = button(tr("Open the sample runs"), "row");
    connect(open_samples, &QPushButton::clicked, this, [this] { Q_EMIT openRequested(sample_folders_); });
    samples->addWidget(open_samples);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scrolled(column()));
    setMinimumHeight(kLeastHeight);
    setRecent({});
    setSamples({});
}

QWidget* WelcomePage::dropArea() const {
    auto* area = new QWidget;
    area->setProperty("role", QStringLiteral("drop"));
    area->setAttribute(Qt::WA_StyledBackground);
    auto* lines = new QVBoxLayout(area);
    lines->setContentsMargins(32, 32, 32, 32);
    lines->setSpacing(8);
    lines->addWidget(label(tr("Drop traces here"), "title"), 0, Qt::AlignHCenter);
    QLabel* kinds =
        label(tr("A folder with the PyTorch profiler trace of each rank, or the files themselves.\n"
                 ".json   .json.gz   .json.zst   .pftrace   .zip   .tar   .sqlite   .digest   .pickle   .log"),
              "dim");
    kinds->setAlignment(Qt::AlignHCenter);
    lines->addWidget(kinds);
    lines->addSpacing(12);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    QPushButton* folder = button(tr("Open Folder..."), "primary");
    QPushButton* files = button(tr("Open Files..."), "plain");
    connect(folder, &QPushButton::clicked, this, &WelcomePage::openFolderRequested);
    connect(files, &QPushButton::clicked, this, &WelcomePage::openFilesRequested);
    buttons->addStretch();
    buttons->addWidget(folder);
    buttons->addWidget(files);
    buttons->addStretch();
    lines->addLayout(buttons);
    return area;
}

QWidget* WelcomePage::column() {
    auto* column = new QWidget;
    column->setMaximumWidth(kWidth);
    auto* lines = new QVBoxLayout(column);
    lines->setContentsMargins(24 - kIndent, 24, 24 - kIndent, 24);
    lines->setSpacing(0);
    lines->addStretch(2);
    auto* head = new QVBoxLayout;  // its text begins at the same position as that of the rows below
    head->setContentsMargins(kIndent, 0, kIndent, 0);
    head->setSpacing(0);
    lines->addLayout(head);
    auto* icon = plainLabel();
    icon->setPixmap(QIcon(QStringLiteral(":/icons/rankscope.svg")).pixmap(QSize(kIcon, kIcon), devicePixelRatioF()));
    head->addWidget(icon);
    head->addSpacing(12);
    head->addWidget(label(QStringLiteral("Rankscope"), "hero"));
    head->addSpacing(4);
    head->addWidget(
        label(tr("What every rank of a training run waits for, and what would make its steps shorter."), "lead"));
    head->addSpacing(24);
    head->addWidget(dropArea());
    lines->addSpacing(24);
    lines->addWidget(recent_);
    lines->addSpacing(16);
    lines->addWidget(samples_);
    lines->addStretch(3);
    return column;
}

void WelcomePage::setRecent(const QList<QStringList>& entries) {
    while (QLayoutItem* item = recent_list_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QStringList& entry : entries) {
        QPushButton* row = button({}, "row");
        auto* across = new QHBoxLayout(row);
        across->setContentsMargins(kIndent, 0, kIndent, 0);
        across->setSpacing(12);
        QLabel* name = label(RecentPaths::title(entry), "plain");
        name->setWordWrap(false);
        const QString where = RecentPaths::place(entry);
        QLabel* place = label(QFontMetrics(font()).elidedText(where, Qt::ElideMiddle, 300), "dim");
        place->setWordWrap(false);
        for (QLabel* part : {name, place}) {
            part->setAttribute(Qt::WA_TransparentForMouseEvents);
        }
        across->addWidget(name);
        across->addStretch();
        across->addWidget(place);
        row->setMinimumHeight(32);
        row->setAccessibleName(RecentPaths::title(entry));
        row->setToolTip(plainTip(entry.join(QLatin1Char('\n'))));
        connect(row, &QPushButton::clicked, this, [this, entry] { Q_EMIT openRequested(entry); });
        recent_list_->addWidget(row);
    }
    recent_->setVisible(!entries.isEmpty());
}

void WelcomePage::setSamples(const QStringList& folders) {
    sample_folders_ = folders;
    samples_->setVisible(!folders.isEmpty());
}

}  // namespace rankscope::ui
