// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The summary that the agent writes when the JVM ends, by {@code deimos.report.file}. */
public record Report(
    long messages,
    long spansRecorded,
    long spansExported,
    long spansDropped,
    long spansLeft,
    long spansUnfinished,
    long faults,
    long tracesCut,
    long actorsLive,
    long hooksOk,
    List<String> hooksMissing,
    List<String> hooksUntested,
    int classesWovenAhead,
    int classesWovenHere,
    String text) {

  /** A file for a JVM to write its report to. */
  public static Path file(String name) {
    Path file = path(name);
    try {
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  /** The report whose {@link #file} has this name. */
  public static Report of(String name) {
    return of(path(name));
  }

  private static Path path(String name) {
    return Layout.target().resolve("reports").resolve(name + ".json");
  }

  public static Report of(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("no report at " + file, e);
    }
    Config json = ConfigFactory.parseString(text);
    return new Report(
        json.getLong("messages"),
        json.getLong("spans_recorded"),
        json.getLong("spans_exported"),
        json.getLong("spans_dropped"),
        json.getLong("spans_left"),
        json.getLong("spans_unfinished"),
        json.getLong("faults"),
        json.getLong("traces_cut"),
        json.getLong("actors_live"),
        json.getLong("hooks_ok"),
        json.getStringList("hooks_missing"),
        json.getStringList("hooks_untested"),
        json.getInt("classes_woven_ahead"),
        json.getInt("classes_woven_here"),
        text);
  }
}
