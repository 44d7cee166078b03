// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.Feature;
import io.deimos.pekko.feature.Features;
import io.deimos.pekko.feature.HookPoint;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.HookReport;
import io.deimos.recorder.base.RecorderConfig;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the hook points into the Pekko of each class loader as its classes are loaded, after
 * looking once at whether that Pekko has the shape we know.
 *
 * <p><b>Threads.</b> Called by any thread that loads a class.
 */
public final class PekkoWeaver {
  /**
   * The wishes of the settings beside {@link Recorder#config}.
   *
   * @param selfTest whether the first actor system to start is tested
   * @param selfTestWaitNanos how long that test waits for a quiet moment
   * @param gauges whether the gauges of actor systems are read
   * @param remote whether contexts go with messages to other nodes and come with theirs
   * @param streams whether contexts go with the elements of streams
   * @param stages whether contexts go with the functions of {@code CompletableFuture}s
   * @param remoteMetrics whether messages to and from other nodes are counted
   */
  public record Choice(
      boolean selfTest,
      long selfTestWaitNanos,
      boolean gauges,
      boolean remote,
      boolean streams,
      boolean stages,
      boolean remoteMetrics) {}

  /** System property for tests: hooks that are not woven, by name, with commas between. */
  static final String SKIP = "deimos.internal.hooks.skip";

  /** The class of mailboxes, which can be woven apart from the others. */
  public static final String MAILBOX = "org.apache.pekko.dispatch.Mailbox";

  private final Toolkit toolkit;

  private final Consumer<String> problems;
  private final Set<String> skipped;
  private final Map<ClassLoader, Woven> woven = Collections.synchronizedMap(new WeakHashMap<>());
  private final Choice choice;

  /** Where Pekko was loaded before us. */
  private final Set<@Nullable ClassLoader> tooLate =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  PekkoWeaver(Toolkit toolkit, Consumer<String> problems, Choice choice) {
    this.toolkit = toolkit;
    this.problems = problems;
    this.choice = choice;
    this.skipped =
        Arrays.stream(System.getProperty(SKIP, "").split(","))
            .map(String::strip)
            .collect(Collectors.toSet());
  }

