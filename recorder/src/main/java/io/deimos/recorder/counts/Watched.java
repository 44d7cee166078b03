// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.base.Distinct;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects that are looked at once a second as long as they live, and are not kept alive by it.
 * Holds a bounded number; what comes beyond it is not looked at, which is counted. Safe for any
 * thread.
 */
public final class Watched<T> {
  /** Stashes of typed actors: Pekko's own objects, of whatever class loader. */
  public static final Watched<Object> TYPED_STASHES = new Watched<>(20_000);

  /** Routers that are typed actors' behaviours. */
  public static final Watched<Object> TYPED_ROUTERS = new Watched<>(10_000);

  private final int most;
  private final Map<Entry<T>, Boolean> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<T> gone = new ReferenceQueue<>();
  private final Distinct unwatched = new Distinct();

  public Watched(int most) {
    this.most = most;
  }

  /** Looks at an object from now on. */
  public void add(T thing) {
    for (Object entry = gone.poll(); entry != null; entry = gone.poll()) {
      entries.remove(entry);
    }
    if (entries.size() < most) {
      entries.put(new Entry<>(thing, gone), true);
    } else {
      unwatched.add(System.identityHashCode(thing));
    }
  }

  /** Hands on each that is still there. */
  public void forEach(Consumer<T> action) {
    for (Entry<T> entry : entries.keySet()) {
      T thing = entry.get();
      if (thing != null) {
        action.accept(thing);
      }
    }
  }

  /** About how many there was no room for. */
  public int unwatched() {
    return unwatched.count();
  }

  /** Equal to itself only, as it must be to be found once what it stood for is gone. */
  private static final class Entry<T> extends WeakReference<@Nullable T> {
    Entry(T thing, ReferenceQueue<? super T> gone) {
      super(thing, gone);
    }
  }
}
