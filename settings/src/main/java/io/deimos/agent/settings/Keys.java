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
import java.net.URI;
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
          "`false` weaves nothing, starts no thread of Deimos and serves no page. Switched"
              + " off at run time, Deimos records nothing",
          "none if off from the start; otherwise one comparison a message");

  public static final Key<Boolean> TRACING =
      key(
          "deimos.tracing.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "spans of messages and asks, and the context that links them",
          "one record of 64 bytes for each message of a sampled trace");

  public static final Key<Boolean> TRACING_USER =
      key(
          "deimos.tracing.user-actors",
          Kind.flag(),
          true,
          LIVE,
          "spans of messages to the application's own actors",
          "none when off; the context is still passed on");

  public static final Key<Boolean> TRACING_SYSTEM =
      key(
          "deimos.tracing.system-actors",
          Kind.flag(),
          false,
          LIVE,
          "spans of messages to Pekko's own actors, wherever in the tree they are. Use it to"
              + " look into Pekko, not in production",
          "a record for each heartbeat, gossip message and stream signal, while it is on");

  public static final Key<Boolean> ASKS =
      key(
          "deimos.tracing.asks",
          Kind.flag(),
          true,
          LIVE,
          "a span for each ask, from the request to the reply, the failure or the time-out",
          "a record and an object for each ask");

  public static final Key<Boolean> LIFECYCLE =
      key(
          "deimos.tracing.lifecycle",
          Kind.flag(),
          false,
          LIVE,
          "spans `start Cart`, from creating an actor until it is ready, and `restart Cart`, from"
              + " its failure until the restart is done, below the message that caused them. An"
              + " actor that cannot be created always has its span",
          "a record and a few objects for each actor created or restarted in a trace");

  public static final Key<SpanStart> SPAN_START =
      key(
          "deimos.tracing.span-start",
          Kind.oneOf(SpanStart.class),
          SpanStart.SEND,
          START,
          "when the exported span of a message begins: at the `send`, so that it has the wait and"
              + " the work, or at the `take-out` from the mailbox, so that it has the work alone."
              + " `pekko.mailbox.wait` and the events have the rest",
          "nothing");

  public static final Key<SpanKindChoice> SPAN_KIND =
      key(
          "deimos.tracing.span-kind",
          Kind.oneOf(SpanKindChoice.class),
          SpanKindChoice.CONSUMER,
          START,
          "the kind of the exported span of a message; which is right for which backend is in"
              + " [Telemetry](telemetry.md#what-backends-make-of-it)",
          "nothing");

  public static final Key<SpanName> SPAN_NAME =
      key(
          "deimos.tracing.span-name",
          Kind.oneOf(SpanName.class),
          SpanName.MESSAGE,
          START,
          "what exported spans of messages and asks are named after: the class of the `message`"
              + " (`process Order`), or the `destination` without its variable parts"
              + " (`process /user/orders/order-*`), as the conventions for messaging have it",
          "nothing");

  public static final Key<Boolean> MESSAGE_EVENTS =
      key(
          "deimos.tracing.message-events",
          Kind.flag(),
          true,
          LIVE,
          "the events `waiting` and `message` on each span. The attribute"
              + " `pekko.mailbox.wait` has the same information",
          "some bytes in each exported span, nothing in actors");

  public static final Key<Boolean> LOGS =
      key(
          "deimos.tracing.logs.enabled",
          Kind.flag(),
          false,
          IF_ON_AT_START,
          "records what an actor logs while it processes a message (through Pekko's classic"
              + " logging, SLF4J, Log4j or `java.util.logging`) as events `pekko.log` of the"
              + " message's span. A span keeps 16; an event `deimos.more_logs` counts the rest",
          "a few objects for each log event, and OpenTelemetry's capture of logs; none when"
              + " off");

  public static final Key<LogLevel> LOGS_LEVEL =
      key(
          "deimos.tracing.logs.level",
          Kind.oneOf(LogLevel.class),
          LogLevel.INFO,
          LIVE,
          "the lowest level of log events that spans keep",
          "one comparison for each log event");

  public static final Key<Integer> LOGS_MAX_LENGTH =
      key(
          "deimos.tracing.logs.max-length",
          Kind.number(1, 65_536),
          500,
          LIVE,
          "how many characters of a log message a span keeps",
          "memory until the span is exported");

  public static final Key<StartTraces> START_TRACES =
      key(
          "deimos.tracing.start-traces",
          Kind.oneOf(StartTraces.class),
          StartTraces.HERE,
          LIVE,
          "whether a message outside any trace starts one. `only-inside-existing` records"
              + " only what belongs to a trace that an HTTP request, for instance, has started",
          "none");

  public static final Key<Integer> RING_CAPACITY =
      key(
          "deimos.tracing.ring-capacity",
          Kind.powerOfTwo(64, 1 << 20),
          8192,
          START,
          "how many records a dispatcher thread normally holds until they are exported. Its"
              + " ring starts with 256 and grows as it fills, up to four times this number. All"
              + " rings together take at most a sixteenth of the maximum heap (2 to 64 MiB). Beyond"
              + " that the newest record is dropped and counted",
          "64 bytes a record, for each thread that fills its ring, until the thread ends");

  public static final Key<Integer> BACKLOG_CAPACITY =
      key(
          "deimos.tracing.backlog-capacity",
          Kind.number(0, 1 << 24),
          1 << 18,
          START,
          "how many records may wait for an exporter that is slower than the actors. When the"
              + " backlog is full too, the rings fill up; then the newest records are dropped and"
              + " counted",
          "64 bytes a record, allocated only while records wait");

  public static final Key<Overflow> OVERFLOW =
      key(
          "deimos.tracing.overflow",
          Kind.oneOf(Overflow.class),
          Overflow.DROP_NEWEST,
          START,
          "what to give up when spans are recorded faster than they can be exported and the"
              + " backlog is full. `drop-newest` drops the span whose thread has a full ring."
              + " `thin-traces` starts no new trace on a thread whose ring is more than half full,"
              + " so that running traces stay whole for longer; a full ring still drops the newest"
              + " span. Metrics count both",
          "`thin-traces` compares two numbers for each new trace");

  public static final Key<ExportWay> EXPORT =
      key(
          "deimos.tracing.export",
          Kind.oneOf(ExportWay.class),
          ExportWay.AUTO,
          START,
          "how spans of actors reach the exporter. `direct` encodes records as OTLP and sends"
              + " them over the exporter's own connection. `sdk` hands spans to the SDK's"
              + " processors. `auto` picks `direct` if there is exactly one OTLP exporter with"
              + " protocol http/protobuf or grpc behind a batch processor; the start-up line says"
              + " which it picked",
          "`sdk` allocates an object for each span on the exporting thread, `direct` none");

  public static final Key<Duration> GUARD_MAX_AGE =
      key(
          "deimos.tracing.guard.max-age",
          Kind.duration(Duration.ZERO, Duration.ofDays(365)),
          Duration.ofNanos(GuardConfig.DEFAULT.maxAgeNanos()),
          START,
          "a message sent in a trace older than this starts a new trace, linked to the old"
              + " one; `0` means no limit",
          "one comparison a message");

  public static final Key<Integer> GUARD_MAX_DEPTH =
      key(
          "deimos.tracing.guard.max-depth",
          Kind.number(0, 1_000_000_000),
          GuardConfig.DEFAULT.maxDepth(),
          START,
          "about how long a chain of messages, each sent while the one before is processed, a"
              + " trace may have. The next message starts a new, linked trace; `0` means no limit",
          "a small object for every 16 to 64 messages");

  public static final Key<Integer> GUARD_MAX_SPANS =
      key(
          "deimos.tracing.guard.max-spans",
          Kind.number(0, 1_000_000_000),
          GuardConfig.DEFAULT.maxSpans(),
          START,
          "about how many spans of this process a trace may have. The next message starts a"
              + " new, linked trace; `0` means no limit",
          "included in that of `max-depth`");

  public static final Key<Boolean> TAIL =
      key(
          "deimos.tracing.tail.enabled",
          Kind.flag(),
          false,
          LIVE,
          "tail sampling: exports only recorded traces that had trouble, and a share of the others."
              + " Trouble is a failed actor, an ask without a reply, a dead letter, a stuck actor,"
              + " or anything slower than the thresholds below. Traces are exported whole, as far"
              + " as this process has them. The page still gets all of them",
          "nothing in actors; the exporting thread copies each record once and holds it");

  public static final Key<Duration> TAIL_WAIT =
      key(
          "deimos.tracing.tail.wait",
          Kind.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(1),
          LIVE,
          "keep a trace if a message waited in its mailbox for longer than this; `0s`"
              + " switches this reason off",
          "one comparison a span, on the exporting thread");

  public static final Key<Duration> TAIL_PROCESSING =
      key(
          "deimos.tracing.tail.processing",
          Kind.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(1),
          LIVE,
          "keep a trace if a message, an ask, a write or a recovery took longer than this;"
              + " `0s` switches this reason off",
          "one comparison a span, on the exporting thread");

  public static final Key<Duration> TAIL_DELAY =
      key(
          "deimos.tracing.tail.delay",
          Kind.duration(Duration.ofMillis(100), Duration.ofSeconds(30)),
          Duration.ofSeconds(10),
          LIVE,
          "how long after the end of its first span a trace without trouble is dropped. Make"
              + " it longer than your ask time-outs, or the spans that lead to a time-out are gone"
              + " when it happens",
          "memory for the spans of that period");

  public static final Key<Integer> TAIL_MAX_SPANS =
      key(
          "deimos.tracing.tail.max-spans",
          Kind.number(1_000, 10_000_000),
          131_072,
          LIVE,
          "how many spans are held at most. A span with an exception or with attributes of"
              + " yours counts as eight. Beyond the limit the oldest trace is dropped early and"
              + " counted",
          "72 bytes a span, allocated when needed");

  public static final Key<Double> TAIL_KEEP =
      key(
          "deimos.tracing.tail.keep",
          Kind.ratio(),
          0.01,
          LIVE,
          "the share of normal traces to export as well, in [0, 1]. It is chosen by trace id,"
              + " so every node chooses the same traces",
          "none");

  public static final Key<Boolean> REMOTE =
      key(
          "deimos.tracing.remote.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "carries the trace context with messages to and from other nodes, over Artery and"
              + " classic remoting",
          "81 bytes for each message to another node that belongs to a trace");

  public static final Key<Boolean> STREAMS =
      key(
          "deimos.tracing.streams.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "elements of streams keep their context wherever they wait: in buffers and queues,"
              + " between actors, for futures",
          "some nanoseconds and a small object for each such place that an element passes,"
              + " and 16 bytes for each stage");

  public static final Key<Boolean> STAGES =
      key(
          "deimos.tracing.completion-stages.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "a function given to a `CompletableFuture` runs in the context in which it was"
              + " given, whichever thread completes the future. For Scala's futures this is always"
              + " so",
          "an object of 32 bytes for each function");

  public static final Key<Boolean> PERSISTENCE =
      key(
          "deimos.persistence.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "spans and durations of writes and recoveries, for classic and typed persistence,"
              + " and the context through the journal and back; spans and metrics of projections",
          "a record and a few objects for each write, each recovery and each envelope of a"
              + " projection");

  public static final Key<Boolean> METRICS =
      key(
          "deimos.metrics.enabled",
          Kind.flag(),
          true,
          IF_ON_AT_START,
          "counts and durations by actor class and message class",
          "nothing for a message with a span, because its record is counted on another"
              + " thread; for others a few stores, and two or three clock reads if the message is"
              + " timed");

  public static final Key<Integer> TIMED_ONE_IN =
      key(
          "deimos.metrics.timed-one-in",
          Kind.number(1, 1024),
          8,
          START,
          "of the messages without a span, one in this many is timed and represents the others in"
              + " the duration histograms. All messages are counted. A message class that last took"
              + " 1 µs or longer is timed every time, and so is every message with a span. `1`"
              + " times all",
          "two to three clock reads for each timed message");

  public static final Key<ClockChoice> CLOCK =
      key(
          "deimos.clock",
          Kind.oneOf(ClockChoice.class),
          ClockChoice.AUTO,
          START,
          "where the time comes from. `tsc` reads the processor's time-stamp counter,"
              + " compares it with `System.nanoTime` each second, and falls back to that at the"
              + " first doubt. It needs Linux on x86-64, Java 22, and a steady counter that the"
              + " kernel itself uses. `auto` uses it where possible; `nano-time` never does. If you"
              + " ask for `tsc` and it is not possible, one line says why",
          "`tsc` takes less than half the time of `nanoTime`, and may be off by the time of"
              + " some dozen instructions");

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
          "the same as for the application's actors, while it is on");

  public static final Key<Config> ACTORS =
      key(
          "deimos.actors",
          Kind.table(),
          ConfigFactory.empty(),
          LIVE,
          "what to record of [single actors](settings.md#what-is-recorded-of-single-actors-and-messages),"
              + " by patterns of their paths",
          "a comparison with each pattern when an actor is created, nothing for its messages");

  public static final Key<List<String>> ACTOR_CLASSES_NEVER =
      key(
          "deimos.actor-classes.never",
          Kind.classes(),
          List.of(),
          LIVE,
          "actor classes (full names, `*` matches any part) whose messages get no span, as"
              + " with `@NeverTraced`. The context passes through",
          "one comparison for each class and thread");

  public static final Key<List<String>> ACTOR_CLASSES_ALWAYS =
      key(
          "deimos.actor-classes.always",
          Kind.classes(),
          List.of(),
          LIVE,
          "actor classes whose messages always get a span, as with `@AlwaysTraced`. A trace"
              + " that starts there is sampled. Matches Pekko's own classes only if the pattern"
              + " starts with `org.apache.pekko.`",
          "one comparison for each class and thread");

  public static final Key<List<String>> MESSAGES_NEVER =
      key(
          "deimos.messages.never",
          Kind.classes(),
          List.of(),
          LIVE,
          "message classes that get no span. Use full names or the page's (`shop.Cart$Add`,"
              + " `Cart.Add`); `*` matches any part. The context passes through. What such a"
              + " message sends continues its trace, or forms one new trace if there was none",
          "one comparison for each class and thread");

  public static final Key<List<String>> MESSAGES_ALWAYS =
      key(
          "deimos.messages.always",
          Kind.classes(),
          List.of(),
          LIVE,
          "message classes that get a span whatever the settings for the actor say. A trace"
              + " that starts there is sampled",
          "one comparison for each class and thread");

  public static final Key<List<String>> MESSAGES_ONLY =
      key(
          "deimos.messages.only",
          Kind.classes(),
          List.of(),
          LIVE,
          "if set, only these message classes get a span",
          "one comparison for each class and thread");

  public static final Key<String> FILTER =
      key(
          "deimos.filter",
          Kind.text(),
          "",
          LIVE_FOR_OPERATOR,
          "an `io.deimos.api.TraceFilter` class that decides for each message. If empty,"
              + " Deimos uses the one that a `ServiceLoader` finds",
          "one call for each message; none without a filter");

  public static final Key<List<String>> CONTENT_MESSAGES =
      key(
          "deimos.content.messages",
          Kind.classes(),
          List.of(),
          LIVE_FOR_OPERATOR,
          "message classes (full names, `*` matches any part) whose content is recorded:"
              + " their `toString` becomes the attribute `pekko.message.content`. Empty by default,"
              + " because messages may contain secrets",
          "a `toString` and an object for each message of these classes that gets a span;"
              + " none for others");

  public static final Key<Integer> CONTENT_MAX_LENGTH =
      key(
          "deimos.content.max-length",
          Kind.number(1, 65_536),
          1_000,
          LIVE_FOR_OPERATOR,
          "how many characters of the content are kept",
          "memory until the span is exported");

  public static final Key<Boolean> CONTENT_LATE =
      key(
          "deimos.content.late",
          Kind.flag(),
          false,
          LIVE_FOR_OPERATOR,
          "calls `toString` on the exporting thread, not before the actor gets the message."
              + " Such messages must be immutable, because they are shown as they are at that time",
          "memory for the message until its span is exported; the actor's thread is spared the"
              + " `toString`");

  public static final Key<List<String>> CONTENT_EAGER =
      key(
          "deimos.content.eager",
          Kind.classes(),
          List.of(),
          LIVE_FOR_OPERATOR,
          "mutable message classes. Their `toString` is called before the actor gets the"
              + " message even if `late` is on",
          "one comparison for each class and thread");

  public static final Key<String> CONTENT_REDACTOR =
      key(
          "deimos.content.redactor",
          Kind.text(),
          "",
          LIVE_FOR_OPERATOR,
          "an `io.deimos.api.ContentRedactor` class that gets each message and its text, and"
              + " returns what may be shown. If empty, Deimos uses the one that a `ServiceLoader`"
              + " finds. If it cannot be created, no content is recorded",
          "one call for each message whose content is recorded");

  public static final Key<Config> SAMPLING_MESSAGES =
      key(
          "deimos.sampling.messages",
          Kind.table(),
          ConfigFactory.empty(),
          LIVE,
          "the share in [0, 1] of traces to sample, by the class of their first message; `*`"
              + " matches any part: `{ \"shop.Tick*\" = 0.01 }`. If several match, the longest counts."
              + " For these traces it replaces OpenTelemetry's sampler",
          "none; a trace that is not sampled is not recorded");

  public static final Key<Double> MAX_TRACES_PER_SECOND =
      key(
          "deimos.sampling.max-traces-per-second",
          Kind.decimal(0, 1_000_000),
          0.0,
          LIVE,
          "how many traces may start in actors each second; `0` means no limit. Further ones are"
              + " not sampled, whatever the sampler decides. Of traces that other nodes started,"
              + " ten times as many are recorded each second, whatever those nodes decided",
          "a clock read and a shared counter for each new trace");

  public static final Key<Boolean> FORENSICS =
      key(
          "deimos.forensics.enabled",
          Kind.flag(),
          true,
          LIVE,
          "for each dead letter and each ask that timed out, an event on the span and a line in the"
              + " log: who sent what to whom, in which trace, and what became of the receiver",
          "a few objects for each of them");

  public static final Key<Double> FORENSICS_LOG =
      key(
          "deimos.forensics.log-per-second",
          Kind.decimal(0, 1000),
          1.0,
          LIVE,
          "how many lines of each kind of incident go to standard error each second; of stuck"
              + " actors and starving dispatchers ten at least. The next line of the kind says how"
              + " many were left out. `0` means none. What the page knows does not depend on it",
          "one line each");

  public static final Key<Double> FORENSICS_RECORDS =
      key(
          "deimos.forensics.records-per-second",
          Kind.decimal(0, 1000),
          10.0,
          LIVE,
          "how many log records of each kind of event go to OpenTelemetry's logs exporter each"
              + " second: dead letters, asks that timed out, stuck actors, failures, restarts,"
              + " members of the cluster, quarantines. The next record of the kind says how many"
              + " were left out. `0` means none",
          "a few objects for each");

  public static final Key<Duration> STUCK_THRESHOLD =
      key(
          "deimos.stuck.threshold",
          Kind.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(10),
          LIVE,
          "an actor that processes one message for longer than this is stuck: its span gets"
              + " an event with a stack trace, `pekko.message.stuck` counts it, and the log has a"
              + " line. `0s` switches this off",
          "nothing for messages; a look at each thread's state once a second, more often for a"
              + " threshold below four seconds, and a stack trace for each stuck actor");

  public static final Key<Duration> STARVATION_THRESHOLD =
      key(
          "deimos.starvation.threshold",
          Kind.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(1),
          LIVE,
          "a dispatcher is starved if a task of it waits for a thread for longer than this. Deimos"
              + " then reports what holds the threads, with stacks, in the log and on the page, and"
              + " `pekko.dispatcher.starvation` counts it. Needs `deimos.metrics.gauges.enabled`."
              + " `0s` switches this off",
          "nothing for messages; a stack trace of each of at most 64 threads for each starvation");

  public static final Key<Integer> MAX_SERIES =
      key(
          "deimos.metrics.max-series",
          Kind.number(100, 100_000),
          2000,
          START,
          "how many series each metric may have. Beyond that the least used ones are counted"
              + " together as `other`",
          "450 bytes on each thread for each pair of actor class and message class that has"
              + " a series (2.3 kB with exponential histograms), and 50 bytes for each other pair");

  public static final Key<Duration> SERIES_WINDOW =
      key(
          "deimos.metrics.window",
          Kind.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
          Duration.ofSeconds(10),
          START,
          "how often Deimos looks again for heavy hitters among the series; a new one gets"
              + " its own series after three windows",
          "one pass over all counts, on the thread that collects");

  public static final Key<List<String>> GROUPS =
      key(
          "deimos.metrics.groups",
          Kind.paths(),
          List.of(),
          START,
          "path patterns such as `/user/order-*` or `/user/carts/**`. The metrics of an actor have"
              + " the first pattern that matches its path as attribute `pekko.actor.group`. `*`"
              + " matches any part of one element, `/**` at the end everything below",
          "the text of its path for each new actor; nothing for messages");

  public static final Key<Boolean> GAUGES =
      key(
          "deimos.metrics.gauges.enabled",
          Kind.flag(),
          true,
          START,
          "gauges of mailboxes, stashes, dispatchers, scheduler, cluster, sharding and"
              + " distributed data",
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

  public static final Key<Boolean> MAILBOX_SIZES =
      key(
          "deimos.metrics.mailboxes.enabled",
          Kind.flag(),
          true,
          LIVE,
          "`pekko.mailbox.size`, among the gauges. The page's list of actors has mailboxes all the"
              + " same, read from the first look at it on",
          "a walk over the messages that wait at each reading of gauges, at most 100,000 of each"
              + " actor, since Pekko's usual mailbox does not count them; nothing for messages");

  public static final Key<Boolean> REMOTE_METRICS =
      key(
          "deimos.metrics.remote.enabled",
          Kind.flag(),
          true,
          START,
          "messages, bytes and serialization time by peer and direction",
          "two clock reads and four atomic additions for each message to or from another"
              + " node; `false` weaves nothing");

  public static final Key<Long> LARGE_MESSAGE =
      key(
          "deimos.metrics.remote.large-message",
          Kind.memory(0, 1L << 30),
          64L << 10,
          START,
          "a message to another node with at least so many bytes, headers included, is counted by"
              + " `pekko.remote.message.large` with its class, and is a log record of that name."
              + " `0`: none is large",
          "a comparison for each message to another node, while `deimos.metrics.remote.enabled` is"
              + " on");

  public static final Key<Boolean> PROMETHEUS =
      key(
          "deimos.metrics.prometheus.enabled",
          Kind.flag(),
          true,
          START,
          "serves all metrics of the process to Prometheus as `/metrics` on the page's port",
          "a collection of all metrics for each scrape");

  public static final Key<ScrapeAccess> PROMETHEUS_ACCESS =
      key(
          "deimos.metrics.prometheus.access",
          Kind.oneOf(ScrapeAccess.class),
          ScrapeAccess.OPEN,
          START,
          "who may read `/metrics`, whatever `deimos.page.access` says. `open`: everybody on this"
              + " machine, but no web site. `token`: only clients that send the process's token as"
              + " a bearer token (the file of `deimos.page.token-file` has it)",
          "none");

  public static final Key<Boolean> PAGE =
      key(
          "deimos.page.enabled",
          Kind.flag(),
          true,
          START,
          "the page, and the store of traces behind it",
          "memory for the spans it keeps, and one thread");

  public static final Key<Integer> PAGE_PORT =
      key(
          "deimos.page.port",
          Kind.number(0, 65_535),
          9797,
          START,
          "the page's port on 127.0.0.1; `0` picks a free one. If another process of the same"
              + " user has Deimos' page there, this one joins that page; if anybody else has the"
              + " port, there is no page, and one line says so",
          "none");

  /** Known only to be refused in words of its own. */
  public static final Key<String> PAGE_HOST =
      key(
          "deimos.page.host",
          host(),
          "127.0.0.1",
          START,
          "always 127.0.0.1. The setting exists only to explain that",
          "none");

  public static final Key<String> PAGE_JOIN =
      key(
          "deimos.page.join",
          join(),
          "",
          START,
          "the address of a page that this process joins, such as `http://127.0.0.1:9797`; it then"
              + " opens no port of its own, not for `/metrics` either. `java -jar deimos.jar page`"
              + " starts a page that can be joined. If nobody is there, it tries again every few"
              + " seconds. A page on another machine needs `https://` and"
              + " `deimos.page.shared-token-file`",
          "two threads, and answers for the page that take a fiftieth of a core at most");

  public static final Key<Boolean> PAGE_JOIN_CONTROL =
      key(
          "deimos.page.join-control",
          Kind.flag(),
          false,
          START,
          "whether the page that this process has joined may change its settings, for who has the"
              + " token of that page. Content of messages, filters and redactors can never be set"
              + " there",
          "none");

  public static final Key<String> PAGE_SHARED_TOKEN =
      key(
          "deimos.page.shared-token-file",
          Kind.text(),
          "",
          START,
          "a file, readable by its owner only or mounted as containers get secrets, with the token of"
              + " a page that takes processes from other machines: 32 to 512 printable characters, the"
              + " same for the page and all that join it. The variable `DEIMOS_PAGE_SHARED_TOKEN` can"
              + " have the token instead",
          "none");

  public static final Key<String> PAGE_TLS_CERTIFICATE =
      key(
          "deimos.page.tls.certificate",
          Kind.text(),
          "",
          START,
          "of a page of its own: a PEM file with its certificate, and behind it those that it was"
              + " made with. With it the page is served by https",
          "none");

  public static final Key<String> PAGE_TLS_KEY =
      key(
          "deimos.page.tls.key",
          Kind.text(),
          "",
          START,
          "the key of `deimos.page.tls.certificate`: a PEM file with a key in PKCS #8 that is not"
              + " encrypted",
          "none");

  public static final Key<String> PAGE_TLS_KEYSTORE =
      key(
          "deimos.page.tls.keystore",
          Kind.text(),
          "",
          START,
          "in place of these two: a keystore with one certificate and its key (PKCS #12 or JKS)",
          "none");

  public static final Key<String> PAGE_TLS_PASSWORD =
      key(
          "deimos.page.tls.keystore-password-file",
          Kind.text(),
          "",
          START,
          "a file with the password of `deimos.page.tls.keystore`",
          "none");

  public static final Key<String> PAGE_TLS_TRUST =
      key(
          "deimos.page.tls.trust",
          Kind.text(),
          "",
          START,
          "of a process that joins a page by https: a PEM file with the certificate that the page"
              + " must have, or that its own must be made with. Without it, those hold that the JDK"
              + " knows",
          "none");

  public static final Key<PageReading> PAGE_ACCESS =
      key(
          "deimos.page.access",
          Kind.oneOf(PageReading.class),
          PageReading.OPEN,
          START,
          "who may read the page. `open`: everybody on this machine, but no other web site."
              + " `token`: only with the process's token. `off`: nobody; then there is no store of"
              + " traces either, and the port serves only `/metrics`",
          "none");

  public static final Key<PageControl> PAGE_CONTROL =
      key(
          "deimos.page.control",
          Kind.oneOf(PageControl.class),
          PageControl.TOKEN,
          START,
          "who may change settings on the page. `token`: only with the process's token."
              + " `off`: nobody. Content of messages, filters and redactors can never be set there",
          "none");

  public static final Key<Boolean> PAGE_MCP =
      key(
          "deimos.page.mcp.enabled",
          Kind.flag(),
          true,
          START,
          "assistants that speak the Model Context Protocol may ask at `/mcp` what the page's"
              + " interface answers, under the same guards; they change nothing",
          "nothing until one asks");

  public static final Key<String> PAGE_TOKEN_FILE =
      key(
          "deimos.page.token-file",
          Kind.text(),
          "",
          START,
          "the file that has the token, readable by its owner only. It is created when the page"
              + " starts and deleted when the JVM ends. If you set it, the start-up line leaves the"
              + " token out; otherwise the line shows it, and the file is in a temporary directory"
              + " of its own",
          "none");

  public static final Key<Integer> TRACES_PER_SECOND =
      key(
          "deimos.page.traces-per-second",
          Kind.number(1, 100_000),
          50,
          START,
          "how many ordinary traces the page keeps each second. Traces with a failure, a"
              + " time-out, a dead letter or a stuck actor, and traces that an incident line names,"
              + " are kept in addition",
          "time on the drainer's thread: eight times as many traces are held for five seconds"
              + " until it decides");

  public static final Key<Long> PAGE_MEMORY =
      key(
          "deimos.page.memory",
          Kind.memory(4L << 20, 4L << 30),
          64L << 20,
          START,
          "what the page may keep, at most: three quarters for spans, a quarter for single actors"
              + " and trouble. Where it is not set, it is at most an eighth of the maximum heap."
              + " What has to make room is counted, and the page says so. Answers under way may take"
              + " as much again, at most 64 MiB and an eighth of the heap, and so may what is sent"
              + " to the page",
          "memory, taken as it is needed");

  public static final Key<Integer> SPANS_KEPT =
      key(
          "deimos.page.spans-kept",
          Kind.number(100, 10_000_000),
          16_384,
          START,
          "how many spans the page keeps in total. Where it is not set, that follows from"
              + " `deimos.page.memory`. A span with much text counts as several."
              + " When the store is full, ordinary traces go first, and old traces with trouble are"
              + " reduced to the spans that show it",
          "memory: about 250 bytes for each plain span, 3 KiB at most");

  public static final Key<Long> OBSERVER_MEMORY =
      key(
          "deimos.observer.memory",
          Kind.memory(0, 1L << 30),
          16L << 20,
          START,
          "what the page may remember of single actors and of trouble. Where it is not set, that"
              + " is a quarter of `deimos.page.memory`. A sixteenth is for what went wrong, and of the"
              + " rest half for the figures of each actor, about 120 bytes an actor, and half for the last messages of all, 75 bytes each. When it is used up, the"
              + " actors that were idle for longest, the oldest messages and the oldest trouble go."
              + " `0`: the page knows neither. It never does where it is off",
          "memory, taken as it is needed; some memory accesses a record on the drainer's"
              + " thread, none on the actors'");

  public static final Key<Double> OBSERVER_CPU =
      key(
          "deimos.observer.cpu",
          Kind.decimal(0.001, 1),
          0.05,
          START,
          "what following single actors may take of one core, on the average, after a reserve of"
              + " half a second for bursts. Beyond it messages are left out, and the page says of"
              + " how many it knows. Trouble and taps see all of them. Searches of the page may take"
              + " as much again, all together; beyond it they are cut or refused. In a page of its"
              + " own they may take ten times as much",
          "time on the drainer's thread, and on the threads that answer, up to this share each");

  public static final Key<Boolean> PROFILE =
      key(
          "deimos.profile.enabled",
          Kind.flag(),
          false,
          LIVE,
          "whether a profile by message class is made all the time. If `false`, it is made while"
              + " the page's Profile, the command `profile` or `/api/v1/profile` asks for it, and"
              + " for 15 seconds longer. It covers the last five minutes or so",
          "a recording of the JVM's flight recorder with a sample each 10 ms, a thread that joins"
              + " the samples with records once a second, and up to 16 MiB, while it is on");

  public static final Key<String> CONTROL_FILE =
      key(
          "deimos.control.file",
          Kind.text(),
          "",
          START,
          "a file of HOCON, properties or JSON with settings as in `application.conf`. Deimos"
              + " looks at it twice a second. It overrides system properties. Settings that can"
              + " change at run time take effect at once",
          "a look at the file twice a second, on a separate thread");

  public static final Key<Boolean> WEAVE_ALL =
      key(
          "deimos.control.weave-all",
          Kind.flag(),
          false,
          START,
          "also weaves what is off at the start (even with `deimos.enabled=false`), so that it can"
              + " be switched on at run time. Without it, what is off at the start stays off",
          "woven code that is off still costs one comparison at each place, and the memory of"
              + " its added fields");

  public static final Key<Instrumentations> INSTRUMENTATIONS =
      key(
          "deimos.instrumentations",
          Kind.oneOf(Instrumentations.class),
          Instrumentations.ALL,
          START,
          "what is recorded beside actors: `all` that the OpenTelemetry agent knows (HTTP,"
              + " databases, Kafka, …), or nothing but `actors`, with thread pools, log events and"
              + " the application's OpenTelemetry API. `otel.instrumentation.*` overrides it",
          "with `actors` the application starts sooner: half of the processor time that the agent"
              + " takes at the start is for the other libraries");

  public static final Key<Boolean> SELF_TEST =
      key(
          "deimos.self-test.enabled",
          Kind.flag(),
          true,
          START,
          "the first actor system that starts is used to show that each hook fires on this"
              + " version of Pekko",
          "about a second of processor time on one thread, once");

  public static final Key<Duration> SELF_TEST_WAIT =
      key(
          "deimos.self-test.wait",
          Kind.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(10),
          START,
          "the self-test waits until the process takes less than a quarter of a core and could have"
              + " more, so that it does not make the start of the application longer, and at most for"
              + " this long. Until then nobody knows of a hook that does not fire. The page waits in the same way before"
              + " it gets ready what only requests need",
          "nothing; with `0s` the self-test competes with the application's start");

  public static final Key<Boolean> TESTKIT =
      key(
          "deimos.testkit.enabled",
          Kind.flag(),
          false,
          START,
          "lets `deimos-testkit` in the same JVM see all spans and metrics; for tests only",
          "a map for each span while a test listens, and one more aggregation of all metrics");

  public static final Key<String> REPORT_FILE =
      key(
          "deimos.report.file",
          Kind.text(),
          "",
          START,
          "a file for a summary of the run, written as JSON when the JVM ends",
          "a look at the counters each second");

  public static final Key<String> DUMP_DIRECTORY =
      key(
          "deimos.dump.directory",
          Kind.text(),
          "",
          START,
          "a directory for a dump of all that the page knows, written when an actor system or the"
              + " JVM ends within 30 seconds after an actor has failed. The last five stay; each"
              + " has at most 64 MiB, and only the process's user may read it. Needs the page",
          "up to five seconds more at such an end");

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

  private static Kind<String> join() {
    return new Kind<>("an address such as http://127.0.0.1:9797", Keys::page, false);
  }

  private static String page(ConfigValue value) {
    String text = String.valueOf(value.unwrapped());
    if (text.isEmpty()) {
      return text;
    }
    URI address = URI.create(text);
    String path = address.getRawPath();
    boolean isPlain = "http".equals(address.getScheme());
    if (!(isPlain || "https".equals(address.getScheme()))
        || address.getHost() == null
        || address.getPort() < 1
        || !(path == null || path.isEmpty() || path.equals("/"))) {
      throw new IllegalArgumentException();
    }
    if (isPlain
        && !address.getHost().equals("127.0.0.1")
        && !address.getHost().equals("localhost")) {
      throw new IllegalArgumentException(
          "a page on another machine is joined by https:// only, with a token; see"
              + " deimos.page.shared-token-file");
    }
    return text;
  }

  private static Kind<String> host() {
    return new Kind<>("127.0.0.1", Keys::home, false);
  }

  private static String home(ConfigValue value) {
    Object host = value.unwrapped();
    if (!"127.0.0.1".equals(host) && !"localhost".equals(host)) {
      throw new IllegalArgumentException(
          "the page is served on 127.0.0.1 only; remove the setting, and reach the page"
              + " from elsewhere through a tunnel");
    }
    return "127.0.0.1";
  }
}
