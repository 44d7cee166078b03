// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

import io.deimos.agent.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One address of the interface: what it is for, what may be asked and what is answered. Requests
 * are read by it; the interface's document and the tools of assistants are made from it.
 *
 * @param name what programs and assistants call it
 * @param path with {@code {id}} at its end, if it is of one of many
 * @param id what stands at the end of the path; null if nothing does
 * @param answer a JSON object; null for a file
 */
public record Route(
    String name,
    String path,
    Text text,
    @Nullable Schema id,
    List<Parameter<?>> parameters,
    @Nullable Schema answer,
    Use use) {
  private static final String ID = "{id}";

  /**
   * Its purpose.
   *
   * @param summary in a few words
   * @param words in sentences, for who has never seen it
   * @param notes what the reference says beyond them: bounds, and what is counted how
   */
  public record Text(String summary, String words, String notes) {}

  /**
   * How it is used.
   *
   * @param isTool whether assistants may call it
   * @param isChange whether it is a POST, which needs the token, and no GET
   * @param isStream whether the answer is a stream of server-sent events, each with such an object
   */
  public record Use(boolean isTool, boolean isChange, boolean isStream) {}

  /** A route without parameters whose answer is an object that nobody has described. */
  public static Route at(String path, String name, String summary, String words) {
    Text text = new Text(summary, words, "");
    Use use = new Use(true, false, false);
    return new Route(name, path, text, null, List.of(), Schema.object(""), use);
  }

  /** The meaning of {@code {id}} in the path. */
  public Route named(String id) {
    return new Route(name, path, text, Schema.text(id), parameters, answer, use);
  }

  /** A paragraph for the reference. */
  public Route note(String paragraph) {
    String notes = text.notes.isEmpty() ? paragraph : text.notes + "\n\n" + paragraph;
    Text more = new Text(text.summary, text.words, notes);
    return new Route(name, path, more, id, parameters, answer, use);
  }

  /** The same at another address. */
  public Route at(String other) {
    return new Route(name, other, text, id, parameters, answer, use);
  }

  public Route asks(Parameter<?>... asked) {
    return new Route(name, path, text, id, List.of(asked), answer, use);
  }

  public Route answers(@Nullable Schema given) {
    return new Route(name, path, text, id, parameters, given, use);
  }

  public Route noTool() {
    return used(new Use(false, use.isChange, use.isStream));
  }

  /** A POST, which needs the token and is none of assistants'. */
  public Route changes() {
    return used(new Use(false, true, use.isStream));
  }

  /** The answer is a stream of server-sent events. */
  public Route streams() {
    return used(new Use(use.isTool, use.isChange, true));
  }

  private Route used(Use other) {
    return new Route(name, path, text, id, parameters, answer, other);
  }

  /** Whether this is the route of a request. */
  boolean isFor(Request request) {
    return (use.isChange ? request.method().equals("POST") : request.isRead())
        && matches(request.path());
  }

  /** Whether this is the route of a path. */
  public boolean matches(String asked) {
    return id == null ? path.equals(asked) : asked.length() > prefix() && asked.startsWith(start());
  }

  /** The part of a path in place of {@code {id}}, as it was sent; empty if nothing. */
  String idIn(String asked) {
    return id == null ? "" : asked.substring(prefix());
  }

  /** The path with an id in it. */
  public String pathOf(String encodedId) {
    return id == null ? path : start() + encodedId;
  }

  private String start() {
    return path.substring(0, prefix());
  }

  private int prefix() {
    return path.length() - ID.length();
  }
}
