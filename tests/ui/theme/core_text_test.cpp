// SPDX-License-Identifier: GPL-3.0-or-later
// What core says, found again by what a translator is given.
#include "ui/theme/core_text.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTranslator>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/support/places.h"

namespace rankscope::ui {
namespace {

/// A few words of another language.
class Words : public QTranslator {
  public:
    explicit Words(std::map<QString, QString> words) : words_(std::move(words)) {
        QCoreApplication::installTranslator(this);
    }
    ~Words() override { QCoreApplication::removeTranslator(this); }
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;
    Words(Words&&) = delete;
    Words& operator=(Words&&) = delete;
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* source, const char* /*key*/,
                                    int /*count*/) const override {
        const auto at = words_.find(QString::fromUtf8(source));
        return qstrcmp(context, "core") == 0 && at != words_.end() ? at->second : QString();
    }

  private:
    std::map<QString, QString> words_;
};

QString literalsOfCore() {
    QString all;
    for (const char* folder : {"core", "ui/panels", "ui/widgets", "ui/compare"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sourceFolder() / folder)) {
            const auto extension = entry.path().extension();
            if (extension == ".cpp" || extension == ".h") {
                std::ifstream file(entry.path());
                all += QString::fromStdString(std::string(std::istreambuf_iterator<char>(file), {}));
            }
        }
    }
    std::ifstream roles(test::sourceFolder() / "resources/role_names.json");  // a table that core says words of
    all += QString::fromStdString(std::string(std::istreambuf_iterator<char>(roles), {}));
    static const QRegularExpression joined(QStringLiteral("\"\\s*\\n\\s*\""));
    return all.remove(joined).replace(QStringLiteral("\\\""), QStringLiteral("\""));
}

TEST(CoreText, IsEnglishWithoutATranslation) {
    EXPECT_EQ(coreText("rank 3"), QStringLiteral("rank 3"));
    EXPECT_FALSE(speaksAnotherLanguage());
}

TEST(CoreText, IsTranslatedAsAWholeOrByItsTemplate) {
    const Words german({{"English", "Deutsch"},
                        {"DataLoader", "Datenlader"},
                        {"rank {}", "Rang {}"},
                        {"step {}", "Schritt {}"},
                        {"Idle: {}", "Leerlauf: {}"}});
    EXPECT_TRUE(speaksAnotherLanguage());
    EXPECT_EQ(coreText("DataLoader"), QStringLiteral("Datenlader"));
    EXPECT_EQ(coreText("rank 12"), QStringLiteral("Rang 12"));
    EXPECT_EQ(coreText("Idle: DataLoader"), QStringLiteral("Leerlauf: Datenlader")) << "values in turn";
    EXPECT_EQ(coreText("gemm_kernel"), QStringLiteral("gemm_kernel")) << "what is no text of core";
}

TEST(CoreText, ThatWouldLoseAValueStaysEnglish) {
    const Words wrong({{"English", "x"}, {"rank {}", "Rang"}});
    EXPECT_EQ(coreText("rank 12"), QStringLiteral("rank 12"));
}

TEST(CoreText, IsStillSaidByCore) {
    const QString said = literalsOfCore();
    static const QRegularExpression no_word(QStringLiteral("[^\\w-]+"));
    ASSERT_GT(coreTexts().size(), 200U);
    for (const QString& text : coreTexts()) {
        for (const QString& word : text.split(no_word, Qt::SkipEmptyParts)) {
            EXPECT_TRUE(text == QStringLiteral("English") || said.contains(word))
                << "core says nothing like \"" << text.toStdString() << "\"";
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
