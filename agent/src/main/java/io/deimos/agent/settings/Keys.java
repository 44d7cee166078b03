// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static io.deimos.agent.settings.Key.When.IF_ON_AT_START;
import static io.deimos.agent.settings.Key.When.LIVE;
import static io.deimos.agent.settings.Key.When.LIVE_FOR_OPERATOR;
import static io.deimos.agent.settings.Key.When.START;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import io.deimos.recorder.base.GuardConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Every setting there is. To add one, add a line here, ask {@link Settings#get} for it, and let
 * {@code SettingsDocsTest} write the documentation ({@code -Ddocs.write=true}).
 */
public final class Keys {
  private static final List<Key<?>> DECLARED = new ArrayList<>();

  public static final Key<Boolean> ENABLED =
      key(
          "deimos.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "`false`: nothing of Pekko is woven, no thread of Deimos runs, no page; at run time:"
              + " nothing is recorded",
          "none when off from the start; else a comparison for each message");

  public static final Key<Boolean> TRACING =
      key(
          "deimos.tracing.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "spans of messages and questions, and the context that links them",
          "one record of 64 bytes for each message of a sampled trace");

  public static final Key<Boolean> TRACING_USER =
      key(
          "deimos.tracing.user-actors",
          Kind.flag(),
          true,
          LIVE,
          "spans of messages to the application's own actors",
          "none when off; the context is passed on all the same");

  public static final Key<Boolean> TRACING_SYSTEM =
      key(
          "deimos.tracing.system-actors",
          Kind.flag(),
          false,
          LIVE,
          "spans of messages to Pekko's own actors: those whose class is Pekko's, wherever they"
              + " live. For looking into Pekko, not for production",
          "when on, a record for each heartbeat, gossip and stream signal");

  public static final Key<Boolean> ASKS =
      key(
          "deimos.tracing.asks",
          Kind.flag(),
          true,
          LIVE,
          "a span of each question, from asking to the answer, the failure or the time-out",
          "a record and an object for each question");

  public static final Key<Boolean> LIFECYCLE =
      key(
          "deimos.tracing.lifecycle",
          Kind.flag(),
          false,
          LIVE,
          "spans `start Cart`, from making an actor until it is ready, and `restart Cart`, from its"
              + " failure until it is restarted, below the message in which that happened. An actor"
              + " that cannot be made has its span in any case",
          "a record and some objects for each actor made or restarted in a trace");

  public static final Key<Boolean> MESSAGE_EVENTS =
      key(
          "deimos.tracing.message-events",
          Kind.flag(),
          true,
          LIVE,
          "the events `waiting` and `message` on each span. `pekko.mailbox.wait` says the same",
          "some bytes in what is exported, nothing in actors");

  public static final Key<Boolean> LOGS =
      key(
          "deimos.tracing.logs.enabled",
          Kind.flag(),
          false,
          IF_ON_AT_START,
          "what an actor logs while it processes a message, by Pekko's classic logging or by SLF4J,"
              + " Log4j or `java.util.logging`, is an event `log` of the message's span; at most 16"
              + " of a span, the rest is counted by an event `more_logs`",
          "for each log event some objects, and OpenTelemetry's capture of logs; none when off");

  public static final Key<LogLevel> LOGS_LEVEL =
      key(
          "deimos.tracing.logs.level",
          Kind.oneOf(LogLevel.class),
          LogLevel.INFO,
          LIVE,
          "the least severe log events that are noted on spans",
          "a comparison a log event");

  public static final Key<Integer> LOGS_MAX_LENGTH =
      key(
          "deimos.tracing.logs.max-length",
          Kind.number(1, 65_536),
          500,
          LIVE,
          "how many characters are kept of what was logged",
          "memory until the span is exported");

  public static final Key<StartTraces> START_TRACES =
      key(
          "deimos.tracing.start-traces",
          Kind.oneOf(StartTraces.class),
          StartTraces.HERE,
          LIVE,
          "whether a message outside of all traces begins one; `only-inside-existing` records only"
              + " what an HTTP request or something else with a trace has set off",
          "none");

  public static final Key<Integer> RING_CAPACITY =
      key(
          "deimos.tracing.ring-capacity",
          Kind.powerOfTwo(64, 1 << 20),
          8192,
          START,
          "records that a dispatcher thread usually holds at most until they are exported. Its ring"
              + " begins with 256 and grows as it fills, up to four times this number, while all"
              + " rings together take no more than a sixteenth of the largest heap (2 to 64 MiB);"
              + " then the newest record is dropped and counted",
          "64 bytes a record, for each thread that fills its ring, until the thread ends");

  public static final Key<Integer> BACKLOG_CAPACITY =
      key(
          "deimos.tracing.backlog-capacity",
          Kind.number(0, 1 << 24),
          1 << 18,
          START,
          "records that wait for an exporter that is slower than the actors. When it is full too,"
              + " the rings fill, drop the newest, and count it",
          "64 bytes a record, taken from the heap only while it waits");

  public static final Key<Overflow> OVERFLOW =
      key(
          "deimos.tracing.overflow",
          Kind.oneOf(Overflow.class),
          Overflow.DROP_NEWEST,
          START,
          "what is given up when spans are made faster than they can leave and the backlog is full."
              + " `drop-newest`: the span that finds its thread's ring full. `thin-traces`: no"
              + " trace begins on a thread whose ring is more than half full, so that traces which"
              + " have begun are kept whole for longer; a ring that fills all the same drops the"
              + " newest. Both are counted, and metrics tell of them",
          "`thin-traces` compares two numbers for each trace that begins");

  public static final Key<ExportWay> EXPORT =
      key(
          "deimos.tracing.export",
          Kind.oneOf(ExportWay.class),
          ExportWay.AUTO,
          START,
          "how spans of actors reach an exporter: `direct` encodes records as OTLP themselves and"
              + " sends them with the exporter's own connection; `sdk` hands spans to the SDK's"
              + " processors. `auto` takes `direct` where there is exactly one OTLP exporter with"
              + " protocol http/protobuf behind a batch processor, and says which it took",
          "`sdk` makes an object of each span on the exporting thread, `direct` none");

  public static final Key<Duration> GUARD_MAX_AGE =
      key(
          "deimos.tracing.guard.max-age",
          Kind.duration(Duration.ZERO, Duration.ofDays(365)),
          Duration.ofNanos(GuardConfig.DEFAULT.maxAgeNanos()),
          START,
          "a message sent in a trace older than this begins a new trace, linked to the old one; `0`"
              + " is no bound",
          "one comparison a message");

  public static final Key<Integer> GUARD_MAX_DEPTH =
      key(
          "deimos.tracing.guard.max-depth",
          Kind.number(0, 1_000_000_000),
          GuardConfig.DEFAULT.maxDepth(),
          START,
          "about how many messages, each sent in the processing of the one before, a trace may have"
              + " before the next begins a new, linked one; `0` is no bound",
          "a small object in every 16 to 64 messages");

  public static final Key<Integer> GUARD_MAX_SPANS =
      key(
          "deimos.tracing.guard.max-spans",
          Kind.number(0, 1_000_000_000),
          GuardConfig.DEFAULT.maxSpans(),
          START,
          "about how many spans of this process a trace may have before the next message begins a"
              + " new, linked one; `0` is no bound",
          "as for `max-depth`, together with it");

  public static final Key<Boolean> TAIL =
      key(
          "deimos.tracing.tail.enabled",
          Kind.flag(),
          false,
          LIVE,
          "tail sampling: of the traces that were recorded only those are exported, whole as far as"
              + " this process has them, in which an actor failed, a question got no answer, a"
              + " message became a dead letter, or something was stuck or took longer than the"
              + " thresholds below; and a share of the rest. The page still gets all",
          "nothing in actors; the exporting thread copies each record once, and holds it");

  public static final Key<Duration> TAIL_WAIT =
      key(
          "deimos.tracing.tail.wait",
          Kind.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(1),
          LIVE,
          "a message that waited in its mailbox for longer than this keeps its trace; `0s` for none"
              + " does",
          "a comparison a span, on the exporting thread");

  public static final Key<Duration> TAIL_PROCESSING =
      key(
          "deimos.tracing.tail.processing",
          Kind.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(1),
          LIVE,
          "a message, a question, a write or a recovery that took longer than this keeps its trace;"
              + " `0s` for none does",
          "a comparison a span, on the exporting thread");

  public static final Key<Duration> TAIL_DELAY =
      key(
          "deimos.tracing.tail.delay",
          Kind.duration(Duration.ofMillis(100), Duration.ofSeconds(30)),
          Duration.ofSeconds(10),
          LIVE,
          "how long after its first span has ended a trace in which nothing was the matter is let"
              + " go. Longer than questions wait for their answer, or the spans before a time-out"
              + " are gone when it comes",
          "memory, for the spans of that time");

  public static final Key<Integer> TAIL_MAX_SPANS =
      key(
          "deimos.tracing.tail.max-spans",
          Kind.number(1_000, 10_000_000),
          131_072,
          LIVE,
          "how many spans are held at most; one that has more than numbers, an exception or"
              + " attributes of the user's, counts for eight. Beyond it the oldest trace is let go"
              + " early, which is counted",
          "72 bytes a span, taken from the heap when it is needed");

  public static final Key<Double> TAIL_KEEP =
      key(
          "deimos.tracing.tail.keep",
          Kind.ratio(),
          0.01,
          LIVE,
          "the share of normal traces that is exported too, in [0, 1]; picked by trace id, so that"
              + " every node picks the same",
          "none");

  public static final Key<Boolean> REMOTE =
      key(
          "deimos.tracing.remote.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "whether the trace goes with messages to other nodes and comes with theirs, over Artery"
              + " and classic remoting",
          "81 bytes for each message to another node that belongs to a trace");

  public static final Key<Boolean> STREAMS =
      key(
          "deimos.tracing.streams.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "whether elements of streams keep their context where they wait: in buffers and queues,"
              + " between actors, for futures",
          "some nanoseconds and a small object for each such place that an element passes, and 16"
              + " bytes for each stage");

  public static final Key<Boolean> STAGES =
      key(
          "deimos.tracing.completion-stages.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "whether a function given to a CompletableFuture runs in the context in which it was"
              + " given, whoever completes the future; Scala's futures always do",
          "an object of 32 bytes for each function given");

  public static final Key<Boolean> PERSISTENCE =
      key(
          "deimos.persistence.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "spans and durations of writing events and of recovery, classic and typed, and the"
              + " context through the journal and back",
          "one record and a few objects for each write and each recovery");

  public static final Key<Boolean> METRICS =
      key(
          "deimos.metrics.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "counts and durations by actor class and message class",
          "nothing for a message with a span, whose record is counted elsewhere; for others a few"
              + " stores, and the clock for those that are timed");

  public static final Key<Integer> TIMED_ONE_IN =
      key(
          "deimos.metrics.timed-one-in",
          Kind.number(1, 1024),
          8,
          START,
          "of the messages that have no span one in so many is timed, and stands in the duration"
              + " histograms for those before it; all are counted. A message class that last took 1"
              + " µs or longer is timed each time. `1` times all. Messages with a span always are",
          "two to three clock reads for each message that is timed");

  public static final Key<ClockChoice> CLOCK =
      key(
          "deimos.clock",
          Kind.oneOf(ClockChoice.class),
          ClockChoice.AUTO,
          START,
          "what time is read from: `tsc` is the processor's time-stamp counter, compared with"
              + " `System.nanoTime` each second and left for it at the first doubt; it needs Linux"
              + " on x86-64, a steady counter that the kernel itself uses, and Java 22. `auto`"
              + " takes it where it can be had, `nano-time` does not; with `tsc` one line says why"
              + " if it cannot",
          "`tsc` costs less than half a `nanoTime`, and may be some dozen instructions early or"
              + " late");

  public static final Key<Boolean> METRICS_USER =
      key(
          "deimos.metrics.user-actors",
          Kind.flag(),
          true,
          LIVE,
          "counts and durations of messages to the application's own actors",
          "none when off");

  public static final Key<Boolean> METRICS_SYSTEM =
      key(
          "deimos.metrics.system-actors",
          Kind.flag(),
          false,
          LIVE,
          "counts and durations of messages to Pekko's own actors",
          "when on, that of messages to the application's");

  public static final Key<Config> ACTORS =
      key(
          "deimos.actors",
          Kind.table(),
          ConfigFactory.empty(),
          LIVE,
          "what is recorded of single actors, by patterns of their path; see below",
          "a comparison with each pattern when an actor is made, nothing for its messages");

  public static final Key<List<String>> ACTOR_CLASSES_NEVER =
      key(
          "deimos.actor-classes.never",
          Kind.classes(),
          List.of(),
          LIVE,
          "full names of actor classes, with `*` for any part, whose messages get no span, as if"
              + " they were marked `@NeverTraced`; the context passes through",
          "a comparison once per class and thread");

  public static final Key<List<String>> ACTOR_CLASSES_ALWAYS =
      key(
          "deimos.actor-classes.always",
          Kind.classes(),
          List.of(),
          LIVE,
          "actor classes whose messages get a span as if they were marked `@AlwaysTraced`, and"
              + " whose traces are sampled where they begin. Of Pekko's own classes only those that"
              + " a pattern beginning with `org.apache.pekko.` names",
          "a comparison once per class and thread");

  public static final Key<List<String>> MESSAGES_NEVER =
      key(
          "deimos.messages.never",
          Kind.classes(),
          List.of(),
          LIVE,
          "names of message classes, in full or as the page has them (`shop.Cart$Add`, `Cart.Add`),"
              + " with `*` for any part, that get no span; the context passes through. What such a"
              + " message sends goes on in its trace, or all in one trace if it has none",
          "a comparison once per class and thread");

  public static final Key<List<String>> MESSAGES_ALWAYS =
      key(
          "deimos.messages.always",
          Kind.classes(),
          List.of(),
          LIVE,
          "message classes that get a span whatever is said of the actor, and whose traces are"
              + " sampled where they begin",
          "a comparison once per class and thread");

  public static final Key<List<String>> MESSAGES_ONLY =
      key(
          "deimos.messages.only",
          Kind.classes(),
          List.of(),
          LIVE,
          "if given, no other message classes get a span",
          "a comparison once per class and thread");

  public static final Key<String> FILTER =
      key(
          "deimos.filter",
          Kind.text(),
          "",
          LIVE_FOR_OPERATOR,
          "class of an `io.deimos.api.TraceFilter` that is asked of each message; without it, one"
              + " that a `ServiceLoader` finds",
          "its call for each message; without a filter, none");

  public static final Key<List<String>> CONTENT_MESSAGES =
      key(
          "deimos.content.messages",
          Kind.classes(),
          List.of(),
          LIVE_FOR_OPERATOR,
          "full names of message classes, with `*` for any part, whose content is recorded:"
              + " `toString` as attribute `pekko.message.content`. None by default, since messages"
              + " may hold what nobody should see",
          "its `toString` for each message of these classes that gets a span, and an object; for"
              + " others none");

  public static final Key<Integer> CONTENT_MAX_LENGTH =
      key(
          "deimos.content.max-length",
          Kind.number(1, 65_536),
          1_000,
          LIVE_FOR_OPERATOR,
          "how many characters of it are kept at most",
          "memory until the span is exported");

  public static final Key<Boolean> CONTENT_LATE =
      key(
          "deimos.content.late",
          Kind.flag(),
          false,
          LIVE_FOR_OPERATOR,
          "whether `toString` is called on the exporting thread, and not before the actor gets the"
              + " message. The message is kept until then, and has to be immutable: it is shown as"
              + " it is then",
          "keeps the message in memory until its span is exported, in place of `toString` in the"
              + " actor's thread");

  public static final Key<List<String>> CONTENT_EAGER =
      key(
          "deimos.content.eager",
          Kind.classes(),
          List.of(),
          LIVE_FOR_OPERATOR,
          "message classes that are not immutable, and whose `toString` is called before the actor"
              + " gets the message, whatever `late` says",
          "a comparison once per class and thread");

  public static final Key<String> CONTENT_REDACTOR =
      key(
          "deimos.content.redactor",
          Kind.text(),
          "",
          LIVE_FOR_OPERATOR,
          "class of an `io.deimos.api.ContentRedactor` that is given each message and its text, and"
              + " says what may be seen; without it, one that a `ServiceLoader` finds. If it cannot"
              + " be made, no content is recorded",
          "its call for each message whose content is recorded");

  public static final Key<Config> SAMPLING_MESSAGES =
      key(
          "deimos.sampling.messages",
          Kind.table(),
          ConfigFactory.empty(),
          LIVE,
          "the share in [0, 1] of traces that is sampled, by the class of the message they begin"
              + " with, with `*` for any part: `{ \"shop.Tick*\" = 0.01 }`. In place of"
              + " OpenTelemetry's sampler",
          "none; what is not sampled is not recorded");

  public static final Key<Double> MAX_TRACES_PER_SECOND =
      key(
          "deimos.sampling.max-traces-per-second",
          Kind.decimal(0, 1_000_000),
          0.0,
          LIVE,
          "how many traces may begin in actors each second; `0` for any number. Beyond it none is"
              + " sampled, whatever a sampler says. Of traces that other nodes began, ten times as"
              + " many are recorded each second, whatever these nodes say",
          "a clock read and a shared counter for each trace that begins");

  public static final Key<Boolean> FORENSICS =
      key(
          "deimos.forensics.enabled",
          Kind.flag(),
          true,
          LIVE,
          "a dead letter, and a question without an answer in time, tell who sent what to whom, in"
              + " which trace, and what has become of the receiver: as an event of the span, and in"
              + " the log",
          "some objects for each of them");

  public static final Key<Double> FORENSICS_LOG =
      key(
          "deimos.forensics.log-per-second",
          Kind.decimal(0, 1000),
          1.0,
          LIVE,
          "how many lines about them, and about stuck actors, are written to standard error each"
              + " second at most; the next one says how many were left out. `0` for none",
          "a line each");

  public static final Key<Duration> STUCK_THRESHOLD =
      key(
          "deimos.stuck.threshold",
          Kind.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(10),
          LIVE,
          "from when on a message in processing counts as stuck: event on its span with a sample of"
              + " the stack, `pekko.actor.stuck`, and a line in the log. `0s` for never",
          "nothing for messages; ten looks a second at each thread's state, and a stack trace for"
              + " each that is stuck");

  public static final Key<Integer> MAX_SERIES =
      key(
          "deimos.metrics.max-series",
          Kind.number(100, 100_000),
          2000,
          START,
          "how many series each metric may have. Beyond it the least used are counted together"
              + " under `other`",
          "450 bytes on each thread for each pair of actor class and message class with a series,"
              + " 50 for each without");

  public static final Key<Duration> SERIES_WINDOW =
      key(
          "deimos.metrics.window",
          Kind.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
          Duration.ofSeconds(10),
          START,
          "how often Deimos looks again for heavy hitters among the series; a new one gets its own"
              + " series after three windows",
          "a look at all counts, by the thread that collects");

  public static final Key<List<String>> GROUPS =
      key(
          "deimos.metrics.groups",
          Kind.paths(),
          List.of(),
          START,
          "patterns of path such as `/user/order-*`, `/user/carts/**`; an actor whose path fits has"
              + " the first such pattern as attribute `pekko.actor.group` of its metrics. `*` is"
              + " any part of one element, `/**` at the end all that is below",
          "the text of its path, for each actor made; nothing for messages");

  public static final Key<Boolean> GAUGES =
      key(
          "deimos.metrics.gauges.enabled",
          Kind.flag(),
          true,
          START,
          "gauges of mailboxes, stashes, dispatchers, scheduler, cluster, sharding, distributed"
              + " data",
          "one reading each `deimos.metrics.gauges.interval`, on a thread of Deimos");

  public static final Key<Duration> GAUGES_INTERVAL =
      key(
          "deimos.metrics.gauges.interval",
          Kind.duration(Duration.ofMillis(100), Duration.ofMinutes(1)),
          Duration.ofSeconds(1),
          START,
          "how often gauges are read, and the dispatchers' and the scheduler's delays are measured."
              + " If a reading takes longer than half a percent of this, Deimos reads less often,"
              + " down to a tenth",
          "the time of one reading; it grows with the number of actors, up to 20,000");

  public static final Key<Boolean> REMOTE_METRICS =
      key(
          "deimos.metrics.remote.enabled",
          Kind.flag(),
          true,
          START,
          "messages, bytes and time of serialization by other node and direction",
          "two clock reads and four atomic additions a message that goes to or comes from another"
              + " node; `false` weaves nothing");

  public static final Key<Boolean> PROMETHEUS =
      key(
          "deimos.metrics.prometheus.enabled",
          Kind.flag(),
          true,
          START,
          "the page's port answers `/metrics` for Prometheus, with all metrics of the process",
          "a collection of all metrics for each scrape");

  public static final Key<ScrapeAccess> PROMETHEUS_ACCESS =
      key(
          "deimos.metrics.prometheus.access",
          Kind.oneOf(ScrapeAccess.class),
          ScrapeAccess.OPEN,
          START,
          "who may read `/metrics`, whatever `deimos.page.access` says. `open`: everybody on this"
              + " machine, but no web site. `token`: only who sends the token of this process as a"
              + " bearer token (`deimos.page.token-file` holds it)",
          "none");

  public static final Key<Boolean> PAGE =
      key(
          "deimos.page.enabled",
          Kind.flag(),
          true,
          START,
          "the page, and the store of traces behind it",
          "the memory of the spans it keeps, and one thread");

  public static final Key<Integer> PAGE_PORT =
      key(
          "deimos.page.port",
          Kind.number(0, 65_535),
          9797,
          START,
          "the page's port on 127.0.0.1; `0` takes a free one. If the port is in use there is no"
              + " page, and one line says so",
          "none");

  /** Known only to be refused in words of its own. */
  public static final Key<String> PAGE_HOST =
      key(
          "deimos.page.host",
          host(),
          "127.0.0.1",
          START,
          "the page is served on 127.0.0.1 only; the setting exists to say so",
          "none");

  public static final Key<PageReading> PAGE_ACCESS =
      key(
          "deimos.page.access",
          Kind.oneOf(PageReading.class),
          PageReading.OPEN,
          START,
          "who may read the page. `open`: everybody on this machine, but no other web site."
              + " `token`: only who has the token of this process. `off`: nobody; there is no store"
              + " of traces either, and the port answers `/metrics` alone",
          "none");

  public static final Key<PageControl> PAGE_CONTROL =
      key(
          "deimos.page.control",
          Kind.oneOf(PageControl.class),
          PageControl.TOKEN,
          START,
          "who may change settings on the page. `token`: only who has the token of this process."
              + " `off`: nobody. What messages contain, filters and redactors are never set there",
          "none");

  public static final Key<String> PAGE_TOKEN_FILE =
      key(
          "deimos.page.token-file",
          Kind.text(),
          "",
          START,
          "the file, readable by its owner only, that holds the token. It is made when the page"
              + " starts and removed when the JVM ends. If you name one, the token is not in the"
              + " start-up line; otherwise it is, and the file is in a directory of its own for"
              + " temporary files",
          "none");

  public static final Key<Integer> TRACES_PER_SECOND =
      key(
          "deimos.page.traces-per-second",
          Kind.number(1, 100_000),
          50,
          START,
          "how many ordinary traces the page keeps each second at most. Traces with a failure, a"
              + " time-out, a dead letter or a stuck actor, and those that the log names, come on"
              + " top",
          "the drainer's time, for eight times as many traces that are held for five seconds until"
              + " they are judged");

  public static final Key<Integer> SPANS_KEPT =
      key(
          "deimos.page.spans-kept",
          Kind.number(100, 10_000_000),
          20_000,
          START,
          "how many spans the page keeps in all; one with much text counts as several. When they"
              + " are used up, ordinary traces go first, and old traces with trouble are reduced to"
              + " the spans that show it",
          "memory: about 250 bytes for each plain span, 3 KiB at most");

  public static final Key<String> CONTROL_FILE =
      key(
          "deimos.control.file",
          Kind.text(),
          "",
          START,
          "names a file of HOCON, properties or JSON with settings like those in"
              + " `application.conf`; it is looked at twice a second, what it says goes before"
              + " system properties, and what may change at run time does",
          "a look at the file twice a second, on a thread of its own");

  public static final Key<Boolean> WEAVE_ALL =
      key(
          "deimos.control.weave-all",
          Kind.flag(),
          false,
          START,
          "weaves what is off at the start too, `deimos.enabled=false` included, so that it can be"
              + " turned on while the application runs; otherwise what is off at the start stays"
              + " off",
          "woven code that is off still costs a comparison wherever it would record, and the memory"
              + " of its fields");

  public static final Key<Boolean> SELF_TEST =
      key(
          "deimos.self-test.enabled",
          Kind.flag(),
          true,
          START,
          "whether the first actor system to start is used to show that each hook fires on its"
              + " version of Pekko",
          "a fraction of a second of one thread, once, beside the application");

  public static final Key<Boolean> TESTKIT =
      key(
          "deimos.testkit.enabled",
          Kind.flag(),
          false,
          START,
          "lets `deimos-testkit` in the same JVM see all spans and metrics; for tests",
          "a map of each span while a test listens; one more aggregation of all metrics");

  public static final Key<String> REPORT_FILE =
      key(
          "deimos.report.file",
          Kind.text(),
          "",
          START,
          "names a file; a summary of the run is written there as JSON when the JVM ends",
          "a look at the counters each second");

  private static final List<Key<?>> ALL = List.copyOf(DECLARED);

  private Keys() {}

  /** All settings, in the order of the documentation. */
  public static List<Key<?>> all() {
    return ALL;
  }

  /** The setting of a name in any spelling, or null. */
  public static @Nullable Key<?> named(String name) {
    String wanted = canonical(name);
    for (Key<?> key : ALL) {
      if (canonical(key.name()).equals(wanted)) {
        return key;
      }
    }
    return null;
  }

  /** {@code deimos.page.traces-per-second} and {@code DEIMOS_PAGE_TRACES_PER_SECOND} alike. */
  static String canonical(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '.').replace('-', '.');
  }

  private static <T> Key<T> key(
      String name, Kind<T> kind, T otherwise, Key.When when, String does, String costs) {
    Key<T> key = new Key<>(name, kind, otherwise, when, does, costs);
    DECLARED.add(key);
    return key;
  }

  private static Kind<String> host() {
    return new Kind<>("127.0.0.1", Keys::home, false);
  }

  private static String home(ConfigValue value) {
    Object host = value.unwrapped();
    if (!"127.0.0.1".equals(host) && !"localhost".equals(host)) {
      throw new IllegalArgumentException(
          "the page is served on 127.0.0.1 only; take the setting away, and reach the page"
              + " from elsewhere through a tunnel");
    }
    return "127.0.0.1";
  }
}
