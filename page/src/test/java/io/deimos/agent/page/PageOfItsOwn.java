// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.TraceStore;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A page as a process of its own has it, on a free port, with the token {@code secret}. */
final class PageOfItsOwn implements AutoCloseable {
  private final PageServer server;
  final int port;

  /**
   * @param failed told what goes wrong
   */
  PageOfItsOwn(TraceStore store, PageAccessMode access, Consumer<String> failed)
      throws InterruptedException {
    server =
        PageServer.start(
            new PagePlace(0, null, PagePlace.Alone.local(InetAddress.getLoopbackAddress(), 0)),
            new PageAccess(access, PageControl.TOKEN, PageAccessMode.OFF, "secret"),
            new Asked(null, List.of()),
            store,
            null,
            new PageLines() {
              @Override
              public void bound(String url, PageAccess now) {}

              @Override
              public void joined(String url, String who) {}

              @Override
              public void failed(String reason) {
                failed.accept(reason);
              }
            },
            () -> {});
    assertThat(server.awaitStart(60_000)).isTrue();
    String url = Objects.requireNonNull(server.url());
    port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
  }

  @Nullable Nodes nodes() {
    return server.nodes();
  }

  @Override
  public void close() {
    server.close();
  }
}
