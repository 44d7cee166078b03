// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.stream.SinkRef;
import org.apache.pekko.stream.SourceRef;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.StreamRefs;
import wire.Messages.Begin;
import wire.Messages.Work;

/** Streams that cross nodes: one half runs here, the other at the peer. */
public final class StreamRows {
  private StreamRows() {}

  public static void addTo(Rows all) {
    all.add(
        "source-ref",
        stage -> run(stage, new WantSource()),
        """
              process Begin at a/user/source-ref
                process WantSource at b/user/streams
                  process SourceThere at a/user/source-ref
                  process Work at b/user/echo
                    process Done at a/user/source-ref
                  process Work at b/user/echo
                    process Done at a/user/source-ref
              """);
    all.add(
        "sink-ref",
        stage -> run(stage, new WantSink()),
        """
              process Begin at a/user/sink-ref
                process WantSink at b/user/streams
                  process SinkThere at a/user/sink-ref
                    process Work at b/user/behind-the-sink
                      process Done at a/user/sink-ref
                    process Work at b/user/behind-the-sink
                      process Done at a/user/sink-ref
              """);
  }

  record WantSource() implements Serializable {}

  record WantSink() implements Serializable {}

  record SourceThere(SourceRef<Work> ref) implements Serializable {}

  record SinkThere(SinkRef<Work> ref) implements Serializable {}

  private static void run(Stage stage, Object wanted) throws Exception {
    ActorRef there = stage.remote("/user/streams");
    ActorRef echo = stage.remote("/user/echo");
    stage
        .actor(Props.create(Half.class, () -> new Half(stage, there, echo, wanted)))
        .tell(new Begin(), ActorRef.noSender());
    stage.await(2);
  }

  /** The half here: all that comes of the stream's elements ends here. */
  static final class Half extends AbstractActor {
    private final Stage stage;
    private final ActorRef there;
    private final ActorRef echo;
    private final Object wanted;

    Half(Stage stage, ActorRef there, ActorRef echo, Object wanted) {
      this.stage = stage;
      this.there = there;
      this.echo = echo;
      this.wanted = wanted;
    }

    @Override
    public Receive createReceive() {
      ActorRef self = getSelf();
      return receiveBuilder()
          .match(Begin.class, b -> there.tell(wanted, self))
          .match(
              SourceThere.class,
              s ->
                  s.ref().getSource().runForeach(w -> echo.tell(w, self), getContext().getSystem()))
          .match(
              SinkThere.class,
              s ->
                  Source.range(1, 2)
                      .map(Work::new)
                      .runWith(s.ref().getSink(), getContext().getSystem()))
          .matchAny(done -> stage.signal())
          .build();
    }
  }

  /** The half at the peer. */
  static final class Host extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              WantSource.class,
              w ->
                  getSender()
                      .tell(
                          new SourceThere(
                              Source.range(1, 2)
                                  .map(Work::new)
                                  .runWith(StreamRefs.sourceRef(), getContext().getSystem())),
                          getSelf()))
          .match(WantSink.class, w -> getSender().tell(new SinkThere(sink(getSender())), getSelf()))
          .build();
    }

    private SinkRef<Work> sink(ActorRef asker) {
      ActorRef echo =
          getContext().getSystem().actorOf(Props.create(Services.Echo.class), "behind-the-sink");
      return StreamRefs.<Work>sinkRef()
          .to(Sink.foreach(w -> echo.tell(w, asker)))
          .run(getContext().getSystem());
    }
  }
}
