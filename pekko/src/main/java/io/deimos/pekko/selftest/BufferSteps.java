// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.woven.ContextFields;
import java.lang.reflect.Field;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.util.MessageBuffer;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** The buffers of Pekko's own actors, put in by one actor and taken out where none is at work. */
final class BufferSteps {
  private BufferSteps() {}

  static void run(Steps steps) {
    steps.check(
        "MessageBuffer$Node.<init>",
        () -> steps.inActor(c -> node(buffer()).deimos$trace() != null));
    steps.check(
        "MessageBuffer.append",
        () -> steps.inActor(c -> ((ContextFields) (Object) buffer()).deimos$trace() != null));
    steps.check(
        "MessageBuffer$Node.apply",
        () ->
            steps.inActor(
                c -> {
                  MessageBuffer buffer = buffer();
                  Probe.giveContext(node(buffer));
                  boolean[] ran = new boolean[1];
                  Steps.onPlainThread(() -> buffer.foreach(noting(ran)));
                  return ran[0];
                }));
  }

  private static MessageBuffer buffer() {
    return MessageBuffer.empty().append("self-test", ActorRef.noSender());
  }

  /** The place in which the buffer keeps its one message, for nobody else to see. */
  private static ContextFields node(MessageBuffer buffer) throws ReflectiveOperationException {
    Field head = MessageBuffer.class.getDeclaredField("_head");
    head.setAccessible(true);
    return (ContextFields) head.get(buffer);
  }

  private static AbstractFunction2<Object, ActorRef, BoxedUnit> noting(boolean[] ran) {
    return new AbstractFunction2<>() {
      @Override
      public BoxedUnit apply(Object message, ActorRef sender) {
        ran[0] = Probe.isActive();
        return BoxedUnit.UNIT;
      }
    };
  }
}
