// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.woven.ContextFields;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.remote.DefaultMessageDispatcher;
import org.apache.pekko.remote.EndpointManager;
import org.apache.pekko.remote.EndpointWriter;
import org.apache.pekko.remote.WireFormats;
import org.apache.pekko.remote.transport.PekkoPduProtobufCodec$;
import org.apache.pekko.util.ByteString;
import scala.Option;

/** A message's way through classic remoting's own codec, without a wire. */
final class ClassicSteps {
  private static final Address SOMEWHERE = new Address("pekko", "self-test", "127.0.0.1", 1);

  private ClassicSteps() {}

  static void run(Steps steps, ActorRef conductor) {
    steps.check(
        "EndpointManager$Send.<init>",
        () -> steps.inActor(c -> ((ContextFields) (Object) send()).deimos$trace() != null));
    steps.fires(
        "EndpointWriter.writeSend",
        () ->
            steps.inActor(
                c -> {
                  EndpointManager.Send send = send();
                  Probe.giveContext((ContextFields) (Object) send);
                  return run(() -> Unmade.of(EndpointWriter.class).writeSend(send));
                }));
    steps.check(
        "PekkoPduProtobufCodec$.constructMessage",
        () -> {
          int[] bytes = new int[1];
          Steps.onPlainThread(() -> bytes[0] = constructed(conductor).size());
          return steps.inActor(c -> constructed(conductor).size() > bytes[0]);
        });
    steps.fires(
        "PekkoPduProtobufCodec$.decodeMessage",
        () ->
            steps.inActor(
                c ->
                    run(
                        () ->
                            PekkoPduProtobufCodec$.MODULE$.decodeMessage(
                                ByteString.emptyByteString(), null, SOMEWHERE))));
    steps.fires(
        "DefaultMessageDispatcher.dispatch",
        () ->
            steps.inActor(
                c -> {
                  WireFormats.SerializedMessage message = serialized();
                  Probe.giveContext((ContextFields) (Object) message);
                  return run(
                      () ->
                          Unmade.of(DefaultMessageDispatcher.class)
                              .dispatch(null, SOMEWHERE, message, null));
                }));
  }

  private static EndpointManager.Send send() {
    return new EndpointManager.Send("self-test", ActorRef.noSender(), null, Option.empty());
  }

  private static ByteString constructed(ActorRef to) {
    return PekkoPduProtobufCodec$.MODULE$.constructMessage(
        SOMEWHERE, to, serialized(), ActorRef.noSender(), Option.empty(), Option.empty());
  }

  private static WireFormats.SerializedMessage serialized() {
    return WireFormats.SerializedMessage.newBuilder()
        .setMessage(org.apache.pekko.protobufv3.internal.ByteString.EMPTY)
        .setSerializerId(1)
        .build();
  }

  /** Calls what fails for want of all that it would need to go on, which is after its hook. */
  private static boolean run(Unmade.Call call) throws ReflectiveOperationException {
    try {
      call.run();
    } catch (RuntimeException e) {
      // as expected
    }
    return true;
  }
}
