// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

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
          "HookSelfTest",
          "ShopSoakTest",
          "RollingRestartTest",
          "WireClusterTest",
          "FrameworksTest",
          "BadInputTest",
          "ComparisonTest",
          "LifetimesTest",
          "FailingThreadsTest",
          "EndInTimeTest",
          "ObserverTest",
          "WireMixedTest",
          "PersistenceTest",
          "TraceGuardTest",
          "WireUnansweredTest",
          "SoakTest",
          "BehaviourTest",
          "LaterTest",
          "OverflowTest",
          "ShopTest",
          "ShopNodesTest",
          "EndOfJvmTest",
          "QuarantineTest",
          "CollectorTest",
          "NeighboursTest",
          "FormsTest",
          "FailingHooksTest",
          "SeveralJvmsTest",
          "ProjectionTest",
          "PageTest",
          "WireTest",
          "LargePageTest",
          "SmartDefaultsTest",
          "LiveControlTest",
          "WireGuardTest",
          "ClusterViewTest",
          "CardinalityTest",
          "OtherPekkosTest",
          "OffTest",
          "ArchivesTest",
          "ClusterMetricsTest",
          "WireTailTest",
          "ProfileTest",
          "PageFloodTest",
          "LeavingTest",
          "HttpTest",
          "PageProcessTest",
          "WeaveAllTest",
          "LevelsTest",
          "BaggageTest",
          "MdcTest");

  @Override
  public void orderClasses(ClassOrdererContext context) {
    context.getClassDescriptors().sort(Comparator.comparingInt(LongestFirst::place));
  }

  private static int place(ClassDescriptor type) {
    int place = LONG.indexOf(type.getTestClass().getSimpleName());
    return place < 0 ? LONG.size() : place;
  }
}
