// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.SearchTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The message that somebody looks for: terms that all have to hold for it.
 *
 * <pre>
 *   message:Charge      part of its class
 *   actor:payments      part of the path or class of who gets it
 *   sender:cart-17      part of the path or class of who sent it
 *   text:order-4711     part of what it says, where that is recorded
 *   trace:ID            the trace it belongs to, 32 hexadecimal digits
 *   anything else       part of any of these, or a trace id
 * </pre>
 *
 * A value with spaces stands in double quotes. Case does not matter.
 *
 * @param traceId in lower case; empty for any
 */
public record WhereQuery(
    List<SearchTerm> messages,
    List<SearchTerm> actors,
    List<SearchTerm> senders,
    List<SearchTerm> texts,
    List<SearchTerm> words,
    String traceId) {
  private static final Pattern TOKEN = Pattern.compile("([a-z]+:)?\"([^\"]*)\"|\\S+");
  private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{32}");

  /**
   * Reads a query.
   *
   * @throws IllegalArgumentException with a sentence for the reader
   */
  public static WhereQuery of(String text) {
    List<SearchTerm> messages = new ArrayList<>();
    List<SearchTerm> actors = new ArrayList<>();
    List<SearchTerm> senders = new ArrayList<>();
    List<SearchTerm> texts = new ArrayList<>();
    List<SearchTerm> words = new ArrayList<>();
    String trace = "";
    int terms = 0;
    Matcher tokens = TOKEN.matcher(text.strip());
    while (tokens.find()) {
      String token = tokens.group();
      int colon = token.indexOf(':');
      String key = tokens.group(2) != null ? tokens.group(1) : key(token, colon);
      String value =
          tokens.group(2) != null
              ? tokens.group(2)
              : key == null ? token : token.substring(colon + 1);
      if (value.isBlank()) {
        continue;
      }
      terms++;
      switch (key == null ? "" : key) {
        case "message:" -> messages.add(SearchTerm.of(value));
        case "actor:" -> actors.add(SearchTerm.of(value));
        case "sender:" -> senders.add(SearchTerm.of(value));
        case "text:" -> texts.add(SearchTerm.of(value));
        case "trace:" -> trace = id(value);
        default -> {
          if (ID.matcher(value).matches()) {
            trace = id(value);
          } else {
            words.add(SearchTerm.of(value));
          }
        }
      }
    }
    SearchTerm.checkCount(terms);
    if (terms == 0) {
      throw new IllegalArgumentException(
          "say which message: message:CLASS, actor:PATH, sender:PATH, text:WORDS, trace:ID or a"
              + " word");
    }
    return new WhereQuery(messages, actors, senders, texts, words, trace);
  }

  private static @Nullable String key(String token, int colon) {
    String key = colon < 0 ? "" : token.substring(0, colon + 1).toLowerCase(Locale.ROOT);
    return switch (key) {
      case "message:", "actor:", "sender:", "text:", "trace:" -> key;
      default -> null;
    };
  }

  private static String id(String value) {
    if (!ID.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "trace:" + value + ": must be a trace id, 32 hexadecimal digits");
    }
    return value.toLowerCase(Locale.ROOT);
  }

  /** Whether what messages say is looked at. */
  boolean readsContent() {
    return !texts.isEmpty() || !words.isEmpty();
  }

  /** Whether who sent it has to be known to tell. */
  boolean readsSender() {
    return !senders.isEmpty() || !words.isEmpty();
  }

  boolean isOfTrace(long hi, long lo) {
    return traceId.isEmpty()
        || (hi == Long.parseUnsignedLong(traceId, 0, 16, 16)
            && lo == Long.parseUnsignedLong(traceId, 16, 32, 16));
  }

  boolean isMessage(String className) {
    return all(messages, className, className.indexOf('$') < 0 ? "" : className.replace('$', '.'));
  }

  boolean isActor(String path, String className) {
    return all(actors, path, className);
  }

  boolean isSender(String path, String className) {
    return all(senders, path, className);
  }

  /**
   * Whether texts and words are in it.
   *
   * @param content what it says, asked for only if that decides
   * @param names its class, and of whom it knows paths and classes
   */
  boolean says(Supplier<@Nullable String> content, String... names) {
    if (!readsContent()) {
      return true;
    }
    List<SearchTerm> missing = new ArrayList<>(texts);
    for (SearchTerm word : words) {
      if (!isInAny(word, names)) {
        missing.add(word);
      }
    }
    if (missing.isEmpty()) {
      return true;
    }
    String said = content.get();
    return said != null && all(missing, said, "");
  }

  private static boolean isInAny(SearchTerm word, String... names) {
    for (String name : names) {
      if (word.isIn(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean all(List<SearchTerm> terms, String one, String other) {
    for (SearchTerm term : terms) {
      if (!term.isIn(one) && !term.isIn(other)) {
        return false;
      }
    }
    return true;
  }
}
