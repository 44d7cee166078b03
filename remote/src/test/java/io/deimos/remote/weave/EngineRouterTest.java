// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineRouterTest {
  @Test
  void handle_whatFails_isSaidOnceAndLeavesTheMethodToArtery() {
    List<String> said = new ArrayList<>();
    EngineRouter router = new EngineRouter(said::add);
    Object ofNoPekko = "text";
    assertThat(router.handle(ofNoPekko, "bindInboundStreams", new Object[0])).isNull();
    assertThat(router.handle(ofNoPekko, "runInboundStreams", new Object[0])).isNull();
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("deimos.remote failed in bindInboundStreams (java.lang.ClassNotFoundException")
        .contains("Artery's own method ran");
  }
}
