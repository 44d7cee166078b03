// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.HookReport;
import java.util.function.Predicate;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;

/** Shows each woven hook to fire, on the Pekko and in the actor system that run here. */
public final class SelfTest implements Predicate<Object> {
  /** Made by name, from the agent. */
  public SelfTest() {}

  /** Tests the hooks; false if the actor system ended meanwhile, so that nothing was shown. */
  @Override
  public boolean test(Object started) {
    ExtendedActorSystem system = (ExtendedActorSystem) started;
    Steps steps;
    try {
      steps = run(system);
    } catch (RuntimeException e) {
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
    HookReport.done(org.apache.pekko.Version.current());
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

  private static void services(Steps steps, ExtendedActorSystem system, ActorRef conductor) {
    LogSteps.run(steps);
    if (HookReport.hooks().contains("DowningStrategy.nodesToDown")) {
      ClusterSteps.members(steps);
    }
    if (HookReport.hooks().contains("Shard.deliverMessage")) {
      ClusterSteps.sharding(steps, system, conductor);
    }
    if (HookReport.hooks().contains("GraphInterpreter.execute")) {
      ElementSteps.run(steps);
    }
    if (HookReport.hooks().contains("ReadAggregator.reply")) {
      ClusterSteps.distributedData(steps, conductor);
    }
  }

  private static Steps run(ExtendedActorSystem system) {
    ActorRef conductor =
        system
            .systemImpl()
            .systemActorOf(
                Props.create(Conductor.class).withDispatcher("pekko.actor.internal-dispatcher"),
                "deimos-self-test");
    try {
      Steps steps = new Steps(system, conductor);
      ActorSteps.run(steps, system, conductor);
      ContextSteps.run(steps, system);
      if (HookReport.hooks().contains("CompletableFuture.uniApplyStage")) {
        StageSteps.run(steps);
      }
      AskSteps.run(steps, system, conductor);
      if (HookReport.hooks().contains("ActorAdapter.handleMessage")) {
        TypedSteps.run(steps, system);
      }
      if (HookReport.hooks().contains("EntityRefImpl$EntityPromiseRef.ask")) {
        EntitySteps.run(steps, system, conductor);
      }
      if (HookReport.hooks().contains("MessageBuffer$Node.apply")) {
        BufferSteps.run(steps);
      }
      if (HookReport.hooks().contains("Shard.getOrCreateEntity")) {
        ClusterSteps.entities(steps);
      }
      if (HookReport.hooks().contains("Shard$Active.ref")) {
        ClusterSteps.questions(steps, system, conductor);
      }
      if (HookReport.hooks().contains("ConsumerController$SequencedMessage.asFirst")) {
        DeliverySteps.run(steps);
        DeliverySteps.sentAgain(steps);
      }
      if (HookReport.hooks().contains("ShardingEnvelope.<init>")) {
        DeliverySteps.sharded(steps);
      }
      if (HookReport.hooks().contains("RemoteInstruments.serialize")) {
        RemoteSteps.run(steps, system);
      }
      if (HookReport.hooks().contains("EndpointWriter.writeSend")) {
        ClassicSteps.run(steps, conductor);
      }
      if (HookReport.hooks().contains("MessageSerializer$.serializeForArtery")) {
        SerializerSteps.run(steps);
      }
      if (HookReport.hooks().contains("GraphInterpreter.processPull")) {
        StreamSteps.run(steps);
      }
      if (HookReport.hooks().contains("ActorRefBackpressureSource$$anon$1.tryPush")) {
        StreamSteps.actors(steps);
      }
      if (HookReport.hooks().contains("AbstractBoundedNodeQueue.poll")) {
        StreamSteps.queues(steps);
      }
      if (HookReport.hooks().contains("AtomicWrite.<init>")) {
        PersistenceSteps.classic(steps, system);
      }
      if (HookReport.hooks().contains("EventSourcedBehaviorImpl.apply")) {
        PersistenceSteps.typed(steps);
        StateSteps.snapshots(steps);
      }
      if (HookReport.hooks().contains("DurableStateBehaviorImpl.apply")) {
        StateSteps.states(steps);
      }
      if (HookReport.hooks().contains("CircuitBreaker.<init>")) {
        BreakerSteps.run(steps, system);
      }
      if (HookReport.hooks().contains("RoutedActorCell.sendMessage")) {
        RouterSteps.run(steps);
      }
      services(steps, system, conductor);
      return steps;
    } finally {
      conductor.tell(PoisonPill.getInstance(), ActorRef.noSender());
    }
  }
}
