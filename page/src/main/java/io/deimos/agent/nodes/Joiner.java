// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.Wire;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.store.TraceStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Joins the page of another process, if it is one of the same user and a version that fits. Belongs
 * to one thread, but for {@link #close}.
 */
public final class Joiner implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 2_000;
  private static final int MAX_TEXT = 200;
  private static final int MAX_ANSWER_BYTES = 16 * 1024;

  /** For a whole answer, however often a few of its bytes come. */
  private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(2L * PATIENCE_MILLIS);

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})\\b.*");

  private final Supplier<ProcessStatus> self;
  private final TraceStore store;
  private final LocalPage page;
  private final boolean tokenOnly;
  private @Nullable LinkSecret own;
  private volatile @Nullable Joining current;
  private volatile boolean closed;

  /** The outcome. */
  public sealed interface Outcome {}

  /** It had joined, and that has ended. */
  public record Ended() implements Outcome {}

  /** Nobody answers: who had the port may just have ended, or is stuck. */
  public record Silent() implements Outcome {}

  /**
   * The port is somebody's who is not to be joined.
   *
   * @param why goes on after "no page, since port 9797 …"
   */
  public record Refused(String why) implements Outcome {
    /** It is no page of Deimos. */
    public static final String STRANGER = "is in use";
  }

  /**
   * Does nothing yet.
   *
   * @param tokenOnly whether what this process shows may be shown only to who has a token
   */
  public Joiner(Supplier<ProcessStatus> self, TraceStore store, LocalPage page, boolean tokenOnly) {
    this.self = self;
    this.store = store;
    this.page = page;
    this.tokenOnly = tokenOnly;
  }

  /**
   * Joins, and comes back when that is over.
   *
   * @param joined told that it has, and whom: the service and the process's number
   */
  public Outcome join(PageTarget target, Consumer<String> joined) throws InterruptedException {
    About about;
    try {
      about = about(target);
    } catch (SSLException e) {
      return new Refused(
          "does not prove who it is ("
              + e.getMessage()
              + "): deimos.page.tls.trust names its certificate, or the one that it was made with");
    } catch (IOException e) {
      return new Silent();
    }
    if (about == null) {
      return new Refused(Refused.STRANGER);
    }
    ProcessStatus me = self.get();
    if (about.link != Handshake.VERSION
        || !major(about.version).equals(major(me.process().versions().deimos()))) {
      return new Refused(
          "has the page of another version of Deimos ("
              + about.version
              + ", here "
              + me.process().versions().deimos()
              + ")");
    }
    if (tokenOnly && !about.tokenOnly) {
      return new Refused(
          "has a page that anybody on this machine may read, and this process has"
              + " deimos.page.access=token");
    }
    try (Wire wire = target.dial(PATIENCE_MILLIS)) {
      return link(wire, target, about, joined);
    } catch (IOException e) {
      return new Silent();
    }
  }

  private Outcome link(Wire wire, PageTarget target, About about, Consumer<String> joined)
      throws IOException, InterruptedException {
    LinkSecret mine = own;
    if (mine == null) {
      try {
        mine = LinkSecret.make();
      } catch (IOException e) {
        return new Refused(
            "has the page of another process, and this one cannot join it without a temporary file"
                + " ("
                + e
                + ")");
      }
      own = mine;
    }
    String number = LinkSecret.random();
    int port = target.port();
    write(
        wire,
        "GET "
            + Handshake.LINK
            + " HTTP/1.1\r\nHost: "
            + target.authority()
            + "\r\nConnection: Upgrade\r\nUpgrade: deimos-link\r\n"
            + Handshake.NUMBER
            + ": "
            + number
            + "\r\n\r\n");
    Map<String, String> head = head(wire);
    String theirs = head.getOrDefault("deimos-number", "");
    String proof = head.getOrDefault("deimos-proof", "");
    if (!head.containsKey("")) {
      return new Silent(); // it has ended meanwhile, or has no room for this connection now
    }
    if (!head.getOrDefault("", "").equals("101") || theirs.isEmpty()) {
      return new Refused("is in use by a Deimos that lets no other process join");
    }
    LinkSecret secret;
    String place = head.getOrDefault("deimos-file", "");
    if (place.equals(Handshake.SHARED) && target.token().isEmpty()) {
      return new Refused(
          "wants a token: set deimos.page.shared-token-file to the file that has it");
    }
    try {
      secret =
          place.equals(Handshake.SHARED)
              ? LinkSecret.shared(target.token())
              : LinkSecret.read(place, mine);
    } catch (IOException e) {
      return new Refused(
          "has the page of another user or container, or of a process with another java.io.tmpdir");
    }
    if (!secret.proves(proof, "serves", port, number, theirs)) {
      return new Refused(
          place.equals(Handshake.SHARED)
              ? "has another token than deimos.page.shared-token-file"
              : "is in use by a process that only says it is a Deimos");
    }
    Joining joining = new Joining(wire, self, store, page);
    current = joining;
    if (closed) {
      joining.close();
    }
    try {
      Welcome welcome = joining.begin(secret.proof("joins", port, number, theirs));
      if (welcome == null) {
        return new Silent();
      }
      joined.accept(about.service + ", process " + about.pid);
      joining.awaitEnd();
      return new Ended();
    } finally {
      joining.close();
    }
  }

  private record About(String version, long link, String service, long pid, boolean tokenOnly) {}

  /** Null if it is no Deimos. */
  private static @Nullable About about(PageTarget target) throws IOException {
    try (Wire wire = target.dial(PATIENCE_MILLIS)) {
      write(
          wire,
          "GET "
              + Handshake.ABOUT
              + " HTTP/1.1\r\nHost: "
              + target.authority()
              + "\r\nConnection: close\r\n\r\n");
      Map<String, String> head = head(wire);
      if (!head.getOrDefault("", "").equals("200")) {
        return null;
      }
      @Nullable Object read = JsonReader.read(new String(body(wire, head), StandardCharsets.UTF_8));
      if (!(read instanceof Map<?, ?> json) || !text(json, "product").equals("deimos")) {
        return null;
      }
      return new About(
          text(json, "version"),
          number(json, "link"),
          text(json, "service"),
          number(json, "pid"),
          text(json, "access").equals("token"));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String text(Map<?, ?> json, String name) {
    return json.get(name) instanceof String text && text.length() <= MAX_TEXT ? text : "";
  }

  private static long number(Map<?, ?> json, String name) {
    return json.get(name) instanceof Long number ? number : -1;
  }

  private static String major(String version) {
    int dot = version.indexOf('.');
    return dot < 0 ? version : version.substring(0, dot);
  }

  private static void write(Wire wire, String request) throws IOException {
    wire.out().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  /** The status under the empty name, and headers in lower case; not a byte more is read. */
  private static Map<String, String> head(Wire wire) throws IOException {
    InputStream in = wire.in();
    StringBuilder text = new StringBuilder();
    long begun = System.nanoTime();
    while (text.indexOf("\r\n\r\n") < 0) {
      checkTime(begun);
      int read = in.read();
      if (read < 0 || text.length() > MAX_ANSWER_BYTES) {
        return Map.of();
      }
      text.append((char) read);
    }
    Map<String, String> head = new HashMap<>();
    String[] lines = text.toString().split("\r\n", -1);
    Matcher status = STATUS.matcher(lines[0]);
    if (status.matches()) {
      head.put("", status.group(1));
    }
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon > 0) {
        head.put(
            lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
            lines[i].substring(colon + 1).strip());
      }
    }
    return head;
  }

  /** As long as the other side says, or until it closes, which it need not do. */
  private static byte[] body(Wire wire, Map<String, String> head) throws IOException {
    String said = head.getOrDefault("content-length", "");
    int length = said.matches("\\d{1,9}") ? Integer.parseInt(said) : Integer.MAX_VALUE;
    InputStream in = wire.in();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] some = new byte[1024];
    long begun = System.nanoTime();
    while (body.size() < length) {
      int read = in.read(some, 0, Math.min(some.length, length - body.size()));
      if (read < 0) {
        break;
      }
      checkTime(begun);
      body.write(some, 0, read);
      if (body.size() > MAX_ANSWER_BYTES) {
        throw new IOException("more than " + MAX_ANSWER_BYTES + " bytes");
      }
    }
    return body.toByteArray();
  }

  private static void checkTime(long begun) throws IOException {
    if (System.nanoTime() - begun > ANSWER_NANOS) {
      throw new IOException("an answer without an end");
    }
  }

  @Override
  public void close() {
    closed = true;
    Joining joining = current;
    if (joining != null) {
      joining.close();
    }
  }
}
