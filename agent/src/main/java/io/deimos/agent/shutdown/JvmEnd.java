// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.shutdown;

import io.deimos.agent.pipeline.Deadline;
import io.deimos.agent.pipeline.SpanPath;
import io.deimos.agent.report.RunReport;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.housekeeping.Drainer;
import io.deimos.recorder.trouble.Incidents;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of the JVM: the rings are emptied, spans are exported, the report is written, the SDK is
 * shut down. All of it shares one deadline of {@value #MAX_MILLIS} ms, so that no collector and no
 * actor can keep the JVM from ending.
 *
 * <p><b>Threads.</b> The steps run on a daemon thread. The shutdown hook waits for it until the
 * deadline, or a little longer for a report or a dump that was asked for, and then lets the JVM
 * end, wherever a step may be stuck. Actor systems that are shutting down are waited for before
 * that; see {@link Ending}.
 */
public final class JvmEnd {
  /** From the end of the actor systems, or from the moment when it is plain that they go on. */
  private static final long MAX_MILLIS = 1_300;

  /** The results of a step for those after it. */
  private static final long EXPORT_MILLIS = 700;

  private static final long REPORT_MILLIS = 400;

  /** For the report, beyond all this, where one is asked for and the machine is busy. */
  private static final long REPORT_MAX_MILLIS = 2_000;

  /** For a dump after a failure, beyond all this, where one is asked for. */
  private static final long DUMP_MILLIS = 5_000;

  /** For lines about what went wrong at the end, if the log does not block. */
  private static final long INCIDENTS_MILLIS = 200;

  private final LongSupplier unfinished;
  private final Consumer<String> tell;
  private final AtomicBoolean hasBegun = new AtomicBoolean();
  private final CountDownLatch recordsDone = new CountDownLatch(1);
  private volatile @Nullable SpanPath path;
  private volatile @Nullable Runnable report;
  private volatile @Nullable RunReport counting;
  private volatile @Nullable Runnable first;
  private volatile @Nullable Supplier<CompletableResultCode> sdk;
  private volatile @Nullable Runnable dump;

  /**
   * @param unfinished how many spans were handed to the exporter and never answered
   * @param tell prints one line
   */
  public JvmEnd(LongSupplier unfinished, Consumer<String> tell) {
    this.unfinished = unfinished;
    this.tell = tell;
  }

  /**
   * Has this done when the JVM ends, and then the SDK shut down.
   *
   * @param shutDown begins that
   */
  public void install(Supplier<CompletableResultCode> shutDown) {
    sdk = shutDown;
    try {
      Runtime.getRuntime().addShutdownHook(AgentThread.make("deimos-end", this::run));
    } catch (IllegalStateException e) {
      Faults.caught(e); // it is ending already, before there was any actor
    }
  }

  /** Has this done first of all; it must wait for nothing. */
  public void first(Runnable task) {
    first = task;
  }

  public void spans(SpanPath of) {
    path = of;
  }

  public void report(RunReport counts, Runnable write) {
    counting = counts;
    report = write;
  }

  /** Has this done last. */
  public void dump(Runnable write) {
    dump = write;
  }

  /**
   * Does all of it, or waits for whoever has begun. Returns when nothing needs the SDK's processors
   * any more; called by the SDK too, if somebody shuts it down. One that could not be made closes
   * what there is of it, before any of this is {@linkplain #install installed}: that is not the
   * end.
   */
  public void run() {
    if (sdk == null) {
      return;
    }
    if (!hasBegun.compareAndSet(false, true)) {
      awaitRecords();
      return;
    }
    try {
      Runnable task = first;
      if (task != null) {
        task.run();
      }
      RunReport counts = counting;
      if (counts != null) {
        counts.ending();
      }
      SpanPath spans = path;
      if (spans != null) {
        spans.closing();
      }
      Ending.await(Systems.living());
    } catch (Throwable t) {
      Faults.caught(t);
    }
    Deadline deadline = Deadline.in(MAX_MILLIS);
    try {
      Thread thread = AgentThread.start("deimos-ending", () -> end(deadline));
      thread.join(deadline.leftMillis(0) + (dump == null ? 0 : DUMP_MILLIS));
      if (report != null) {
        boolean unused = recordsDone.await(REPORT_MAX_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      Faults.caught(t); // no memory for a thread, say: then nothing more is exported
    } finally {
      recordsDone.countDown();
    }
  }

  private void awaitRecords() {
    try {
      // The one who has begun sets the limit; this one is for the case that it has died.
      boolean unused = recordsDone.await(Ending.MAX_SECONDS + 2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end(Deadline deadline) {
    try {
      boolean unused = Incidents.await(Math.min(INCIDENTS_MILLIS, deadline.leftMillis(0)));
      finishSpans(deadline);
    } catch (Throwable t) {
      Faults.caught(t);
    }
    try {
      Faults.tell();
      Runnable write = report;
      if (write != null) {
        write.run();
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
    recordsDone.countDown();
    try {
      Supplier<CompletableResultCode> shutDown = sdk;
      if (shutDown != null) {
        var unused = shutDown.get().join(deadline.leftMillis(0), TimeUnit.MILLISECONDS);
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
    try {
      Runnable last = dump;
      if (last != null) {
        last.run();
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  private void finishSpans(Deadline deadline) {
    SpanPath spans = path;
    if (spans == null) {
      return;
    }
    boolean isDrained = spans.drainLast(deadline.leftMillis(EXPORT_MILLIS));
    boolean isExported = spans.exportLast(deadline.leftMillis(REPORT_MILLIS));
    if (spans.isExporting() && !(isDrained && isExported)) {
      tell.accept(
          "the JVM ends, and "
              + (Drainer.backlog() + unfinished.getAsLong())
              + " spans have not been exported: the collector did not take them within "
              + TimeUnit.MILLISECONDS.toSeconds(MAX_MILLIS + Ending.NOTICE_MILLIS + 200)
              + " s. deimos.report.file has the counts");
    }
  }
}
