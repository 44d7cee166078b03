// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.housekeeping.Drainer;
import io.deimos.recorder.housekeeping.Memory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a profile while somebody asks for it, and for {@value #LEASE_SECONDS} seconds longer, or as
 * long as a setting wants it. Then, and only then, it has a thread, memory, and a recording of the
 * flight recorder. Safe for any thread.
 */
public final class Profile {
  /** For how long a request keeps it on. */
  public static final int LEASE_SECONDS = 15;

  private static final long LEASE_NANOS = LEASE_SECONDS * 1_000_000_000L;
  private static final long ROUND_NANOS = 1_000_000_000L;

  /** After so long it is tried again. */
  private static final long AGAIN_NANOS = 30_000_000_000L;

  private final SampleSource.Factory factory;
  private final Consumer<String> problems;
  private final Supplier<ProfileLimits> limits;
  private final long leaseNanos;
  private boolean kept;
  private long askedNanos;
  private boolean asked;
  private @Nullable Thread thread;
  private @Nullable ProfileSession session;
  private @Nullable SampleSource source;
  private @Nullable String unavailable;
  private long unavailableNanos;

  /**
   * A profile that is off.
   *
   * @param problems told why it cannot be made where a setting wants it
   * @param limits asked once a second while it is made
   */
  public Profile(Consumer<String> problems, Supplier<ProfileLimits> limits) {
    this(FlightRecorders::open, problems, limits, LEASE_NANOS);
    Memory.add(Memory.Purpose.OBSERVER, this::bytes);
  }

  Profile(
      SampleSource.Factory factory,
      Consumer<String> problems,
      Supplier<ProfileLimits> limits,
      long leaseNanos) {
    this.factory = factory;
    this.problems = problems;
    this.limits = limits;
    this.leaseNanos = leaseNanos;
  }

  /** Keeps it on, whoever asks; or no longer. */
  public synchronized void keep(boolean on) {
    kept = on;
    if (on) {
      start();
    } else if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Its samples now; it stays on for a while.
   *
   * @throws UnavailableException if there is none in this JVM
   */
  public ProfileResult ask(ProfileQuery query) throws UnavailableException {
    ProfileSession from;
    SampleSource by;
    synchronized (this) {
      if (!Drainer.isRunning()) {
        throw new UnavailableException(
            "no message has a record that a sample could be joined with: deimos.tracing.enabled is"
                + " off");
      }
      asked = true;
      askedNanos = System.nanoTime();
      String why = unavailable;
      if (why != null && System.nanoTime() - unavailableNanos < AGAIN_NANOS) {
        throw new UnavailableException(why);
      }
      start();
      from = session;
      by = source;
    }
    return from == null || by == null ? ProfileResult.STARTING : ProfileResult.of(from, by, query);
  }

  /** Whether it is being made. */
  public synchronized boolean isOn() {
    return thread != null;
  }

  private void start() {
    if (thread == null) {
      thread = AgentThread.start("deimos-profile", this::run);
    }
  }

  private void run() {
    boolean more = true;
    while (more) {
      try {
        round();
        more = isWanted();
      } catch (SampleSource.UnavailableException e) {
        more = !cannot(e.why());
      } catch (Throwable t) {
        Faults.caught(t); // the next round may do better
        more = isWanted();
      }
      if (more) {
        LockSupport.parkNanos(this, ROUND_NANOS);
      }
    }
  }

  private void round() throws SampleSource.UnavailableException {
    ProfileSession running;
    SampleSource by;
    synchronized (this) {
      running = session;
      by = source;
    }
    if (running == null || by == null) {
      open();
      return;
    }
    by.limit(limits.get());
    by.compareClocks();
    running.join();
  }

  private void open() throws SampleSource.UnavailableException {
    ProfileSession fresh = new ProfileSession();
    SampleSource opened = factory.open(fresh);
    Drainer.listen(fresh.records);
    synchronized (this) {
      session = fresh;
      source = opened;
    }
    opened.limit(limits.get());
    opened.compareClocks();
  }

  /**
   * Ends it unless somebody wants it. Decided and done at once, so that a request is never lost.
   */
  private synchronized boolean isWanted() {
    if (kept || (asked && System.nanoTime() - askedNanos < leaseNanos)) {
      return true;
    }
    close();
    return false;
  }

  private synchronized boolean cannot(String why) {
    unavailable = why;
    unavailableNanos = System.nanoTime();
    if (kept) {
      problems.accept("there is no profile (deimos.profile.enabled): " + why);
    }
    close();
    return true;
  }

  private void close() {
    Drainer.listen(null);
    SampleSource open = source;
    thread = null;
    session = null;
    source = null;
    asked = false;
    if (open != null) {
      try {
        open.close();
      } catch (Throwable t) {
        Faults.caught(t); // its memory is let go of all the same
      }
    }
  }

  private long bytes() {
    ProfileSession running;
    synchronized (this) {
      running = session;
    }
    return running == null ? 0 : running.bytes();
  }

  /** Why there is no profile, in a sentence. */
  public static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    UnavailableException(String why) {
      super(why);
    }

    /** The sentence. */
    public String why() {
      return String.valueOf(getMessage());
    }
  }
}
