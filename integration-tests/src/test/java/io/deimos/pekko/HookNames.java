// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.util.List;

/** Tells tests the names of all hooks. */
public final class HookNames {
  private HookNames() {}

  /** In the order in which they are woven. */
  public static List<String> all() {
    return HookPoints.ALL.stream().map(HookPoint::name).toList();
  }
}
