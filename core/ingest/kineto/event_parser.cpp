// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/event_parser.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/ingest/assembly/partial_trace.h"
#include "core/ingest/bounds.h"
#include "core/ingest/kineto/event_fields.h"
#include "core/ingest/kineto/json_text.h"
#include "core/ingest/kineto/json_tokens.h"
#include "core/ingest/kineto/repair.h"

namespace rankscope {
namespace {

/// One past the `]` that ends the array whose elements `text` begins with; kNowhere if it is not in `text`.
std::size_t endOfArray(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        at = skipSpace(text, at);
        if (at < text.size() && text[at] == ',') {
            ++at;
        } else if (at < text.size() && text[at] == ']') {
            return at + 1;
        } else if (at < text.size() && text[at] == '{') {
            at = endOfValue(text, at);
        } else {
            return kNowhere;
        }
    }
    return kNowhere;
}

}  // namespace

class EventParser::Impl {
  public:
    Impl(PartialTrace& into, bool all_args) : into_(into), fields_(all_args) {}

    void parse(TextBatch& batch, const std::stop_token& stop) {
        if (!batch.last) {
            if (!parseSound(batch, batch.size)) {
                parseOneByOne(batch, 0, stop);
            }
            return;
        }
        EventSearch search(batch.text());
        const std::size_t end = endOfArray(batch.text());
        if (end == kNowhere || !endsArray(search, end - 1) || !parseSound(batch, end - 1)) {
            parseOneByOne(batch, 0, stop);
        } else if (const std::size_t more = behindArray(batch, search, end); more != kNowhere) {
            parseOneByOne(batch, more, stop);
        }
    }

  private:
    /// Parses the first `size` bytes as array elements. If anything is wrong, undoes everything and returns false.
    bool parseSound(TextBatch& batch, std::size_t size) {
        if (skipSpace(batch.text().substr(0, size), 0) == size) {
            return true;
        }
        const PartialTrace::Mark before = into_.mark();
        if (readArray(batch, size)) {
            return true;
        }
        into_.rollBack(before);
        return false;
    }

    bool readArray(TextBatch& batch, std::size_t size) {
        char* const open = batch.data() - 1;
        char* const close = batch.data() + size;
        const char open_was = *open;
        const char close_was = *close;
        *open = '[';
        *close = ']';
        const bool ok = tokens_.find(open, size + 2).empty() && readElements(batch);
        *open = open_was;
        *close = close_was;
        return ok;
    }

    /// Reads the array of the tokens, which has at least one element.
    bool readElements(const TextBatch& batch) {
        EventText event;
        std::size_t at = 0;
        do {
            ++at;  // behind the bracket or comma
            const auto offset = batch.offset + static_cast<std::uint64_t>(tokens_.at(at) - batch.text().data());
            event.clear();
            std::string why;
            if (!fields_.read(tokens_, at, event) || !into_.add(event, offset, false, why)) {
                return false;
            }
        } while (tokens_.kind(at) == ',');
        return tokens_.kind(at) == ']' && at + 1 == tokens_.size();
    }

    /// Reads event by event from `at`, repairing or skipping broken ones. It examines each byte at most a few times,
    /// for any text.
    void parseOneByOne(TextBatch& batch, std::size_t at, const std::stop_token& stop) {
        const std::string_view text = batch.text();
        EventSearch search(text);
        while (!stop.stop_requested()) {
            at = skipSpace(text, at);
            if (at >= text.size()) {
                return;
            }
            if (text[at] == ',') {
                ++at;
            } else if (text[at] == '{') {
                at = readOne(batch, search, at);
            } else if (text[at] == ']' && endsArray(search, at)) {
                at = std::min(behindArray(batch, search, at + 1), text.size());
            } else {
                const std::size_t next = search.nextEvent(at);
                const std::size_t bracket = next == kNowhere ? text.find(']', at + 1) : kNowhere;
                skipped(batch.offset + at, "text that is not an event");
                at = std::min({next, bracket, text.size()});
            }
        }
    }

