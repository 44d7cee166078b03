// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.settings.Spelling;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reader's query: terms that all have to hold for a trace, each for any of its spans.
 *
 * <pre>
 *   duration&gt;500ms  &gt;2s  &lt;10ms   the whole trace took longer, or less long
 *   began&gt;2026-01-31T10:00:00Z   it began then or later; began&lt; earlier
 *   status:error  status:ok      something is the matter with it, or nothing is
 *   root:"POST /cart"            the name of the trace, which is that of its root span
 *   event:dead_letter            an event's name
 *   actor:Cart  message:Charge   an actor's class or path; a message's class
 *   sender:Cart                  of who sent it; with it, actor: and message: hold for the same span
 *   text:cart-17                 as without text:, for what would read as something else
 *   anything else                is in the id, a name, an event or a value; words side by side are one text
 * </pre>
 *
 * A value with spaces stands in double quotes. Case does not matter.
 */
public final class TraceQuery {
  /** The same in words, for who asks. */
  public static final String GRAMMAR =
      "The query: terms with spaces between them, which all have to hold for a trace, each"
          + " for any of its spans. duration>500ms, >2s, <10ms: the whole trace took longer, or"
          + " less long (ns, us, ms, s, min). began>2026-01-31T10:00:00Z, began<...: it began then"
          + " or later, or earlier. status:error, status:ok: something went wrong in it,"
          + " or nothing. root:Checkout: the trace has this name, which is that of its root span. event:dead_letter: the name of an event. actor:Cart: an actor's class or"
          + " path. message:Charge: a message's class. sender:Cart: who sent it; with it, actor:"
          + " and message: hold for the same span. text:cart-17, or anything else: is in the id, a"
          + " name, an event or a value; words side by side are one text. A value with spaces"
          + " stands in double quotes. Case does not matter.";

  private static final Pattern TOKEN = Pattern.compile("([a-z]+:)?\"([^\"]*)\"|\\S+");
  private static final Pattern COMPARED =
      Pattern.compile("(?:duration)?\\s*([<>])=?\\s*(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|min)");

  /** A name, what is asked of it, and a value. */
  private static final Pattern NAMED = Pattern.compile("([a-z]{2,16})([:<>]).+");

