// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlameTreeTest {
  private final FlameTree tree = new FlameTree();

  @Test
  void cut_keepsWhatHasTheMostSamples() {
    tree.add(List.of("a", "b", "c"), 5);
    tree.add(List.of("a", "b"), 2);
    tree.add(List.of("rare", "d"), 1);
    FlameTree part = tree.cut(4);
    assertThat(part.size()).isEqualTo(4);
    assertThat(part.leftOut()).isEqualTo(2);
    assertThat(part.frames()).containsExactly("a", "b", "c");
    assertThat(part.total(0)).isEqualTo(8);
    assertThat(part.parent(0)).isEqualTo(-1);
    for (int node = 1; node < part.size(); node++) {
      assertThat(part.parent(node)).isLessThan(node);
      assertThat(part.total(node)).isLessThanOrEqualTo(part.total(part.parent(node)));
    }
    assertThat(tree.cut(100)).isSameAs(tree);
  }

  @Test
  void add_stackThatCallsItself_isALongerPath() {
    tree.add(List.of("a", "a", "a"), 1);
    assertThat(tree.size()).isEqualTo(4);
    assertThat(tree.frames()).containsExactly("a");
    assertThat(tree.stack(3)).containsExactly(0, 0, 0);
  }
}
