// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trace.Trace;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RemoteTargetTest {
  private static String state(Object ref, boolean undelivered) {
    Trace trace = new Trace(5, 6, true, null);
    Ask ask = new Ask(trace, trace, null, 1, 7, Clock.now(), null, true, null);
    ask.asked(MessageClasses.of(String.class), ref, 1);
    if (undelivered) {
      ask.undelivered();
    }
    return Unanswered.state(ask, null);
  }

  private static TestRemoteActorRef at(boolean quarantined, @Nullable String peer) {
    return new TestRemoteActorRef(new Association(new State(quarantined, peer)));
  }

  @Test
  void state_nodeWithoutAHandshake_neverGotIt() {
    assertThat(state(at(false, null), false)).isEqualTo(Unanswered.NOT_CONNECTED);
    assertThat(state(at(false, null), true)).isEqualTo(Unanswered.NOT_CONNECTED);
  }

  @Test
  void state_nodeThatIsQuarantined_isToldFirst() {
    assertThat(state(at(true, "peer"), false)).isEqualTo(Unanswered.QUARANTINED);
    assertThat(state(at(true, "peer"), true)).isEqualTo(Unanswered.QUARANTINED);
  }

  @Test
  void state_nodeInContact_isOnlyRemote() {
    assertThat(state(at(false, "peer"), false)).isEqualTo(Unanswered.REMOTE);
  }

  @Test
  void state_deadLetterHere_didNotLeave() {
    assertThat(state(at(false, "peer"), true)).isEqualTo(Unanswered.DEAD_LETTER);
  }

  @Test
  void state_transportWithoutAssociations_isOnlyRemote() {
    assertThat(state(new TestRemoteActorRef(null), false)).isEqualTo(Unanswered.REMOTE);
  }

  /**
   * Artery makes the association on the sender's thread, which can take longer than an ask waits.
   */
  @Test
  void state_connectionThatIsNotEvenBegun_neverGotIt() {
    Provider artery = new Provider(new TcpArteryTransport());
    assertThat(state(new UnsentRemoteActorRef(null, artery), false))
        .isEqualTo(Unanswered.NOT_CONNECTED);
    assertThat(state(new UnsentRemoteActorRef(null, artery), true))
        .isEqualTo(Unanswered.DEAD_LETTER);
    Provider classic = new Provider(new Object());
    assertThat(state(new UnsentRemoteActorRef(null, classic), false)).isEqualTo(Unanswered.REMOTE);
  }

  @Test
  void state_referenceOfAnotherShape_isOnlyRemote() {
    assertThat(state(new ShapelessRemoteActorRef(), false)).isEqualTo(Unanswered.REMOTE);
  }

  @Test
  void state_selectionOfAnotherNode_isThatOfItsAnchor() {
    assertThat(state(new TestActorSelection(at(false, null)), false))
        .isEqualTo(Unanswered.NOT_CONNECTED);
    assertThat(state(new TestActorSelection(at(true, "peer")), false))
        .isEqualTo(Unanswered.QUARANTINED);
    assertThat(state(new TestActorSelection(at(false, "peer")), false))
        .isEqualTo(Unanswered.REMOTE);
  }

  @Test
  void state_selectionHere_isNotLookedInto() {
    assertThat(state(new TestActorSelection("a local reference"), false))
        .isEqualTo(Unanswered.UNKNOWN);
    assertThat(state(new TestActorSelection("a local reference"), true))
        .isEqualTo(Unanswered.DEAD_LETTER);
    assertThat(state(new ShapelessActorSelection(), false)).isEqualTo(Unanswered.UNKNOWN);
  }

  /** As Pekko's, as far as it is looked at. */
  record TestRemoteActorRef(@Nullable Association cachedAssociation) {
    public Object provider() {
      return new Object();
    }
  }

  record UnsentRemoteActorRef(@Nullable Association cachedAssociation, Provider provider) {}

  record Provider(Object transport) {}

  private static class ArteryTransport {}

  static final class TcpArteryTransport extends ArteryTransport {}

  record Association(State associationState) {}

  record State(boolean isQuarantined, @Nullable String peer) {
    public Optional<String> uniqueRemoteAddress() {
      return Optional.ofNullable(peer);
    }
  }

  record TestActorSelection(Object anchor) {}

  static final class ShapelessRemoteActorRef {}

  static final class ShapelessActorSelection {}
}
