// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import io.deimos.agent.bootstrap.OwnFiles;
import io.deimos.agent.log.Log;
import io.deimos.agent.log.Problems;
import io.deimos.agent.metrics.ScrapedText;
import io.deimos.agent.nodes.PageTarget;
import io.deimos.agent.nodes.SharedToken;
import io.deimos.agent.nodes.TlsFiles;
import io.deimos.agent.page.PageLines;
import io.deimos.agent.page.PagePlace;
import io.deimos.agent.page.PageServer;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.pekko.QuietMoment;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says where the page is, in one line, and puts the token into its file. Where the user names a
 * file the token is there alone: logs go to more places than files do.
 */
public final class PageStart implements PageLines {
  private static final String KEY = "deimos.page.token-file=";

  private final String wantedFile;
  private final boolean tokenIsKnown;
  private final Consumer<String> say;
  private final Consumer<String> problems;

  /**
   * @param wantedFile the file that the user names for the token, or nothing
   */
  public PageStart(String wantedFile, Consumer<String> say, Consumer<String> problems) {
    this(wantedFile, false, say, problems);
  }

  private PageStart(
      String wantedFile, boolean tokenIsKnown, Consumer<String> say, Consumer<String> problems) {
    this.tokenIsKnown = tokenIsKnown;
    this.wantedFile = wantedFile;
    this.say = say;
    this.problems = problems;
  }

  /**
   * Starts the page.
   *
   * @param store null where the page is off, and only metrics are served
   * @param metrics null if none are served
   * @return null if the page that it is to join cannot be
   */
  public static @Nullable PageServer launch(
      Settings settings,
      PageAccess access,
      AgentState state,
      @Nullable TraceStore store,
      @Nullable ScrapedText metrics,
      Problems problems) {
    int port = settings.get(Keys.PAGE_PORT);
    String join = settings.get(Keys.PAGE_JOIN);
    if (join.isEmpty()) {
      return launch(PagePlace.on(port), settings, access, state, store, metrics, problems);
    }
    try {
      PagePlace place = new PagePlace(port, target(URI.create(join), settings), null);
      return launch(place, settings, access, state, store, metrics, problems);
    } catch (IOException e) {
      problems.from("the page").accept(e.getMessage() + ". This process joins no page");
      return null;
    }
  }

  private static PageTarget target(URI address, Settings settings) throws IOException {
    String token = SharedToken.of(settings.get(Keys.PAGE_SHARED_TOKEN), System.getenv());
    if (!address.getScheme().equals("https")) {
      return PageTarget.of(address, token, null);
    }
    if (token.isEmpty()) {
      throw new IOException(
          "deimos.page.join="
              + address
              + " needs the page's token: set deimos.page.shared-token-file, or "
              + SharedToken.VARIABLE);
    }
    return PageTarget.of(address, token, TlsFiles.trusting(settings.get(Keys.PAGE_TLS_TRUST)));
  }

  /**
   * Starts the page at this place.
   *
   * @param store null where the page is off, and only metrics are served
   * @param metrics null if none are served
   */
  public static PageServer launch(
      PagePlace place,
      Settings settings,
      PageAccess access,
      AgentState state,
      @Nullable TraceStore store,
      @Nullable ScrapedText metrics,
      Problems problems) {
    if (store != null) {
      state.history().start();
    }
    return PageServer.start(
        place,
        access,
        state,
        // Where the page is off nobody gets to the traces, and none come in.
        store == null ? new TraceStore(StoreLimits.of(1, 100)) : store,
        metrics,
        new PageStart(
            settings.get(Keys.PAGE_TOKEN_FILE),
            place.hasSharedToken(),
            Log::line,
            problems.from("the page")),
        new QuietMoment(settings.get(Keys.SELF_TEST_WAIT).toNanos())::await);
  }

  @Override
  public void failed(String reason) {
    problems.accept(reason);
  }

  @Override
  public void joined(String url, String who) {
    say.accept("on the page at " + url + " (of " + who + ")");
  }

  @Override
  public void bound(String url, PageAccess access) {
    boolean isPage = access.page() != PageAccessMode.OFF;
    String shown = isPage ? "page at " + url : "metrics at " + url + "/metrics";
    if (tokenIsKnown) {
      say.accept(shown + " (its token is the one of deimos.page.shared-token-file)");
      return;
    }
    if (!access.needsToken()) {
      say.accept(shown);
      return;
    }
    try {
      if (wantedFile.isEmpty()) {
        Path file = OwnFiles.temporaryDirectory().resolve("token");
        write(file, access);
        say.accept(
            shown + (isPage ? "/#token=" + access.token() : "") + " (token in " + file + ")");
      } else {
        Path file = Path.of(wantedFile).toAbsolutePath();
        replace(file, access);
        say.accept(shown + (isPage ? "/" : "") + " (token in " + file + ")");
      }
    } catch (IOException | RuntimeException e) {
      problems.accept(
          KEY
              + wantedFile
              + ": the page's token could not be written to a file ("
              + e
              + "); it is in the start-up line only. Name a file in a directory that this process"
              + " can write to");
      say.accept(shown + (isPage ? "/" : "") + "#token=" + access.token());
    }
  }

  private static void write(Path file, PageAccess access) throws IOException {
    OwnFiles.write(file, (access.token() + "\n").getBytes(StandardCharsets.UTF_8));
    file.toFile().deleteOnExit();
  }

  /** By a rename, which takes the place of a file or link that an earlier run has left. */
  private static void replace(Path file, PageAccess access) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
    OwnFiles.write(next, (access.token() + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(next);
      throw e;
    }
    file.toFile().deleteOnExit();
  }
}
