// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.names;

/** An attribute of a span, an event, a link or a metric: its key and the type of its values. */
public enum Attribute {
  MESSAGING_SYSTEM("messaging.system"),
  OPERATION_NAME("messaging.operation.name"),
  OPERATION_TYPE("messaging.operation.type"),
  DESTINATION_TEMPLATE("messaging.destination.template"),
  BATCH_COUNT("messaging.batch.message_count", Type.LONG),
  ERROR_TYPE("error.type"),
  EXCEPTION_TYPE("exception.type"),
  EXCEPTION_MESSAGE("exception.message"),
  EXCEPTION_STACKTRACE("exception.stacktrace"),
  CODE_STACKTRACE("code.stacktrace"),
  THREAD_NAME("thread.name"),
  DIRECTION("network.io.direction"),

  SYSTEM("pekko.system"),
  ACTOR_PATH("pekko.actor.path"),
  ACTOR_CLASS("pekko.actor.class"),
  ACTOR_GROUP("pekko.actor.group"),
  ACTOR_STATE("pekko.actor.state"),
  ACTOR_ASK_MESSAGE("pekko.actor.ask.message.class"),
  ACTOR_ASK_SENDER("pekko.actor.ask.sender.path"),
  SENDER_PATH("pekko.sender.path"),
  SENDER_CLASS("pekko.sender.class"),
  SENDER_ASK_MESSAGE("pekko.sender.ask.message.class"),
  SENDER_ASK_SENDER("pekko.sender.ask.sender.path"),
  MESSAGE_CLASS("pekko.message.class"),
  MESSAGE_SIZE("messaging.message.envelope.size", Type.LONG),
  MESSAGE_CONTENT("pekko.message.content"),
  MAILBOX_WAIT("pekko.mailbox.wait", Type.DOUBLE),
  STASH_WAIT("pekko.stash.wait", Type.DOUBLE),
  BUFFER_WAIT("pekko.buffer.wait", Type.DOUBLE),
  PROCESSING_TIME("pekko.processing.time", Type.DOUBLE),
  TASK_WAIT("pekko.dispatcher.task.wait", Type.DOUBLE),
  THREADS_HELD("pekko.dispatcher.thread.held", Type.LONG),
  ASK_ACTOR_CLASS("pekko.ask.actor.class"),
  ASK_TARGET_STATE("pekko.ask.target.state"),
  ASK_LATE("pekko.ask.late", Type.DOUBLE),
  ASK_SPAN("pekko.ask.span.id"),
  PERSISTENCE_ID("pekko.persistence.id"),
  PERSISTENCE_EVENTS("pekko.persistence.event.count", Type.LONG),
  PERSISTENCE_OPERATION("pekko.persistence.operation.name"),
  PROJECTION_NAME("pekko.projection.name"),
  PROJECTION_KEY("pekko.projection.key"),
  DISPATCHER("pekko.dispatcher.name"),
  EXECUTOR_TYPE("pekko.executor.type"),
  NODE_ADDRESS("pekko.node.address"),
  NODE_ROLES("pekko.node.roles"),
  NODE_DATA_CENTER("pekko.node.data_center"),
  MEMBER_STATUS("pekko.cluster.member.status"),
  SINGLETON_NAME("pekko.cluster.singleton.name"),
  DOWNING_DECISION("pekko.cluster.downing.decision"),
  SHARDING_TYPE("pekko.cluster.sharding.type"),
  SHARD("pekko.cluster.sharding.shard.id"),
  DDATA_OPERATION("pekko.cluster.ddata.operation.name"),
  BREAKER_NAME("pekko.circuit_breaker.name"),
  BREAKER_STATE("pekko.circuit_breaker.state"),
  REMOTE_PEER("pekko.remote.peer"),
  REMOTE_STREAM("pekko.remote.stream"),
  REMOTE_QUARANTINED("pekko.remote.association.quarantined.side"),

  LOG_LEVEL("pekko.log.level"),
  LOG_LOGGER("pekko.log.logger"),
  LOG_MESSAGE("pekko.log.message"),
  LOG_EXCEPTION("pekko.log.exception"),
  DEAD_LETTER_REASON("pekko.message.dead_lettered.reason"),
  DROP_REASON("pekko.message.dropped.reason"),
  BREAKER_OUTCOME("pekko.circuit_breaker.call.outcome"),
  HANDOFF_OUTCOME("pekko.cluster.sharding.handoff.outcome"),
  DDATA_OUTCOME("pekko.cluster.ddata.operation.outcome"),
  SPAN_DROP_REASON("deimos.span.dropped.reason"),
  CUT_REASON("deimos.trace.cut.reason"),
  CONTEXT_DROP_REASON("deimos.remote.context.dropped.reason"),
  FLUSH_REASON("deimos.remote.batch.flushed.reason"),
  REFUSAL_REASON("deimos.remote.peer.refused.reason"),
  TAIL_KEEP_REASON("deimos.tail.span.kept.reason"),
  TAIL_DROP_REASON("deimos.tail.span.dropped.reason"),
  TAIL_OTHER_DROP_REASON("deimos.tail.other_span.dropped.reason"),
  CONTENT_FAILURE_REASON("deimos.content.failed.reason"),
  MEMORY_PURPOSE("deimos.memory.purpose"),
  MORE("deimos.more.count", Type.LONG),
  SUPPRESSED("deimos.suppressed.count", Type.LONG),

  LINK_REASON("deimos.link.reason"),
  METRIC_FAMILY("deimos.metric.family");

  /** The type of the values. */
  public enum Type {
    STRING,
    LONG,
    DOUBLE
  }

  private final String key;
  private final Type type;

  Attribute(String key) {
    this(key, Type.STRING);
  }

  Attribute(String key, Type type) {
    this.key = key;
    this.type = type;
  }

  public String key() {
    return key;
  }

  public Type type() {
    return type;
  }
}
