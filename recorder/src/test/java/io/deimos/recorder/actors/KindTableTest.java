// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.base.Folds;
import org.junit.jupiter.api.Test;

class KindTableTest {
  private final KindTable table = new KindTable(2);

  private ActorKind of(String className) {
    return table.get("full", className, ActorGroups.NONE, false, false);
  }

  @Test
  void get_beyondTheCapacity_isOneKindForAllOfTheSystemAndCounted() {
    ActorKind first = of("test.First");
    of("test.Second");
    int before = Folds.actorClasses();
    ActorKind other = of("test.Third");
    assertThat(other.className()).isEqualTo(ActorKinds.OTHER);
    assertThat(of("test.Fourth")).isSameAs(other);
    assertThat(of("test.First")).isSameAs(first);
    assertThat(table.get("elsewhere", "test.Third", ActorGroups.NONE, false, false))
        .isNotSameAs(other);
    assertThat(Folds.actorClasses() - before).isEqualTo(3);
  }

  /** Or its failures, which it causes itself, would be the application's. */
  @Test
  void get_ofTheSelfTestBeyondTheCapacity_isHidden() {
    of("test.First");
    of("test.Second");
    of("test.Third");
    ActorKind ours = of("io.deimos.pekko.selftest.Fails");
    assertThat(ours.isHidden()).isTrue();
    assertThat(ours.className()).isEqualTo("io.deimos.pekko.selftest.Fails");
  }

  /** Or all actors of the system would be looked at again and again. */
  @Test
  void get_provisionalBeyondTheCapacity_leavesOtherAsItIs() {
    of("test.First");
    of("test.Second");
    ActorKind standIn = table.get("full", "typed", ActorGroups.NONE, false, true);
    assertThat(standIn.isProvisional()).isTrue();
    assertThat(of("test.Third").isProvisional()).isFalse();
  }
}
