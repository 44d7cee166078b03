// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Why is it slow? One actor waits for a lock that another holds, one sleeps, one reads a socket
 * that answers late, one waits for a notification, and one allocates much; their twins do not.
 */
@OnEachJdk
class WaitsTest {
  private static final String PATH = "/api/v1/profile?seconds=600&time=wait";
  private static final long ENOUGH_NANOS = 100_000_000;
  private static final List<String> WAITS = List.of("lock", "io", "sleep", "park");
  private static final List<String> TWINS = List.of("TakeAlone", "FetchAtOnce", "FillNothing");

  private final Jdk jdk;

  WaitsTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void profile_ofSlowMessages_saysWhatEachWaitsFor(@TempDir Path directory)
      throws IOException, InterruptedException {
    try (AgentJvm jvm = AgentJvm.on(jdk).eitherForm().page().pekkoAlone().start("waits")) {
      jvm.tell("run slow 1000000");
      RunningPage page = RunningPage.of(jvm);
      // Classes that a message is the first to need are read from files.
      page.await(
          "/api/v1/actors?class=Twin",
          said ->
              said.getConfigList("actors").stream().anyMatch(one -> one.getLong("messages") > 30));
      Config profile = page.await(PATH, WaitsTest::isEnough);

      spends(profile, "Take", "lock")
          .startsWith(
              "lock of scenarios.Slow$Purse, held by scenarios.Slow$Holder with"
                  + " scenarios.Slow$Hold");
      spends(profile, "Hold", "sleep").isEqualTo("sleep");
      spends(profile, "Nap", "sleep").isEqualTo("sleep");
      spends(profile, "Fetch", "io").matches("read .*127\\.0\\.0\\.1:\\d+\\)?");
      spends(profile, "Notify", "park").isEqualTo("notification by scenarios.Slow$Purse");
      for (String twin : TWINS) {
        Config row = row(profile, twin);
        assertThat(WAITS).as(twin).allMatch(part -> row.getLong(part + "Nanos") == 0);
        assertThat(row.getConfigList("waitsFor")).isEmpty();
      }
      long others =
          Stream.concat(TWINS.stream(), Stream.of("Take", "Nap", "Fetch", "Notify", "Hold"))
              .mapToLong(message -> row(profile, message).getLong("allocatedBytes"))
              .sum();
      assertThat(row(profile, "Fill").getLong("allocatedBytes")).isGreaterThan(2 * others);

      assertThat(page.json(PATH + "&message=Take").getConfig("tree").getStringList("frames"))
          .contains("scenarios.Slow$Purse.take");
      assertThat(Browser.looks("waits.mjs", page.urlWithToken(), "Take"))
          .matches(
              "(?s)what is this thread waiting for: waited .* for: lock of Slow\\.Purse, held by"
                  + " Slow\\.Holder with Slow\\.Hold \\(3 clicks\\)\\s*");
      Path file = directory.resolve("locks.pb.gz");
      assertThat(
              page.command(
                      jdk, "profile", "--seconds", "10", "--time", "lock", "--pprof", "" + file)
                  .succeeds())
          .contains("scenarios.Slow$Take  in scenarios.Slow$Worker")
          .containsPattern("waited .* for lock of scenarios.Slow\\$Purse, held by");
      try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .contains("lock", "nanoseconds", "scenarios.Slow$Purse.take");
      }
      assertThat(jvm.complaints()).isEmpty();
      jvm.stop();
    }
  }

  /** The reason of most of the time of a message class. */
  private static AbstractStringAssert<?> spends(Config profile, String message, String part) {
    Config row = row(profile, message);
    assertThat(2 * row.getLong(part + "Nanos"))
        .as("%s", row)
        .isGreaterThan(row.getLong("wallNanos"));
    Config first = row.getConfigList("waitsFor").get(0);
    assertThat(first.getString("time")).isEqualTo(part);
    return assertThat(first.getString("on"));
  }

  private static boolean isEnough(Config profile) {
    return Stream.concat(
            TWINS.stream(), Stream.of("Take", "Hold", "Nap", "Fetch", "Notify", "Fill"))
        .allMatch(
            message ->
                rows(profile, message)
                    .anyMatch(
                        row ->
                            !row.getIsNull("wallNanos")
                                && row.getLong("wallNanos") > ENOUGH_NANOS
                                && (!message.equals("Fill") || row.getLong("allocatedBytes") > 0)));
  }

  private static Stream<? extends Config> rows(Config profile, String message) {
    return profile.getConfigList("rows").stream()
        .filter(
            row ->
                !row.getIsNull("messageClass")
                    && row.getString("messageClass").equals("scenarios.Slow$" + message));
  }

  private static Config row(Config profile, String message) {
    return rows(profile, message).findFirst().orElseThrow();
  }
}
