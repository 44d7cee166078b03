// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import java.io.File;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads HOCON that may come from anybody: a value posted to the page, an environment variable, the
 * control file. It takes plain values only. A substitution would read the environment, an include
 * would read files or fetch URLs, and both would hand what they found to whoever asks for the
 * settings; long or deep text would cost memory and stack before it is known to be wrong.
 */
public final class PlainHocon {
  /** The longest text that is parsed. */
  public static final int MAX_LENGTH = 64 * 1024;

  private static final int MAX_DEPTH = 32;
  private static final int MAX_BRACKETS = 1000;

  private PlainHocon() {}

  /**
   * Reads HOCON.
   *
   * @throws IllegalArgumentException of text that is too long, too deep, or not plain
   * @throws ConfigException of text that is not HOCON
   */
  public static Config parse(String text) {
    return parse(text, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF));
  }

  /** As {@link #parse(String)}, in another syntax or under a name for messages. */
  public static Config parse(String text, ConfigParseOptions how) {
    checkLength(text);
    checkBrackets(text);
    try {
      Config config = ConfigFactory.parseString(text, how.setIncluder(new NoIncludes()));
      if (!config.isResolved()) {
        throw new IllegalArgumentException(
            "a substitution such as ${x} is not allowed here; write the value itself");
      }
      checkDepth(config.root());
      return config;
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException("it is nested too deeply", e);
    }
  }

  /** JSON, which has neither substitutions nor includes, as a library rendered it. */
  static Config json(String rendered) {
    return ConfigFactory.parseString(
        rendered, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
  }

  /** Refuses text that is too long to be looked at. */
  public static void checkLength(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("it is too long; " + MAX_LENGTH + " characters are read");
    }
  }

  /** Bounds how deep the parser can recurse, without a view on quotes and comments. */
  private static void checkBrackets(String text) {
    long open = text.chars().filter(c -> c == '{' || c == '[').count();
    if (open > MAX_BRACKETS) {
      throw new IllegalArgumentException(
          "it has too many brackets or is nested too deeply; " + MAX_BRACKETS + " are read");
    }
  }

  /** Level by level: what is checked may be deeper than a thread's stack. */
  private static void checkDepth(ConfigValue parsed) {
    List<ConfigValue> level = List.of(parsed);
    for (int depth = 0; !level.isEmpty(); depth++) {
      if (depth > MAX_DEPTH) {
        throw new IllegalArgumentException(
            "it is nested too deeply; " + MAX_DEPTH + " levels are read");
      }
      List<ConfigValue> below = new ArrayList<>();
      for (ConfigValue value : level) {
        if (value instanceof ConfigObject object) {
          below.addAll(object.values());
        } else if (value instanceof ConfigList list) {
          below.addAll(list);
        }
      }
      level = below;
    }
  }

  /** Refuses all four kinds of include. An includer that leaves one out gets the library's own. */
  private static final class NoIncludes
      implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
      return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
      throw refused();
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
      throw refused();
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
      throw refused();
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
      throw refused();
    }

    private static IllegalArgumentException refused() {
      return new IllegalArgumentException(
          "an include is not allowed here; write the settings themselves");
    }
  }
}
