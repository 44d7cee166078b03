// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.base.Texts;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import java.util.TreeSet;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * The identity of this node: its address and, in a cluster, its roles and its data center. Nothing
 * before it has an address.
 */
final class NodeIdentity implements SystemGauges.Part {
  /** A bound for all roles together, and for each of the others. */
  static final int MAX_CHARACTERS = 256;

  private final ExtendedActorSystem system;
  private final boolean mayHaveCluster;

  NodeIdentity(ExtendedActorSystem system) {
    this.system = system;
    this.mayHaveCluster = mayHaveCluster(system);
  }

  private static boolean mayHaveCluster(ExtendedActorSystem system) {
    try {
      ClassLoader loader = system.getClass().getClassLoader();
      Class.forName("org.apache.pekko.cluster.Cluster", false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  @Override
  public String what() {
    return "the node";
  }

  @Override
  public void read(Readings into) {
    Address address = address();
    if (address == null) {
      return;
    }
    String roles = "";
    String dataCenter = "";
    if (mayHaveCluster && Membership.isThere(system)) {
      roles = Membership.roles(system);
      dataCenter = Membership.dataCenter(system);
    }
    into.add(Metric.NODE, 1, system.name(), cut(address.toString()), cut(roles), cut(dataCenter));
  }

  /** Null while remoting starts. */
  private @Nullable Address address() {
    return system.provider().getDefaultAddress();
  }

  private static String cut(String text) {
    return Texts.cut(text, MAX_CHARACTERS);
  }

  /** Loaded only where the cluster's module is. */
  private static final class Membership {
    /** Pekko makes a role of the data center. */
    private static final String DATA_CENTER_ROLE = "dc-";

    static boolean isThere(ExtendedActorSystem system) {
      return system.hasExtension(org.apache.pekko.cluster.Cluster$.MODULE$);
    }

    static String roles(ExtendedActorSystem system) {
      TreeSet<String> roles = new TreeSet<>(Cluster.get(system).getSelfRoles());
      roles.removeIf(role -> role.startsWith(DATA_CENTER_ROLE));
      return String.join(",", roles);
    }

    static String dataCenter(ExtendedActorSystem system) {
      return Cluster.get(system).selfDataCenter();
    }
  }
}