  private static final List<String> COMPARABLE = List.of("duration", "began");
  private static final List<String> FIELDS =
      List.of("status", "root", "event", "actor", "sender", "message", "text");
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "min", 60_000_000_000L);

  /** A trace that is not searched for any text takes about as long as this. */
  private static final int CHARACTERS_OF_A_TRACE = 64;

  private final List<Term> terms = new ArrayList<>();
  private long atLeastNanos = Long.MIN_VALUE;
  private long atMostNanos = Long.MAX_VALUE;
  private long fromEpochNanos = Long.MIN_VALUE;
  private long untilEpochNanos = Long.MAX_VALUE;
  private @Nullable Boolean trouble;

  private TraceQuery() {}

  /**
   * Reads a query.
   *
   * @throws IllegalArgumentException with a sentence for the reader, if a term cannot be read or is
   *     too long, or if there are too many
   */
  public static TraceQuery of(String text) {
    TraceQuery query = new TraceQuery();
    StringBuilder words = new StringBuilder();
    Matcher tokens = TOKEN.matcher(text.strip());
    while (tokens.find()) {
      String token = tokens.group();
      if (tokens.group(2) != null) {
        query.term(tokens.group(1) == null ? "" : tokens.group(1), tokens.group(2));
      } else if (!query.special(token)) {
        words.append(words.isEmpty() ? "" : " ").append(token);
      }
    }
    if (!words.isEmpty()) {
      query.term("", words.toString());
    }
    SearchTerm.checkCount(query.terms.size());
    return query;
  }

  private boolean special(String token) {
    String lower = token.toLowerCase(Locale.ROOT);
    if (lower.startsWith("duration<") || lower.startsWith("duration>") || isCompared(lower)) {
      compare(lower);
      return true;
    }
    if (lower.startsWith("began<") || lower.startsWith("began>")) {
      began(token);
      return true;
    }
    Matcher named = NAMED.matcher(lower);
    if (!named.matches()) {
      return false;
    }
    String name = named.group(1);
    String sign = named.group(2);
    if (sign.equals(":") && term(name + sign, token.substring(name.length() + 1))) {
      return true;
    }
    String meant = meant(name, sign.equals(":") ? FIELDS : COMPARABLE);
    if (meant != null) {
      throw new IllegalArgumentException(
          token
              + ": there is no field "
              + name
              + "; did you mean "
              + meant
              + sign
              + "? To look for it as a text, write it in double quotes");
    }
    return false;
  }

  /** The field that was most likely meant, or null if none is near. */
  private static @Nullable String meant(String name, List<String> fields) {
    return fields.stream()
        .filter(field -> Spelling.distance(name, field) <= (field.length() > 4 ? 2 : 1))
        .min(Comparator.comparingInt(field -> Spelling.distance(name, field)))
        .orElse(null);
  }

  private static boolean isCompared(String token) {
    return token.length() > 1
        && (token.charAt(0) == '>' || token.charAt(0) == '<')
        && Character.isDigit(token.charAt(1));
  }

  private void compare(String token) {
    Matcher compared = COMPARED.matcher(token);
    if (!compared.matches()) {
      throw new IllegalArgumentException(
          token + ": needs a number with a unit, such as duration>500ms or <2s");
    }
    long nanos =
        new BigDecimal(compared.group(2))
            .multiply(BigDecimal.valueOf(UNITS.getOrDefault(compared.group(3), 1L)))
            .min(BigDecimal.valueOf(Long.MAX_VALUE))
            .longValue();
    if (compared.group(1).equals(">")) {
      atLeastNanos = Math.max(atLeastNanos, nanos);
    } else {
      atMostNanos = Math.min(atMostNanos, nanos);
    }
  }

  private void began(String token) {
    try {
      Instant instant = Instant.parse(token.substring("began>".length()).toUpperCase(Locale.ROOT));
      long nanos =
          Math.addExact(
              Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
      if (token.charAt("began".length()) == '>') {
        fromEpochNanos = Math.max(fromEpochNanos, nanos);
      } else {
        untilEpochNanos = Math.min(untilEpochNanos, nanos);
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          token + ": needs a time in UTC, such as began>2026-01-31T10:00:00Z");
    }
  }

  private boolean term(String key, String value) {
    switch (key) {
      case "", "text:" -> terms.add(new Term(Field.ANY, new TextSearch(value)));
      case "root:" -> terms.add(new Term(Field.ROOT, new TextSearch(value)));
      case "event:" -> terms.add(new Term(Field.EVENT, new TextSearch(value)));
      case "actor:" -> terms.add(new Term(Field.ACTOR, new TextSearch(value)));
      case "sender:" -> terms.add(new Term(Field.SENDER, new TextSearch(value)));
      case "message:" -> terms.add(new Term(Field.MESSAGE, new TextSearch(value)));
      case "status:" -> trouble = isError(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean isError(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "error" -> true;
      case "ok" -> false;
      default ->
          throw new IllegalArgumentException("status:" + value + ": must be status:error or :ok");
    };
  }

  /** True if every trace matches. */
  boolean isEmpty() {
    return terms.isEmpty()
        && trouble == null
        && atLeastNanos == Long.MIN_VALUE
        && atMostNanos == Long.MAX_VALUE
        && fromEpochNanos == Long.MIN_VALUE
        && untilEpochNanos == Long.MAX_VALUE;
  }

  /**
   * Whether a trace is what the reader looks for.
   *
   * @param scan asked after each span; false if it has ended
   */
  boolean matches(KeptTrace trace, Scan scan) {
    return scan.goesOn(CHARACTERS_OF_A_TRACE) && matchesAll(trace, scan) && !scan.isCut();
  }

  private boolean matchesAll(KeptTrace trace, Scan scan) {
    if (trouble != null && trouble != trace.hasTrouble()) {
      return false;
    }
    long nanos = trace.durationNanos();
    if (nanos < atLeastNanos || nanos > atMostNanos) {
      return false;
    }
    long began = trace.startEpochNanos();
    if (began < fromEpochNanos || began >= untilEpochNanos) {
      return false;
    }
    if (terms.isEmpty()) {
      return true;
    }
    List<SpanData> spans = trace.spans();
    boolean sent = terms.stream().anyMatch(term -> term.field == Field.SENDER);
    if (sent && !isOneMessage(spans, scan)) {
      return false;
    }
    for (Term term : terms) {
      if (sent && term.isOfMessage()) {
        continue;
      }
      if (term.field == Field.ROOT) {
        if (!term.text.isName(trace.name())) {
          return false;
        }
        continue;
      }
      if (!(term.field == Field.ANY && term.text.matchesId(trace.traceId()))
          && spans.stream().noneMatch(span -> term.matches(span, scan))) {
        return false;
      }
    }
    return true;
  }

  /** Whether one message has the sender, and the receiver and class if these are asked for, too. */
  private boolean isOneMessage(List<SpanData> spans, Scan scan) {
    Map<String, SpanData> byId = new HashMap<>();
    spans.forEach(span -> byId.put(span.getSpanContext().getSpanId(), span));
    for (SpanData span : spans) {
      if (isOneMessage(span, byId, scan)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOneMessage(SpanData span, Map<String, SpanData> byId, Scan scan) {
    for (Term term : terms) {
      boolean matches =
          term.field == Field.SENDER
              ? term.text.matchesSender(span, byId)
              : !term.isOfMessage() || term.matches(span, scan);
      if (!matches) {
        return false;
      }
    }
    return true;
  }

  private enum Field {
    ANY,
    ROOT,
    EVENT,
    ACTOR,
    SENDER,
    MESSAGE
  }

  private record Term(Field field, TextSearch text) {
    boolean isOfMessage() {
      return field == Field.SENDER || field == Field.ACTOR || field == Field.MESSAGE;
    }

    /** Whether it holds for a span; false once the scan has ended. */
    boolean matches(SpanData span, Scan scan) {
      return scan.goesOn(1 + text.takeLooked()) && matches(span);
    }

    private boolean matches(SpanData span) {
      return switch (field) {
        case ANY -> text.matches(span);
        case ROOT -> false; // by the trace itself, which has a name
        case EVENT -> text.matchesEvent(span);
        case ACTOR -> text.matchesActor(span);
        case SENDER -> false; // by isOneMessage, which has the other spans
        case MESSAGE -> text.matchesMessage(span);
      };
    }
  }
}
