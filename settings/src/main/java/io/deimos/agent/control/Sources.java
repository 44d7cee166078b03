// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.Given;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Layer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sources of settings, but for the page. Immutable.
 *
 * @param application the application's HOCON
 * @param configurationFile our section of OpenTelemetry's configuration file
 * @param properties the system's
 * @param control the control file
 */
record Sources(
    Layer application,
    Layer configurationFile,
    Layer environment,
    Layer properties,
    Layer control) {

  Sources withApplication(Layer said) {
    return new Sources(
        said.withoutDefaults().without(properties).placedAs(application),
        configurationFile,
        environment,
        properties,
        control);
  }

  Sources withControl(Layer said) {
    return new Sources(application, configurationFile, environment, properties, said);
  }

  /** The weakest first. */
  List<Layer> layers() {
    return List.of(application, configurationFile, environment, properties, control);
  }

  /** As the strongest of them gives it; null if none does. */
  @Nullable Given given(Key<?> key) {
    Given strongest = null;
    for (Layer layer : layers()) {
      Given given = layer.given(key);
      strongest = given == null ? strongest : given;
    }
    return strongest;
  }

  /** Where a value comes from, in a few words. */
  String placeOf(Key<?> key) {
    if (control.given(key) != null) {
      return "control file";
    }
    if (properties.given(key) != null) {
      return "system property";
    }
    if (environment.given(key) != null) {
      return "environment variable";
    }
    Given ofFile = configurationFile.given(key);
    Given given = ofFile != null ? ofFile : application.given(key);
    @Nullable String place = given == null ? null : given.place();
    return place == null ? "default" : place;
  }
}
