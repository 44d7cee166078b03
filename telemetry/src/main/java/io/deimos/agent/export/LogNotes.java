// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.agent.span.Names;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.hooks.LogEvents;
import io.deimos.recorder.names.Attribute;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.logs.ReadWriteLogRecord;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import org.jspecify.annotations.Nullable;

/**
 * Notes what loggers in actors say as events of their spans, whatever library they are of: the
 * OpenTelemetry agent hands all of it to the SDK, on the thread that logs.
 */
public final class LogNotes implements LogRecordProcessor {
  private static final AttributeKey<String> TYPE = Names.text(Attribute.EXCEPTION_TYPE);
  private static final AttributeKey<String> MESSAGE = Names.text(Attribute.EXCEPTION_MESSAGE);

  @Override
  public void onEmit(Context context, ReadWriteLogRecord logRecord) {
    try {
      LogRecordData said = logRecord.toLogRecordData();
      Severity severity = said.getSeverity();
      if (LogEvents.areWanted(severity.getSeverityNumber())) {
        Value<?> body = said.getBodyValue();
        LogEvents.logged(
            severity.getSeverityNumber(),
            said.getInstrumentationScopeInfo().getName(),
            body == null ? "" : body.asString(),
            thrown(said));
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  private static @Nullable String thrown(LogRecordData said) {
    String type = said.getAttributes().get(TYPE);
    String message = said.getAttributes().get(MESSAGE);
    return type == null || message == null ? type : type + ": " + message;
  }
}
