// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import java.util.List;

/**
 * A metric beside those of messages, actors and asks: counted where something happens seldom, or
 * read by a {@code GaugeReader} at an interval.
 */
@SuppressWarnings("ImmutableEnumChecker") // a metric is its name and what was counted of it
public enum Metric {
  DEAD_LETTERS(
      Kind.COUNTER,
      "pekko.message.dead_letter",
      "{message}",
      "Dead letters, by reason",
      Metric.REASON),
  UNHANDLED(
      Kind.COUNTER,
      "pekko.message.unhandled",
      "{message}",
      "Messages that an actor did not handle",
      Metric.ACTOR_CLASS),
  DROPPED(
      Kind.COUNTER,
      "pekko.message.dropped",
      "{message}",
      "Messages dropped by full mailboxes and queues",
      Metric.REASON),
  LOG_EVENTS(
      Kind.COUNTER, "pekko.log.event", "{event}", "Log events of actors and of Pekko", "level"),
  QUARANTINES(
      Kind.COUNTER,
      "pekko.remote.quarantine",
      "{quarantine}",
      "Quarantines of peers by this system, and of this system by peers",
      "pekko.remote.quarantined"),
  PERSISTENCE_EVENTS(
      Kind.COUNTER,
      "pekko.persistence.events",
      "{event}",
      "Events written, and replayed",
      Metric.SYSTEM,
      Metric.ACTOR_CLASS,
      "pekko.persistence.operation"),
  MAILBOX_SIZE(
      Kind.GAUGE,
      "pekko.mailbox.size",
      "{message}",
      "Messages in mailboxes",
      Metric.SYSTEM,
      Metric.ACTOR_CLASS),
  STASH_SIZE(
      Kind.GAUGE,
      "pekko.stash.size",
      "{message}",
      "Messages in stashes",
      Metric.SYSTEM,
      Metric.ACTOR_CLASS),
  ROUTEES(
      Kind.GAUGE,
      "pekko.router.routees",
      "{actor}",
      "Routees of routers",
      Metric.SYSTEM,
      Metric.ACTOR_CLASS),
  DISPATCHER_PARALLELISM(
      Kind.GAUGE,
      "pekko.dispatcher.parallelism",
      "{thread}",
      "Target number of threads of a dispatcher's executor",
      Metric.SYSTEM,
      Metric.DISPATCHER,
      Metric.EXECUTOR),
  DISPATCHER_THREADS(
      Kind.GAUGE,
      "pekko.dispatcher.threads",
      "{thread}",
      "Threads of a dispatcher's executor",
      Metric.SYSTEM,
      Metric.DISPATCHER,
      Metric.EXECUTOR),
  DISPATCHER_ACTIVE(
      Kind.GAUGE,
      "pekko.dispatcher.threads.active",
      "{thread}",
      "Busy threads of a dispatcher",
      Metric.SYSTEM,
      Metric.DISPATCHER,
      Metric.EXECUTOR),
  DISPATCHER_QUEUED(
      Kind.GAUGE,
      "pekko.dispatcher.tasks.queued",
      "{task}",
      "Tasks that wait for a thread of a dispatcher",
      Metric.SYSTEM,
      Metric.DISPATCHER,
      Metric.EXECUTOR),
  DISPATCHER_ACTORS(
      Kind.GAUGE,
      "pekko.dispatcher.actors",
      "{actor}",
      "Actors and tasks attached to a dispatcher",
      Metric.SYSTEM,
      Metric.DISPATCHER,
      Metric.EXECUTOR),
  DISPATCHER_WAIT(
      Kind.HISTOGRAM,
      "pekko.dispatcher.task.wait.duration",
      "s",
      "Time a task waits for a thread of a dispatcher",
      Metric.SYSTEM,
      Metric.DISPATCHER,
      Metric.EXECUTOR),
  SCHEDULER_LATENESS(
      Kind.HISTOGRAM,
      "pekko.scheduler.lateness.duration",
      "s",
      "Delay of the scheduler's tasks beyond their time",
      Metric.SYSTEM),
  STREAMS(Kind.GAUGE, "pekko.stream.running", "{actor}", "Actors that run streams", Metric.SYSTEM),
  CLUSTER_MEMBERS(
      Kind.GAUGE,
      "pekko.cluster.members",
      "{member}",
      "Members of the cluster, as this node sees them",
      Metric.SYSTEM,
      "pekko.cluster.member.status"),
  CLUSTER_UNREACHABLE(
      Kind.GAUGE,
      "pekko.cluster.members.unreachable",
      "{member}",
      "Members that this node cannot reach",
      Metric.SYSTEM),
  CLUSTER_SEEN(
      Kind.GAUGE,
      "pekko.cluster.members.seen",
      "{member}",
      "Members that have seen the state of the cluster that this node has",
      Metric.SYSTEM),
  CLUSTER_LEADER(
      Kind.GAUGE,
      "pekko.cluster.leader",
      "{leader}",
      "1 if this node is the leader, else 0",
      Metric.SYSTEM),
  CLUSTER_SINGLETON(
      Kind.GAUGE,
      "pekko.cluster.singleton",
      "{singleton}",
      "1 if the singleton is on this node, else 0",
      Metric.SYSTEM,
      "pekko.cluster.singleton.name"),
  SHARDING_REGIONS(
      Kind.GAUGE,
      "pekko.sharding.regions",
      "{region}",
      "Regions of an entity type that this node knows of, its own included",
      Metric.SYSTEM,
      Metric.ENTITY_TYPE),
  SHARDING_SHARDS(
      Kind.GAUGE,
      "pekko.sharding.shards",
      "{shard}",
      "Shards on this node",
      Metric.SYSTEM,
      Metric.ENTITY_TYPE),
  SHARDING_ENTITIES(
      Kind.GAUGE,
      "pekko.sharding.entities",
      "{entity}",
      "Entities on this node",
      Metric.SYSTEM,
      Metric.ENTITY_TYPE),
  SHARDING_LARGEST(
      Kind.GAUGE,
      "pekko.sharding.shard.entities.max",
      "{entity}",
      "Entities in the largest shard on this node",
      Metric.SYSTEM,
      Metric.ENTITY_TYPE),
  SHARDING_BUFFERED(
      Kind.GAUGE,
      "pekko.sharding.buffered",
      "{message}",
      "Messages that wait for a shard or an entity",
      Metric.SYSTEM,
      Metric.ENTITY_TYPE),
  DDATA_ENTRIES(
      Kind.GAUGE,
      "pekko.ddata.entries",
      "{entry}",
      "Keys of distributed data on this node",
      Metric.SYSTEM),
  STREAM_ELEMENTS(
      Kind.COUNTER,
      "pekko.stream.elements",
      "{element}",
      "Elements handed from one stage of a stream to the next",
      Metric.SYSTEM),
  DOWNING_DECISIONS(
      Kind.COUNTER,
      "pekko.cluster.downing.decisions",
      "{decision}",
      "Decisions of the split-brain resolver of this node",
      Metric.SYSTEM,
      Metric.DECISION),
  DOWNED_NODES(
      Kind.COUNTER,
      "pekko.cluster.downing.nodes",
      "{node}",
      "Nodes that the split-brain resolver of this node has downed",
      Metric.SYSTEM,
      Metric.DECISION),
  HAND_OFF(
      Kind.HISTOGRAM,
      "pekko.sharding.handoff.duration",
      "s",
      "Time a shard takes to leave a node, reported by the coordinator's node",
      Metric.SYSTEM,
      Metric.ENTITY_TYPE,
      Metric.OUTCOME),
  PASSIVATIONS(
      Kind.COUNTER,
      "pekko.sharding.passivations",
      "{entity}",
      "Entities passivated",
      Metric.SYSTEM,
      Metric.ENTITY_TYPE),
  SHARD_MESSAGES(
      Kind.COUNTER,
      "pekko.sharding.shard.messages",
      "{message}",
      "Messages for entities, by the shards with the most",
      Metric.SYSTEM,
      Metric.ENTITY_TYPE,
      "pekko.sharding.shard"),
  DDATA_OPERATION(
      Kind.HISTOGRAM,
      "pekko.ddata.operation.duration",
      "s",
      "Time to read or write distributed data on other nodes",
      Metric.SYSTEM,
      "pekko.ddata.operation",
      Metric.OUTCOME),
  BREAKERS(
      Kind.GAUGE,
      "pekko.circuit_breaker.count",
      "{breaker}",
      "Circuit breakers by the state they are in",
      Metric.BREAKER,
      Metric.BREAKER_STATE),
  BREAKER_TRANSITIONS(
      Kind.COUNTER,
      "pekko.circuit_breaker.transitions",
      "{transition}",
      "States that circuit breakers entered",
      Metric.BREAKER,
      Metric.BREAKER_STATE),
  BREAKER_CALLS(
      Kind.HISTOGRAM,
      "pekko.circuit_breaker.call.duration",
      "s",
      "Time of calls through a circuit breaker",
      Metric.BREAKER,
      Metric.OUTCOME),
  BREAKER_REJECTED(
      Kind.COUNTER,
      "pekko.circuit_breaker.rejected",
      "{call}",
      "Calls that a circuit breaker rejected",
      Metric.BREAKER),
  ROUTING(
      Kind.HISTOGRAM,
      "pekko.router.routing.duration",
      "s",
      "Time a router takes to pass a message on",
      Metric.SYSTEM,
      Metric.ACTOR_CLASS),
  HEARTBEAT_INTERVAL(
      Kind.HISTOGRAM,
      "pekko.remote.heartbeat.interval",
      "s",
      "Time between two heartbeats from another node",
      Metric.PEER),
  REMOTE_QUEUE(
      Kind.LEVEL,
      "pekko.remote.queue.depth",
      "{message}",
      "Messages in the send queue",
      Metric.SYSTEM,
      Metric.PEER,
      "pekko.remote.stream",
      Metric.DIRECTION),
  REMOTE_MESSAGES(
      Kind.COUNTER,
      "pekko.remote.serialization.messages",
      "{message}",
      "Messages serialized for, or deserialized from, another node",
      Metric.PEER,
      Metric.DIRECTION),
  REMOTE_BYTES(
      Kind.COUNTER,
      "pekko.remote.serialization.bytes",
      "By",
      "Bytes of these messages, their headers included",
      Metric.PEER,
      Metric.DIRECTION),
  REMOTE_SERIALIZATION(
      Kind.HISTOGRAM,
      "pekko.remote.serialization.duration",
      "s",
      "Time to serialize or deserialize a message",
      Metric.PEER,
      Metric.DIRECTION);

