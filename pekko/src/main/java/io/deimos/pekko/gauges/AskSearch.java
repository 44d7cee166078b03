// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.housekeeping.MessageSearch;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trouble.OpenAsks;
import io.deimos.recorder.trouble.Unanswered;
import io.deimos.recorder.trouble.WaitingEnvelopes;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.jspecify.annotations.Nullable;

/** Shows the asks of one actor system that have no answer so far. */
final class AskSearch {
  private AskSearch() {}

  static void search(ExtendedActorSystem system, MessageSearch search) {
    Object guardian = WaitingMessages.identity(system.provider().guardian());
    OpenAsks.forEach(
        ask ->
            ask.guardian() != guardian
                || search.see(ask, () -> Unanswered.state(ask, mailbox(ask))));
  }

  private static @Nullable Iterable<?> mailbox(Ask ask) {
    Object asked = ask.target();
    return asked instanceof ActorRefWithCell with && with.underlying() instanceof ActorCell cell
        ? WaitingEnvelopes.withoutLock(cell.mailbox().messageQueue())
        : null;
  }
}
