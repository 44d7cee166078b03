// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"unused", "FieldCanBeStatic", "serial"}) // fields are read by reflection
class StateTextTest {
  private static final String HERE = StateTextTest.class.getName();

  /** Nobody may call its methods. */
  private abstract static class Hostile {
    @Override
    public boolean equals(@Nullable Object other) {
      throw new AssertionError("called");
    }

    @Override
    public int hashCode() {
      throw new AssertionError("called");
    }

    @Override
    public String toString() {
      throw new AssertionError("called");
    }
  }

  private enum Colour {
    RED {
      @Override
      public String toString() {
        throw new AssertionError("called");
      }
    }
  }

  private static final class Item extends Hostile {
    private final String name;
    private final Colour colour = Colour.RED;
    private @Nullable Object next;

    Item(String name) {
      this.name = name;
    }
  }

  private static final class OwnNumber extends Number {
    private final int digits = 3;

    @Override
    public int intValue() {
      throw new AssertionError("called");
    }

    @Override
    public long longValue() {
      throw new AssertionError("called");
    }

    @Override
    public float floatValue() {
      throw new AssertionError("called");
    }

    @Override
    public double doubleValue() {
      throw new AssertionError("called");
    }

    @Override
    public String toString() {
      throw new AssertionError("called");
    }
  }

  private static final class OwnList extends ArrayList<String> {
    private final int mine = 7;

    @Override
    public Iterator<String> iterator() {
      throw new AssertionError("called");
    }

    @Override
    public int size() {
      throw new AssertionError("called");
    }
  }

  private static final class Holder {
    private final @Nullable Object held;

    Holder(@Nullable Object held) {
      this.held = held;
    }
  }

  private static String held(@Nullable Object held) {
    StateText text = new StateText(name -> name.startsWith(HERE));
    text.part("holder", new Holder(held), value -> false);
    return text.said().replace("holder\n  held = ", "");
  }

  @Test
  void value_ofTheJdk_isWrittenByTheJdk() {
    assertThat(held("say\n\"x\"")).isEqualTo("\"say\\n\"x\"\"");
    assertThat(held(new Object[] {1, 2L, 'c', true, null, new BigDecimal("1.50")}))
        .isEqualTo("[1, 2, c, true, null, 1.50]");
    assertThat(held(new AtomicInteger(3))).isEqualTo("3");
    assertThat(held(Optional.of(Duration.ofSeconds(5)))).isEqualTo("PT5S");
    assertThat(held(Optional.empty())).isEqualTo("empty");
    assertThat(held(new int[] {1, 2})).isEqualTo("[1, 2]");
    assertThat(held(BigInteger.ONE.shiftLeft(100_000))).isEqualTo("(java.math.BigInteger)");
  }

  @Test
  void collection_thatKeepsItsItems_isWrittenWithThem() {
    assertThat(held(List.of("a", "b"))).isEqualTo("[\"a\", \"b\"]");
    assertThat(held(Collections.singletonMap("a", List.of(1)))).isEqualTo("{\"a\": [1]}");
    assertThat(held(new ConcurrentHashMap<>(Map.of(1, 2)))).isEqualTo("{1: 2}");
    assertThat(held(scala.collection.immutable.Nil$.MODULE$)).isEqualTo("[]");
    scala.collection.immutable.Map<Object, Object> none =
        scala.collection.immutable.Map$.MODULE$.empty();
    assertThat(held(none.updated("a", 1))).isEqualTo("{\"a\": 1}");
    assertThat(held(new scala.Some<>(1))).isEqualTo("Some{value=1}");
    assertThat(held(scala.runtime.IntRef.create(4))).isEqualTo("IntRef{elem=4}");
  }

