// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_printer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/utf8.h"
#include "core/query/cells.h"
#include "core/report/csv/csv_text.h"

namespace rankscope::cli {
namespace {

using tables::Value;

/// The number of characters of a line of UTF-8.
std::size_t lettersOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The first `letters` characters.
std::string_view firstLetters(std::string_view text, std::size_t letters) {
    std::size_t at = 0;
    while (at < text.size() && letters > 0) {
        at += std::max<std::size_t>(1, utf8SequenceLength(text, at));
        --letters;
    }
    return text.substr(0, at);
}

class TablePrinter : public AnswerPrinter {
  public:
    explicit TablePrinter(std::ostream& out) : out_(out) {}

    void begin(const std::vector<std::string>& columns) override {
        for (const std::string& column : columns) {
            titles_.push_back({shown(column), false});
        }
    }
    bool row(std::span<const Value> cells) override {
        Line& line = waiting_.emplace_back();
        for (const Value& cell : cells) {
            const bool is_number = cell.kind == Value::Kind::Integer || cell.kind == Value::Kind::Real;
            line.push_back({cell.kind == Value::Kind::Null ? "-" : shown(query::plainText(cell)), is_number});
        }
        if (widths_.empty() && waiting_.size() < kMeasured) {
            return true;
        }
        flush();
        return out_.good();
    }
    void finish() override { flush(); }

  private:
    struct Cell {
        std::string text;
        bool is_number = false;
    };
    using Line = std::vector<Cell>;

    static constexpr std::size_t kMeasured = 1'000;  // rows: the widest of these sets the width of a column
    static constexpr std::size_t kWidest = 60;       // characters

    static std::string shown(std::string_view text) {
        const std::string out = printable(text);
        return lettersOf(out) <= kWidest ? out : std::string(firstLetters(out, kWidest - 1)) + "…";
    }

    void flush() {
        if (widths_.empty()) {
            measure();
            print(titles_);
        }
        for (const Line& line : waiting_) {
            print(line);
        }
        waiting_.clear();
    }
    void measure() {
        for (std::size_t i = 0; i < titles_.size(); ++i) {
            std::size_t width = lettersOf(titles_[i].text);
            for (const Line& line : waiting_) {
                width = std::max(width, lettersOf(line[i].text));
            }
            widths_.push_back(width);
            titles_[i].is_number = std::ranges::any_of(waiting_, [i](const Line& line) { return line[i].is_number; });
        }
    }
    void print(const Line& line) {
        std::string out;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::size_t letters = lettersOf(line[i].text);
            const std::string blanks(widths_[i] > letters ? widths_[i] - letters : 0, ' ');
            out += i == 0 ? "" : "  ";
            out += line[i].is_number ? blanks + line[i].text : line[i].text + blanks;
        }
        out.erase(out.find_last_not_of(' ') + 1);
        out_ << out << '\n';
    }

    std::ostream& out_;
    Line titles_;
    std::vector<Line> waiting_;
    std::vector<std::size_t> widths_;
};

class CsvPrinter : public AnswerPrinter {
  public:
    explicit CsvPrinter(std::ostream& out) : out_(out) {}

    void begin(const std::vector<std::string>& columns) override {
        std::string line;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            line += (i == 0 ? "" : ",") + report::csvField(columns[i]);
        }
        out_ << line << "\r\n";
    }
    bool row(std::span<const Value> cells) override {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            line += (i == 0 ? "" : ",") + query::csvField(cells[i]);
        }
        out_ << line << "\r\n";
        return out_.good();
    }
    void finish() override {}

  private:
    std::ostream& out_;
};

class JsonPrinter : public AnswerPrinter {
  public:
    JsonPrinter(std::ostream& out, bool lines) : out_(out), lines_(lines) {}

    void begin(const std::vector<std::string>& columns) override {
        std::ranges::transform(columns, std::back_inserter(keys_), [](const std::string& key) { return text(key); });
        out_ << (lines_ ? "" : "[");
    }
    bool row(std::span<const Value> cells) override {
        std::string object = "{";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            object += (i == 0 ? "" : ", ") + keys_[i] + ": " + json(cells[i]);
        }
        out_ << (lines_ ? "" : std::exchange(first_, false) ? "\n " : ",\n ") << object << (lines_ ? "}\n" : "}");
        return out_.good();
    }
    void finish() override { out_ << (lines_ ? "" : first_ ? "]\n" : "\n]\n"); }

  private:
    static std::string text(std::string_view words) {
        return nlohmann::json(words).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    static std::string json(const Value& value) {
        const bool is_null =
            value.kind == Value::Kind::Null || (value.kind == Value::Kind::Real && !std::isfinite(value.real));
        return is_null ? "null" : value.kind == Value::Kind::Text ? text(value.text) : query::plainText(value);
    }

    std::ostream& out_;
    bool lines_;
    bool first_ = true;
    std::vector<std::string> keys_;
};

}  // namespace

std::unique_ptr<AnswerPrinter> makeAnswerPrinter(QueryFormat format, std::ostream& out) {
    switch (format) {
        case QueryFormat::Table: return std::make_unique<TablePrinter>(out);
        case QueryFormat::Csv: return std::make_unique<CsvPrinter>(out);
        case QueryFormat::Json: return std::make_unique<JsonPrinter>(out, false);
        case QueryFormat::JsonLines: return std::make_unique<JsonPrinter>(out, true);
    }
    return nullptr;
}

}  // namespace rankscope::cli
