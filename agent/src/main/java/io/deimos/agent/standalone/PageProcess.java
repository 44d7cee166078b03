// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.standalone;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.log.Problems;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.nodes.ServedTls;
import io.deimos.agent.nodes.SharedToken;
import io.deimos.agent.nodes.TlsFiles;
import io.deimos.agent.page.PagePlace;
import io.deimos.agent.page.PageServer;
import io.deimos.agent.report.AgentState;
import io.deimos.agent.report.PageStart;
import io.deimos.agent.rules.AllRules;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.SettingsReader;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.tail.TailCounts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A page without an application: takes spans over OTLP and what joined processes send, and shows it
 * as long as it runs, whatever happens to those. Loaded by {@code io.deimos.cli}.
 */
public final class PageProcess {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;
  private static final long START_MILLIS = 30_000;
  private static final int SHARE_OF_LOGS = 4;
  private static final String SERVICE = "deimos-page";

  /** Searches take nothing from an application, so they may take so many times as much. */
  private static final int SHARE_ALONE = 10;

  private PageProcess() {}

  /**
   * Serves until the process ends. Settings are system properties and environment variables, as in
   * an application.
   *
   * @param arguments the port, or nothing; the address; the port for OTLP beside it, 0 for none;
   *     the same for gRPC
   * @return the exit code, if it cannot be
   */
  @SuppressWarnings("SystemOut") // it is a command
  public static int run(String[] arguments) throws InterruptedException {
    Problems problems = new Problems();
    Layer properties = Layer.ofProperties(properties());
    if (!arguments[0].isEmpty()) {
      properties = properties.with(Keys.PAGE_PORT, arguments[0]);
    }
    Settings settings =
        new SettingsReader(List.of(Layer.ofEnvironment(System.getenv()), properties), problems)
            .read();
    PagePlace.Alone place;
    try {
      place =
          place(
              arguments[1],
              Integer.parseInt(arguments[2]),
              Integer.parseInt(arguments[3]),
              settings,
              problems);
    } catch (IOException e) {
      problems.accept(String.valueOf(e.getMessage()));
      return MISUSED;
    }
    PageAccess access =
        place.token().isEmpty()
            ? PageAccess.of(settings)
            : PageAccess.only(place.token(), settings.get(Keys.PAGE_CONTROL));
    if (access.page() == PageAccessMode.OFF) {
      problems.accept("deimos.page.access=off leaves nothing to serve; take it away");
      return MISUSED;
    }
    TraceStore store =
        new TraceStore(
            StoreLimits.of(settings.get(Keys.TRACES_PER_SECOND), settings.get(Keys.SPANS_KEPT)));
    double share = Math.min(1, SHARE_ALONE * settings.get(Keys.OBSERVER_CPU));
    AgentState state =
        new AgentState(
            problems,
            new ExportCounts(),
            new TailCounts(),
            null,
            null,
            Accountant.ofHeap(share, settings.get(Keys.PAGE_MEMORY)));
    state.serviceName(SERVICE);
    state.checks(AllRules.ofOthers(settings));
    state.logs(new LogBook(settings.get(Keys.OBSERVER_MEMORY) / SHARE_OF_LOGS));
    try (PageServer page =
        PageStart.launch(
            new PagePlace(settings.get(Keys.PAGE_PORT), null, place),
            settings,
            access,
            state,
            store,
            null,
            problems)) {
      if (!page.awaitStart(START_MILLIS)) {
        return FAILED;
      }
      System.out.println(
          "Takes OTLP over HTTP at "
              + page.url()
              + "/v1/traces and over gRPC at "
              + page.url()
              + ". An application joins with deimos.page.join="
              + page.url());
      new CountDownLatch(1).await();
      return 0;
    }
  }

  /** Beyond this machine nothing is served without TLS and a token that all know. */
  private static PagePlace.Alone place(
      String address, int otlpPort, int grpcPort, Settings settings, Consumer<String> say)
      throws IOException {
    InetAddress listen;
    try {
      listen = InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IOException("--listen " + address + ": there is no such address", e);
    }
    String token = SharedToken.of(settings.get(Keys.PAGE_SHARED_TOKEN), System.getenv());
    ServedTls tls = tls(settings, say);
    if (!listen.isLoopbackAddress() && (tls == null || token.isEmpty())) {
      throw new IOException(
          "--listen "
              + address
              + " is not of this machine alone, and needs "
              + (tls == null
                  ? "TLS: set deimos.page.tls.certificate and deimos.page.tls.key"
                  : "a token: set deimos.page.shared-token-file, or " + SharedToken.VARIABLE));
    }
    return new PagePlace.Alone(listen, otlpPort, grpcPort, tls, token);
  }

  private static @Nullable ServedTls tls(Settings settings, Consumer<String> say)
      throws IOException {
    String certificate = settings.get(Keys.PAGE_TLS_CERTIFICATE);
    String key = settings.get(Keys.PAGE_TLS_KEY);
    String keystore = settings.get(Keys.PAGE_TLS_KEYSTORE);
    if (!keystore.isEmpty()) {
      String password = settings.get(Keys.PAGE_TLS_PASSWORD);
      return new ServedTls(
          List.of(keystore, password), () -> TlsFiles.ofKeystore(keystore, password), say);
    }
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new IOException("deimos.page.tls.certificate and deimos.page.tls.key belong together");
    }
    return key.isEmpty()
        ? null
        : new ServedTls(List.of(certificate, key), () -> TlsFiles.ofPem(certificate, key), say);
  }

  private static Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>();
    System.getProperties()
        .stringPropertyNames()
        .forEach(name -> properties.put(name, System.getProperty(name)));
    return properties;
  }
}
