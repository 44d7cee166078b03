// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Where;
import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Request;
import io.deimos.agent.http.SentAnswer;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.profile.Profile;
import io.deimos.agent.routes.Route;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSettings;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The page of a process with a given observer, asked without a server.
 *
 * @param problems what the user was told
 * @param profile what makes a profile; null if nothing does
 * @param logs the log records; null if none are kept
 */
public record Asked(
    @Nullable Observer observer,
    List<String> problems,
    @Nullable Profile profile,
    @Nullable LogBook logs)
    implements QuietSource {
  public Asked(@Nullable Observer observer, List<String> problems, @Nullable Profile profile) {
    this(observer, problems, profile, new LogBook(1 << 16));
  }

  public Asked(@Nullable Observer observer, List<String> problems) {
    this(observer, problems, null, new LogBook(1 << 16));
  }

  /** The answer to a request of this machine, which must have a status. */
  public Map<String, Object> get(int status, String path) throws Exception {
    return JsonReader.object(JsonReader.read(text(status, path)));
  }

  /** The body of the answer. */
  public String text(int status, String path) throws Exception {
    PageHandler handler = handler(this);
    Request request = Request.parse("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:1");
    byte[] bytes = SentAnswer.bytes(handler.handle(request));
    String text = new String(bytes, StandardCharsets.UTF_8);
    assertThat(text).startsWith("HTTP/1.1 " + status);
    String body = text.substring(text.indexOf("\r\n\r\n") + 4);
    if (status == 200 && body.startsWith("{")) {
      Documented.check(path, body);
    }
    return body;
  }

  /** The answer to a page that this process has joined. */
  public Reply forOthers(String target) throws IOException {
    return handler(this).site().answerForOthers(target, false, false, false);
  }

  /** Routes that the interface's document tells of. */
  public static List<Route> routes() throws IOException {
    return handler(new Asked(null, List.of())).site().routes();
  }

  /** Those of these names, in this order. */
  static List<Route> routesNamed(String... names) throws IOException {
    List<Route> all = routes();
    return Stream.of(names)
        .flatMap(name -> all.stream().filter(route -> route.name().equals(name)))
        .toList();
  }

  static PageHandler handler(PageSource source) {
    return handler(
        1,
        new PageAccess(PageAccessMode.OPEN, PageControl.TOKEN, PageAccessMode.OPEN, "t"),
        source,
        new TraceStore(StoreLimits.DEFAULT),
        source.accountant());
  }

  static PageHandler handler(
      int port, PageAccess access, PageSource source, TraceStore store, Accountant accountant) {
    return new PageHandler(
        Callers.local("http", "127.0.0.1", List.of(port)),
        access,
        new Site(access, Dashboard.NONE, source, store, null, null, accountant, false));
  }

  @Override
  public PageSettings settings() {
    return new LivePage(
        LiveSettings.read(
            Map.of(),
            Map.of(),
            Layer.empty(),
            ClassLoader.getPlatformClassLoader(),
            problem -> {},
            change -> {}));
  }

  /** One rule, which always finds something. */
  @Override
  public Checks checks() {
    return new Checks(List.of(new AlwaysFinds()), Settings::defaults, 1 << 20, 1);
  }

  private static final class AlwaysFinds implements Rule {
    @Override
    public About about() {
      return About.of("always", "It always finds something.", "Do nothing.");
    }

    @Override
    public void look(Evidence evidence, Consumer<Finding> found) {
      found.accept(
          new Finding(
              "always",
              Finding.Severity.WARNING,
              Finding.Sure.CERTAIN,
              Where.actor("pekko://shop/user/cart", "shop.Cart").message("shop.Add"),
              null,
              new Finding.Words("It is so.", "Nothing.", "Do nothing."),
              "#/actor/shop/user/cart"));
    }
  }

  @Override
  public String serviceName() {
    return "shop";
  }

  @Override
  public String exportTarget() {
    return "store";
  }
}
