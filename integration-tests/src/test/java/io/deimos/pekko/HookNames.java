// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.util.List;
import java.util.stream.Stream;

/** Tells tests the names of all hooks. */
public final class HookNames {
  private HookNames() {}

  /** In the order in which they are woven. */
  public static List<String> all() {
    return Stream.of(HookPoints.ALL, StageHookPoints.ALL)
        .flatMap(List::stream)
        .map(HookPoint::name)
        .toList();
  }
}
