// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.deimos.agent.control.ExceptionSignal;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trouble.Incidents;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells the exceptions of spans as incidents where {@link ExceptionSignal} wants them to be log
 * records.
 *
 * <p><b>Threads.</b> The drainer's, on which the exception's text is made.
 */
public final class ExceptionRecords implements SpanSink {
  @Override
  public void accept(SpanView span) {
    Rare rare = span.rare();
    Throwable error = rare == null ? null : rare.error();
    if (error != null && ExceptionSignal.isInRecords()) {
      Incidents.tell(
          EventName.PROCESS_EXCEPTION,
          Incidents.Known.BY_RECORD,
          () ->
              new Incident(
                  EventName.PROCESS_EXCEPTION,
                  span.end(),
                  facts(error),
                  "",
                  span.traceHi(),
                  span.traceLo(),
                  span.spanId()));
    }
  }

  private static Map<Attribute, String> facts(Throwable error) {
    Map<Attribute, String> facts = new LinkedHashMap<>();
    facts.put(Attribute.EXCEPTION_TYPE, error.getClass().getName());
    facts.put(Attribute.EXCEPTION_MESSAGE, RecordEvents.text(error));
    facts.put(Attribute.EXCEPTION_STACKTRACE, RecordEvents.stackTrace(error));
    return facts;
  }
}
