// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.store.TraceStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Joins the page of another process on this machine, if a process of the same user and a version
 * that fits serves one. Belongs to one thread, but for {@link #close}.
 */
public final class Joiner implements AutoCloseable {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int PATIENCE_MILLIS = 2_000;
  private static final int MOST_ANSWER_BYTES = 16 * 1024;

  /** For a whole answer, however often a few of its bytes come. */
  private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(2L * PATIENCE_MILLIS);

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})\\b.*");

  private final Supplier<NodeCard> self;
  private final TraceStore store;
  private final LocalPage page;
  private final boolean tokenOnly;
  private @Nullable LinkSecret own;
  private volatile @Nullable Joining current;
  private volatile boolean closed;

  /** What came of it. */
  public sealed interface Outcome {}

  /** It had joined, and that has ended. */
  public record Ended(String token) implements Outcome {}

  /** Nobody answers: who had the port may just have ended, or is stuck. */
  public record Silent() implements Outcome {}

  /**
   * The port is somebody's who is not to be joined.
   *
   * @param why goes on after "no page, since port 9797 …"
   */
  public record Refused(String why) implements Outcome {}

  /**
   * Does nothing yet.
   *
   * @param tokenOnly whether what this process shows may be shown only to who has a token
   */
  public Joiner(Supplier<NodeCard> self, TraceStore store, LocalPage page, boolean tokenOnly) {
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
  public Outcome join(int port, Consumer<String> joined) throws InterruptedException {
    About about;
    try {
      about = about(port);
    } catch (IOException e) {
      return new Silent();
    }
    if (about == null) {
      return new Refused("is in use");
    }
    NodeCard me = self.get();
    if (about.link != Handshake.VERSION || !major(about.version).equals(major(me.version()))) {
      return new Refused(
          "has the page of another version of Deimos ("
              + about.version
              + ", here "
              + me.version()
              + ")");
    }
    if (tokenOnly && !about.tokenOnly) {
      return new Refused(
          "has a page that anybody on this machine may read, and this process has"
              + " deimos.page.access=token");
    }
    try (SocketChannel channel = dial(port)) {
      return link(channel, port, about, joined);
    } catch (IOException e) {
      return new Silent();
    }
  }

  private Outcome link(SocketChannel channel, int port, About about, Consumer<String> joined)
      throws IOException, InterruptedException {
    LinkSecret mine = own;
    if (mine == null) {
      try {
        mine = LinkSecret.make();
      } catch (IOException e) {
        return new Refused(
            "has the page of another process, and this one cannot join it without a temporary file ("
                + e
                + ")");
      }
      own = mine;
    }
    String number = LinkSecret.random();
    write(
        channel,
        "GET "
            + Handshake.LINK
            + " HTTP/1.1\r\nHost: 127.0.0.1:"
            + port
            + "\r\nConnection: Upgrade\r\nUpgrade: deimos-link\r\n"
            + Handshake.NUMBER
            + ": "
            + number
            + "\r\n\r\n");
    Map<String, String> head = head(channel);
    String theirs = head.getOrDefault("deimos-number", "");
    String proof = head.getOrDefault("deimos-proof", "");
    if (!head.getOrDefault("", "").equals("101") || theirs.isEmpty()) {
      return new Refused("is in use by a Deimos that lets no other process join");
    }
    LinkSecret secret;
    try {
      secret = LinkSecret.read(head.getOrDefault("deimos-file", ""), mine);
    } catch (IOException e) {
      return new Refused("has the page of another user, or of another container");
    }
    if (!secret.proves(proof, "serves", port, number, theirs)) {
      return new Refused("is in use by a process that only says it is a Deimos");
    }
    Joining joining = new Joining(channel, self, store, page);
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
      return new Ended(welcome.token());
    } finally {
      joining.close();
    }
  }

  private record About(String version, long link, String service, long pid, boolean tokenOnly) {}

  /** Null if it is no Deimos. */
  private static @Nullable About about(int port) throws IOException {
    try (SocketChannel channel = dial(port)) {
      write(
          channel, "GET " + Handshake.ABOUT + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
      Map<String, String> head = head(channel);
      if (!head.getOrDefault("", "").equals("200")) {
        return null;
      }
      String json = new String(rest(channel), StandardCharsets.UTF_8);
      if (!text(json, "product").equals("deimos")) {
        return null;
      }
      return new About(
          text(json, "version"),
          number(json, "link"),
          text(json, "service"),
          number(json, "pid"),
          text(json, "access").equals("token"));
    }
  }

  private static String text(String json, String name) {
    Matcher found = Pattern.compile('"' + name + "\":\"([^\"\\\\]{0,200})\"").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  private static long number(String json, String name) {
    Matcher found = Pattern.compile('"' + name + "\":(\\d{1,18})\\b").matcher(json);
    return found.find() ? Long.parseLong(found.group(1)) : -1;
  }

  private static String major(String version) {
    int dot = version.indexOf('.');
    return dot < 0 ? version : version.substring(0, dot);
  }

  private static SocketChannel dial(int port) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel
          .socket()
          .connect(
              new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), PATIENCE_MILLIS);
      channel.socket().setSoTimeout(PATIENCE_MILLIS);
      channel.socket().setTcpNoDelay(true);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void write(SocketChannel channel, String request) throws IOException {
    channel.socket().getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  /** The status under the empty name, and headers in lower case; not a byte more is read. */
  private static Map<String, String> head(SocketChannel channel) throws IOException {
    InputStream in = channel.socket().getInputStream();
    StringBuilder text = new StringBuilder();
    long begun = System.nanoTime();
    while (text.indexOf("\r\n\r\n") < 0) {
      checkTime(begun);
      int read = in.read();
      if (read < 0 || text.length() > MOST_ANSWER_BYTES) {
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

  private static byte[] rest(SocketChannel channel) throws IOException {
    InputStream in = channel.socket().getInputStream();
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    byte[] some = new byte[1024];
    long begun = System.nanoTime();
    for (int read = in.read(some); read >= 0; read = in.read(some)) {
      checkTime(begun);
      rest.write(some, 0, read);
      if (rest.size() > MOST_ANSWER_BYTES) {
        throw new IOException("more than " + MOST_ANSWER_BYTES + " bytes");
      }
    }
    return rest.toByteArray();
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
