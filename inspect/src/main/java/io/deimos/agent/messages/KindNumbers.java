// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import io.deimos.recorder.actors.ActorKind;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Numbers classes of actors, so that a record of a message can name one after its actor has
 * stopped. 0 stands for none, and for those beyond {@link MessageRecord#MAX_KIND}.
 *
 * <p><b>Threads.</b> The drainer gives numbers; any thread reads them. There are no more kinds than
 * the recorder tells apart, which are kept for good.
 */
public final class KindNumbers {
  private final IdentityHashMap<ActorKind, Integer> numbers = new IdentityHashMap<>();
  private volatile @Nullable ActorKind[] kinds = new ActorKind[64];

  /** The number of a kind, whatever the rules for its actors. */
  public int of(ActorKind kind) {
    Integer known = numbers.get(kind.main());
    return known != null ? known : add(kind.main());
  }

  private int add(ActorKind kind) {
    int number = numbers.size() + 1;
    if (number > MessageRecord.MAX_KIND) {
      return 0;
    }
    @Nullable ActorKind[] to = kinds;
    if (number >= to.length) {
      to = Arrays.copyOf(to, to.length * 2);
    }
    to[number] = kind;
    numbers.put(kind, number);
    kinds = to;
    return number;
  }

  public @Nullable ActorKind byNumber(int number) {
    @Nullable ActorKind[] from = kinds;
    return number < from.length ? from[number] : null;
  }
}
