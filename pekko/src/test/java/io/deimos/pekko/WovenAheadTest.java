// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.pekko.feature.Feature;
import io.deimos.pekko.feature.Features;
import io.deimos.pekko.feature.HookPoint;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Classes woven by the build are those that the weaver makes now. */
class WovenAheadTest {
  private static final Path PEKKOS = Path.of("target/pekkos");
  private static final String ENVELOPE = "org.apache.pekko.dispatch.Envelope";

  private final ClassFiles pekko = ClassFiles.of(WovenAheadTest.class.getClassLoader());
  private final PekkoWeaver weaver =
      new PekkoWeaver(
          Toolkit.PEKKO,
          problem -> {},
          new PekkoWeaver.Choice(false, 0, false, true, true, true, true));

  /** The class paths that the build has woven ahead, as the pom gives them. */
  static List<String> classPaths() throws IOException {
    List<String> all = new ArrayList<>();
    Path libraries = PEKKOS.resolve("libraries");
    try (Stream<Path> folders = Files.list(PEKKOS);
        Stream<Path> jars = Files.list(libraries)) {
      folders.filter(folder -> !folder.equals(libraries)).map(Path::toString).forEach(all::add);
      List<String> some = jars.map(Path::toString).toList();
      String queue = some.stream().filter(jar -> jar.contains("disruptor")).findFirst().orElse("");
      some.stream()
          .filter(jar -> !jar.equals(queue))
          .map(jar -> jar.contains("log4j") ? jar + File.pathSeparator + queue : jar)
          .forEach(all::add);
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("classPaths")
  void woven_eachClassInEachWay_isWhatTheWeaverMakes(String classPath) throws IOException {
    WovenAhead ahead = WovenAhead.ofJar();
    int[] classes = {0};
    WeaveAhead.weave(
        classPath,
        (type, original, plan, woven) -> {
          assertThat(ahead.woven(type, original, plan))
              .as("%s of %s, which the build wove in another way", type, classPath)
              .isEqualTo(woven);
          classes[0]++;
        });
    assertThat(classes[0]).isPositive();
  }

  @Test
  void plans_ofEachChoiceOfSettings_areAmongThem() {
    ClassLoader loader = getClass().getClassLoader();
    Set<Set<Feature.Need>> choices = new HashSet<>(Set.of(Set.of()));
    for (Feature.Need need : Feature.Need.values()) {
      for (Set<Feature.Need> without : List.copyOf(choices)) {
        Set<Feature.Need> with = EnumSet.of(need);
        with.addAll(without);
        choices.add(with);
      }
    }
    for (String type : Toolkit.PEKKO.byType().keySet()) {
      if (!weaver.mayWeave(type, loader, null)) {
        continue;
      }
      List<Plan> plans = weaver.plans(type, loader);
      for (Set<Feature.Need> on : choices) {
        List<Feature> wanted =
            Toolkit.PEKKO.byType().get(type).stream().filter(f -> f.isWanted(on)).toList();
        Plan plan = weaver.plan(type, loader, wanted);
        boolean hasFields = wanted.stream().anyMatch(f -> f.fields().containsKey(type));
        if (plan.fields() == null ? !plan.hooks().isEmpty() : hasFields) {
          assertThat(plans).as("%s with %s", type, on).contains(plan);
        }
      }
    }
  }

  @Test
  void types_areAllThatAreWoven() throws IOException {
    Set<String> woven = new HashSet<>();
    for (Feature feature : Features.ALL) {
      woven.addAll(feature.fields().keySet());
      feature.hooks().stream().map(HookPoint::type).forEach(woven::add);
    }
    assertThat(WovenAhead.ofJar().types()).containsOnlyKeys(woven);
  }

  /** With all classes that the woven ones name, which the build does without for most Pekkos. */
  @Test
  void woven_thePekkoOfThisProcess_isAsWovenWithAllItsLibraries() throws IOException {
    ClassLoader loader = getClass().getClassLoader();
    for (String type : Toolkit.PEKKO.byType().keySet()) {
      if (weaver.mayWeave(type, loader, null)) {
        byte[] original = original(type);
        Plan plan = weaver.plan(type, loader);
        assertThat(WovenAhead.ofJar().woven(type, original, plan))
            .as(type)
            .isEqualTo(ClassWeaver.weave(type, original, plan, loader, null));
      }
    }
  }

  @Test
  void woven_aClassThatAnotherAgentHasChanged_isNotThere() throws IOException {
    byte[] changed = original(ENVELOPE);
    changed[changed.length - 1]++;
    Plan plan = weaver.plan(ENVELOPE, getClass().getClassLoader());
    assertThat(WovenAhead.ofJar().woven(ENVELOPE, changed, plan)).isNull();
  }

  @Test
  void woven_withoutOneOfItsHooks_isNotThere() throws IOException {
    Plan plan = weaver.plan(ENVELOPE, getClass().getClassLoader());
    Plan less = new Plan(plan.toolkit(), plan.fields(), List.of());
    assertThat(WovenAhead.ofJar().woven(ENVELOPE, original(ENVELOPE), less)).isNull();
  }

  @Test
  void woven_aClassOfNoPekkoOfTheBuild_isNotThere() throws IOException {
    Plan plan = new Plan(Toolkit.PEKKO, null, List.of());
    assertThat(WovenAhead.ofJar().woven("some.Type", new byte[9], plan)).isNull();
  }

  private byte[] original(String type) throws IOException {
    return Objects.requireNonNull(pekko.read(type));
  }
}
