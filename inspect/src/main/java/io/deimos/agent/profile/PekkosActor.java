// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.recorder.base.PekkoNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one of Pekko's own actors that a stack is in. Their messages have no records; the stack has
 * their class, in the method that Pekko's core calls.
 *
 * @param part what it does, in a word or two
 */
record PekkosActor(String className, String part) {
  private static final String RECEIVE = ".aroundReceive";
  private static final String STREAMS = "streams";

  /** How far from the core the actor, and the part that a stream belongs to, are looked for. */
  private static final int MAX_FRAMES = 40;

  /** Packages in which no class is extended by an application's actors. */
  private static final Map<String, String> PARTS = new LinkedHashMap<>();

  static {
    PARTS.put("org.apache.pekko.stream.", STREAMS);
    PARTS.put("org.apache.pekko.http.", "HTTP");
    PARTS.put("org.apache.pekko.io.", "TCP and DNS");
    PARTS.put("org.apache.pekko.remote.", "remoting");
    PARTS.put("org.apache.pekko.cluster.sharding.", "sharding");
    PARTS.put("org.apache.pekko.cluster.", "cluster");
    PARTS.put("org.apache.pekko.persistence.journal.", "persistence");
    PARTS.put("org.apache.pekko.persistence.snapshot.", "persistence");
  }

  /**
   * The actor at work; null if it is not one of these.
   *
   * @param stack from the core on, the outermost frame first
   */
  static @Nullable PekkosActor of(List<String> stack) {
    for (int i = 0; i < Math.min(MAX_FRAMES, stack.size()); i++) {
      String frame = stack.get(i);
      if (frame.endsWith(RECEIVE)) {
        String name = frame.substring(0, frame.length() - RECEIVE.length());
        String part = part(name);
        if (part != null) {
          return new PekkosActor(name, part.equals(STREAMS) ? partOfStream(stack, i) : part);
        }
      }
    }
    return null;
  }

  /** HTTP and remoting are streams themselves. */
  private static String partOfStream(List<String> stack, int from) {
    for (int i = from; i < Math.min(MAX_FRAMES, stack.size()); i++) {
      String part = part(stack.get(i));
      if (part != null && !part.equals(STREAMS)) {
        return part;
      }
    }
    return STREAMS;
  }

  private static @Nullable String part(String name) {
    String pekkos = PekkoNames.of(name);
    for (Map.Entry<String, String> part : PARTS.entrySet()) {
      if (pekkos.startsWith(part.getKey())) {
        return part.getValue();
      }
    }
    return null;
  }
}
