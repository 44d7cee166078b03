// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import io.deimos.agent.settings.Given;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.StartTraces;
import io.deimos.recorder.actors.ActorChoice;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorPolicy;
import io.deimos.recorder.actors.ActorSetting;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.Globs;
import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.actors.Sampling;
import io.deimos.recorder.base.PekkoNames;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules that settings make. A later part of this list goes before an earlier one: the switches
 * for all, {@code deimos.actors} from the widest pattern to the narrowest, {@code
 * pekko.actor.deployment}, code. Marks on classes go before all of them; see {@link Marks}.
 */
final class SettingsRules implements Rules {
  private static final String IN_CODE = "deimos{";

  private final Settings settings;
  private final ChoiceReader reader;
  private final List<PathRule> everywhere;
  private final Map<String, List<PathRule>> bySystem;
  private final @Nullable BiPredicate<Object, Boolean> filter;
  private final ContentRules content;
  private final PatternWatch watch;
  private final @Nullable RateLimit limit;
  private final Map<String, Sampling> byMessage = new LinkedHashMap<>();
  private final Map<String, ActorChoice> inCode = new ConcurrentHashMap<>();

  /**
   * @param bySystem what the deployment of each actor system says
   * @param filter the user's own, or null
   * @param content of which messages it is recorded
   * @param limit on all traces that begin in actors, or null
   * @param watch told of each class that is asked about
   */
  SettingsRules(
      Settings settings,
      Map<String, List<PathRule>> bySystem,
      @Nullable BiPredicate<Object, Boolean> filter,
      ContentRules content,
      @Nullable RateLimit limit,
      PatternWatch watch,
      Consumer<String> problems) {
    this.watch = watch;
    this.settings = settings;
    this.reader = new ChoiceReader(problems);
    this.everywhere = PathRules.ofActors(settings.get(Keys.ACTORS), problems);
    this.bySystem = Map.copyOf(bySystem);
    this.filter = filter;
    this.content = content;
    this.limit = limit;
    Config ratios = settings.get(Keys.SAMPLING_MESSAGES);
    ratios.root().entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, ConfigValue> entry) -> entry.getKey().length())
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .forEach(entry -> addRatio(entry, problems));
  }

  private void addRatio(Map.Entry<String, ConfigValue> entry, Consumer<String> problems) {
    double ratio = ratio(entry.getValue());
    if (ratio >= 0 && ratio <= 1) {
      byMessage.put(entry.getKey(), Sampling.ofRatio(ratio).limitedBy(limit));
    } else {
      problems.accept(
          Keys.SAMPLING_MESSAGES.name()
              + ".\""
              + entry.getKey()
              + "\"="
              + entry.getValue().unwrapped()
              + Given.at(entry.getValue())
              + " is not a number in [0, 1]; it is ignored");
    }
  }

  private static double ratio(ConfigValue value) {
    try {
      return Double.parseDouble(String.valueOf(value.unwrapped()));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  @Override
  public ActorPolicy actor(ActorKind kind, Object path, @Nullable ActorChoice chosen) {
    if (kind.isHidden()) {
      return ActorPolicy.ALL;
    }
    boolean pekkos = kind.isPekkos();
    ActorPolicy policy =
        ActorPolicy.of(
            settings.get(pekkos ? Keys.TRACING_SYSTEM : Keys.TRACING_USER)
                || (pekkos && isAlways(kind.className())),
            settings.get(pekkos ? Keys.METRICS_SYSTEM : Keys.METRICS_USER));
    List<PathRule> deployed = bySystem.getOrDefault(kind.system(), List.of());
    if (watch.wantsPaths()) {
      watch.path(path.toString());
    }
    if (!everywhere.isEmpty() || !deployed.isEmpty()) {
      String text = path.toString();
      policy = apply(deployed, text, apply(everywhere, text, policy));
    }
    if (chosen != null) {
      policy = chosen.applyTo(policy);
    }
    Sampling own = policy.sampling();
    return own == null || limit == null ? policy : policy.sampledBy(own.limitedBy(limit));
  }

  @Override
  public List<ActorSetting> explain(ActorKind kind, Object path) {
    ActorReasons reasons = new ActorReasons();
    boolean pekkos = kind.isPekkos();
    Key<Boolean> traced = pekkos ? Keys.TRACING_SYSTEM : Keys.TRACING_USER;
    Key<Boolean> counted = pekkos ? Keys.METRICS_SYSTEM : Keys.METRICS_USER;
    reasons.tracing(settings.get(traced), named(traced));
    reasons.metrics(settings.get(counted), named(counted));
    String text = path.toString();
    for (List<PathRule> rules :
        List.of(everywhere, bySystem.getOrDefault(kind.system(), List.of()))) {
      for (PathRule rule : rules) {
        if (rule.pattern().matches(text)) {
          reasons.add(rule.choice(), rule.where());
        }
      }
    }
    ActorChoice chosen = kind.chosen();
    if (chosen != null) {
      reasons.add(chosen, "Deimos.instrument in code, of this actor or of one above it");
    }
    String className = kind.className();
    if (isAlways(className)) {
      reasons.tracing(true, Keys.ACTOR_CLASSES_ALWAYS.name());
    }
    if (Globs.anyMatchesClass(settings.get(Keys.ACTOR_CLASSES_NEVER), className)) {
      reasons.tracing(false, Keys.ACTOR_CLASSES_NEVER.name());
    }
    reasons.marks(kind.marks());
    if (!tracing()) {
      reasons.tracing(false, named(settings.enabled() ? Keys.TRACING : Keys.ENABLED));
    }
    if (!metrics()) {
      reasons.metrics(false, named(settings.enabled() ? Keys.METRICS : Keys.ENABLED));
    }
    return reasons.all();
  }

  private String named(Key<?> key) {
    return key.name() + (settings.isGiven(key) ? "" : ", as it comes");
  }

  private static ActorPolicy apply(List<PathRule> rules, String path, ActorPolicy to) {
    ActorPolicy policy = to;
    for (PathRule rule : rules) {
      if (rule.pattern().matches(path)) {
        policy = rule.choice().applyTo(policy);
      }
    }
    return policy;
  }

  @Override
  public @Nullable ActorChoice chosen(String tags) {
    int at = tags.indexOf(IN_CODE);
    int end = tags.indexOf('}', at);
    return at < 0 || end < 0
        ? null
        : inCode.computeIfAbsent(tags.substring(at + IN_CODE.length(), end), this::parsed);
  }

  private ActorChoice parsed(String text) {
    try {
      return reader.read(ConfigFactory.parseString(text), "Deimos.instrument");
    } catch (ConfigException e) {
      return ActorChoice.NOTHING;
    }
  }

  @Override
  public boolean tracing() {
    return settings.enabled() && settings.tracing();
  }

  @Override
  public boolean metrics() {
    return settings.enabled() && settings.metrics();
  }

  @Override
  public boolean asks() {
    return settings.get(Keys.ASKS);
  }

  @Override
  public boolean persistence() {
    return settings.enabled() && settings.get(Keys.PERSISTENCE);
  }

  @Override
  public boolean streams() {
    return settings.enabled() && settings.get(Keys.STREAMS);
  }

  @Override
  public boolean stages() {
    return tracing() && settings.get(Keys.STAGES);
  }

  @Override
  public boolean remote() {
    return tracing() && settings.get(Keys.REMOTE);
  }

  @Override
  public boolean starts() {
    return settings.get(Keys.START_TRACES) == StartTraces.HERE;
  }

  @Override
  public int message(String className) {
    watch.message(className);
    if (Globs.anyMatchesClass(settings.get(Keys.MESSAGES_NEVER), className)) {
      return Marks.NEVER_TRACED;
    }
    if (Globs.anyMatchesClass(settings.get(Keys.MESSAGES_ALWAYS), className)) {
      return Marks.ALWAYS_TRACED;
    }
    List<String> only = settings.get(Keys.MESSAGES_ONLY);
    return only.isEmpty() || Globs.anyMatchesClass(only, className) ? 0 : Marks.NEVER_TRACED;
  }

  @Override
  public int actorClass(String className) {
    watch.actorClass(className);
    if (Globs.anyMatchesClass(settings.get(Keys.ACTOR_CLASSES_NEVER), className)) {
      return Marks.NEVER_TRACED;
    }
    return isAlways(className) ? Marks.ALWAYS_TRACED : 0;
  }

  /** Pekko's own only if somebody means them, and no pattern such as {@code *Router}. */
  private boolean isAlways(String actorClass) {
    List<String> patterns = settings.get(Keys.ACTOR_CLASSES_ALWAYS);
    return Globs.anyMatchesClass(patterns, actorClass)
        && (!PekkoNames.isPekkos(actorClass)
            || patterns.stream()
                .filter(PekkoNames::isPekkos)
                .anyMatch(p -> Globs.matchesClass(p, actorClass)));
  }

  @Override
  public @Nullable Sampling sampling(String className) {
    for (Map.Entry<String, Sampling> entry : byMessage.entrySet()) {
      if (Globs.matchesClass(entry.getKey(), className)) {
        return entry.getValue();
      }
    }
    return null;
  }

  @Override
  public @Nullable ContentRule content(String className) {
    return content.of(className);
  }

  @Override
  public @Nullable ContentRule texts() {
    return content.texts();
  }

  @Override
  public boolean showsState(String className) {
    return content.texts() != null && Globs.anyMatches(settings.get(Keys.CONTENT_STATE), className);
  }

  @Override
  public @Nullable BiPredicate<Object, Boolean> filter() {
    return filter;
  }
}
