// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mixed_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "tests/support/model_builder.h"

namespace rankscope::test {
namespace {

constexpr double kHourUs = 3.6e9;
constexpr double kGapUs = 5;
constexpr double kCallUs = 10;   // of the host, for a piece
constexpr double kFirstUs = 20;  // the first of them starts at that; no piece takes as little as its launch

struct Played {
    std::optional<double> start_us;
    std::optional<double> end_us;
};

/// Plays the programs of all ranks: each goes on as far as those that it waits for have come.
class Stage {
  public:
    explicit Stage(const MixedRun& run) : run_(run), next_(run.programs.size()), played_(run.programs.size()) {
        std::map<std::tuple<std::size_t, std::size_t>, std::vector<std::size_t>> of_group;
        std::map<std::tuple<std::int32_t, std::int32_t, bool>, std::size_t> sent;
        for (std::size_t r = 0; r < run.programs.size(); ++r) {
            for (std::size_t s = 0; s < run.steps; ++s) {
                for (const Piece& piece : s == 0 && !run.first.empty() ? run.first[r] : run.programs[r]) {
                    pieces_of_.resize(run.programs.size());
                    const std::size_t at = pieces_of_[r].size();
                    pieces_of_[r].push_back(&piece);
                    for (const PieceMessage& message : piece.messages) {
                        const auto own = static_cast<std::int32_t>(r);
                        const std::int32_t from = message.sends ? own : message.peer;
                        const std::int32_t to = message.sends ? message.peer : own;
                        const std::size_t number = sent[{from, to, message.sends}]++;
                        ends_[{from, to, number, message.sends}] = at;
                    }
                    if (piece.what == Piece::What::Reduce) {
                        reductions_[{piece.group, of_group[{piece.group, r}].size(), r}] = at;
                        of_group[{piece.group, r}].push_back(at);
                    }
                }
            }
            played_[r].resize(pieces_of_[r].size());
        }
    }

    std::vector<std::vector<Played>> play() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t r = 0; r < next_.size(); ++r) {
                while (next_[r] < played_[r].size() && goOn(r)) {
                    moved = true;
                }
            }
        }
        return std::move(played_);
    }

    [[nodiscard]] const std::vector<const Piece*>& piecesOf(std::size_t rank) const { return pieces_of_[rank]; }

  private:
    bool goOn(std::size_t rank) {
        Played& own = played_[rank][next_[rank]];
        if (!own.start_us) {
            own.start_us = next_[rank] == 0 ? kFirstUs : *played_[rank][next_[rank] - 1].end_us + kGapUs;
        }
        const std::optional<double> ready_us = readyAt(rank, next_[rank]);
        if (!ready_us) {
            return false;
        }
        own.end_us = *ready_us + pieces_of_[rank][next_[rank]]->us;
        ++next_[rank];
        return true;
    }

    /// When all that a piece waits for have come; nothing where some have not.
    [[nodiscard]] std::optional<double> readyAt(std::size_t rank, std::size_t at) const {
        const Piece& piece = *pieces_of_[rank][at];
        double ready_us = *played_[rank][at].start_us;
        std::vector<std::pair<std::size_t, std::size_t>> others;
        if (piece.what == Piece::What::Reduce) {
            const auto before = std::count_if(
                pieces_of_[rank].begin(), pieces_of_[rank].begin() + static_cast<std::ptrdiff_t>(at),
                [&](const Piece* p) { return p->what == Piece::What::Reduce && p->group == piece.group; });
            for (const std::int32_t member : run_.groups[piece.group]) {
                const auto other = static_cast<std::size_t>(member);
                others.emplace_back(other, reductions_.at({piece.group, static_cast<std::size_t>(before), other}));
            }
        }
        for (const PieceMessage& message : piece.messages) {
            if (!message.sends || !piece.buffered) {
                others.push_back(partnerOf(rank, at, message));
            }
        }
        for (const auto& [other, place] : others) {
            const std::optional<double> came_us = played_[other][place].start_us;
            if (!came_us) {
                return std::nullopt;
            }
            ready_us = std::max(ready_us, *came_us);
        }
        return ready_us;
    }

    [[nodiscard]] std::pair<std::size_t, std::size_t> partnerOf(std::size_t rank, std::size_t at,
                                                                const PieceMessage& message) const {
        const auto own = static_cast<std::int32_t>(rank);
        const std::int32_t from = message.sends ? own : message.peer;
        const std::int32_t to = message.sends ? message.peer : own;
        std::size_t number = 0;
        while (ends_.at({from, to, number, message.sends}) != at) {
            ++number;
        }
        return {static_cast<std::size_t>(message.peer), ends_.at({from, to, number, !message.sends})};
    }

    const MixedRun& run_;
    std::vector<std::size_t> next_;
    std::vector<std::vector<Played>> played_;
    std::vector<std::vector<const Piece*>> pieces_of_;
    std::map<std::tuple<std::int32_t, std::int32_t, std::size_t, bool>, std::size_t> ends_;
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> reductions_;
};