  /** How a metric's values are made up. */
  public enum Kind {
    /** Only grows. */
    COUNTER,
    /** As it was read last. */
    GAUGE,
    /** As a gauge, but told with what the transport tells under the same name. */
    LEVEL,
    /** Durations. */
    HISTOGRAM
  }

  private static final String SYSTEM = "pekko.system";
  private static final String ACTOR_CLASS = "pekko.actor.class";
  private static final String DISPATCHER = "pekko.dispatcher";
  private static final String EXECUTOR = "pekko.executor.type";
  private static final String ENTITY_TYPE = "pekko.sharding.type";
  private static final String PEER = "pekko.remote.peer";
  private static final String DIRECTION = "network.io.direction";
  private static final String REASON = "reason";
  private static final String OUTCOME = "outcome";
  private static final String DECISION = "pekko.cluster.downing.decision";
  private static final String BREAKER = "pekko.circuit_breaker.name";
  private static final String BREAKER_STATE = "pekko.circuit_breaker.state";

  static {
    // What is known beforehand is told from the beginning: a rate needs a zero to start from.
    zero(DEAD_LETTERS, "stopped", "no_actor", "late_answer", "suppressed");
    zero(DROPPED, "mailbox_full", "remote_queue_full", "other");
    zero(LOG_EVENTS, "error", "warning", "info", "debug", "trace");
    zero(QUARANTINES, "peer", "this");
  }

  private static void zero(Metric metric, String... values) {
    for (String value : values) {
      metric.tally.add(0, value);
    }
  }

  private final Kind kind;
  private final String id;
  private final String unit;
  private final String description;
  private final List<String> attributes;
  private final Tally tally;

  Metric(Kind kind, String id, String unit, String description, String... attributes) {
    this.kind = kind;
    this.id = id;
    this.unit = unit;
    this.description = description;
    this.attributes = List.of(attributes);
    this.tally = new Tally(kind == Kind.HISTOGRAM ? Durations.BUCKETS + 1 : 1, attributes.length);
  }

  public Kind kind() {
    return kind;
  }

  /** The name by which it is told. */
  public String id() {
    return id;
  }

  public String unit() {
    return unit;
  }

  public String description() {
    return description;
  }

  /** Names of the attributes, in the order of their values. */
  public List<String> attributes() {
    return attributes;
  }

  /** What was counted of it; empty for a gauge. */
  public Tally tally() {
    return tally;
  }
}
