// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import java.util.List;

/**
 * A cluster as one of its nodes saw it at one time. Immutable.
 *
 * @param system the actor system's name
 * @param self the node's own address
 * @param members in no order; at most {@link #MAX_MEMBERS}
 * @param leaders who leads, of what this node can say
 * @param unreachable members that somebody cannot reach
 * @param origins the seed nodes by which it finds the others
 * @param leftOut how many members there are beyond those
 */
public record ClusterLook(
    String system,
    String self,
    List<Member> members,
    List<Leader> leaders,
    List<Unreachable> unreachable,
    List<String> origins,
    int leftOut) {
  public static final int MAX_MEMBERS = 1000;

  /** How many of its roles a member is known by, and of how many nodes it is said who they miss. */
  public static final int MAX_NAMES = 16;

  /**
   * One member.
   *
   * @param status {@code joining}, {@code up} and so on
   * @param roles but for that of the data center
   * @param version of the application, as its configuration has it
   * @param order the oldest has the lowest; a great number before it is up
   */
  public record Member(
      String address,
      String status,
      String dataCenter,
      List<String> roles,
      String version,
      int order) {}

  /**
   * The leader.
   *
   * @param role among the members with this role; empty for all of its data center
   */
  public record Leader(String role, String address) {}

  /**
   * A member that cannot be reached.
   *
   * @param from the nodes that say so; empty if it is not known who
   */
  public record Unreachable(String address, List<String> from) {}
}
