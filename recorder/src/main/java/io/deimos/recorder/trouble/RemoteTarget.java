// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.base.PekkoNames;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * This node's knowledge of another one, to which an ask went that ran out of time: Artery's
 * association with it, and what the cluster says. By reflection, since an application may have
 * neither; nobody is sent anything.
 *
 * <p><b>Threads.</b> Any.
 */
final class RemoteTarget {
  private static final String CLUSTER = "Cluster";
  private static final String CLUSTER_PROVIDER = "org.apache.pekko.cluster.ClusterActorRefProvider";

  private static final String ARTERY = "ArteryTransport";

  private static final String REFERENCE = "RemoteActorRef";
  private static final String SELECTION = "ActorSelection";

  private RemoteTarget() {}

  /**
   * The reference by which a request left this node: what was asked, or the root of the other
   * node's actors if that was a selection among them.
   *
   * @param target Pekko's reference or selection
   * @return null if the request did not go to another node
   */
  static @Nullable Object of(Object target) {
    Object ref = target;
    if (target.getClass().getName().contains(SELECTION)) {
      try {
        ref = call(target, "anchor");
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null; // another shape than we know
      }
    }
    return ref != null && ref.getClass().getName().endsWith(REFERENCE) ? ref : null;
  }

  /**
   * One of {@link Unanswered}'s words.
   *
   * @param ref Pekko's reference to an actor of another node
   */
  static String state(Object ref, boolean undelivered) {
    try {
      Object association = call(ref, "cachedAssociation");
      Object state = association == null ? null : call(association, "associationState");
      if (state != null && isTrue(call(state, "isQuarantined"))) {
        return Unanswered.QUARANTINED;
      }
      if (state != null && isTrue(call(call(state, "uniqueRemoteAddress"), "isEmpty"))) {
        return Unanswered.NOT_CONNECTED;
      }
      if (undelivered) {
        return Unanswered.DEAD_LETTER;
      }
      if (association == null && isArtery(ref)) {
        return Unanswered.NOT_CONNECTED; // the request still waits for its connection to be begun
      }
      return isUnreachable(ref) ? Unanswered.UNREACHABLE : Unanswered.REMOTE;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Unanswered.REMOTE; // another shape than we know
    }
  }

  /** Whether the failure detector of this node's cluster has lost the other one. */
  private static boolean isUnreachable(Object ref) throws ReflectiveOperationException {
    Object provider = call(ref, "provider");
    if (provider == null
        || !PekkoNames.of(provider.getClass().getName()).equals(CLUSTER_PROVIDER)) {
      return false;
    }
    Object system = call(call(provider, "transport"), "system");
    Object state = call(cluster(provider, system), "state");
    Object address = call(call(ref, "path"), "address");
    if (!(call(state, "getUnreachable") instanceof Iterable<?> members) || address == null) {
      return false;
    }
    for (Object member : members) {
      if (address.equals(call(member, "address"))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the reference's transport keeps an association for each node, as classic's does not.
   */
  private static boolean isArtery(Object ref) throws ReflectiveOperationException {
    Object transport = call(call(ref, "provider"), "transport");
    Class<?> type = transport == null ? null : transport.getClass();
    while (type != null && !type.getName().endsWith(ARTERY)) {
      type = type.getSuperclass();
    }
    return type != null;
  }

  /** The class of the cluster stands beside that of its provider. */
  private static String clusterOf(Object provider) {
    String name = provider.getClass().getName();
    return name.substring(0, name.lastIndexOf('.') + 1) + CLUSTER;
  }

  private static @Nullable Object cluster(Object provider, @Nullable Object system)
      throws ReflectiveOperationException {
    Class<?> cluster =
        Class.forName(clusterOf(provider), true, provider.getClass().getClassLoader());
    for (Method method : cluster.getMethods()) {
      if (method.getName().equals("get")
          && method.getParameterCount() == 1
          && method.getParameterTypes()[0].getSimpleName().equals("ActorSystem")) {
        return method.invoke(null, system);
      }
    }
    throw new NoSuchMethodException(CLUSTER);
  }

  private static boolean isTrue(@Nullable Object answer) {
    return Boolean.TRUE.equals(answer);
  }

  /** The answer of a public method without parameters, whose class need not be public. */
  private static @Nullable Object call(@Nullable Object of, String name)
      throws ReflectiveOperationException {
    if (of == null) {
      return null;
    }
    Method method = of.getClass().getMethod(name);
    method.setAccessible(true);
    return method.invoke(of);
  }
}
