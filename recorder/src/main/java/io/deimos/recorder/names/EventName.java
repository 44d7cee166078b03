// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.names;

import java.util.List;

/** An event of a span: its name, and the attributes that it may have. */
@SuppressWarnings("ImmutableEnumChecker") // the list is
public enum EventName {
  /** The message was sent. */
  WAITING("waiting"),

  /** The message was put into a stash. */
  STASHED("stashed"),

  /** The message was taken out of the mailbox. */
  MESSAGE("message"),

  EXCEPTION(
      "exception",
      Attribute.EXCEPTION_TYPE,
      Attribute.EXCEPTION_MESSAGE,
      Attribute.EXCEPTION_STACKTRACE),

  DEAD_LETTER(
      "pekko.dead_letter",
      Attribute.MESSAGE_CLASS,
      Attribute.ACTOR_PATH,
      Attribute.ACTOR_CLASS,
      Attribute.ACTOR_ASK_MESSAGE,
      Attribute.ACTOR_ASK_SENDER,
      Attribute.ASK_LATE,
      Attribute.ASK_SPAN,
      Attribute.ACTOR_STATE,
      Attribute.SENDER_PATH,
      Attribute.SENDER_CLASS,
      Attribute.SENDER_ASK_MESSAGE,
      Attribute.SENDER_ASK_SENDER),

  ASK_TIMEOUT(
      "pekko.ask_timeout",
      Attribute.MESSAGE_CLASS,
      Attribute.ACTOR_PATH,
      Attribute.ACTOR_CLASS,
      Attribute.ACTOR_ASK_MESSAGE,
      Attribute.ACTOR_ASK_SENDER,
      Attribute.ACTOR_STATE,
      Attribute.ASK_TARGET_STATE,
      Attribute.SENDER_PATH,
      Attribute.SENDER_CLASS),

  STUCK(
      "pekko.stuck",
      Attribute.MESSAGE_CLASS,
      Attribute.ACTOR_PATH,
      Attribute.ACTOR_CLASS,
      Attribute.PROCESSING_TIME,
      Attribute.THREAD_NAME,
      Attribute.CODE_STACKTRACE),

  /** Tasks of a dispatcher have waited for a thread for too long. An event of no span. */
  STARVATION(
      "pekko.starvation",
      Attribute.SYSTEM,
      Attribute.DISPATCHER,
      Attribute.TASK_WAIT,
      Attribute.THREADS_HELD,
      Attribute.MESSAGE_CLASS,
      Attribute.ACTOR_PATH,
      Attribute.ACTOR_CLASS,
      Attribute.PROCESSING_TIME,
      Attribute.THREAD_NAME,
      Attribute.CODE_STACKTRACE),

  /** An actor has failed, whatever its supervisor does about it; told as a log record only. */
  FAILED(
      "pekko.actor.failed",
      Attribute.ERROR_TYPE,
      Attribute.MESSAGE_CLASS,
      Attribute.ACTOR_PATH,
      Attribute.ACTOR_CLASS,
      Attribute.SYSTEM),

  /** An actor has been restarted; told as a log record only. */
  RESTARTED("pekko.actor.restarted", Attribute.ACTOR_PATH, Attribute.ACTOR_CLASS, Attribute.SYSTEM),

  /** This node has seen a member of the cluster change its status; a log record only. */
  MEMBER_CHANGED("pekko.cluster.member.changed", Attribute.REMOTE_PEER, Attribute.MEMBER_STATUS),

  /** This node's failure detector has lost a member of the cluster; a log record only. */
  MEMBER_UNREACHABLE("pekko.cluster.member.unreachable", Attribute.REMOTE_PEER),

  /** It has found it again; a log record only. */
  MEMBER_REACHABLE("pekko.cluster.member.reachable", Attribute.REMOTE_PEER),

  /** This system has quarantined another, or was quarantined by one; a log record only. */
  QUARANTINED(
      "pekko.remote.association.quarantined", Attribute.REMOTE_PEER, Attribute.REMOTE_QUARANTINED),

  /** A message to another node has more bytes than is thought well of; a log record only. */
  LARGE_MESSAGE(
      "pekko.remote.message.large",
      Attribute.REMOTE_PEER,
      Attribute.MESSAGE_CLASS,
      Attribute.MESSAGE_SIZE),

  /**
   * An exception as the conventions for logs have it; a log record in place of, or beside, {@link
   * #EXCEPTION}.
   */
  PROCESS_EXCEPTION(
      "pekko.message.process.exception",
      Attribute.EXCEPTION_TYPE,
      Attribute.EXCEPTION_MESSAGE,
      Attribute.EXCEPTION_STACKTRACE),

  /** A log line of the actor. */
  LOG(
      "pekko.log",
      Attribute.LOG_LEVEL,
      Attribute.LOG_LOGGER,
      Attribute.LOG_MESSAGE,
      Attribute.LOG_EXCEPTION),

  /** How many dead letters, time-outs and stuck messages were left out. */
  MORE_INCIDENTS("deimos.more_incidents", Attribute.MORE),

  /** How many logs were left out. */
  MORE_LOGS("deimos.more_logs", Attribute.MORE);

  private final String id;
  private final List<Attribute> attributes;

  EventName(String id, Attribute... attributes) {
    this.id = id;
    this.attributes = List.of(attributes);
  }

  /** The name by which it is told. */
  public String id() {
    return id;
  }

  /** The same without the namespace, for people: {@code dead_letter}. */
  public String word() {
    return id.substring(id.indexOf('.') + 1);
  }

  /** Whether it is trouble that somebody will want to look into. */
  public boolean isTrouble() {
    return this == DEAD_LETTER || this == ASK_TIMEOUT || isSeenFromOutside();
  }

  /** Whether a look at the threads finds it, while the message is still processed. */
  public boolean isSeenFromOutside() {
    return this == STUCK || this == STARVATION;
  }

  public List<Attribute> attributes() {
    return attributes;
  }
}
