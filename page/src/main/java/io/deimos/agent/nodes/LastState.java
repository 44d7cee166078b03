// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The last answers of a process, given without having been asked, so that it can be looked at after
 * its end. Safe for any thread.
 *
 * <p><b>Full.</b> An answer has at most {@value #MAX_ANSWER_BYTES} bytes, packed; a larger one is
 * not sent. All of one process have at most {@value #MAX_BYTES}, and all of all have a budget; one
 * that would be too much takes the place of nothing, and is not kept.
 */
final class LastState {
  static final int MAX_ANSWER_BYTES = 256 * 1024;

  private static final int MAX_BYTES = 512 * 1024;
  private static final int MAX_UNPACKED_BYTES = 8 << 20;
  private static final int OK = 200;

  private static final String STATE = "/api/state";
  private static final String ACTORS = "/api/v1/actors";

  /** The answers that are sent, and how often at most while nothing new goes wrong. */
  static final List<Kept> KEPT =
      List.of(
          new Kept(STATE, 5),
          new Kept(ACTORS + "?sort=-mailbox&limit=500", 5),
          new Kept("/api/v1/threads?busy=false", 10),
          new Kept("/api/v1/map", 10),
          new Kept("/api/v1/check", 10),
          new Kept("/api/v1/system", 10),
          new Kept("/api/history", 30),
          new Kept("/api/settings", 60),
          new Kept("/api/faults", 60));

  private final LinkBudget budget;
  private final Map<String, Reply> byPath = new HashMap<>();
  private final Map<String, Long> millis = new HashMap<>();
  private int bytes;

  /** One of the answers. */
  record Kept(String target, int everySeconds) {
    long everyNanos() {
      return TimeUnit.SECONDS.toNanos(everySeconds);
    }
  }

  LastState(LinkBudget budget) {
    this.budget = budget;
  }

  /** An answer as a frame; null if it is none, or too large. */
  static byte @Nullable [] frame(String target, Reply reply) {
    if (reply.status() != OK || reply.body().length > MAX_ANSWER_BYTES) {
      return null;
    }
    byte[] path = path(target).getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(4 + path.length + reply.body().length)
        .putShort((short) reply.status())
        .put((byte) (reply.gzip() ? 1 : 0))
        .put((byte) path.length)
        .put(path)
        .put(reply.body())
        .array();
  }

  void take(byte[] frame) throws IOException {
    if (frame.length < 4 || frame.length > MAX_ANSWER_BYTES + 256) {
      throw new IOException("no answer");
    }
    ByteBuffer from = ByteBuffer.wrap(frame);
    int status = from.getShort();
    boolean gzip = from.get() != 0;
    byte[] path = new byte[Math.min(from.get() & 0xff, from.remaining())];
    from.get(path);
    byte[] body = new byte[from.remaining()];
    from.get(body);
    String known = new String(path, StandardCharsets.US_ASCII);
    if (status != OK || KEPT.stream().noneMatch(kept -> path(kept.target).equals(known))) {
      return;
    }
    synchronized (byPath) {
      Reply before = byPath.get(known);
      int now = bytes - (before == null ? 0 : before.body().length) + body.length;
      if (now <= MAX_BYTES && budget.tryTake(now - bytes)) {
        byPath.put(known, new Reply(status, gzip, body));
        bytes = now;
        millis.put(known, System.currentTimeMillis());
      }
    }
  }

  /**
   * The last answer to this, whatever its query; null if there is none.
   *
   * @param gzip whether who asks can unpack it
   */
  @Nullable Reply answer(String target, boolean gzip) {
    Reply reply;
    synchronized (byPath) {
      reply = byPath.get(path(target));
    }
    return reply == null || gzip || !reply.gzip() ? reply : unpacked(reply);
  }

  private static Reply unpacked(Reply reply) {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(reply.body()))) {
      byte[] whole = in.readNBytes(MAX_UNPACKED_BYTES + 1);
      return whole.length > MAX_UNPACKED_BYTES
          ? NodeLink.refusal("this answer is too large unless it is packed; accept gzip")
          : new Reply(reply.status(), false, whole);
    } catch (IOException e) {
      return NodeLink.refusal("what this process has said last cannot be read");
    }
  }

  /**
   * As of when the overview and the list of actors are here, by the page's clock: the older of the
   * two. 0 if there is neither.
   */
  long atMillis() {
    synchronized (byPath) {
      long state = millis.getOrDefault(STATE, 0L);
      long actors = millis.getOrDefault(ACTORS, 0L);
      return state == 0 || actors == 0 ? Math.max(state, actors) : Math.min(state, actors);
    }
  }

  void forget() {
    synchronized (byPath) {
      byPath.clear();
      budget.give(bytes);
      bytes = 0;
      millis.clear();
    }
  }

  private static String path(String target) {
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }
}
