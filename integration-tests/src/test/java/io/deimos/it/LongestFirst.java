// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/**
 * Test classes that take long begin first, so that none of them runs alone at the end. The list
 * follows the times that {@code ./test} prints; a class that is not in it takes less.
 */
public final class LongestFirst implements ClassOrderer {
  private static final List<String> LONG =
      List.of(
          "RemoteTransportTest",
          "FrameworksTest",
          "RollingRestartTest",
          "HookSelfTest",
          "ShopSoakTest",
          "LifetimesTest",
          "FailingThreadsTest",
          "BadInputTest",
          "NeighboursTest",
          "WireClusterTest",
          "WireMixedTest",
          "ShopTest",
          "ComparisonTest",
          "ShopNodesTest",
          "TraceGuardTest",
          "EndInTimeTest",
          "WireUnansweredTest",
          "SoakTest",
          "PersistenceTest",
          "QuarantineTest",
          "CollectorTest",
          "ObserverTest",
          "FailingHooksTest",
          "SeveralJvmsTest",
          "OverflowTest",
          "ProjectionTest",
          "PageTest",
          "WireTest",
          "BehaviourTest",
          "EndOfJvmTest",
          "SmartDefaultsTest",
          "LiveControlTest",
          "WireGuardTest",
          "LaterTest",
          "ClusterViewTest",
          "CardinalityTest",
          "OtherPekkosTest",
          "OffTest",
          "ArchivesTest",
          "ClusterMetricsTest",
          "WireTailTest",
          "HttpTest",
          "PageProcessTest",
          "WeaveAllTest",
          "LevelsTest",
          "MdcTest",
          "ProfileTest");

  @Override
  public void orderClasses(ClassOrdererContext context) {
    context.getClassDescriptors().sort(Comparator.comparingInt(LongestFirst::place));
  }

  private static int place(ClassDescriptor type) {
    int place = LONG.indexOf(type.getTestClass().getSimpleName());
    return place < 0 ? LONG.size() : place;
  }
}
