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
 * @param summary in a few words
 * @param words in sentences, for who has never seen it
 * @param notes what the reference says beyond them: bounds, and what is counted how
 * @param id what stands at the end of the path; null if nothing does
 * @param answer a JSON object; null for a file
 * @param isTool whether assistants may call it
 * @param isChange whether it is a POST, which needs the token, and no GET
 * @param isStream whether the answer is a stream of server-sent events, each with such an object
 */
public record Route(
    String name,
    String path,
    String summary,
    String words,
    String notes,
    @Nullable Schema id,
    List<Parameter<?>> parameters,
    @Nullable Schema answer,
    boolean isTool,
    boolean isChange,
    boolean isStream) {
  private static final String ID = "{id}";

  /** A route without parameters whose answer is an object that nobody has described. */
  public static Route at(String path, String name, String summary, String words) {
    return new Route(
        name, path, summary, words, "", null, List.of(), Schema.object(""), true, false, false);
  }

  /** The meaning of {@code {id}} in the path. */
  public Route named(String id) {
    return new Route(
        name,
        path,
        summary,
        words,
        notes,
        Schema.text(id),
        parameters,
        answer,
        isTool,
        isChange,
        isStream);
  }

  /** A paragraph for the reference. */
  public Route note(String paragraph) {
    return new Route(
        name,
        path,
        summary,
        words,
        notes.isEmpty() ? paragraph : notes + "\n\n" + paragraph,
        id,
        parameters,
        answer,
        isTool,
        isChange,
        isStream);
  }

  /** The same at another address. */
  public Route at(String other) {
    return new Route(
        name, other, summary, words, notes, id, parameters, answer, isTool, isChange, isStream);
  }

  public Route asks(Parameter<?>... asked) {
    return new Route(
        name, path, summary, words, notes, id, List.of(asked), answer, isTool, isChange, isStream);
  }

  public Route answers(@Nullable Schema given) {
    return new Route(
        name, path, summary, words, notes, id, parameters, given, isTool, isChange, isStream);
  }

  public Route noTool() {
    return new Route(
        name, path, summary, words, notes, id, parameters, answer, false, isChange, isStream);
  }

  /** A POST, which needs the token and is none of assistants'. */
  public Route changes() {
    return new Route(
        name, path, summary, words, notes, id, parameters, answer, false, true, isStream);
  }

  /** The answer is a stream of server-sent events. */
  public Route streams() {
    return new Route(
        name, path, summary, words, notes, id, parameters, answer, isTool, isChange, true);
  }

  /** Whether this is the route of a request. */
  boolean isFor(Request request) {
    return (isChange ? request.method().equals("POST") : request.isRead())
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
