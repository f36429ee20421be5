// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/digest_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/number_options.h"
#include "app/cli/shard.h"

namespace rankscope::cli {
namespace {

constexpr const char* kFooter =
    "A digest is a small file that all commands and the window take in place of the trace that it was made of. A "
    "trace\n"
    "NAME becomes DIR/NAME.digest, and keeps its place below a folder PATH. Digests that are up to date are left "
    "alone,\n"
    "so that a run that was cut off is just started again.\n"
    "Several processes share the files: each takes every N-th, beginning with the I-th, counted from 0. Without "
    "--shard\n"
    "the variables of Slurm (arrays, srun), Open MPI and indexed jobs of Kubernetes say which; --shards says how many\n"
    "there are where they do not, or where one task of an array runs again alone.\n"
    "Exit code: 0 all of them are up to date now; 2 wrong usage; 3 none could be made; 4 some could not be made;\n"
    "5 memory or threads ran out, or a fault of the program.";

/// Refuses a part that is typed as nothing, as by a variable that is not set: each process would do all files.
CLI::Validator namesAPart() {
    return {[](std::string& text) { return text.empty() ? whyNoPart(text) : std::string(); }, "", "part"};
}

}  // namespace

CLI::App* addDigest(CLI::App& app, DigestTexts& texts) {
    CLI::App* const command = app.add_subcommand("digest", "Make a small file of each trace, beside the data");
    command->add_option("PATH", texts.paths, "Trace files, folders or zip archives")->required();
    command->add_option("-o,--output", texts.folder, "The folder for the digests; made if it is not there")
        ->type_name("DIR")
        ->required();
    command->add_option("--shard", texts.shard, "Do part I of N of the files only, I from 0 to N - 1")
        ->type_name("I/N")
        ->check(namesAPart());
    command->add_option("--shards", texts.shards, "How many parts there are, of which the environment says this one")
        ->type_name("N")
        ->check(oneOrMore());
    command->add_option("--jobs", texts.jobs, "Files at once; one for each core unless it is said")
        ->type_name("N")
        ->check(oneOrMore());
    command->footer(kFooter);
    return command;
}

DigestRequest readDigestRequest(const DigestTexts& texts, const Environment& environment) {
    if (!texts.shard.empty() && texts.shards) {
        throw CLI::ValidationError("--shards", "--shard says how many parts there are");
    }
    const Result<Shard> shard = shardOf(texts.shard, texts.shards, environment);
    if (!shard.ok()) {
        throw CLI::ValidationError(shard.error().path, shard.error().cause);
    }
    return {texts.paths, texts.folder, shard.value(), texts.jobs};
}

}  // namespace rankscope::cli
