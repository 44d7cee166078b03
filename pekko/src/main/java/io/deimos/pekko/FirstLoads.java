// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.Feature;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes of Pekko that are woven as they are loaded, before an OpenTelemetry agent's builder
 * sees them, and ahead where they can be. The classes that this agent weaves by itself are left to
 * its builder, so that both do to each other what they always did: tasks and what runs them, and
 * the libraries that actors log with. But for the mailbox, which that agent leaves alone.
 *
 * <p><b>Threads.</b> Called by any thread that loads a class.
 */
final class FirstLoads implements WovenApart.Weavings, WovenApart.Weaving {
  /** Pekko's tasks, and what runs them; the agent passes its contexts on there. */
  static final Set<String> TASKS =
      Set.of(
          "org.apache.pekko.dispatch.ExecutorServiceDelegate",
          "org.apache.pekko.dispatch.MonitorableThreadFactory$PekkoForkJoinWorkerThread",
          "org.apache.pekko.dispatch.TaskInvocation",
          "org.apache.pekko.actor.LightArrayRevolverScheduler$TaskHolder");

  /**
   * Classes that Kamon weaves, too, with advice that asks for something that only the constructor
   * makes. If its agent comes first, the builder puts our advice around its own, where the
   * self-test reaches it.
   */
  static final Set<String> SHARED =
      Set.of(
          "org.apache.pekko.cluster.sharding.Shard",
          "org.apache.pekko.remote.transport.PekkoPduProtobufCodec$");

  private final WovenApart.Weaving weaving;

  /** With slashes, as the JVM asks, to the names with dots. */
  private final Map<String, String> types = new HashMap<>();

  private final Map<@Nullable ClassLoader, Set<String>> woven =
      Collections.synchronizedMap(new WeakHashMap<>());

  FirstLoads(PekkoWeaver weaver) {
    weaving = weaver.apart();
    Toolkit toolkit = weaver.toolkit();
    if (toolkit == Toolkit.PEKKO) {
      for (Map.Entry<String, ? extends Iterable<Feature>> type : toolkit.byType().entrySet()) {
        if (!TASKS.contains(type.getKey())
            && !SHARED.contains(type.getKey())
            && !isOfLibrary(type.getValue())) {
          add(type.getKey());
        }
      }
    }
    add(toolkit.name(PekkoWeaver.MAILBOX));
  }

  private static boolean isOfLibrary(Iterable<Feature> features) {
    for (Feature feature : features) {
      if (feature.isOfLibrary()) {
        return true;
      }
    }
    return false;
  }

  private void add(String type) {
    types.put(type.replace('.', '/'), type);
  }

  @Override
  public WovenApart.@Nullable Weaving of(String name) {
    return types.containsKey(name) ? this : null;
  }

  @Override
  public @Nullable Plan plan(
      String type, @Nullable ClassLoader loader, @Nullable Class<?> redefined) {
    return weaving.plan(type, loader, redefined);
  }

  @Override
  public void woven(String type, @Nullable ClassLoader loader) {
    woven.computeIfAbsent(loader, any -> ConcurrentHashMap.newKeySet()).add(type);
  }

  /** Whether a class is woven, so that the builder must not weave it once more. */
  boolean has(String type, @Nullable ClassLoader loader) {
    Set<String> here = woven.get(loader);
    return here != null && here.contains(type);
  }
}
