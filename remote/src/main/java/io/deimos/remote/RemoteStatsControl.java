// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Puts {@link RemoteStats#detailed(boolean)} into the hands of whoever operates the JVM. */
final class RemoteStatsControl implements RemoteStatsMXBean {
  private static final String NAME = "io.deimos:type=RemoteStats";

  private RemoteStatsControl() {}

  /** Registers the bean when the first transport starts; without management there is none. */
  static synchronized void register() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName(NAME);
      if (!server.isRegistered(name)) {
        server.registerMBean(new RemoteStatsControl(), name);
      }
    } catch (JMException | RuntimeException | LinkageError e) {
      // a JVM without java.management, or one that forbids it: the setting remains
    }
  }

  @Override
  public boolean isDetailed() {
    return RemoteStats.detailed();
  }

  @Override
  public void setDetailed(boolean on) {
    RemoteStats.detailed(on);
  }
}
