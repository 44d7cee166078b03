// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.log.Printable;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One parameter of a request: what it may be, what it is if it is not given, and how it is read. It
 * reads requests, and the interface's document and the assistants' tools are made from it.
 */
public final class Parameter<T> {
  private static final int MAX_CHARS = 2048;

  private final String name;
  private final Schema schema;
  private final Function<Query, T> read;

  private Parameter(String name, Schema schema, Function<Query, T> read) {
    this.name = name;
    this.schema = schema;
    this.read = read;
  }

  /** Empty if it is not given. */
  public static Parameter<String> text(String name, String words) {
    return new Parameter<>(name, Schema.text(words), query -> bounded(name, query));
  }

  /** A text that is read further; what reads it refuses it with a {@link BadRequest}. */
  public static <T> Parameter<T> read(String name, String words, Function<String, T> reader) {
    return new Parameter<>(name, Schema.text(words), query -> reader.apply(bounded(name, query)));
  }

  /** One that may be given more than once; what reads it refuses it with a {@link BadRequest}. */
  public static <T> Parameter<List<T>> each(String name, String words, Function<String, T> reader) {
    return new Parameter<>(
        name,
        Schema.list(Schema.text(""), words),
        query -> query.texts(name).stream().map(reader).toList());
  }

  /** Words that are looked for, at most {@link SearchTerm#MAX_TERMS}. */
  public static Parameter<List<SearchTerm>> words(String name, String words) {
    return read(
        name,
        words,
        text ->
            terms(
                name,
                () ->
                    SearchTerm.all(
                        Arrays.stream(text.split("\\s+"))
                            .filter(word -> !word.isEmpty())
                            .toArray(String[]::new))));
  }

  /**
   * Reads what is looked for.
   *
   * @throws BadRequest if it is too much
   */
  public static <T> T terms(String name, Supplier<T> reader) {
    try {
      return reader.get();
    } catch (IllegalArgumentException e) {
      throw new BadRequest(name + ": " + Printable.shortLine(String.valueOf(e.getMessage())));
    }
  }

  /** A text of which there is not too much. */
  private static String bounded(String name, Query query) {
    String text = query.text(name);
    if (text.length() > MAX_CHARS) {
      throw new BadRequest(
          name + ": has " + text.length() + " characters, and may have at most " + MAX_CHARS);
    }
    return text;
  }

  public static Parameter<Boolean> flag(String name, String words) {
    return new Parameter<>(name, Schema.flag(words).otherwise(false), query -> query.flag(name));
  }

  public static Parameter<Integer> number(
      String name, int otherwise, int least, int most, String words) {
    return new Parameter<>(
        name,
        Schema.whole(words).within(least, most).otherwise(otherwise),
        query -> query.number(name, otherwise, least, most));
  }

  public static Parameter<String> oneOf(
      String name, String otherwise, List<String> choices, String words) {
    Schema schema = Schema.oneOf(choices, words);
    return new Parameter<>(
        name,
        otherwise.isEmpty() ? schema : schema.otherwise(otherwise),
        query -> {
          String value = query.text(name);
          if (!value.isEmpty() && !choices.contains(value)) {
            throw new BadRequest(
                name
                    + "="
                    + Printable.shortLine(value)
                    + ": must be one of "
                    + String.join(", ", choices));
          }
          return value.isEmpty() ? otherwise : value;
        });
  }

  public String name() {
    return name;
  }

  public Schema schema() {
    return schema;
  }

  /**
   * Its value in a request.
   *
   * @throws BadRequest if that cannot be
   */
  public T of(Query query) {
    return read.apply(query);
  }
}