ProcessGroup groupOf(const MixedRun& run, std::size_t group) {
    ProcessGroup made;
    made.name = std::to_string(group + 1);
    made.description = "group " + made.name;
    for (const std::int32_t rank : run.groups[group]) {
        made.ranks.emplace_back(rank);
    }
    return made;
}

ProcessGroup everybody(const MixedRun& run) {
    ProcessGroup made;
    made.name = "0";
    made.description = "default_pg";
    for (std::size_t r = 0; r < run.programs.size(); ++r) {
        made.ranks.emplace_back(static_cast<std::int32_t>(r));
    }
    return made;
}

/// Writes one rank: its host launches a piece every kCallUs, far ahead of its device.
std::shared_ptr<const RankTrace> writeRank(const MixedRun& run, std::size_t rank,
                                           const std::vector<const Piece*>& pieces, const std::vector<Played>& played) {
    const double offset_us = run.one_host ? 0 : kHourUs * static_cast<double>(rank);
    ModelBuilder model;
    model.rank(static_cast<std::int32_t>(rank), static_cast<std::int32_t>(run.programs.size()));
    if (run.one_host) {
        model.host("node");
    }
    const ProcessGroup world = everybody(run);
    model.group(world);
    const std::uint32_t main = model.thread("1");
    const std::uint32_t stream = model.stream("7");
    const std::uint32_t exchanges = model.stream("19");
    std::map<std::size_t, std::uint32_t> reductions;  // the streams of the groups that the rank is in
    for (const Piece& piece : run.programs[rank]) {
        if (piece.what == Piece::What::Reduce && !reductions.contains(piece.group)) {
            model.group(groupOf(run, piece.group));
            reductions[piece.group] = model.stream(std::to_string(20 + reductions.size()));
        }
    }
    double host_us = offset_us;
    const std::size_t in_step = run.programs[rank].size();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = *pieces[i];
        const double start_us = *played[i].start_us + offset_us;
        const double us = *played[i].end_us - *played[i].start_us;
        if (i % in_step == 0) {
            const double length_us = kCallUs * static_cast<double>(in_step);
            model.step(main, static_cast<std::int64_t>(i / in_step), host_us, length_us);
        }
        if (piece.what == Piece::What::Compute) {
            model.kernel(main, host_us + 7, 2, stream, "gemm", start_us, us);
        } else if (piece.what == Piece::What::Reduce) {
            const auto kernel = model.kernel(main, host_us + 7, 2, reductions.at(piece.group),
                                             "ncclDevKernel_AllReduce_Sum_f32_RING_LL", start_us, us);
            model.collective(kernel, "allreduce", piece.elements, groupOf(run, piece.group));
        } else {
            const auto kernel = model.kernel(main, host_us + 7, 2, exchanges, "ncclDevKernel_SendRecv", start_us, us);
            double op_us = host_us + 1;
            for (const PieceMessage& message : piece.messages) {
                // Of a batch only the operators tell, which launch nothing themselves.
                const auto told = piece.messages.size() == 1 ? kernel : model.op(main, "record_param_comms", op_us, 1);
                model.message(told, message.sends, message.peer, piece.elements, world);
                op_us += 1.5;
            }
        }
        host_us += kCallUs;
    }
    return model.build();
}

/// Adds what goes to and comes from a neighbour in one call; nothing where there is none.
void exchangeWith(std::int32_t peer, const std::vector<bool>& sends, std::vector<Piece>& program) {
    std::vector<PieceMessage> messages;
    for (const bool one : sends) {
        messages.push_back({one, peer});
    }
    if (peer >= 0) {
        program.push_back(batch(std::move(messages), 40));
    }
}

/// Writes the programs of a grid of ranks, tensor innermost.
class GridProgram {
  public:
    struct Shape {
        std::int32_t data = 1;
        std::int32_t pipeline = 1;
        std::int32_t tensor = 1;
        std::int32_t micro = 1;
    };
    explicit GridProgram(const Shape& shape) : shape_(shape) {}

    MixedRun make(const std::vector<double>& us) {
        run_.programs.resize(at(shape_.data, 0, 0));
        tensor_group_.resize(run_.programs.size());
        data_group_.resize(run_.programs.size());
        addGroups();
        for (std::int32_t d = 0; d < shape_.data; ++d) {
            for (std::int32_t p = 0; p < shape_.pipeline; ++p) {
                for (std::int32_t t = 0; t < shape_.tensor; ++t) {
                    addProgram(d, p, t, us[at(d, p, t)]);
                }
            }
        }
        return std::move(run_);
    }

