// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.List;

/**
 * A pattern of actor paths without address and system: {@code /user/orders/*}. {@code *} stands for
 * one element or, within an element, for any part of it; {@code **} at the end for all that lies
 * below, as in {@code pekko.actor.deployment}. Immutable.
 */
public final class PathPattern {
  private static final String DEEP = "**";

  private final List<String> elements;
  private final boolean below;
  private final boolean onlyBelow;

  /**
   * @param pattern with a slash at its begin
   * @param below whether it also fits all actors below those that it fits
   */
  PathPattern(String pattern, boolean below) {
    List<String> all = List.of(pattern.substring(1).split("/", -1));
    boolean deep = all.get(all.size() - 1).equals(DEEP);
    elements = deep ? all.subList(0, all.size() - 1) : all;
    this.below = below || deep;
    this.onlyBelow = deep && !below;
  }

  /**
   * The pattern, if it is one.
   *
   * @param below whether it also fits all actors below those that it fits
   * @throws IllegalArgumentException if it does not begin with a slash, or has {@code **} elsewhere
   *     than at its end
   */
  public static PathPattern of(String pattern, boolean below) {
    if (!pattern.startsWith("/")) {
      throw new IllegalArgumentException("a path pattern begins with a slash");
    }
    PathPattern made = new PathPattern(pattern, below);
    if (made.elements.contains(DEEP)) {
      throw new IllegalArgumentException("** stands at the end of a path pattern only");
    }
    return made;
  }

  /** Whether a path like {@code pekko://shop/user/orders/o-17} fits. */
  public boolean matches(String path) {
    int at = path.indexOf("//");
    at = path.indexOf('/', at < 0 ? 0 : at + 2);
    for (String element : elements) {
      if (at < 0) {
        return false;
      }
      int end = path.indexOf('/', at + 1);
      if (!Globs.matches(element, path, at + 1, end < 0 ? path.length() : end)) {
        return false;
      }
      at = end;
    }
    return at < 0 ? !onlyBelow : below;
  }

  /** How narrow it is: of two that fit, the one with more says more. */
  public int weight() {
    int weight = below ? 0 : 1;
    for (String element : elements) {
      weight += element.equals("*") ? 100 : element.contains("*") ? 110 : 120;
    }
    return weight;
  }
}
