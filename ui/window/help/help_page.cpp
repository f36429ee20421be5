// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/help_page.h"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextOption>
#include <QTextTable>
#include <QVBoxLayout>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr QSize kSize(820, 720);
constexpr int kMargin = 24;
constexpr int kScrollBar = 24;
constexpr int kCellPadding = 4;

/// Pictures in the documentation are as wide as a window: here they are scaled to the page.
class Pages : public QTextBrowser {
  protected:
    QVariant loadResource(int type, const QUrl& name) override {
        QVariant found = QTextBrowser::loadResource(type, name);
        if (type != QTextDocument::ImageResource || !found.isValid()) {
            return found;
        }
        const QImage picture =
            found.typeId() == QMetaType::QByteArray ? QImage::fromData(found.toByteArray()) : found.value<QImage>();
        const int room = kSize.width() - 2 * kMargin - kScrollBar;
        return picture.width() > room ? picture.scaledToWidth(room, Qt::SmoothTransformation) : picture;
    }
};

/// Comments are for authors, not for readers.
QString withoutComments(QString markdown) {
    static const QRegularExpression comment(QStringLiteral("<!--.*?-->"),
                                            QRegularExpression::DotMatchesEverythingOption);
    return markdown.remove(comment);
}

/// Removes the lines of tables and adds space between their cells.
void dressTables(const QTextDocument& document) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorder(0);
            format.setCellSpacing(0);
            format.setCellPadding(kCellPadding);
            table->setFormat(format);
        }
    }
}

/// Gives links the link colour of this window: a document uses that of the desktop.
void tintLinks(QTextDocument& document, const QColor& colour) {
    QTextCharFormat tint;
    tint.setForeground(colour);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment fragment = at.fragment();
            if (fragment.charFormat().isAnchor()) {
                QTextCursor cursor(&document);
                cursor.setPosition(fragment.position());
                cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
                cursor.mergeCharFormat(tint);
            }
        }
    }
}

/// Lays a document out once, when it is complete: otherwise it would do so for each cell of each table, which takes
/// seconds for a page of them.
class LaidOutAtOnce {
  public:
    explicit LaidOutAtOnce(QTextDocument& document) : document_(document) { document.setLayoutEnabled(false); }
    LaidOutAtOnce(const LaidOutAtOnce&) = delete;
    LaidOutAtOnce& operator=(const LaidOutAtOnce&) = delete;
    ~LaidOutAtOnce() {
        document_.setLayoutEnabled(true);
        document_.markContentsDirty(0, document_.characterCount());
    }

  private:
    QTextDocument& document_;
};

}  // namespace

HelpPage::HelpPage(const QString& title, QWidget* parent) : QDialog(parent), text_(new Pages) {
    setWindowTitle(title);
    if (parent != nullptr) {
        setPalette(parent->palette());  // a separate window does not inherit it
    }
    text_->setAccessibleName(title);
    text_->setFrameShape(QFrame::NoFrame);
    text_->document()->setDocumentMargin(kMargin);
    text_->setOpenExternalLinks(false);
    text_->setOpenLinks(false);
    connect(text_, &QTextBrowser::anchorClicked, this, &HelpPage::follow);
    text_->installEventFilter(this);  // it handles the keys for going back
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text_);
    resize(kSize);
}

HelpPage::HelpPage(const QString& title, const QString& path, QWidget* parent) : HelpPage(title, parent) {
    showFile(path);
}

void HelpPage::follow(const QUrl& link) {
    const QString path = link.isRelative() ? helpPagePath(link.path()) : QString();
    if (path.isEmpty()) {
        Q_EMIT linkActivated(link.toString());
    } else {
        before_.push_back({path_, windowTitle(), text_->verticalScrollBar()->value()});
        showFile(path);
        // The first line of each page is its title.
        if (const QString heading = text_->document()->firstBlock().text(); !heading.isEmpty()) {
            setWindowTitle(heading);
            text_->setAccessibleName(heading);
        }
    }
}

void HelpPage::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    // Windows below another one get several events for its style sheet.
    if (event->type() == QEvent::StyleChange && !std::exchange(restyling_, true)) {
        QMetaObject::invokeMethod(this, &HelpPage::restyle, Qt::QueuedConnection);
    }
}

void HelpPage::restyle() {
    restyling_ = false;
    const QColor links = palette().color(QPalette::Link);
    if (parentWidget() != nullptr) {
        setPalette(parentWidget()->palette());  // same as in the constructor
    }
    if (palette().color(QPalette::Link) != links) {
        write([] {});
    }
    Q_EMIT restyled();
}

bool HelpPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) {
        return QDialog::eventFilter(watched, event);
    }
    const auto* const key = static_cast<QKeyEvent*>(event);
    const bool back = key->key() == Qt::Key_Backspace || key->key() == Qt::Key_Back ||
                      (key->key() == Qt::Key_Left && key->modifiers() == Qt::AltModifier);
    if (!back) {
        return QDialog::eventFilter(watched, event);
    }
    event->accept();
    if (event->type() == QEvent::KeyPress) {
        goBack();
    }
    return true;
}

void HelpPage::goBack() {
    if (before_.empty()) {
        return;
    }
    const Place last = before_.back();
    before_.pop_back();
    showFile(last.path);
    setWindowTitle(last.title);
    text_->setAccessibleName(last.title);
    (void)text_->document()->documentLayout()->documentSize();  // lays out to the end: the target may be anywhere
    text_->verticalScrollBar()->setValue(last.scroll);
}

void HelpPage::showFile(const QString& path) {
    path_ = path;
    QFile file(path);
    if (!path.isEmpty() && file.open(QIODevice::ReadOnly)) {
        text_->setSearchPaths({QFileInfo(path).absolutePath()});
        showMarkdown(QString::fromUtf8(file.readAll()));
    } else {
        text_->setPlainText(tr("This page of the documentation is not installed."));
    }
}

void HelpPage::showMarkdown(const QString& markdown) {
    const LaidOutAtOnce once(*text_->document());
    text_->setMarkdown(withoutComments(markdown));
    dressTables(*text_->document());
    tintLinks(*text_->document(), palette().color(QPalette::Link));
}

void HelpPage::showHtml(const QString& html) {
    text_->setWordWrapMode(QTextOption::WordWrap);
    write([this, &html] { text_->setHtml(html); });
}

void HelpPage::write(const std::function<void()>& fill) {
    const int line = text_->verticalScrollBar()->value();
    {
        const LaidOutAtOnce once(*text_->document());
        fill();
        tintLinks(*text_->document(), palette().color(QPalette::Link));
    }
    if (line > 0) {
        (void)text_->document()->documentLayout()->documentSize();  // lays out to the end, same as in goBack()
        text_->verticalScrollBar()->setValue(line);
    }
}

QString helpPagePath(const QString& name) {
    const QDir program(QCoreApplication::applicationDirPath());
    // A build tree is at most this deep below the source tree: build/<preset>/<config>.
    for (const char* place : {"../share/rankscope/docs", "docs", "../docs", "../../docs", "../../../docs"}) {
        const QString path = program.absoluteFilePath(QLatin1String(place) + QLatin1Char('/') + name);
        if (QFileInfo::exists(path)) {
            return QDir::cleanPath(path);
        }
    }
    return {};
}

}  // namespace rankscope::ui
