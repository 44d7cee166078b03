// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.trouble.Incidents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Called by woven code when a message is put on the wire or taken off it. Safe for any thread. */
public final class SerializationHooks {
  private static final String UNKNOWN = "unknown";
  private static final int MOST = 4096;

  /** Addresses as text; kept by their class, which is Pekko's, and so ends with its loader. */
  private static final ClassValue<Map<Object, String>> ADDRESSES =
      new ClassValue<>() {
        @Override
        protected Map<Object, String> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private static final Map<Long, String> SYSTEMS = new ConcurrentHashMap<>();
  private static final LongAdder SERIALIZED = new LongAdder();
  private static final LongAdder DESERIALIZED = new LongAdder();

  /** A message with as many bytes is large. */
  private static volatile int largeBytes = Integer.MAX_VALUE;

  private SerializationHooks() {}

  /** Sets from which size on a message to another node is large; 0 for none. */
  public static void largeFrom(long bytes) {
    largeBytes = bytes == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, bytes);
  }

  /** The reading of the clock with which {@link #serialized} and {@link #deserialized} begin. */
  public static long now() {
    return Clock.now();
  }

  /** The other node of a number is at an address, or at none any more. */
  public static void peer(long uid, String address) {
    if (SYSTEMS.size() >= MOST && !SYSTEMS.containsKey(uid)) {
      SYSTEMS.clear(); // of nodes that have long gone, mostly; those there are come again at once
    }
    SYSTEMS.put(uid, address);
  }

  /**
   * A message has been serialized.
   *
   * @param address Pekko's address of the receiver, or null
   * @param message what was serialized, or null
   * @param bytes of it with its headers; below 0 if that is not known
   */
  public static void serialized(
      @Nullable Object address, @Nullable Object message, long begunNanos, int bytes) {
    SERIALIZED.increment();
    String peer = UNKNOWN;
    if (address != null) {
      String known = ADDRESSES.get(address.getClass()).get(address);
      peer = known != null ? known : name(address);
    }
    count(peer, "transmit", begunNanos, bytes);
    if (bytes >= largeBytes) {
      large(peer, message, bytes);
    }
  }

  private static void large(String peer, @Nullable Object message, int bytes) {
    String type = message == null ? UNKNOWN : message.getClass().getName();
    Metric.REMOTE_LARGE.tally().add(1, peer, type);
    Incidents.happened(
        EventName.LARGE_MESSAGE,
        () -> {
          Map<Attribute, String> facts = new LinkedHashMap<>();
          facts.put(Attribute.REMOTE_PEER, peer);
          facts.put(Attribute.MESSAGE_CLASS, type);
          facts.put(Attribute.MESSAGE_SIZE, Integer.toString(bytes));
          return facts;
        });
  }

  private static String name(Object address) {
    String name = address.toString();
    Map<Object, String> known = ADDRESSES.get(address.getClass());
    if (known.size() < MOST) {
      known.put(address, name);
    }
    return name;
  }

  /** A message of the node of a number has been deserialized. */
  public static void deserialized(long uid, long begunNanos, int bytes) {
    DESERIALIZED.increment();
    count(SYSTEMS.getOrDefault(uid, UNKNOWN), "receive", begunNanos, bytes);
  }

  private static void count(String peer, String direction, long begunNanos, int bytes) {
    if (bytes < 0) {
      return;
    }
    Metric.REMOTE_MESSAGES.tally().add(1, peer, direction);
    Metric.REMOTE_BYTES.tally().add(bytes, peer, direction);
    Metric.REMOTE_SERIALIZATION.tally().duration(Clock.now() - begunNanos, peer, direction);
  }

  /** For the self-test. */
  public static long serializations() {
    return SERIALIZED.sum();
  }

  /** For the self-test. */
  public static long deserializations() {
    return DESERIALIZED.sum();
  }
}
