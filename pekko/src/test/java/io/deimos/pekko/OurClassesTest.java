// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class OurClassesTest {
  private final OurClasses ours = new OurClasses(OurClassesTest.class.getClassLoader());

  @Test
  void locate_adviceAndWhatItCalls_isThereEachTime() throws IOException {
    assertThat(ours.locate("io.deimos.pekko.advice.SendAdvice").isResolved()).isTrue();
    assertThat(ours.locate("io.deimos.recorder.hooks.Hooks").isResolved()).isTrue();
    assertThat(ours.locate("io.deimos.recorder.hooks.Hooks").resolve()).isNotEmpty();
  }

  @Test
  void locate_whatIsTheApplications_isNotThere() throws IOException {
    assertThat(ours.locate("org.apache.pekko.actor.ActorCell").isResolved()).isFalse();
    assertThat(ours.locate("java.lang.Object").isResolved()).isFalse();
  }
}
