// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigMemorySize;
import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.BiFunction;

/**
 * The settings under {@code deimos.remote}, read once per actor system. A value that makes no sense
 * is named in one warning and its default is used.
 *
 * @param enabled whether this transport replaces Artery's own TCP
 * @param byteMover whether Netty moves the bytes; without it nothing of the below happens
 * @param clocks whether flushes and (de)serialising are timed from the start
 * @param warnings what was wrong with the given settings, a line each
 */
public record RemoteSettings(
    boolean enabled,
    boolean byteMover,
    DirectLane directLane,
    Loops loops,
    Batching batching,
    Strangers strangers,
    boolean clocks,
    List<String> warnings) {

  static final String ROOT = "deimos.remote";
  private static final String VARIABLES = "DEIMOS_REMOTE_";

  /** Whether ordinary messages are encoded, and decoded, outside Pekko's streams. */
  public record DirectLane(boolean outbound, boolean inbound) {}

  /**
   * The event loops.
   *
   * @param io how they wait for sockets: {@code auto}, {@code epoll}, {@code io_uring} or {@code
   *     nio}
   * @param threads for ordinary and large streams, in [1, 64]; control has one of its own
   */
  public record Loops(String io, int threads, EncodeOn encodeOn) {}

  /**
   * How messages are gathered.
   *
   * @param enabled whether they are at all
   * @param maxPendingWrites messages in one flush at most, in [1, 65536]
   * @param maxPendingBytes bytes in one flush at most, in [1 KiB, 16 MiB]; one larger message goes
   *     alone
   * @param flushInterval how long a batch waits for more, in [0, 1 s]; 0 waits for nothing
   */
  public record Batching(
      boolean enabled, int maxPendingWrites, int maxPendingBytes, Duration flushInterval) {}

  /**
   * Accepted connections without a completed handshake.
   *
   * @param max how many there are at most, in [16, 65536]
   * @param timeout how long one may take for its handshake, in [1 s, 1 h]
   */
  public record Strangers(int max, Duration timeout) {}

  /** Where ordinary messages are serialised. */
  public enum EncodeOn {
    /**
     * On the event loop as long as all serialisers are known to be cheap, else on the dispatcher.
     */
    AUTO,
    EVENT_LOOP,
    DISPATCHER
  }

  private static final Map<String, Object> DEFAULTS =
      Map.ofEntries(
          Map.entry("enabled", false),
          Map.entry("byte-mover", true),
          Map.entry("direct-lane.outbound", true),
          Map.entry("direct-lane.inbound", true),
          Map.entry("io", "auto"),
          Map.entry("event-loop-threads", "auto"),
          Map.entry("encode-on", "auto"),
          Map.entry("batching.enabled", true),
          Map.entry("batching.max-pending-writes", 256),
          Map.entry("batching.max-pending-bytes", "128 KiB"),
          Map.entry("batching.flush-interval", "0 ms"),
          Map.entry("strangers.max-connections", 512),
          Map.entry("strangers.timeout", "20 s"),
          Map.entry("clocks", false));

  /**
   * The settings of an actor system. System properties win over environment variables ({@code
   * DEIMOS_REMOTE_DIRECT_LANE_INBOUND}), and these over its configuration.
   */
  public static RemoteSettings of(
      Config configuration, Map<String, String> environment, Properties system) {
    List<String> warnings = new ArrayList<>();
    Config given =
        configuration.hasPath(ROOT) ? section(configuration, warnings) : ConfigFactory.empty();
    Config defaults = ConfigFactory.empty();
    for (Map.Entry<String, Object> entry : DEFAULTS.entrySet()) {
      defaults =
          defaults.withValue(entry.getKey(), ConfigValueFactory.fromAnyRef(entry.getValue()));
    }
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      if (variable.getKey().startsWith(VARIABLES)) {
        given =
            given.withValue(
                key(variable.getKey()),
                ConfigValueFactory.fromAnyRef(variable.getValue(), variable.getKey()));
      }
    }
    for (String name : system.stringPropertyNames()) {
      if (name.startsWith(ROOT + ".")) {
        given =
            given.withValue(
                name.substring(ROOT.length() + 1),
                ConfigValueFactory.fromAnyRef(system.getProperty(name), "system property " + name));
      }
    }
    for (var entry : given.entrySet()) {
      if (!DEFAULTS.containsKey(entry.getKey())) {
        warnings.add(
            ROOT + "." + entry.getKey() + " is no setting of this transport; known are " + known());
      }
    }
    return new Reader(given, defaults, warnings).read();
  }

  /** The key that a variable means; {@code _} stands for a point as well as for a hyphen. */
  private static String key(String variable) {
    String name = variable.substring(VARIABLES.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    return DEFAULTS.keySet().stream()
        .filter(key -> key.replace('-', '.').equals(name))
        .findFirst()
        .orElse(name);
  }

  private static Config section(Config configuration, List<String> warnings) {
    try {
      return configuration.getConfig(ROOT);
    } catch (ConfigException e) {
      warnings.add(ROOT + " must be a section { ... }; everything in it has its default now");
      return ConfigFactory.empty();
    }
  }

  private static String known() {
    return String.join(", ", DEFAULTS.keySet().stream().sorted().toList());
  }

  /** Reads one value after the other and puts a warning and the default where that fails. */
  private record Reader(Config given, Config defaults, List<String> warnings) {
    RemoteSettings read() {
      return new RemoteSettings(
          isOn("enabled"),
          isOn("byte-mover"),
          new DirectLane(isOn("direct-lane.outbound"), isOn("direct-lane.inbound")),
          new Loops(
              value(
                  "io",
                  "auto, epoll, io_uring or nio",
                  (config, key) ->
                      oneOf(config.getString(key), "auto", "epoll", "io_uring", "nio")),
              value("event-loop-threads", "auto or a number in [1, 64]", Reader::threads),
              value("encode-on", "auto, event-loop or dispatcher", Reader::encodeOn)),
          batching(),
          new Strangers(
              value(
                  "strangers.max-connections",
                  "a number in [16, 65536]",
                  (config, key) -> within(config.getInt(key), 16, 65536)),
              value(
                  "strangers.timeout",
                  "a duration in [1 s, 1 h]",
                  (config, key) ->
                      within(config.getDuration(key), Duration.ofSeconds(1), Duration.ofHours(1)))),
          isOn("clocks"),
          List.copyOf(warnings));
    }

    private boolean isOn(String key) {
      return value(key, "on or off", Config::getBoolean);
    }

    private Batching batching() {
      boolean enabled = isOn("batching.enabled");
      int bytes =
          value(
              "batching.max-pending-bytes",
              "a size in [1 KiB, 16 MiB]",
              (config, key) -> bytes(config.getMemorySize(key)));
      if (!enabled) {
        return new Batching(false, 1, bytes, Duration.ZERO);
      }
      return new Batching(
          true,
          value(
              "batching.max-pending-writes",
              "a number in [1, 65536]",
              (config, key) -> within(config.getInt(key), 1, 65536)),
          bytes,
          value("batching.flush-interval", "a duration in [0 ms, 1 s]", Reader::interval));
    }

    private <T> T value(String key, String range, BiFunction<Config, String, T> read) {
      if (given.hasPath(key)) {
        try {
          return read.apply(given, key);
        } catch (ConfigException | IllegalArgumentException e) {
          warnings.add(
              "%s.%s = %s must be %s; %s is used"
                  .formatted(
                      ROOT,
                      key,
                      given.getValue(key).unwrapped(),
                      range,
                      defaults.getValue(key).unwrapped()));
        }
      }
      return read.apply(defaults, key);
    }

    private static int threads(Config config, String key) {
      String text = config.getString(key);
      if (text.equals("auto")) {
        return Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 4));
      }
      return within(Integer.parseInt(text), 1, 64);
    }

    private static EncodeOn encodeOn(Config config, String key) {
      return EncodeOn.valueOf(config.getString(key).toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static Duration interval(Config config, String key) {
      return within(config.getDuration(key), Duration.ZERO, Duration.ofSeconds(1));
    }

    private static Duration within(Duration value, Duration lowest, Duration highest) {
      if (value.compareTo(lowest) < 0 || value.compareTo(highest) > 0) {
        throw new IllegalArgumentException(value.toString());
      }
      return value;
    }

    private static int bytes(ConfigMemorySize size) {
      return (int) within(size.toBytes(), 1024, 16 << 20);
    }

    private static int within(int value, int lowest, int highest) {
      return (int) within((long) value, lowest, highest);
    }

    private static long within(long value, long lowest, long highest) {
      if (value < lowest || value > highest) {
        throw new IllegalArgumentException(Long.toString(value));
      }
      return value;
    }

    private static String oneOf(String value, String... allowed) {
      if (!List.of(allowed).contains(value)) {
        throw new IllegalArgumentException(value);
      }
      return value;
    }
  }
}
