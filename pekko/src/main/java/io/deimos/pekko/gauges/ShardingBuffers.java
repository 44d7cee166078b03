// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.housekeeping.MessageSearch;
import io.deimos.recorder.housekeeping.WaitingMessage;
import io.deimos.recorder.housekeeping.WaitingMessage.Place;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.ContextFields;
import java.util.ConcurrentModificationException;
import java.util.Map;
import org.apache.pekko.actor.Actor;
import org.jspecify.annotations.Nullable;

/**
 * Shows what shard regions keep until they know where a shard is, and shards until an entity has
 * started. Their owners may change them meanwhile: then less is seen.
 */
final class ShardingBuffers {
  private static final String REGION = "org.apache.pekko.cluster.sharding.ShardRegion";
  private static final String SHARD = "org.apache.pekko.cluster.sharding.Shard";

  private ShardingBuffers() {}

  static void search(ActorTelemetry actor, Actor by, MessageSearch search) {
    String name = by.getClass().getName();
    try {
      if (name.equals(REGION)) {
        buffers(actor, by, "shardBuffers", "shard ", search);
      } else if (name.equals(SHARD)) {
        buffers(actor, by, "messageBuffers", "entity ", search);
      }
    } catch (ConcurrentModificationException e) {
      // its actor changed it while it was read
    } catch (ReflectiveOperationException e) {
      // another shape than we know; the gauges say so
    }
  }

  private static void buffers(
      ActorTelemetry actor, Actor by, String field, String what, MessageSearch search)
      throws ReflectiveOperationException {
    String type = String.valueOf(Reflect.field(by.getClass(), "typeName").get(by));
    Map<?, ?> all = (Map<?, ?>) Reflect.call(Reflect.call(by, field), "bufferMap");
    for (Map.Entry<?, ?> buffer : all.entrySet()) {
      String to = what + buffer.getKey() + " of " + type;
      if (!search.goesOn() || !nodes(actor, to, buffer.getValue(), search)) {
        return;
      }
    }
  }

  private static boolean nodes(ActorTelemetry actor, String to, Object buffer, MessageSearch search)
      throws ReflectiveOperationException {
    int position = 0;
    for (Object node = Reflect.field(buffer.getClass(), "_head").get(buffer);
        node != null;
        node = Reflect.field(node.getClass(), "next").get(node)) {
      Object message = Reflect.field(node.getClass(), "message").get(node);
      Object sender = Reflect.field(node.getClass(), "ref").get(node);
      if (message != null && !see(actor, to, ++position, node, message, sender, search)) {
        return false;
      }
    }
    return true;
  }

  private static boolean see(
      ActorTelemetry actor,
      String to,
      int position,
      Object node,
      Object message,
      @Nullable Object sender,
      MessageSearch search) {
    ContextFields fields = node instanceof ContextFields woven ? woven : null;
    Trace trace = fields == null ? null : fields.deimos$trace();
    return search.see(
        new WaitingMessage(
            Place.BUFFER,
            actor,
            to,
            position,
            WaitingMessages.unwrapped(message),
            new WaitingMessage.Sending(
                WaitingMessages.identity(sender),
                trace,
                fields == null ? 0 : fields.deimos$parent(),
                trace == null ? 0 : trace.stashed)));
  }
}
