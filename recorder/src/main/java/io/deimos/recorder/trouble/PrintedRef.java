// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Texts;

/** References to actors that this process knows nothing of but what Pekko prints. */
public final class PrintedRef {
  private static final String REF_PREFIX = "Actor[";
  private static final String SELECTION_PREFIX = "ActorSelection[Anchor(";
  private static final String SELECTED = "Path(";

  private PrintedRef() {}

  /**
   * The path in what Pekko prints for a reference: {@code Actor[pekko://system/user/a#123]}. Cut as
   * the paths of actors here are.
   */
  public static String path(Object ref) {
    return Texts.cut(whole(printed(ref)), ActorTelemetry.MAX_PATH);
  }

  /** Its class if it cannot be printed, as when the application's class loader has been closed. */
  private static String printed(Object ref) {
    try {
      return String.valueOf(ref);
    } catch (RuntimeException | LinkageError e) {
      return ref.getClass().getName();
    }
  }

  private static String whole(String printed) {
    if (printed.startsWith(SELECTION_PREFIX)) {
      return selected(printed);
    }
    if (!printed.startsWith(REF_PREFIX) || !printed.endsWith("]")) {
      return printed;
    }
    int uid = printed.lastIndexOf('#');
    return printed.substring(REF_PREFIX.length(), uid > 0 ? uid : printed.length() - 1);
  }

  /** The path in {@code ActorSelection[Anchor(pekko://system/#123), Path(/user/a)]}. */
  private static String selected(String printed) {
    int anchorEnd = printed.indexOf(')');
    int path = printed.indexOf(SELECTED, anchorEnd);
    if (anchorEnd < 0 || path < 0 || !printed.endsWith(")]")) {
      return printed;
    }
    String anchor = printed.substring(SELECTION_PREFIX.length(), anchorEnd);
    int uid = anchor.lastIndexOf('#');
    String from = uid > 0 ? anchor.substring(0, uid) : anchor;
    String selected = printed.substring(path + SELECTED.length(), printed.length() - 2);
    return from.endsWith("/") ? from.substring(0, from.length() - 1) + selected : from + selected;
  }
}
