// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.housekeeping.MessageSearch;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trouble.Unanswered;
import io.deimos.recorder.trouble.WaitingEnvelopes;
import java.util.Map;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.VirtualPathContainer;
import org.jspecify.annotations.Nullable;

/** Shows the questions that have no answer so far: those whose temporary actor is still there. */
final class OpenAsks {
  private OpenAsks() {}

  static void search(ExtendedActorSystem system, MessageSearch search)
      throws ReflectiveOperationException {
    if (!(system.provider().tempContainer() instanceof VirtualPathContainer container)) {
      return;
    }
    Map<?, ?> children =
        (Map<?, ?>) Reflect.field(VirtualPathContainer.class, "children").get(container);
    for (Object ref : children.values()) {
      if (WaitingMessages.identity(ref) instanceof Ask ask
          && !ask.hasEnded()
          && !search.see(ask, () -> Unanswered.state(ask, mailbox(ask)))) {
        return;
      }
    }
  }

  private static @Nullable Iterable<?> mailbox(Ask ask) {
    Object asked = ask.target();
    return asked instanceof ActorRefWithCell with && with.underlying() instanceof ActorCell cell
        ? WaitingEnvelopes.withoutLock(cell.mailbox().messageQueue())
        : null;
  }
}
