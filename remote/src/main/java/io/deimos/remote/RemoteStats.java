// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The transport's counts, for whoever shows or exports it. Counters only grow; whoever reads them
 * twice has a rate.
 *
 * <p><b>Threads.</b> Any. A snapshot is not atomic across its fields.
 */
public final class RemoteStats {
  private static final List<Source> SOURCES = new CopyOnWriteArrayList<>();
  private static volatile boolean detailed;
  private static volatile @Nullable MessageMeter meter;

  private RemoteStats() {}

  /** A running transport. */
  public interface Source {
    /** The counters of each peer and direction at this moment. */
    List<Peer> peers();

    /** Its refusals, by reason. */
    List<Refused> refused();

    /** How it is set to batch. */
    Batching batching();
  }

  /**
   * The settings under {@code deimos.remote.batching} of a system.
   *
   * @param system name of the local actor system
   * @param enabled whether messages are gathered at all
   * @param maxPendingWrites messages in a batch at most
   * @param maxPendingBytes bytes in a batch at most, unless a single message has more
   * @param flushIntervalNanos how long a batch waits for more
   */
  public record Batching(
      String system,
      boolean enabled,
      int maxPendingWrites,
      int maxPendingBytes,
      long flushIntervalNanos) {}

  /**
   * The connections and messages that reached the port of a system and were turned away for one
   * reason.
   *
   * @param system name of the local actor system
   * @param reason {@code too_many_connections}, {@code no_handshake}, {@code bad_frame}, {@code
   *     tls_failed}, {@code unknown_system}, {@code large_not_configured}, {@code wrong_address},
   *     {@code unreadable_message} or {@code forged_sender}
   * @param count connections closed, or messages dropped, since the start
   */
  public record Refused(String system, String reason, long count) {}

  /**
   * One direction of one stream with one peer.
   *
   * @param system name of the local actor system
   * @param peer address of the other system as in {@code pekko://system@host:port}; {@code unknown}
   *     for what came in before its handshake, {@code other} beyond about a thousand peers
   * @param direction {@code out} or {@code in}
   * @param stream {@code control}, {@code ordinary} or {@code large}
   * @param connected whether there is a connection now
   * @param queued messages waiting in the send queue now, or bytes waiting to be decoded
   * @param batches how the batches of an outgoing stream were; null of an incoming one
   */
  public record Peer(
      String system,
      String peer,
      String direction,
      String stream,
      boolean connected,
      long queued,
      Counts counts,
      @Nullable Batches batches) {}

  /**
   * Counts of one direction of a stream since the start.
   *
   * @param messages frames written, or read
   * @param bytes bytes of these frames with their lengths
   * @param flushes batches written at once, or read at once
   * @param flushNanos nanoseconds between handing a batch to the socket and its being written, in
   *     all; 0 while details are off
   * @param codecNanos nanoseconds spent in encoding, or decoding and delivering, in all; 0 while
   *     details are off
   * @param dropped messages lost: not accepted by a full send queue, unserialisable, oversized, or
   *     under way when a connection broke
   * @param reconnects connections opened after the first
   */
  public record Counts(
      long messages,
      long bytes,
      long flushes,
      long flushNanos,
      long codecNanos,
      long dropped,
      long reconnects) {}

  /** Whether clocks are read for {@code flushNanos} and {@code codecNanos}; off at first. */
  public static boolean detailed() {
    return detailed;
  }

  /** Switches the clocks on or off while everything runs. */
  public static void detailed(boolean on) {
    detailed = on;
  }

  /** The listener of each message of the direct lanes; null, as at first, if there is none. */
  public static @Nullable MessageMeter meter() {
    return meter;
  }

  /** Has somebody told of each message from now on; null for nobody. */
  public static void meter(@Nullable MessageMeter newMeter) {
    meter = newMeter;
  }

  /** The counters of all transports of this JVM. */
  public static List<Peer> snapshot() {
    List<Peer> all = new ArrayList<>();
    for (Source source : SOURCES) {
      all.addAll(source.peers());
    }
    return all;
  }

  /** The refusals of all transports of this JVM. */
  public static List<Refused> refused() {
    List<Refused> all = new ArrayList<>();
    for (Source source : SOURCES) {
      all.addAll(source.refused());
    }
    return all;
  }

  /** How the transports of this JVM are set to batch. */
  public static List<Batching> batching() {
    List<Batching> all = new ArrayList<>();
    for (Source source : SOURCES) {
      all.add(source.batching());
    }
    return all;
  }

  /** Called by a transport when it starts. */
  public static void add(Source source) {
    SOURCES.add(source);
    RemoteStatsControl.register();
  }

  /** Called by a transport when it has stopped. */
  public static void remove(Source source) {
    SOURCES.remove(source);
  }
}
