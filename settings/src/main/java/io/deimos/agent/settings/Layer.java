// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of one source, by canonical names. Immutable once made. */
public final class Layer {
  private static final String PREFIX = "deimos.";
  private static final String ENVIRONMENT_PREFIX = "DEIMOS_";

  /** For tests of Deimos and for its own marks; nobody else sets them. */
  private static final String INTERNAL = "deimos.internal";

  private static final String LAUNCHED = "deimos.launched";

  /**
   * Secrets, which must not be shown as settings are: the page's, and what the command line has.
   */
  private static final Set<String> TOKENS = Set.of("DEIMOS_PAGE_SHARED_TOKEN", "DEIMOS_PAGE_TOKEN");

  /**
   * The variables that Kubernetes puts into every container of a namespace for each Service, of
   * which one may be named {@code deimos-page}.
   */
  private static final Pattern OF_A_SERVICE =
      Pattern.compile("\\w+_(SERVICE_(HOST|PORT(_\\w+)?)|PORT_[0-9]+_(TCP|UDP|SCTP)(_[A-Z]+)?)");

  private static final Pattern ADDRESS_OF_A_SERVICE = Pattern.compile("(tcp|udp|sctp)://.*");

  /** Read by the transport itself, for each actor system. */
  private static final String REMOTE = "deimos.remote";

  private final Map<String, Given> byName = new TreeMap<>();

  private Layer() {}

  /** Nothing. */
  public static Layer empty() {
    return new Layer();
  }

  /** The variables that begin with {@code DEIMOS_}. */
  public static Layer ofEnvironment(Map<String, String> environment) {
    Layer layer = new Layer();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(ENVIRONMENT_PREFIX) && !isOfAService(name, value)) {
            layer.put(name, value);
          }
        });
    return layer;
  }

  /** The properties that begin with {@code deimos.}. */
  public static Layer ofProperties(Map<String, String> properties) {
    Layer layer = new Layer();
    properties.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX)) {
            layer.put(name, value);
          }
        });
    return layer;
  }

  /**
   * The keys under {@code deimos} in HOCON.
   *
   * @param config the whole of it, resolved as far as it can be
   * @param place how messages call it where HOCON does not tell file and line
   */
  public static Layer ofConfig(Config config, String place) {
    Layer layer = new Layer();
    ConfigValue ours = config.root().get("deimos");
    if (ours instanceof ConfigObject object) {
      layer.put("deimos", object, place);
    }
    return layer;
  }

  private void put(String name, String value) {
    if (!isInternal(name) && !value.isBlank()) {
      byName.put(
          Keys.canonical(name),
          new Given(name, ConfigValueFactory.fromAnyRef(value.strip()), null));
    }
  }

  private void put(String path, ConfigObject object, String place) {
    object.forEach(
        (key, value) -> {
          try {
            put(path + "." + key, value, place);
          } catch (ConfigException.NotResolved e) {
            // It stands on what only the actor system's configuration has, and is read from there.
          }
        });
  }

  private void put(String name, ConfigValue value, String place) {
    if (isInternal(name) || value.valueType() == ConfigValueType.NULL) {
      return;
    }
    Key<?> known = Keys.named(name);
    if (value instanceof ConfigObject nested && (known == null || !known.type().isTable())) {
      put(name, nested, place);
    } else {
      byName.put(Keys.canonical(name), new Given(name, value, Given.place(value.origin(), place)));
    }
  }

  private static boolean isOfAService(String name, String value) {
    return OF_A_SERVICE.matcher(name).matches()
        || (name.endsWith("_PORT") && ADDRESS_OF_A_SERVICE.matcher(value).matches());
  }

  private static boolean isInternal(String name) {
    String canonical = Keys.canonical(name);
    return name.startsWith(INTERNAL)
        || name.equals(LAUNCHED)
        || TOKENS.contains(name)
        || canonical.equals(REMOTE)
        || canonical.startsWith(REMOTE + ".");
  }

  /** This layer, saying something else of one setting; null for nothing. */
  public Layer with(Key<?> key, @Nullable String value) {
    Layer changed = new Layer();
    changed.byName.putAll(byName);
    changed.byName.remove(Keys.canonical(key.name()));
    if (value != null) {
      changed.put(key.name(), value);
    }
    return changed;
  }

  /** This layer without what another one says too. */
  public Layer without(Layer other) {
    Layer rest = new Layer();
    rest.byName.putAll(byName);
    rest.byName.keySet().removeAll(other.byName.keySet());
    return rest;
  }

  /**
   * This layer without what is so anyway. An actor system's configuration has all our defaults if
   * {@code deimos-api} is on the class path, and nobody gave them.
   */
  public Layer withoutDefaults() {
    Layer rest = new Layer();
    byName.forEach(
        (name, given) -> {
          Key<?> key = Keys.named(name);
          if (key == null || !key.isDefault(given.value())) {
            rest.byName.put(name, given);
          }
        });
    return rest;
  }

  /** This layer, where it says the same as one read before with the places that one knew. */
  public Layer placedAs(Layer before) {
    Layer placed = new Layer();
    byName.forEach(
        (name, now) -> {
          Given then = before.byName.get(name);
          placed.byName.put(name, then != null && then.value().equals(now.value()) ? then : now);
        });
    return placed;
  }

  public @Nullable Given given(Key<?> key) {
    return byName.get(Keys.canonical(key.name()));
  }

  Collection<Given> all() {
    return byName.values();
  }
}
