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
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.bytecode.StackManipulation;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.utility.JavaModule;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the hook points into the Pekko of each class loader as its classes are loaded, after
 * looking once at whether that Pekko has the shape we know.
 *
 * <p><b>Threads.</b> Called by any thread that loads a class.
 */
public final class PekkoWeaver {
  /**
   * What the settings ask for, beside {@link Recorder#config}.
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

  private static final ClassFileLocator OURS = new OurClasses(loader(PekkoWeaver.class));

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
   * Adds the weaving to an agent builder. What is woven depends on {@link Recorder#config}, which
   * must be set before.
   *
   * @param problems told, in one sentence each, what could not be woven and why
   * @param apart weaves the mailbox where the builder's agent leaves it alone; null if the builder
   *     weaves that too
   */
  public static AgentBuilder install(
      AgentBuilder builder,
      Consumer<String> problems,
      Choice choice,
      @Nullable Instrumentation apart) {
    List<PekkoWeaver> weavers = weavers(problems, choice);
    AgentBuilder woven = builder;
    if (weavesStages(choice)) {
      woven =
          woven
              .type(ElementMatchers.named(Features.STAGES_TYPE))
              .transform(
                  (type, description, loader, module, domain) ->
                      weavers.get(0).weaveStages(type, description, loader, domain));
    }
    for (PekkoWeaver weaver : weavers) {
      if (apart != null) {
        String mailbox = weaver.toolkit.name(MAILBOX).replace('.', '/');
        WovenApart.Weaving weaving = weaver.new Apart();
        apart.addTransformer(new WovenApart(apart, name -> name.equals(mailbox) ? weaving : null));
      }
      woven = weaver.install(woven);
    }
    return woven;
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
    List<Apart> all = weavers(problems, choice).stream().map(weaver -> weaver.new Apart()).toList();
    instrumentation.addTransformer(new WovenApart(instrumentation, name -> of(name, all)));
    Map<String, WovenApart.Weaving> late = new HashMap<>();
    if (weavesStages(choice)) {
      late.put(Features.STAGES_TYPE.replace('.', '/'), all.get(0).ofStages());
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

  private static List<PekkoWeaver> weavers(Consumer<String> problems, Choice choice) {
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

  private static boolean weavesStages(Choice choice) {
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

  private AgentBuilder install(AgentBuilder builder) {
    return builder
        .type(
            (description, loader, module, redefined, domain) ->
                toolkit.mayHave(description.getName())
                    && mayWeave(description.getName(), loader, redefined))
        .transform(this::weave);
  }

  private DynamicType.Builder<?> weave(
      DynamicType.Builder<?> builder,
      TypeDescription description,
      @Nullable ClassLoader loader,
      @Nullable JavaModule module,
      ProtectionDomain domain) {
    String type = description.getName();
    DynamicType.Builder<?> result = builder;
    Class<?> fields = fields(type);
    if (fields != null) {
      result = result.visit(new AddedFields(fields));
    }
    for (Feature feature : toolkit.byType().getOrDefault(type, List.of())) {
      for (HookPoint hook : feature.hooks()) {
        if (hook.type().equals(type) && isWoven(hook, loader)) {
          result = advice(hook).transform(result, description, loader, module, domain);
        }
      }
    }
    return result;
  }

  /** What this does to a class that no agent builder is asked about. */
  private final class Apart implements WovenApart.Weaving {
    boolean mayHave(String type) {
      return toolkit.mayHave(type);
    }

    @Override
    public boolean isWanted(
        String type, @Nullable ClassLoader loader, @Nullable Class<?> redefined) {
      return mayWeave(type, loader, redefined);
    }

    @Override
    public DynamicType.Builder<?> weave(
        DynamicType.Builder<?> builder,
        TypeDescription type,
        @Nullable ClassLoader loader,
        ProtectionDomain domain) {
      return PekkoWeaver.this.weave(builder, type, loader, null, domain);
    }

    WovenApart.Weaving ofStages() {
      return new WovenApart.Weaving() {
        @Override
        public boolean isWanted(
            String type, @Nullable ClassLoader loader, @Nullable Class<?> redefined) {
          return true;
        }

        @Override
        public DynamicType.Builder<?> weave(
            DynamicType.Builder<?> builder,
            TypeDescription type,
            @Nullable ClassLoader loader,
            ProtectionDomain domain) {
          return weaveStages(builder, type, loader, domain);
        }
      };
    }
  }

  private DynamicType.Builder<?> weaveStages(
      DynamicType.Builder<?> builder,
      TypeDescription description,
      @Nullable ClassLoader loader,
      ProtectionDomain domain) {
    DynamicType.Builder<?> result = builder;
    for (HookPoint hook : Features.STAGES) {
      HookReport.expect(hook.name());
      if (!skipped.contains(hook.name())) {
        result = advice(hook).transform(result, description, loader, null, domain);
      }
    }
    return result;
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
      ClassFileLocator classes = ClassFileLocator.ForClassLoader.of(loader);
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

  /** What is woven into the Pekko of one class loader. */
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

  private AgentBuilder.Transformer advice(HookPoint hook) {
    return new AgentBuilder.Transformer.ForAdvice()
        .include(toolkit.ours(OURS))
        .withExceptionHandler(new Advice.ExceptionHandler.Simple(caught()))
        .advice(matcher(hook), hook.advice());
  }

  private static ElementMatcher<MethodDescription> matcher(HookPoint hook) {
    return ElementMatchers.failSafe(
        new ElementMatcher.Junction.ForNonNullValues<>() {
          @Override
          protected boolean doMatch(MethodDescription method) {
            return ShapeCheck.matches(hook, method);
          }
        });
  }

  private static StackManipulation caught() {
    try {
      return MethodInvocation.invoke(
          new MethodDescription.ForLoadedMethod(Faults.class.getMethod("caught", Throwable.class)));
    } catch (NoSuchMethodException e) {
      throw new LinkageError("Faults.caught", e);
    }
  }

  private static ClassLoader loader(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }
}
