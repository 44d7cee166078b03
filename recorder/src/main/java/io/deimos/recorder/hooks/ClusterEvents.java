// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.trouble.Incidents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells those who listen to incidents what the cluster and the transport publish about other nodes.
 * An application may have neither module, so the events are known by their classes' names, and the
 * node by the address in what Pekko prints for them. Safe for any thread.
 */
final class ClusterEvents {
  private static final String PREFIX = "org.apache.pekko.cluster.ClusterEvent$";
  private static final Pattern ADDRESS = Pattern.compile("[a-z.]+://[^\\s,()\\[\\]#]+");

  private ClusterEvents() {}

  /** Something is published that may be about a member of the cluster. */
  static void published(Object event) {
    String name = PekkoNames.of(event.getClass().getName());
    if (!name.startsWith(PREFIX)) {
      return;
    }
    String what = name.substring(PREFIX.length());
    String status = status(what);
    if (status != null) {
      Incidents.happened(EventName.MEMBER_CHANGED, () -> facts(event, status));
    } else if (what.equals("UnreachableMember")) {
      Incidents.happened(EventName.MEMBER_UNREACHABLE, () -> facts(event, null));
    } else if (what.equals("ReachableMember")) {
      Incidents.happened(EventName.MEMBER_REACHABLE, () -> facts(event, null));
    }
  }

  /** As the metric of members has it. */
  private static @Nullable String status(String event) {
    return switch (event) {
      case "MemberJoined" -> "joining";
      case "MemberWeaklyUp" -> "weaklyup";
      case "MemberUp" -> "up";
      case "MemberLeft" -> "leaving";
      case "MemberExited" -> "exiting";
      case "MemberDowned" -> "down";
      case "MemberRemoved" -> "removed";
      default -> null;
    };
  }

  /**
   * An association with another node is quarantined.
   *
   * @param side whose quarantine it is: that of the peer, or of this system
   */
  static void quarantined(String side, Object event) {
    Incidents.happened(
        EventName.QUARANTINED,
        () -> {
          Map<Attribute, String> facts = facts(event, null);
          facts.put(Attribute.REMOTE_QUARANTINED, side);
          return facts;
        });
  }

  private static Map<Attribute, String> facts(Object event, @Nullable String status) {
    Map<Attribute, String> facts = new LinkedHashMap<>();
    Matcher address = ADDRESS.matcher(event.toString());
    if (address.find()) {
      facts.put(Attribute.REMOTE_PEER, address.group());
    }
    if (status != null) {
      facts.put(Attribute.MEMBER_STATUS, status);
    }
    return facts;
  }
}
