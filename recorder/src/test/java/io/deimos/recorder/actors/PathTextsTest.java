// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PathTextsTest {
  private static final Path USER = new Path(new Path(null, "pekko://shop/"), "user");
  private static final Path CARTS = new Path(USER, "carts");

  private final PathTexts texts = new PathTexts(null);

  @Test
  void of_paths_areEqualToTheirText() {
    String deep = "pekko://shop/user/carts/";
    assertThat(List.of(CARTS.below("1"), CARTS.below("$b"), USER, CARTS.below("größe"), CARTS))
        .extracting(path -> texts.of(path).toString())
        .containsExactly(
            deep + "1",
            deep + "$b",
            "pekko://shop/user",
            deep + "größe",
            "pekko://shop/user/carts");
  }

  @Test
  void of_siblings_asksPekkoForOneText() {
    Path first = CARTS.below("1");
    Path second = CARTS.below("2");
    texts.of(first);
    assertThat(texts.of(second)).hasToString("pekko://shop/user/carts/2");
    assertThat(first.asked).isEqualTo(1);
    assertThat(second.asked).isZero();
  }

  /** The result must not keep the application's classes. */
  @Test
  void of_path_holdsNothingOfIt() {
    for (Object text : List.of(texts.of(CARTS.below("1")), texts.of(CARTS.below("2")))) {
      assertThat(text.getClass().getClassLoader()).isSameAs(PathTexts.class.getClassLoader());
      assertThat(text).usingRecursiveAssertion().allFieldsSatisfy(part -> !(part instanceof Path));
    }
  }

  @Test
  void of_pathWhoseClassLasts_isThePath() {
    PathTexts lasting = new PathTexts(Path.class.getClassLoader());
    Path first = CARTS.below("1");
    Path second = CARTS.below("2");
    assertThat(lasting.of(first)).isSameAs(first);
    assertThat(lasting.of(second)).isSameAs(second);
    assertThat(second.asked).isZero();
  }

  /** A name may be as long as one likes, and so may be what is above it. */
  @Test
  void of_longPathWhoseClassLasts_isCut() {
    PathTexts lasting = new PathTexts(Path.class.getClassLoader());
    Path parent = CARTS.below("x".repeat(2000));
    assertThat(lasting.of(parent)).hasToString(parent.toString().substring(0, 1024) + "…");
    Path child = parent.below("1");
    assertThat(lasting.of(child)).hasToString(child.toString().substring(0, 1024) + "…");
  }

  @Test
  void of_whatHasNoParent_isItsText() {
    assertThat(texts.of("pekko://shop/user/text")).isEqualTo("pekko://shop/user/text");
    assertThat(texts.of(42)).isEqualTo("42");
    assertThat(texts.of(new Path(null, "pekko://shop/"))).isEqualTo("pekko://shop/");
  }

  /** A path of another kind, which is not what its name and its parent say. */
  @Test
  void of_pathOfItsOwnText_isThatText() {
    Path odd = printing(() -> "somewhere");
    assertThat(texts.of(odd)).isEqualTo("somewhere");
    assertThat(texts.of(CARTS.below("2"))).hasToString("pekko://shop/user/carts/2");
    assertThat(texts.of(odd)).isEqualTo("somewhere");
  }

  /** The others that stopped are to be released all the same. */
  @Test
  void of_pathThatCannotBePrinted_isItsClass() {
    Path broken =
        printing(
            () -> {
              throw new NoClassDefFoundError("org/apache/pekko/actor/RootActorPath");
            });
    assertThat(texts.of(broken)).isEqualTo(broken.getClass().getName());
    assertThat(texts.of(CARTS.below("2"))).hasToString("pekko://shop/user/carts/2");
  }

  @Test
  void of_longPath_isCut() {
    Path first = CARTS.below("x".repeat(2000));
    Path second = CARTS.below("y".repeat(2000));
    assertThat(texts.of(first)).hasToString(first.toString().substring(0, 1024) + "…");
    assertThat(texts.of(second)).hasToString(second.toString().substring(0, 1024) + "…");
  }

  private static Path printing(Supplier<String> text) {
    return new Path(CARTS, "1") {
      @Override
      public String toString() {
        return text.get();
      }
    };
  }

  /** As Pekko's, of which the recorder knows no class. */
  public static class Path {
    private final @Nullable Path parent;
    private final String name;
    int asked;

    Path(@Nullable Path parent, String name) {
      this.parent = parent;
      this.name = name;
    }

    Path below(String child) {
      return new Path(this, child);
    }

    public @Nullable Path parent() {
      return parent;
    }

    public String name() {
      return name;
    }

    @Override
    public String toString() {
      asked++;
      if (parent == null) {
        return name;
      }
      String above = parent.toString();
      return above + (above.endsWith("/") ? "" : "/") + name;
    }
  }
}
