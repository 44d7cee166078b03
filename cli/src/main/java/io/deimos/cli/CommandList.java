// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import static io.deimos.cli.Command.asking;

import java.util.List;

/** The commands, with what each takes. */
final class CommandList {
  private CommandList() {}

  /** Makes each anew, since picocli keeps in them what was given. */
  static List<Command> all() {
    return List.of(
        asking("actors", "/api/v1/actors", Views::actors, "the living actors of an application")
            .option(
                "--sort",
                "WHAT",
                "mailbox",
                "mailbox, rate, busy, wait, messages, failures, restarts or age, the greatest first;"
                    + " with a + before it the smallest")
            .option("--class", "CLASS", "only those of a class")
            .option("--parent", "PATH", "only the children of an actor, such as pekko://shop/user")
            .list("20")
            .examples("actors --sort busy --limit 5", "actors --find cart --json"),
        new Command("check", "what is wrong with it, in sentences", Check::run)
            .option("--rule", "RULE", "only findings of a rule")
            .option("--severity", "LEVEL", "only findings as bad as advice, warning or critical")
            .option(
                Check.FAIL_ON,
                "LEVEL",
                "ends with 3 if there is a finding as bad as advice, warning or critical")
            .answer()
            .examples("check", "check --fail-on warning --json"),
        asking("trouble", "/api/v1/trouble", Views::trouble, "what went wrong in it")
            .option(
                "--kind",
                "KIND",
                "only failure, ask_timeout, ask_failed, dead_letter, stuck, starvation, restart,"
                    + " unhandled, dropped, quarantine, node, problem or deimos")
            .list("20")
            .examples("trouble --kind stuck", "trouble --kind dead_letter --find cart"),
        asking("traces", "/api/v1/traces?q={}", TraceViews::list, "the traces that match a query")
            .words(
                "[QUERY]",
                0,
                1,
                "traces takes one QUERY, in quotes if it has spaces",
                "terms that all have to hold, such as \"duration>500ms status:error\", \"actor:Cart"
                    + " message:Charge\" or \"event:dead_letter\"; all are in docs/page-api.md")
            .option("--errors", "yes", "only traces in which something went wrong")
            .list("20")
            .examples("traces \"duration>500ms\"", "traces \"actor:Cart status:error\" --limit 5"),
        asking("trace", "/api/v1/traces/{}", TraceViews::one, "the spans of one trace")
            .words("ID", 1, 1, "trace needs ID", "its id, as traces and trouble have it")
            .list("1000")
            .examples("trace 4bf92f3577b34da6a3ce929d0e0e4736"),
        asking(
                "compare",
                "/api/v1/traces/compare?q={}",
                TraceViews::compared,
                "what sets the traces that match apart from the others of their name")
            .words(
                "[QUERY]",
                0,
                1,
                "compare takes one QUERY, in quotes if it has spaces",
                "which traces, as for the command traces")
            .option("--errors", "yes", "only traces in which something went wrong")
            .list("20")
            .examples("compare \"duration>500ms\"", "compare --errors yes"),
        asking(
                "inside",
                "/api/v1/inside/{}",
                Views::inside,
                "the inside of one actor: timers, watches, children, asks, state")
            .words("PATH", 1, 1, "inside needs PATH", "its path, or its number")
            .answer()
            .examples("inside pekko://shop/user/cart"),
        asking("logs", "/api/v1/logs", Views::logs, "the last log records of actors and traces")
            .option("--actor", "PATH", "only those of an actor, such as pekko://shop/user/cart")
            .option("--trace", "ID", "only those of a trace")
            .option("--class", "CLASS", "only those of a class of actors, or of a logger")
            .option("--level", "LEVEL", "the lowest level: error, warn, info or debug")
            .list("20")
            .examples("logs --level warn", "logs --trace 4bf92f3577b34da6a3ce929d0e0e4736"),
        asking("map", "/api/v1/map", Views::map, "who tells whom in it")
            .option("--seconds", "N", "of the last N seconds, in [1, 3600]; 60 if not given")
            .option("--open", "CLASS", "the actors of a class one by one")
            .list("20")
            .examples("map --find payment --seconds 10"),
        asking("threads", "/api/v1/threads", Views::threads, "what each thread does")
            .option("--busy", "no", "yes", "with no, threads without a message, too")
            .list("20")
            .examples("threads --busy no"),
        asking("where", "/api/v1/where", Views::where, "what became of a message")
            .words(
                "QUERY",
                0,
                Integer.MAX_VALUE,
                "",
                "message:CLASS, actor:PATH, sender:PATH, text:WORDS, trace:ID, or a word that is part"
                    + " of any of these")
            .list("20")
            .examples("where cart-17", "where message:Charge text:cart-17"),
        asking("cluster", "/api/v1/cluster", Views::cluster, "the cluster, as its nodes see it")
            .list("20"),
        asking("nodes", "/api/v1/nodes", Views::nodes, "the processes on a page, and what it lacks")
            .list("20"),
        asking("top", "/api/v1/system", Views::top, "the last minute, and what is counted")
            .list("20"),
        new Command("tap", "its next messages, as they are processed", Tap::run)
            .option("--class", "CLASS", "only messages of a class; * matches any part")
            .option("--to", "PATH", "only those to an actor, such as '/user/payments/*'")
            .option("--count", "N", "how many, in [1, 500]; 50 if not given")
            .option("--rate", "N", "how many a second, in [1, 100]; 10 if not given")
            .option("--seconds", "N", "for how long, in [1, 600]; 60 if not given")
            .answer()
            .examples("tap --class Charge --to '/user/payments/*' --count 50"),
        new Command(
                "profile", "which messages take the processor, and why others wait", Profile::run)
            .option("--seconds", "N", "10", "for how long, in [1, 600]")
            .option(
                "--time",
                "KIND",
                "the order, and what is saved: cpu, wait (all of these), lock, io, sleep, park or"
                    + " allocation; cpu if not given")
            .option("--class", "CLASS", "only actors of a class")
            .option("--message", "CLASS", "only messages of a class")
            .option("--collapsed", Command.FILE, "saves the stacks, one a line")
            .option("--speedscope", Command.FILE, "saves the stacks for speedscope")
            .option("--pprof", Command.FILE, "saves the stacks for pprof, Grafana, Pyroscope")
            .answer()
            .examples(
                "profile --message Charge --seconds 30 --collapsed charge.txt",
                "profile --time lock --pprof locks.pb.gz"),
        new Command("control", "what is changed in it, or a change", Control::run)
            .words(
                "[WHAT]",
                0,
                2,
                Control.NEEDS,
                "a preset to begin: look-closely or production; or KEY=VALUE, a setting to set; or"
                    + " \"end\" and one of them, to end a preset or take a setting back")
            .option("--for", "TIME", "how long it holds, such as 30s, 5m or 1h")
            .answer()
            .examples(
                "control look-closely --for 30s --token-file /run/myapp/deimos.token",
                "control deimos.tracing.asks=false --for 5m --token-file /run/myapp/deimos.token",
                "control end look-closely --token-file /run/myapp/deimos.token"),
        new Command("dump", "saves all that a page knows", Dumps::save)
            .words("FILE", 1, 1, "dump needs a file, and takes --page URL", "where to; a new file")
            .page()
            .examples("dump shop.json.gz --token-file /run/myapp/deimos.token"),
        new Command("open", "shows what was saved", Dumps::open)
            .words("FILE", 1, 1, "open needs a file", "what dump has saved")
            .examples("open shop.json.gz"),
        new Command("page", "a page of its own, which outlives applications", OwnPage::run)
            .option("--port", "N", "its port; 9797 if not given")
            .option("--listen", "ADDRESS", "127.0.0.1", "where it listens")
            .option("--otlp-port", "N", "4318", "where it takes OTLP over HTTP, too; 0 for nowhere")
            .option("--grpc-port", "N", "4317", "where it takes OTLP over gRPC, too; 0 for nowhere")
            .examples("page --port 9800"));
  }
}
