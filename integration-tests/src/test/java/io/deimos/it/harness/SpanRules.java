// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules for every span of ours, whatever was sent: names, kinds, attributes, times in order.
 */
public final class SpanRules {
  private static final Set<String> OF_MESSAGE =
      Set.of(
          "messaging.system",
          "messaging.operation.name",
          "messaging.operation.type",
          "messaging.destination.template",
          "pekko.system",
          "pekko.actor.path",
          "pekko.actor.class",
          "pekko.message.class",
          "pekko.mailbox.wait");
  private static final Set<String> OF_SOME =
      Set.of("pekko.sender.path", "error.type", "pekko.stash.wait", "pekko.buffer.wait");

  /** The region and the shard, which are Pekko's; what is below them is the user's. */
  private static final String ABOVE_ENTITIES = "/system/sharding/[^/]+/[^/]+/";

  /** The receivers of questions to entities. */
  private static final String REGION = "/system/sharding/[^/]+$";

  private SpanRules() {}

  public static void check(List<ReceivedSpan> all) {
    Map<String, ReceivedSpan> byId = SpanTree.byId(all);
    assertThat(byId).as("span ids are unique").hasSize(all.size());
    for (ReceivedSpan span : all) {
      if (span.isOurs()) {
        check(span, byId.get(span.parentId()));
      }
    }
  }

  private static void check(ReceivedSpan span, @Nullable ReceivedSpan parent) {
    assertThat(span.scope()).isEqualTo("io.deimos.pekko");
    assertThat(span.scopeVersion()).matches("\\d+\\.\\d+.*");
    assertThat(span.traceId()).hasSize(32).isNotEqualTo("0".repeat(32));
    assertThat(span.spanId()).hasSize(16).isNotEqualTo("0".repeat(16));
    assertThat(span.flags() & 1).as("sampled flag of %s", span).isEqualTo(1);
    boolean operation = span.kind() == SpanKind.SPAN_KIND_INTERNAL;
    if (!operation) {
      assertThat(span.attributes()).containsEntry("messaging.system", "pekko");
    }
    assertThat(span.droppedAttributes()).isZero();
    PromisedNames.check(span);
    assertThat(span.startNanos()).isPositive().isLessThanOrEqualTo(span.endNanos());
    if (operation) {
      checkOperation(span);
    } else if (span.name().startsWith("ask ")) {
      checkQuestion(span);
    } else if (isOfProjection(span)) {
      checkProjection(span);
    } else {
      checkMessage(span);
    }
    if (parent != null && parent.isOurs()) {
      assertThat(span.traceId()).isEqualTo(parent.traceId());
      assertThat(span.startNanos())
          .as("%s is sent after %s was taken out", span, parent)
          .isGreaterThanOrEqualTo(begun(parent));
    }
  }

  private static long begun(ReceivedSpan span) {
    return span.kind() == SpanKind.SPAN_KIND_CONSUMER && !isOfProjection(span)
        ? span.event("message").atNanos()
        : span.startNanos();
  }

  private static boolean isOfProjection(ReceivedSpan span) {
    return span.name().startsWith("project ");
  }

  private static void checkProjection(ReceivedSpan span) {
    assertThat(span.name()).isEqualTo("project " + span.text("pekko.projection.name"));
    assertThat(span.kind()).isEqualTo(SpanKind.SPAN_KIND_CONSUMER);
    assertThat(span.attributes())
        .containsEntry("messaging.operation.type", "process")
        .containsEntry("messaging.operation.name", "project")
        .containsKeys("pekko.system", "pekko.projection.key", "pekko.message.class");
    checkStatus(span);
  }

  private static void checkMessage(ReceivedSpan span) {
    assertThat(span.name()).isEqualTo("process " + simpleName(span));
    assertThat(span.kind()).isEqualTo(SpanKind.SPAN_KIND_CONSUMER);
    assertThat(span.attributes())
        .containsEntry("messaging.operation.type", "process")
        .containsEntry("messaging.operation.name", "process");
    Set<String> ours = new TreeSet<>(span.attributes().keySet());
    ours.removeAll(OF_SOME);
    assertThat(ours).containsAll(OF_MESSAGE);
    checkPath(span, ABOVE_ENTITIES);
    assertThat(span.text("pekko.actor.class"))
        .as("class of a user's actor: %s", span)
        .doesNotStartWith("org.apache.pekko")
        .isNotEqualTo("typed");
    Double stashed = (Double) span.attributes().get("pekko.stash.wait");
    ReceivedSpan.Event waiting = span.event(stashed == null ? "waiting" : "stashed");
    ReceivedSpan.Event message = span.event("message");
    assertThat(waiting.atNanos()).isEqualTo(span.startNanos());
    assertThat(message.atNanos()).isBetween(span.startNanos(), span.endNanos());
    if (stashed != null) {
      assertThat(span.attributes()).containsEntry("pekko.mailbox.wait", 0.0);
    }
    assertThat(stashed != null ? stashed : (Double) span.attributes().get("pekko.mailbox.wait"))
        .isCloseTo((message.atNanos() - waiting.atNanos()) / 1e9, within(1e-6));
    checkStatus(span);
  }

  private static void checkQuestion(ReceivedSpan span) {
    assertThat(span.name()).isEqualTo("ask " + simpleName(span));
    assertThat(span.kind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
    assertThat(span.attributes()).containsKeys("pekko.actor.path", "pekko.message.class");
    checkPath(span, REGION);
    checkStatus(span);
    assertThat(span.text("pekko.ask.target.state") != null)
        .as("what became of it is told of a question without an answer: %s", span)
        .isEqualTo("timeout".equals(span.text("error.type")));
  }

  private static void checkOperation(ReceivedSpan span) {
    assertThat(span.name())
        .matches("(persist|recover|start|restart|load-snapshot|save-snapshot) [A-Za-z]+");
    assertThat(span.attributes()).containsKeys("pekko.actor.path", "pekko.actor.class");
    checkStatus(span);
  }

  private static void checkPath(ReceivedSpan span, String ofEntities) {
    assertThat(span.path()).startsWith("pekko://" + span.system() + "/").doesNotContain("#");
    assertThat(span.text("messaging.destination.template")).startsWith("/");
    assertThat(String.valueOf(span.path()).replaceFirst(ofEntities, "/"))
        .as("system actors are silent")
        .doesNotContain("/system/");
  }

  private static void checkStatus(ReceivedSpan span) {
    String error = span.text("error.type");
    if (error == null) {
      assertThat(span.status()).isNotEqualTo(StatusCode.STATUS_CODE_ERROR);
      assertThat(span.events()).noneMatch(e -> e.name().equals("exception"));
      return;
    }
    assertThat(span.status()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
    ReceivedSpan.Event exception = span.event("exception");
    if (error.equals("timeout")) {
      assertThat(exception.attributes().get("exception.type"))
          .asString()
          .endsWith("TimeoutException");
    } else {
      assertThat(exception.attributes()).containsEntry("exception.type", error);
    }
    assertThat(exception.attributes()).containsKey("exception.stacktrace");
    assertThat(exception.atNanos()).isBetween(span.startNanos(), span.endNanos());
  }

  private static String simpleName(ReceivedSpan span) {
    String name = String.valueOf(span.text("pekko.message.class")).replaceFirst("\\$$", "");
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }
}