  /**
   * Weaves where there is no agent around us: from now on, classes as they are loaded.
   *
   * @param problems told, in one sentence each, what could not be woven and why
   * @return weaves those that are loaded already, if they still can be; for any thread, before
   *     there are actors
   */
  public static Runnable installAlone(
      Instrumentation instrumentation, Consumer<String> problems, Choice choice) {
    List<PekkoWeaver> weavers = weavers(problems, choice);
    List<Apart> all = weavers.stream().map(weaver -> weaver.new Apart()).toList();
    WovenApart.install(instrumentation, name -> of(name, all));
    Map<String, WovenApart.Weaving> late = new HashMap<>();
    if (weavesStages(choice)) {
      PekkoWeaver weaver = weavers.get(0);
      late.put(
          Features.STAGES_TYPE.replace('.', '/'), (type, loader, was) -> weaver.planOfStages());
    }
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      String name = type.getName().replace('.', '/');
      WovenApart.Weaving weaving = of(name, all);
      if (weaving != null) {
        late.put(name, weaving);
      }
      if (late.containsKey(name)) {
        loaded.add(type);
      }
    }
    return () -> again(loaded, new WovenApart(instrumentation, late::get), problems);
  }

  private static void again(List<Class<?>> loaded, WovenApart weaving, Consumer<String> problems) {
    Instrumentation instrumentation = weaving.instrumentation();
    instrumentation.addTransformer(weaving, true);
    for (Class<?> type : loaded) {
      try {
        instrumentation.retransformClasses(type);
      } catch (UnmodifiableClassException | LinkageError e) {
        problems.accept(
            "class "
                + type.getName()
                + " was loaded before the agent and cannot be woven any more ("
                + e
                + "), so what it records is missing; give -javaagent:deimos-lean.jar first");
      }
    }
  }

  static List<PekkoWeaver> weavers(Consumer<String> problems, Choice choice) {
    List<PekkoWeaver> weavers =
        List.of(
            new PekkoWeaver(Toolkit.PEKKO, problems, choice),
            new PekkoWeaver(Toolkit.AKKA, problems, choice));
    if (choice.selfTest) {
      QuietMoment quiet = new QuietMoment(choice.selfTestWaitNanos);
      Systems.onStart(new SelfTestLauncher(problems, system -> hooks(weavers, system), quiet));
    }
    if (choice.gauges && Recorder.config().metrics()) {
      Systems.onStart(new GaugeLauncher(problems));
    }
    return weavers;
  }

  static boolean weavesStages(Choice choice) {
    return choice.stages && Recorder.config().tracing();
  }

  /** Asked about each class of the process: most are out by how their names begin. */
  private static WovenApart.@Nullable Weaving of(String name, List<Apart> weavings) {
    if (name.startsWith("java/") || name.startsWith("jdk/") || name.startsWith("sun/")) {
      return null;
    }
    String type = name.replace('/', '.');
    for (Apart weaving : weavings) {
      if (weaving.mayHave(type)) {
        return weaving;
      }
    }
    return null;
  }

  Toolkit toolkit() {
    return toolkit;
  }

  /** The transformation of a class for which {@link #mayWeave} is true. */
  Plan plan(String type, @Nullable ClassLoader loader) {
    return plan(type, loader, toolkit.byType().getOrDefault(type, List.of()));
  }

  /**
   * All that may be done to a class: one plan for each combination of its features that settings,
   * and the modules of this Pekko that an application has, can bring about.
   */
  List<Plan> plans(String type, ClassLoader loader) {
    List<Feature> all = new ArrayList<>(toolkit.byType().getOrDefault(type, List.of()));
    all.retainAll(woven(loader).features());
    Set<List<Feature>> combinations = new LinkedHashSet<>();
    combinations.add(List.of());
    for (Feature feature : all) {
      for (List<Feature> others : List.copyOf(combinations)) {
        List<Feature> some = new ArrayList<>(others);
        some.add(feature);
        combinations.add(all.stream().filter(f -> f.isWovenWith(some)).toList());
      }
    }
    List<Plan> plans = new ArrayList<>();
    for (List<Feature> some : combinations) {
      Plan plan = plan(type, loader, some);
      boolean hasFields = some.stream().anyMatch(f -> f.fields().containsKey(type));
      if (plan.fields() == null ? !plan.hooks().isEmpty() : hasFields) {
        plans.add(plan);
      }
    }
    return plans;
  }

  Plan plan(String type, @Nullable ClassLoader loader, List<Feature> features) {
    List<HookPoint> hooks = new ArrayList<>();
    for (Feature feature : features) {
      for (HookPoint hook : feature.hooks()) {
        if (hook.type().equals(type) && isWoven(hook, loader)) {
          hooks.add(hook);
        }
      }
    }
    return new Plan(toolkit, fields(type), hooks);
  }

  /** The transformation of {@code CompletableFuture}. */
  Plan planOfStages() {
    List<HookPoint> hooks = new ArrayList<>();
    for (HookPoint hook : Features.STAGES) {
      HookReport.expect(hook.name());
      if (!skipped.contains(hook.name())) {
        hooks.add(hook);
      }
    }
    return new Plan(toolkit, null, hooks);
  }

  /** The transformation of a class that no agent builder is asked about. */
  WovenApart.Weaving apart() {
    return new Apart();
  }

  private final class Apart implements WovenApart.Weaving {
    boolean mayHave(String type) {
      return toolkit.mayHave(type);
    }

    @Override
    public @Nullable Plan plan(
        String type, @Nullable ClassLoader loader, @Nullable Class<?> redefined) {
      return mayWeave(type, loader, redefined) ? PekkoWeaver.this.plan(type, loader) : null;
    }
  }

  /** False for a class that was loaded before us, whose fields cannot be added any more. */
  boolean mayWeave(String type, @Nullable ClassLoader loader, @Nullable Class<?> redefined) {
    Class<?> fields = fields(type);
    if (fields != null && redefined != null && !fields.isAssignableFrom(redefined)) {
      if (tooLate.add(loader)) {
        problems.accept(
            "class "
                + type
                + " was loaded before the agent, so Deimos records nothing; start the JVM"
                + " with -javaagent, and let no other agent before it touch Pekko");
      }
      return false;
    }
    if (tooLate.contains(loader)) {
      return false;
    }
    Woven here = woven(loader);
    for (Feature feature : toolkit.byType().getOrDefault(type, List.of())) {
      if (feature.fields().containsKey(type)) {
        return here.features().contains(feature); // the others' hooks want the fields
      }
    }
    return here.hooks().stream().anyMatch(hook -> hook.type().equals(type));
  }

  private @Nullable Class<?> fields(String type) {
    for (Feature feature : toolkit.byType().getOrDefault(type, List.of())) {
      Class<?> fields = feature.fields().get(type);
      if (fields != null) {
        return fields;
      }
    }
    return null;
  }

  private boolean isWoven(HookPoint hook, @Nullable ClassLoader loader) {
    return woven(loader).hooks().contains(hook) && !skipped.contains(hook.name());
  }

  /**
   * The names of the hooks that an actor system's self-test has to try: those of its Pekko or Akka,
   * and those of the libraries beside it, which Pekko's weaver weaves for Akka's actors, too.
   */
  private static Set<String> hooks(List<PekkoWeaver> weavers, Object system) {
    Toolkit toolkit = Toolkit.of(system.getClass());
    ClassLoader loader = system.getClass().getClassLoader();
    Set<String> names = new HashSet<>();
    for (PekkoWeaver weaver : weavers) {
      Woven here = weaver.woven(loader);
      for (HookPoint hook : weaver.toolkit == toolkit ? here.hooks() : here.ofLibraries()) {
        names.add(hook.name());
      }
    }
    names.forEach(HookReport::expect); // nobody expects a library's before there are actors
    return names;
  }

  private Woven woven(@Nullable ClassLoader loader) {
    ClassLoader key = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    Woven known = woven.get(key);
    if (known == null) {
      known = check(key);
      woven.put(key, known);
    }
    return known;
  }

  private Woven check(ClassLoader loader) {
    try {
      ClassFiles classes = ClassFiles.of(loader);
      String obstacle = toolkit == Toolkit.AKKA ? AkkaVersion.obstacle(classes) : null;
      if (obstacle != null) {
        problems.accept(obstacle);
        return Woven.NOTHING;
      }
      ShapeCheck check = new ShapeCheck(classes, toolkit);
      Set<Feature> found = check.features();
      Set<Feature.Need> on = switchedOn();
      if (!check.hasPekko()) {
        found.removeIf(feature -> !feature.isWanted(on));
        return Woven.of(found, check);
      }
      if (!check.missing().isEmpty()) {
        check.missing().forEach(HookReport::expect);
        problems.accept(
            "this version of "
                + toolkit.label()
                + " lacks the methods "
                + String.join(", ", check.missing())
                + "; features that need them are off ("
                + (found.isEmpty() ? "nothing is" : "the rest is")
                + "). Use a version from the table of supported ones, or report it");
      }
      found.removeIf(feature -> !feature.isWanted(on));
      if (found.isEmpty()) {
        HookReport.done("");
      }
      Woven all = Woven.of(found, check);
      all.hooks().forEach(hook -> HookReport.expect(hook.name()));
      return all;
    } catch (RuntimeException | LinkageError e) {
      Faults.caught(e);
      problems.accept(
          toolkit.label() + "'s classes could not be read (" + e + "), so nothing is recorded");
      return Woven.NOTHING;
    }
  }

  private Set<Feature.Need> switchedOn() {
    RecorderConfig config = RecorderConfig.current();
    Set<Feature.Need> on = EnumSet.noneOf(Feature.Need.class);
    on(on, Feature.Need.TRACING, config.tracing());
    on(on, Feature.Need.METRICS, config.metrics());
    on(on, Feature.Need.REMOTE, choice.remote);
    on(on, Feature.Need.STREAMS, choice.streams);
    on(on, Feature.Need.REMOTE_METRICS, choice.remoteMetrics);
    on(on, Feature.Need.PERSISTENCE, config.persistence());
    return on;
  }

  /** The weaving of the Pekko of one class loader. */
  private record Woven(Set<Feature> features, Set<HookPoint> hooks) {
    static final Woven NOTHING = new Woven(Set.of(), Set.of());

    static Woven of(Set<Feature> features, ShapeCheck check) {
      Set<HookPoint> hooks = new HashSet<>(check.hooks());
      hooks.removeIf(hook -> features.stream().noneMatch(f -> f.hooks().contains(hook)));
      return new Woven(Set.copyOf(features), Set.copyOf(hooks));
    }

    Set<HookPoint> ofLibraries() {
      Set<HookPoint> ofLibraries = new HashSet<>(hooks);
      ofLibraries.removeIf(
          hook -> features.stream().noneMatch(f -> f.isOfLibrary() && f.hooks().contains(hook)));
      return ofLibraries;
    }
  }

  private static void on(Set<Feature.Need> all, Feature.Need need, boolean is) {
    if (is) {
      all.add(need);
    }
  }
}
