// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.standalone;

import io.deimos.agent.http.Reply;
import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.nodes.Joiner;
import io.deimos.agent.nodes.LocalPage;
import io.deimos.agent.nodes.PageTarget;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.store.StoreCounts;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.GZIPOutputStream;

/**
 * A process of which the link, the store and the choice of traces are real, and the actors made up:
 * as many answers as a process gives, of the size that 500 actors make.
 */
final class MadeUpNode implements AutoCloseable {
  private static final int ACTORS = 500;
  private static final int PAUSE_MILLIS = 1_000;
  private static final byte[] ANSWER = packed();

  private final int number;
  private final TraceStore store;
  private final CountDownLatch joined = new CountDownLatch(1);
  private final Joiner joiner;
  private volatile long offered;
  private volatile int vain;
  private volatile boolean closed;

  MadeUpNode(int number, int port) {
    this(number, port, StoreLimits.DEFAULT);
  }

  MadeUpNode(int number, int port, StoreLimits limits) {
    this.number = number;
    this.store = new TraceStore(limits);
    this.joiner =
        new Joiner(
            this::card,
            store,
            new LocalPage() {
              @Override
              public Reply answer(String target, boolean gzip) {
                return new Reply(200, true, ANSWER.clone());
              }

              @Override
              public List<TroubleGroup> trouble() {
                return List.of(
                    TroubleGroup.counted("failure", "made.Up", "made up", offered / 1000, "", ""));
              }

              @Override
              public ClusterCard cluster() {
                return new ClusterCard(
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    new ClusterCard.Alive(0, List.of()),
                    0);
              }
            },
            false);
    Thread thread = new Thread(() -> keepJoining(port));
    thread.setDaemon(true);
    thread.start();
  }

  /** Again and again, as a process does that has been told which page to join. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void keepJoining(int port) {
    try {
      while (!closed) {
        Joiner.Outcome over = joiner.join(PageTarget.local(port), who -> joined.countDown());
        if (!(over instanceof Joiner.Ended)) {
          vain++;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean hasJoined() {
    return joined.getCount() == 0;
  }

  /** How often it tried to join and could not. */
  int triedInVain() {
    return vain;
  }

  String id() {
    return "%016x".formatted(0xabcd_0000L + number);
  }

  TraceStore store() {
    return store;
  }

  StoreCounts counts() {
    return store.counts();
  }

  /** Spans that the process has made. Written by one thread. */
  long offered() {
    return offered;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void countOffered(int spans) {
    offered += spans;
  }

  /** The fates of the spans, each counted once: */
  long accountedFor() {
    StoreCounts counts = counts();
    return counts.kept().spans()
        + counts.turnedAway().spans()
        + counts.spansTruncated()
        + counts.letGo().spans()
        + counts.thinned().spans()
        + counts.evicted().spans();
  }

  private ProcessStatus card() {
    return new ProcessStatus(
        new ProcessStatus.Identity(
            id(),
            "node-" + number,
            List.of("made-up"),
            new ProcessStatus.Versions("0.1.0", "1.7.0", "17"),
            "",
            1_000_000 + number,
            System.currentTimeMillis()),
        System.currentTimeMillis(),
        new ProcessStatus.Counts(
            offered, offered, 0, ACTORS, 1 << 27, 1 << 28, store.spansNotSent(), 0));
  }

  /** A list of actors such as the page's, packed. */
  private static byte[] packed() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      for (int i = 0; i < ACTORS; i++) {
        out.write(
            "{\"path\":\"pekko://made-up/user/parent-%d/child-%d\",\"class\":\"made.Up$%d\",\"mailbox\":%d,\"messages\":%d},"
                .formatted(i % 7, i, i % 13, i * 31 % 97, i * 7919L % 100_003)
                .getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    closed = true;
    joiner.close();
  }
}
