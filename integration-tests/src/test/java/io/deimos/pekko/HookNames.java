// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.Features;
import io.deimos.pekko.feature.HookPoint;
import java.util.List;
import java.util.stream.Stream;

/** Tells tests the names of all hooks. */
public final class HookNames {
  private HookNames() {}

  /** Feature by feature, those of the JDK's class last; those of this version of Scala alone. */
  public static List<String> all() {
    return Stream.concat(
            Features.ALL.stream()
                .filter(feature -> feature.markers().stream().allMatch(HookNames::isThere))
                .flatMap(feature -> feature.hooks().stream()),
            Features.STAGES.stream())
        .map(HookPoint::name)
        .distinct()
        .toList();
  }

  private static boolean isThere(String type) {
    return HookNames.class.getClassLoader().getResource(type.replace('.', '/') + ".class") != null;
  }
}
