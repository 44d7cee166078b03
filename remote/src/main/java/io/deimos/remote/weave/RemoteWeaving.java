// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.matcher.ElementMatcher;
import org.jspecify.annotations.Nullable;

/**
 * Routes six methods of Pekko's Artery TCP to the engine. Nothing else of Pekko is touched and no
 * field or method is added. In an actor system without {@code deimos.remote.enabled = on} the
 * routed methods run Pekko's own bodies; where nobody says so at all, none is routed.
 */
public final class RemoteWeaving {
  static final String TRANSPORT = "org.apache.pekko.remote.artery.tcp.ArteryTcpTransport";
  static final String BASE = "org.apache.pekko.remote.artery.ArteryTransport";
  static final String AKKAS = "akka.remote.artery.tcp.ArteryTcpTransport";
  static final String ASSOCIATION = "org.apache.pekko.remote.artery.Association";

  private RemoteWeaving() {}

  /**
   * Adds the transport to an agent, for class loaders where {@code deimos.remote.enabled} says so:
   * as a system property, as {@code DEIMOS_REMOTE_ENABLED}, or in the configuration that an actor
   * system there reads by default. Elsewhere nothing is woven.
   *
   * @param builder the agent's builder
   * @param warn takes one line when the transport cannot be attached; Pekko's own goes on then
   */
  public static AgentBuilder installIfEnabled(AgentBuilder builder, Consumer<String> warn) {
    RemoteSwitch enabled = new RemoteSwitch(System.getProperties(), System.getenv(), warn);
    return install(builder, null, enabled, warn);
  }

  /**
   * Adds the transport to an agent; each actor system's settings say whether it uses it.
   *
   * @param builder the agent's builder
   * @param instrumentation used to put the bridge before the bootstrap class loader; may be {@code
   *     null} if the agent's jar has already put {@code io.deimos.remote.RemoteBridge} there
   * @param warn takes one line when the transport cannot be attached; Pekko's own goes on then
   * @return the builder with the transport's transformations, or the one given if it cannot be
   *     attached
   */
  public static AgentBuilder install(
      AgentBuilder builder, @Nullable Instrumentation instrumentation, Consumer<String> warn) {
    return install(builder, instrumentation, loader -> true, warn);
  }

  private static AgentBuilder install(
      AgentBuilder builder,
      @Nullable Instrumentation instrumentation,
      Predicate<@Nullable ClassLoader> wanted,
      Consumer<String> warn) {
    try {
      BootstrapBridge.ensure(instrumentation).accept(new EngineRouter(warn));
    } catch (ReflectiveOperationException | IOException e) {
      warn.accept(
          "deimos.remote is not attached: its bridge cannot be put before the bootstrap class loader ("
              + e
              + "). Artery runs as it is.");
      return builder;
    }
    return builder
        .type(
            (type, loader, module, redefined, domain) ->
                type.getName().equals(AKKAS) && wanted.test(loader))
        .transform(
            (type, description, loader, module, domain) -> {
              warn.accept(
                  "deimos.remote is for Pekko and this is Akka, whose Artery runs as it is; set"
                      + " deimos.remote.enabled = off to be rid of this line");
              return type;
            })
        .type(
            (type, loader, module, redefined, domain) ->
                type.getName().equals(TRANSPORT) && wanted.test(loader))
        .transform(
            (type, description, loader, module, domain) ->
                route(
                    type,
                    description,
                    warn,
                    List.of(
                        new Target("bindInboundStreams", 0, RouteAdvice.Returning.class),
                        new Target("outboundTransportSink", 3, RouteAdvice.Returning.class),
                        new Target("runInboundStreams", 2, RouteAdvice.Procedure.class),
                        new Target("shutdownTransport", 0, RouteAdvice.Returning.class))))
        .type(
            (type, loader, module, redefined, domain) ->
                type.getName().equals(BASE) && wanted.test(loader))
        .transform(
            (type, description, loader, module, domain) ->
                route(
                    type,
                    description,
                    warn,
                    List.of(new Target("createDeserializer", 1, RouteAdvice.Returning.class))))
        .type(
            (type, loader, module, redefined, domain) ->
                type.getName().equals(ASSOCIATION) && wanted.test(loader))
        .transform(
            (type, description, loader, module, domain) ->
                route(
                    type,
                    description,
                    warn,
                    List.of(
                        new Target(
                            "runOutboundOrdinaryMessagesStream", 0, RouteAdvice.Procedure.class))));
  }

  /** All of a class's methods or none: half a transport is worse than none. */
  private static DynamicType.Builder<?> route(
      DynamicType.Builder<?> type,
      TypeDescription description,
      Consumer<String> warn,
      List<Target> targets) {
    List<String> missing = new ArrayList<>();
    for (Target target : targets) {
      if (description.getDeclaredMethods().filter(target.matcher()).isEmpty()) {
        missing.add(target.method + "/" + target.arguments);
      }
    }
    if (!missing.isEmpty()) {
      warn.accept(
          "deimos.remote is not attached to "
              + description.getName()
              + ": this version of Pekko lacks "
              + String.join(", ", missing)
              + ". Artery runs as it is.");
      return type;
    }
    DynamicType.Builder<?> routed = type;
    ClassFileLocator locator =
        ClassFileLocator.ForClassLoader.of(RemoteWeaving.class.getClassLoader());
    for (Target target : targets) {
      routed = routed.visit(Advice.to(target.advice, locator).on(target.matcher()));
    }
    return routed;
  }

  private record Target(String method, int arguments, Class<?> advice) {
    ElementMatcher.Junction<MethodDescription> matcher() {
      return named(method).and(takesArguments(arguments)).and(not(isAbstract()));
    }
  }
}
