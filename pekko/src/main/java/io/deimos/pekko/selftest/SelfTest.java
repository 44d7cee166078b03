// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.HookReport;
import io.deimos.recorder.base.PekkoNames;
import java.util.Collection;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;

/** Shows each woven hook to fire, on the Pekko and in the actor system that run here. */
public final class SelfTest implements Predicate<Object> {
  private final Supplier<Collection<String>> hooks;

  /**
   * Made by name, from the agent.
   *
   * @param hooks those that are woven here
   */
  public SelfTest(Supplier<Collection<String>> hooks) {
    this.hooks = hooks;
  }

  /** Tests the hooks; false if the actor system ended meanwhile, so that nothing was shown. */
  @Override
  public boolean test(Object started) {
    ExtendedActorSystem system = (ExtendedActorSystem) started;
    Steps steps;
    try {
      steps = run(system);
    } catch (RuntimeException | LinkageError e) { // the latter if its class loader is closed
      if (isEnding(system)) {
        return false;
      }
      throw e;
    }
    if (isEnding(system)) {
      return false;
    }
    steps.report();
    HookReport.checked("ActorSystemImpl.start", hasStarted(system, steps));
    HookReport.done(version(org.apache.pekko.Version.current()));
    return true;
  }

  /** One that takes long to start may not have done so yet. */
  private static boolean hasStarted(ExtendedActorSystem system, Steps steps) {
    try {
      return steps.until(() -> Systems.names().contains(system.name()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean isEnding(ExtendedActorSystem system) {
    return system.systemImpl().isTerminating() || system.whenTerminated().isCompleted();
  }

  /** A version alone is Pekko's. */
  private static String version(String number) {
    boolean isAkkas = PekkoNames.isAkkas(ExtendedActorSystem.class.getName());
    return isAkkas ? "Akka " + number : number;
  }

  private Steps run(ExtendedActorSystem system) {
    ActorRef conductor =
        system
            .systemImpl()
            .systemActorOf(
                Props.create(Conductor.class).withDispatcher("pekko.actor.internal-dispatcher"),
                "deimos-self-test");
    try {
      Steps steps = new Steps(hooks, system, conductor);
      steps.part(() -> ActorSteps.run(steps, system, conductor));
      steps.part(() -> ContextSteps.run(steps, system));
      steps.part("CompletableFuture.uniApplyStage", () -> StageSteps.run(steps));
      steps.part(() -> AskSteps.run(steps, system, conductor));
      steps.part("ActorAdapter.handleMessage", () -> TypedSteps.run(steps, system));
      messages(steps, system, conductor);
      streams(steps);
      states(steps, system);
      steps.part("CircuitBreaker.<init>", () -> BreakerSteps.run(steps, system));
      steps.part("RoutedActorCell.sendMessage", () -> RouterSteps.run(steps));
      steps.part(() -> LogSteps.run(steps));
      cluster(steps, system, conductor);
      return steps;
    } finally {
      conductor.tell(PoisonPill.getInstance(), ActorRef.noSender());
    }
  }

  private static void messages(Steps steps, ExtendedActorSystem system, ActorRef conductor) {
    steps.part(
        "EntityRefImpl$EntityPromiseRef.ask", () -> EntitySteps.run(steps, system, conductor));
    steps.part("MessageBuffer$Node.apply", () -> BufferSteps.run(steps));
    steps.part("Shard.getOrCreateEntity", () -> ClusterSteps.entities(steps));
    steps.part("Shard$Active.ref", () -> ClusterSteps.asks(steps, system, conductor));
    steps.part("ConsumerController$SequencedMessage.asFirst", () -> DeliverySteps.run(steps));
    steps.part("ConsumerController$SequencedMessage.asFirst", () -> DeliverySteps.sentAgain(steps));
    steps.part("ShardingEnvelope.<init>", () -> DeliverySteps.sharded(steps));
    steps.part("RemoteInstruments.serialize", () -> RemoteSteps.run(steps, system));
    steps.part("EndpointWriter.writeSend", () -> ClassicSteps.run(steps, conductor));
    steps.part("MessageSerializer$.serializeForArtery", () -> SerializerSteps.run(steps));
  }

  private static void streams(Steps steps) {
    steps.part("GraphInterpreter.processPull", () -> StreamSteps.run(steps));
    steps.part("ActorRefBackpressureSource$$anon$1.tryPush", () -> StreamSteps.actors(steps));
    steps.part("AbstractBoundedNodeQueue.poll", () -> StreamSteps.queues(steps));
    steps.part("GraphInterpreter.execute", () -> ElementSteps.run(steps));
    steps.part("ResponseRenderingContext.<init>", () -> HttpSteps.run(steps));
  }

  private static void states(Steps steps, ExtendedActorSystem system) {
    steps.part("AtomicWrite.<init>", () -> PersistenceSteps.classic(steps, system));
    steps.part("EventSourcedBehaviorImpl.apply", () -> PersistenceSteps.typed(steps));
    steps.part("EventSourcedBehaviorImpl.apply", () -> StateSteps.snapshots(steps));
    steps.part("DurableStateBehaviorImpl.apply", () -> StateSteps.states(steps));
    steps.part("HandlerRecoveryImpl.<init>", () -> ProjectionSteps.run(steps));
  }

  private static void cluster(Steps steps, ExtendedActorSystem system, ActorRef conductor) {
    steps.part("DowningStrategy.nodesToDown", () -> ClusterSteps.members(steps));
    steps.part("ShardRegion.bufferMessage", () -> ClusterSteps.regions(steps));
    steps.part("Shard.deliverMessage", () -> ClusterSteps.sharding(steps, system, conductor));
    steps.part("ReadAggregator.reply", () -> ClusterSteps.distributedData(steps, conductor));
  }
}
