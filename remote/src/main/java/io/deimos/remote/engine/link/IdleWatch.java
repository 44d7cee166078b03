// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.pekko.KillSwitchWatch;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Ends the connection of a control stream when the association says that it is idle: the stream
 * itself is never stopped for that. There is nothing to watch before there is a connection, so
 * attempts that fail leave nothing behind.
 */
final class IdleWatch implements LinkListener {
  private final TransportEngine engine;
  private final Association association;
  private @Nullable SharedKillSwitch idle;
  private @Nullable KillSwitchWatch watch;

  IdleWatch(TransportEngine engine, Association association) {
    this.engine = engine;
    this.association = association;
  }

  @Override
  public void connecting() {
    SharedKillSwitch fresh = KillSwitches.shared("outboundControlStreamIdleKillSwitch");
    idle = fresh;
    association.setControlIdleKillSwitch(fresh);
  }

  @Override
  public void opened(Connection connection) {
    SharedKillSwitch used = idle;
    if (used != null) {
      watch =
          engine.watch(
              engine.transport.controlMaterializer(), used, null, cause -> connection.close());
    }
  }

  @Override
  public void over(boolean wasOpen) {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }
}