  @Test
  void object_ofTheApplication_isReadAndNotCalled() {
    assertThat(held(new Item("a")))
        .isEqualTo("StateTextTest$Item{name=\"a\", colour=RED, next=null}");
    assertThat(held(new OwnNumber())).startsWith("StateTextTest$OwnNumber{digits=3");
    Map<Object, Object> byIdentity = new LinkedHashMap<>();
    byIdentity.put(1, new Item("b"));
    assertThat(held(byIdentity)).contains("{1: StateTextTest$Item{name=\"b\"");
    assertThat(held(new AtomicReference<>(new Item("c")))).contains("Item{name=\"c\"");
    assertThat(held(Collections.unmodifiableList(new OwnList())))
        .isEqualTo("(java.util.Collections$UnmodifiableRandomAccessList)");
    LongAccumulator users =
        new LongAccumulator(
            (a, b) -> {
              throw new AssertionError("called");
            },
            0);
    assertThat(held(users)).isEqualTo("(java.util.concurrent.atomic.LongAccumulator)");
  }

  @Test
  void object_ofAClassThatIsNotNamed_isToldByIt() {
    StateText text = new StateText(name -> name.equals(Holder.class.getName()));
    text.part("holder", new Holder(List.of(new Item("secret"))), value -> false);
    assertThat(text.said()).endsWith("held = [(" + Item.class.getName() + ")]");
  }

  @Test
  void fields_thatAModuleKeepsClosed_areToldAsThat() {
    assertThat(held(new OwnList()))
        .startsWith("StateTextTest$OwnList{mine=7, ")
        .contains("java.util.ArrayList=(closed by the module java.base)");
    class Dice extends Random {
      private final int sides = 6;
    }
    assertThat(held(new Dice()))
        .contains("sides=6", "java.util.Random=(closed by the module java.base)");
  }

  @Test
  void value_thatIsLargeDeepOrGoesInCircles_isCut() {
    Item circle = new Item("x".repeat(10_000));
    circle.next = List.of(circle);
    assertThat(held(circle))
        .contains("name=(a String of 10000 characters)", "next=[(the StateTextTest$Item above)]");
    assertThat(held(IntStream.range(0, 1_000_000).boxed().toList()))
        .endsWith("18, 19, … 1000000 in all]");
    assertThat(held(new long[5000])).endsWith("0, … 5000 in all]");
    scala.collection.immutable.List<Object> links =
        scala.collection.immutable.List$.MODULE$.empty();
    for (int i = 0; i < 1000; i++) {
      links = links.$colon$colon(i);
    }
    assertThat(held(links)).endsWith("980, …]");
    Item deep = new Item("0");
    for (int i = 1; i < 100; i++) {
      Item over = new Item("" + i);
      over.next = deep;
      deep = over;
    }
    assertThat(held(deep)).contains("next=StateTextTest$Item…}").hasSizeLessThan(1000);
    Object[] wide = new Object[20];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = IntStream.range(0, 20).mapToObj(j -> new Item("y".repeat(900))).toList();
    }
    assertThat(held(wide)).contains("…").hasSizeLessThan(StateText.MAX_CHARS + 2000);
  }

  /** As Scala 2 compiles a lazy value. */
  private static final class Lazy2 {
    private final int before = 1;
    private int total;
    private volatile boolean bitmap$0;

    private int total$lzycompute() {
      throw new AssertionError("called");
    }

    int total() {
      return total$lzycompute();
    }
  }

  /** As Scala 3 does. */
  private static final class Lazy3 {
    private volatile @Nullable Object total$lzy1;
    private volatile @Nullable Object other$lzy2 = "made";
  }

  @Test
  void lazyValue_thatNobodyHasMade_isNotMade() {
    assertThat(held(new Lazy2()))
        .isEqualTo("StateTextTest$Lazy2{before=1, total=(lazy, not made)}");
    assertThat(held(new Lazy3()))
        .isEqualTo("StateTextTest$Lazy3{total=(lazy, not made), other=\"made\"}");
    Object endless =
        scala.collection.immutable.LazyList$.MODULE$.continually(
            () -> {
              throw new AssertionError("called");
            });
    assertThat(held(endless)).startsWith("LazyList{");
  }
}
