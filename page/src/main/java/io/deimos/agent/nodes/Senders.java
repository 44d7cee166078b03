// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.base.Texts;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The senders of OTLP to this page, as their resources say: services with Deimos or without. Safe
 * for any thread.
 *
 * <p><b>Full.</b> {@value #MOST} of them; beyond that the one goes of which nothing has come for
 * longest.
 */
public final class Senders {
  static final int MOST = 256;

  private static final int MAX_TEXT = 200;
  private static final int ID_BYTES = 8;
  private static final String SERVICE = "service.name";
  private static final String HOST = "host.name";
  private static final String PID = "process.pid";
  private static final List<String> TEXTS =
      List.of("service.namespace", SERVICE, "service.instance.id", HOST);

  private final Nodes nodes;
  private final Map<String, Sender> senders = new LinkedHashMap<>();

  private static final class Sender {
    final Resource resource;
    final ProcessStatus card;
    final long sinceMillis = System.currentTimeMillis();
    long lastMillis;
    long spans;

    Sender(Resource resource, ProcessStatus card) {
      this.resource = resource;
      this.card = card;
    }
  }

  Senders(Nodes nodes) {
    this.nodes = nodes;
  }

  /**
   * The process that spans of this origin are said to come from.
   *
   * @param said the resource as it was sent
   */
  public Resource resource(Attributes said) {
    String id = id(said);
    synchronized (senders) {
      Sender sender = senders.remove(id);
      if (sender == null) {
        sender = new Sender(Resource.create(Attributes.of(TraceStore.NODE, id)), card(id, said));
        if (senders.size() == MOST) {
          senders.remove(senders.keySet().iterator().next());
        }
      }
      sender.lastMillis = System.currentTimeMillis();
      senders.put(id, sender); // at the end, since it is the latest
      return sender.resource;
    }
  }

  /** A span of this resource has come. */
  public void received(Resource from) {
    String id = from.getAttribute(TraceStore.NODE);
    if (id != null) {
      synchronized (senders) {
        Sender sender = senders.get(id);
        if (sender != null) {
          sender.spans++;
        }
      }
    }
  }

  /** Those that are no process that has joined as well, the latest first. */
  List<Node> all() {
    List<Node> all = new ArrayList<>();
    synchronized (senders) {
      for (Sender sender : senders.values()) {
        ProcessStatus card = sender.card;
        if (nodes.joinedAs(card.process().service(), card.process().pid(), card.process().host())
            == null) {
          all.add(
              new Node(
                  card.at(sender.lastMillis),
                  Node.State.SENDS,
                  sender.sinceMillis,
                  sender.spans,
                  0,
                  0,
                  null));
        }
      }
    }
    Collections.reverse(all);
    return all;
  }

  private static ProcessStatus card(String id, Attributes said) {
    Long pid = pid(said);
    String language = text(said, "telemetry.sdk.language");
    String runtime = text(said, "process.runtime.version");
    return ProcessStatus.sender(
        id,
        text(said, SERVICE),
        (language + " " + runtime).strip(),
        pid == null ? 0 : pid,
        text(said, HOST));
  }

  /**
   * That of the process that has joined, if it is one; otherwise made of what tells it from others.
   */
  private String id(Attributes said) {
    Long pid = pid(said);
    String joined = pid == null ? null : nodes.joinedAs(text(said, SERVICE), pid, text(said, HOST));
    if (joined != null) {
      return joined;
    }
    StringBuilder all = new StringBuilder().append(pid);
    TEXTS.forEach(key -> all.append('\n').append(text(said, key)));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(all.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, ID_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String text(Attributes said, String name) {
    return value(said, name) instanceof String text ? Texts.cut(text, MAX_TEXT) : "";
  }

  private static @Nullable Long pid(Attributes said) {
    return value(said, PID) instanceof Long pid ? pid : null;
  }

  /** By name: whatever type the sender gives it. */
  private static @Nullable Object value(Attributes said, String name) {
    for (Map.Entry<AttributeKey<?>, Object> one : said.asMap().entrySet()) {
      if (one.getKey().getKey().equals(name)) {
        return one.getValue();
      }
    }
    return null;
  }
}
