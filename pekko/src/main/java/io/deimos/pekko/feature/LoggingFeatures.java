// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import java.util.List;

/** Libraries that actors log with. */
final class LoggingFeatures {
  /** Logging past Pekko's own; not Pekko's classes, but a library's. */
  static final Feature LOGBACK =
      Feature.named("LOGBACK")
          .usedWith("ch.qos.logback.classic.Logger")
          .needs(Need.METRICS)
          .ofLibrary()
          .in("ch.qos.logback.classic.Logger")
          .method("callAppenders")
          .takes("ch.qos.logback.classic.spi.ILoggingEvent")
          .called("logback.Logger.callAppenders")
          .weave("LogbackAdvice")
          .build();

  /** The same of Log4j 2, of those versions in which a logger may be told where it is called. */
  static final Feature LOG4J =
      Feature.named("LOG4J")
          .usedWith("org.apache.logging.log4j.core.config.LocationAwareReliabilityStrategy")
          .needs(Need.METRICS)
          .ofLibrary()
          .in("org.apache.logging.log4j.core.Logger")
          .method("log")
          .takes(
              "org.apache.logging.log4j.Level",
              "org.apache.logging.log4j.Marker",
              "java.lang.String",
              "java.lang.StackTraceElement",
              "org.apache.logging.log4j.message.Message",
              "java.lang.Throwable")
          .called("log4j.Logger.log")
          .weave("Log4jAdvice$Log")
          .method("logMessage")
          .takes(
              "java.lang.String",
              "org.apache.logging.log4j.Level",
              "org.apache.logging.log4j.Marker",
              "org.apache.logging.log4j.message.Message",
              "java.lang.Throwable")
          .called("log4j.Logger.logMessage")
          .weave("Log4jAdvice$LogMessage")
          .build();

  /** The same of its loggers that hand each event to another thread at once. */
  static final Feature LOG4J_ASYNC =
      Feature.named("LOG4J_ASYNC")
          .usedWith("org.apache.logging.log4j.core.config.LocationAwareReliabilityStrategy")
          .usedWith("com.lmax.disruptor.dsl.Disruptor")
          .needs(Need.METRICS)
          .ofLibrary()
          .in("org.apache.logging.log4j.core.async.AsyncLogger")
          .method("log")
          .takes(
              "org.apache.logging.log4j.Level",
              "org.apache.logging.log4j.Marker",
              "java.lang.String",
              "java.lang.StackTraceElement",
              "org.apache.logging.log4j.message.Message",
              "java.lang.Throwable")
          .called("log4j.AsyncLogger.log")
          .weave("Log4jAdvice$AsyncLog")
          .method("logMessage")
          .takes(
              "java.lang.String",
              "org.apache.logging.log4j.Level",
              "org.apache.logging.log4j.Marker",
              "org.apache.logging.log4j.message.Message",
              "java.lang.Throwable")
          .called("log4j.AsyncLogger.logMessage")
          .weave("Log4jAdvice$AsyncLogMessage")
          .build();

  static final List<Feature> ALL = List.of(LOGBACK, LOG4J, LOG4J_ASYNC);

  private LoggingFeatures() {}
}
