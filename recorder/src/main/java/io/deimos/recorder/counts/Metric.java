// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.names.Attribute;
import java.util.List;

/**
 * A metric beside those of messages, actors and asks: counted where something happens seldom, or
 * read by a {@code GaugeReader} at an interval.
 */
@SuppressWarnings("ImmutableEnumChecker") // a metric is its name and what was counted of it
public enum Metric {
  DEAD_LETTERS(
      MetricKind.COUNTER,
      "pekko.message.dead_lettered",
      "{message}",
      "Dead letters, by reason",
      Attribute.DEAD_LETTER_REASON),
  UNHANDLED(
      MetricKind.COUNTER,
      "pekko.message.unhandled",
      "{message}",
      "Messages that an actor did not handle",
      Attribute.ACTOR_CLASS),
  DROPPED(
      MetricKind.COUNTER,
      "pekko.message.dropped",
      "{message}",
      "Messages dropped by full mailboxes and queues",
      Attribute.DROP_REASON),
  LOG_EVENTS(
      MetricKind.COUNTER,
      "pekko.log.event.logged",
      "{event}",
      "Log events of actors and of Pekko",
      Attribute.LOG_LEVEL),
  QUARANTINES(
      MetricKind.COUNTER,
      "pekko.remote.association.quarantined",
      "{association}",
      "Quarantines of peers by this system, and of this system by peers",
      Attribute.REMOTE_QUARANTINED),
  PERSISTENCE_EVENTS(
      MetricKind.COUNTER,
      "pekko.persistence.event.processed",
      "{event}",
      "Events written, and replayed",
      Attribute.SYSTEM,
      Attribute.ACTOR_CLASS,
      Attribute.PERSISTENCE_OPERATION),
  PROJECTIONS(
      MetricKind.UP_DOWN,
      "pekko.projection.count",
      "{projection}",
      "Projections that run",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY),
  PROJECTION_STARTS(
      MetricKind.COUNTER,
      "pekko.projection.started",
      "{projection}",
      "Starts of projections, restarts included",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY),
  PROJECTION_FAILURES(
      MetricKind.COUNTER,
      "pekko.projection.failed",
      "{failure}",
      "Failures that ended a projection, which may be restarted",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY,
      Attribute.ERROR_TYPE),
  PROJECTION_ENVELOPES(
      MetricKind.COUNTER,
      "pekko.projection.envelope.processed",
      "{envelope}",
      "Envelopes that a projection has processed",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY),
  PROJECTION_ENVELOPE_FAILURES(
      MetricKind.COUNTER,
      "pekko.projection.envelope.failed",
      "{failure}",
      "Attempts to process an envelope, or a group, that failed",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY,
      Attribute.ERROR_TYPE),
  PROJECTION_PROCESSING(
      MetricKind.HISTOGRAM,
      "pekko.projection.envelope.process.duration",
      "s",
      "Time from when an envelope is ready until it is processed",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY),
  PROJECTION_WAIT(
      MetricKind.HISTOGRAM,
      "pekko.projection.envelope.wait.duration",
      "s",
      "Time from when an envelope is created until it is ready for the projection",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY),
  PROJECTION_OFFSETS(
      MetricKind.COUNTER,
      "pekko.projection.offset.stored",
      "{offset}",
      "Offsets that a projection has stored",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY),
  PROJECTION_COMMITTED(
      MetricKind.COUNTER,
      "pekko.projection.envelope.committed",
      "{envelope}",
      "Envelopes whose offset is stored, so that they will not come again",
      Attribute.SYSTEM,
      Attribute.PROJECTION_NAME,
      Attribute.PROJECTION_KEY),
  MAILBOX_SIZE(
      MetricKind.UP_DOWN,
      "pekko.mailbox.size",
      "{message}",
      "Messages in mailboxes",
      Attribute.SYSTEM,
      Attribute.ACTOR_CLASS),
  MAILBOX_LARGEST(
      MetricKind.GAUGE,
      "pekko.mailbox.message.max",
      "{message}",
      "Messages in the largest mailbox",
      Attribute.SYSTEM,
      Attribute.ACTOR_CLASS),
  STASH_SIZE(
      MetricKind.UP_DOWN,
      "pekko.stash.size",
      "{message}",
      "Messages in stashes",
      Attribute.SYSTEM,
      Attribute.ACTOR_CLASS),
  ROUTEES(
      MetricKind.UP_DOWN,
      "pekko.router.routee.count",
      "{actor}",
      "Routees of routers",
      Attribute.SYSTEM,
      Attribute.ACTOR_CLASS),
  DISPATCHER_PARALLELISM(
      MetricKind.UP_DOWN,
      "pekko.dispatcher.parallelism",
      "{thread}",
      "Target number of threads of a dispatcher's executor",
      Attribute.SYSTEM,
      Attribute.DISPATCHER,
      Attribute.EXECUTOR_TYPE),
  DISPATCHER_THREADS(
      MetricKind.UP_DOWN,
      "pekko.dispatcher.thread.count",
      "{thread}",
      "Threads of a dispatcher's executor",
      Attribute.SYSTEM,
      Attribute.DISPATCHER,
      Attribute.EXECUTOR_TYPE),
  DISPATCHER_ACTIVE(
      MetricKind.UP_DOWN,
      "pekko.dispatcher.thread.active.count",
      "{thread}",
      "Busy threads of a dispatcher",
      Attribute.SYSTEM,
      Attribute.DISPATCHER,
      Attribute.EXECUTOR_TYPE),
  DISPATCHER_QUEUED(
      MetricKind.UP_DOWN,
      "pekko.dispatcher.queue.size",
      "{task}",
      "Tasks that wait for a thread of a dispatcher",
      Attribute.SYSTEM,
      Attribute.DISPATCHER,
      Attribute.EXECUTOR_TYPE),
  DISPATCHER_ACTORS(
      MetricKind.UP_DOWN,
      "pekko.dispatcher.actor.count",
      "{actor}",
      "Actors and tasks attached to a dispatcher",
      Attribute.SYSTEM,
      Attribute.DISPATCHER,
      Attribute.EXECUTOR_TYPE),
  DISPATCHER_WAIT(
      MetricKind.HISTOGRAM,
      "pekko.dispatcher.task.wait.duration",
      "s",
      "Time a task waits for a thread of a dispatcher",
      Attribute.SYSTEM,
      Attribute.DISPATCHER,
      Attribute.EXECUTOR_TYPE),
  STARVATIONS(
      MetricKind.COUNTER,
      "pekko.dispatcher.starvation",
      "{starvation}",
      "Times that tasks of a dispatcher waited for a thread for longer than the threshold",
      Attribute.SYSTEM,
      Attribute.DISPATCHER),
  SCHEDULER_LATENESS(
      MetricKind.HISTOGRAM,
      "pekko.scheduler.lateness.duration",
      "s",
      "Delay of the scheduler's tasks beyond their time",
      Attribute.SYSTEM),
  STREAMS(
      MetricKind.UP_DOWN,
      "pekko.stream.actor.count",
      "{actor}",
      "Actors that run streams",
      Attribute.SYSTEM),
  NODE(
      MetricKind.GAUGE,
      "pekko.node.identity",
      "{node}",
      "1, with what this node is",
      Attribute.SYSTEM,
      Attribute.NODE_ADDRESS,
      Attribute.NODE_ROLES,
      Attribute.NODE_DATA_CENTER),
  CLUSTER_MEMBERS(
      MetricKind.UP_DOWN,
      "pekko.cluster.member.count",
      "{member}",
      "Members of the cluster, as this node sees them",
      Attribute.SYSTEM,
      Attribute.MEMBER_STATUS),
  CLUSTER_UNREACHABLE(
      MetricKind.UP_DOWN,
      "pekko.cluster.member.unreachable.count",
      "{member}",
      "Members that this node cannot reach",
      Attribute.SYSTEM),
  CLUSTER_SEEN(
      MetricKind.UP_DOWN,
      "pekko.cluster.member.seen.count",
      "{member}",
      "Members that have seen the state of the cluster that this node has",
      Attribute.SYSTEM),
  CLUSTER_LEADER(
      MetricKind.GAUGE,
      "pekko.cluster.leader",
      "{leader}",
      "1 if this node is the leader, else 0",
      Attribute.SYSTEM),
  CLUSTER_SINGLETON(
      MetricKind.GAUGE,
      "pekko.cluster.singleton",
      "{singleton}",
      "1 if the singleton is on this node, else 0",
      Attribute.SYSTEM,
      Attribute.SINGLETON_NAME),
  SHARDING_REGIONS(
      MetricKind.UP_DOWN,
      "pekko.cluster.sharding.region.count",
      "{region}",
      "Regions of an entity type that this node knows of, its own included",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE),
  SHARDING_SHARDS(
      MetricKind.UP_DOWN,
      "pekko.cluster.sharding.shard.count",
      "{shard}",
      "Shards on this node",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE),
  SHARDING_ENTITIES(
      MetricKind.UP_DOWN,
      "pekko.cluster.sharding.entity.count",
      "{entity}",
      "Entities on this node",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE),
  SHARDING_LARGEST(
      MetricKind.GAUGE,
      "pekko.cluster.sharding.shard.entity.max",
      "{entity}",
      "Entities in the largest shard on this node",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE),
  SHARDING_BUFFERED(
      MetricKind.UP_DOWN,
      "pekko.cluster.sharding.buffer.size",
      "{message}",
      "Messages that wait for a shard or an entity",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE),
  DDATA_ENTRIES(
      MetricKind.UP_DOWN,
      "pekko.cluster.ddata.entry.count",
      "{entry}",
      "Keys of distributed data on this node",
      Attribute.SYSTEM),
  STREAM_ELEMENTS(
      MetricKind.COUNTER,
      "pekko.stream.element.pushed",
      "{element}",
      "Elements handed from one stage of a stream to the next",
      Attribute.SYSTEM),
  DOWNING_DECISIONS(
      MetricKind.COUNTER,
      "pekko.cluster.downing.decided",
      "{decision}",
      "Decisions of the split-brain resolver of this node",
      Attribute.SYSTEM,
      Attribute.DOWNING_DECISION),
  DOWNED_NODES(
      MetricKind.COUNTER,
      "pekko.cluster.member.downed",
      "{member}",
      "Members that the split-brain resolver of this node has downed",
      Attribute.SYSTEM,
      Attribute.DOWNING_DECISION),
  HAND_OFF(
      MetricKind.HISTOGRAM,
      "pekko.cluster.sharding.handoff.duration",
      "s",
      "Time a shard takes to leave a node, reported by the coordinator's node",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE,
      Attribute.HANDOFF_OUTCOME),
  SHARD_HOME(
      MetricKind.HISTOGRAM,
      "pekko.cluster.sharding.shard.home.duration",
      "s",
      "Time that messages wait until their region knows where the shard is",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE),
  PASSIVATIONS(
      MetricKind.COUNTER,
      "pekko.cluster.sharding.entity.passivated",
      "{entity}",
      "Entities passivated",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE),
  SHARD_MESSAGES(
      MetricKind.COUNTER,
      "pekko.cluster.sharding.message.received",
      "{message}",
      "Messages for entities, by the shards with the most",
      Attribute.SYSTEM,
      Attribute.SHARDING_TYPE,
      Attribute.SHARD),
  DDATA_OPERATION(
      MetricKind.HISTOGRAM,
      "pekko.cluster.ddata.operation.duration",
      "s",
      "Time to read or write distributed data on other nodes",
      Attribute.SYSTEM,
      Attribute.DDATA_OPERATION,
      Attribute.DDATA_OUTCOME),
  BREAKERS(
      MetricKind.UP_DOWN,
      "pekko.circuit_breaker.count",
      "{breaker}",
      "Circuit breakers by the state they are in",
      Attribute.BREAKER_NAME,
      Attribute.BREAKER_STATE),
  BREAKER_TRANSITIONS(
      MetricKind.COUNTER,
      "pekko.circuit_breaker.state.entered",
      "{transition}",
      "States that circuit breakers entered",
      Attribute.BREAKER_NAME,
      Attribute.BREAKER_STATE),
  BREAKER_CALLS(
      MetricKind.HISTOGRAM,
      "pekko.circuit_breaker.call.duration",
      "s",
      "Time of calls through a circuit breaker",
      Attribute.BREAKER_NAME,
      Attribute.BREAKER_OUTCOME),
  BREAKER_REJECTED(
      MetricKind.COUNTER,
      "pekko.circuit_breaker.call.rejected",
      "{call}",
      "Calls that a circuit breaker rejected",
      Attribute.BREAKER_NAME),
  ROUTING(
      MetricKind.HISTOGRAM,
      "pekko.router.routing.duration",
      "s",
      "Time a router takes to pass a message on",
      Attribute.SYSTEM,
      Attribute.ACTOR_CLASS),
  HEARTBEAT_INTERVAL(
      MetricKind.HISTOGRAM,
      "pekko.remote.heartbeat.interval.duration",
      "s",
      "Time between two heartbeats from another node",
      Attribute.REMOTE_PEER),
  HEARTBEAT_PHI(
      MetricKind.DECIMAL,
      "pekko.remote.heartbeat.phi",
      "1",
      "Suspicion of the cluster's failure detector that a node is down",
      Attribute.SYSTEM,
      Attribute.REMOTE_PEER),
  REMOTE_QUEUE(
      MetricKind.UP_DOWN,
      "pekko.remote.queue.size",
      "{message}",
      "Messages in the send queue",
      Attribute.SYSTEM,
      Attribute.REMOTE_PEER,
      Attribute.REMOTE_STREAM,
      Attribute.DIRECTION),
  REMOTE_MESSAGES(
      MetricKind.COUNTER,
      "pekko.remote.message.serialized",
      "{message}",
      "Messages serialized for, or deserialized from, another node",
      Attribute.REMOTE_PEER,
      Attribute.DIRECTION),
  REMOTE_LARGE(
      MetricKind.COUNTER,
      "pekko.remote.message.large",
      "{message}",
      "Messages to another node with at least deimos.metrics.remote.large-message bytes",
      Attribute.REMOTE_PEER,
      Attribute.MESSAGE_CLASS),
  REMOTE_BYTES(
      MetricKind.COUNTER,
      "pekko.remote.serialization.io",
      "By",
      "Bytes of these messages, their headers included",
      Attribute.REMOTE_PEER,
      Attribute.DIRECTION),
  REMOTE_SERIALIZATION(
      MetricKind.HISTOGRAM,
      "pekko.remote.serialization.duration",
      "s",
      "Time to serialize or deserialize a message",
      Attribute.REMOTE_PEER,
      Attribute.DIRECTION);

  static {
    // Values known beforehand are told from the beginning: a rate needs a zero to start from.
    DEAD_LETTERS.tally.beginWith("stopped", "no_actor", "late_answer", "suppressed");
    DROPPED.tally.beginWith("mailbox_full", "remote_queue_full", "other");
    LOG_EVENTS.tally.beginWith("error", "warning", "info", "debug", "trace");
    QUARANTINES.tally.beginWith("peer", "this");
  }

  /** How many of what is read of a {@link MetricKind#DECIMAL} are one. */
  public static final double THOUSANDTHS = 1000;

  private final MetricKind kind;
  private final String id;
  private final String unit;
  private final String description;
  private final List<Attribute> attributes;
  private final Tally tally;

  Metric(MetricKind kind, String id, String unit, String description, Attribute... attributes) {
    this.kind = kind;
    this.id = id;
    this.unit = unit;
    this.description = description;
    this.attributes = List.of(attributes);
    this.tally = new Tally(kind == MetricKind.HISTOGRAM, attributes.length);
  }

  public MetricKind kind() {
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

  /** The attributes, in the order of their values. */
  public List<Attribute> attributes() {
    return attributes;
  }

  /** The counts of it; empty for a gauge. */
  public Tally tally() {
    return tally;
  }
}