    /// Whether the `]` at `at` ends the array: there is no event between it and the next array.
    static bool endsArray(EventSearch& search, std::size_t at) { return search.nextEvent(at) >= search.nextArray(at); }

    /// Reads the event at `at` as well as possible; returns where to continue.
    std::size_t readOne(TextBatch& batch, EventSearch& search, std::size_t at) {
        const std::string_view text = batch.text();
        const std::size_t next = std::min(search.nextEvent(at + 1), text.size());
        // Another event inside this one: its brackets are broken, and it would include what follows.
        const std::size_t end = endOfValue(text.substr(0, next), at);
        const bool whole = end != kNowhere;
        std::string why = whole || next - at < kLongestEvent ? "the event is cut off" : "the event is too long";
        if (whole && readAlone(text.substr(at, end - at), batch.offset + at, false, why)) {
            return end;
        }
        std::size_t stop = end;
        if (!whole) {
            stop = next;
            while (stop > at && (text[stop - 1] == ',' || skipSpace(text.substr(0, stop), stop - 1) == stop)) {
                --stop;
            }
            if (next == text.size()) {
                stop = withoutArrayEnd(text, at, stop);
            }
        }
        const std::string repaired = repairEvent(text.substr(at, stop - at));
        if (readAlone(repaired, batch.offset + at, true, why)) {
            ++into_.health.recovered;
            into_.health.add(0, batch.offset + at, "the event's JSON was invalid and was repaired");
        } else {
            skipped(batch.offset + at, why);
        }
        return std::max(stop, at + 1);
    }

    /// The last event's text may extend to the end of the array: `} ] }`.
    static std::size_t withoutArrayEnd(std::string_view text, std::size_t at, std::size_t stop) {
        const std::size_t bracket = text.substr(0, stop).rfind(']');
        const std::size_t brace = bracket == kNowhere ? kNowhere : text.substr(0, bracket).rfind('}');
        const bool only_space = brace != kNowhere && skipSpace(text, brace + 1) == bracket;
        return only_space && brace > at ? brace + 1 : stop;
    }

    bool readAlone(std::string_view event_text, std::uint64_t offset, bool recovered, std::string& why) {
        alone_.assign(event_text.size() + JsonTokens::kPadding, ' ');
        std::memcpy(alone_.data(), event_text.data(), event_text.size());
        if (const std::string_view wrong = tokens_.find(alone_.data(), event_text.size()); !wrong.empty()) {
            why = wrong;
            return false;
        }
        EventText event;
        std::size_t at = 0;
        if (!fields_.read(tokens_, at, event) || at != tokens_.size()) {
            why = "the event is not valid JSON";
            return false;
        }
        return into_.add(event, offset, recovered, why);
    }

    /// Reads what follows the event array, from `at` on: more top-level keys. Returns where the events of another
    /// object begin after it; kNowhere if there are none.
    std::size_t behindArray(TextBatch& batch, EventSearch& search, std::size_t at) {
        const std::string_view text = batch.text();
        const std::size_t more = search.nextArray(at);
        into_.saw_end = more == kNowhere;
        for (auto& key : topLevelKeys(text.substr(at, more == kNowhere ? kNowhere : more - at))) {
            if (into_.metadata.size() < kTopLevelKeys) {
                into_.metadata.push_back(std::move(key));
            }
        }
        return more;
    }

    void skipped(std::uint64_t offset, const std::string& why) {
        ++into_.health.skipped;
        into_.health.add(0, offset, why);
    }

    PartialTrace& into_;
    JsonTokens tokens_;
    EventFields fields_;
    std::vector<char> alone_;
};

EventParser::EventParser(PartialTrace& into, bool all_args) : impl_(std::make_unique<Impl>(into, all_args)) {}
EventParser::~EventParser() = default;

void EventParser::parse(TextBatch& batch, const std::stop_token& stop) {
    impl_->parse(batch, stop);
}

}  // namespace rankscope