  private:
    [[nodiscard]] std::int32_t number(std::int32_t d, std::int32_t p, std::int32_t t) const {
        return (d * shape_.pipeline + p) * shape_.tensor + t;
    }
    [[nodiscard]] std::size_t at(std::int32_t d, std::int32_t p, std::int32_t t) const {
        return static_cast<std::size_t>(number(d, p, t));
    }

    void addGroups() {
        for (std::int32_t d = 0; d < shape_.data && shape_.tensor > 1; ++d) {
            for (std::int32_t p = 0; p < shape_.pipeline; ++p) {
                run_.groups.emplace_back();
                for (std::int32_t t = 0; t < shape_.tensor; ++t) {
                    run_.groups.back().push_back(number(d, p, t));
                    tensor_group_[at(d, p, t)] = run_.groups.size() - 1;
                }
            }
        }
        for (std::int32_t p = 0; p < shape_.pipeline && shape_.data > 1; ++p) {
            for (std::int32_t t = 0; t < shape_.tensor; ++t) {
                run_.groups.emplace_back();
                for (std::int32_t d = 0; d < shape_.data; ++d) {
                    run_.groups.back().push_back(number(d, p, t));
                    data_group_[at(d, p, t)] = run_.groups.size() - 1;
                }
            }
        }
    }

    void addPass(std::size_t rank, double us) {
        std::vector<Piece>& program = run_.programs[rank];
        program.push_back(compute(us));
        if (tensor_group_[rank]) {
            program.push_back(reduce(*tensor_group_[rank], 30));
            program.push_back(compute(20));
        }
    }

    void addProgram(std::int32_t d, std::int32_t p, std::int32_t t, double us) {
        const std::size_t rank = at(d, p, t);
        std::vector<Piece>& program = run_.programs[rank];
        const std::int32_t next = p + 1 < shape_.pipeline ? number(d, p + 1, t) : -1;
        const std::int32_t last = p > 0 ? number(d, p - 1, t) : -1;
        const std::int32_t warm_up = std::min(shape_.micro, shape_.pipeline - 1 - p);
        const std::int32_t steady = shape_.micro - warm_up;
        for (std::int32_t m = 0; m < warm_up; ++m) {
            exchangeWith(last, {false}, program);
            addPass(rank, us);
            exchangeWith(next, {true}, program);
        }
        if (steady > 0) {
            exchangeWith(last, {false}, program);
        }
        for (std::int32_t m = 0; m < steady; ++m) {
            addPass(rank, us);
            exchangeWith(next, {true, false}, program);
            addPass(rank, 2 * us);
            exchangeWith(last, m + 1 < steady ? std::vector<bool>{true, false} : std::vector<bool>{true}, program);
        }
        for (std::int32_t m = 0; m < warm_up; ++m) {
            exchangeWith(next, {false}, program);
            addPass(rank, 2 * us);
            exchangeWith(last, {true}, program);
        }
        if (data_group_[rank]) {
            program.push_back(reduce(*data_group_[rank], 100));
        }
        program.push_back(compute(50));  // the optimizer
    }

    Shape shape_;
    MixedRun run_;
    std::vector<std::optional<std::size_t>> tensor_group_;  // by rank
    std::vector<std::optional<std::size_t>> data_group_;
};

}  // namespace

Piece compute(double us) {
    return {.what = Piece::What::Compute, .us = us, .group = 0, .messages = {}};
}

Piece reduce(std::size_t group, double us) {
    return {.what = Piece::What::Reduce, .us = us, .group = group, .messages = {}};
}

Piece sendTo(std::int32_t peer, double us) {
    return batch({{true, peer}}, us);
}

Piece receiveFrom(std::int32_t peer, double us) {
    return batch({{false, peer}}, us);
}

Piece batch(std::vector<PieceMessage> messages, double us) {
    return {.what = Piece::What::Exchange, .us = us, .group = 0, .messages = std::move(messages)};
}

std::shared_ptr<const Run> MixedRun::play() const {
    Stage stage(*this);
    const std::vector<std::vector<Played>> played = stage.play();
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    for (std::size_t r = 0; r < programs.size(); ++r) {
        ranks.push_back(writeRank(*this, r, stage.piecesOf(r), played[r]));
    }
    return runOf(std::move(ranks));
}

MixedRun gridRun(std::int32_t data, std::int32_t pipeline, std::int32_t tensor, std::int32_t micro,
                 const std::vector<double>& us) {
    return GridProgram({data, pipeline, tensor, micro}).make(us);
}

}  // namespace rankscope::test
