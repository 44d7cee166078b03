// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Standard error may be a pipe that nobody reads. */
class LogTest {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final int LINES = 1_000;
  private static final String LONG = "x".repeat(1_000);

  /** Takes nothing until it is opened. */
  private static final class Pipe extends OutputStream {
    private final CountDownLatch open = new CountDownLatch(1);
    private final List<String> taken = new CopyOnWriteArrayList<>();

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      taken.add(new String(bytes, from, length, StandardCharsets.UTF_8).strip());
    }
  }

  @Test
  void lines_intoAPipeThatNobodyReads_holdNoThreadAndAreToldLater() throws Exception {
    Pipe pipe = new Pipe();
    PrintStream before = System.err;
    long leftOutBefore = Log.leftOut();
    System.setErr(new PrintStream(pipe, true, StandardCharsets.UTF_8));
    try {
      Problems problems = new Problems();
      Thread[] saying = new Thread[3];
      for (int i = 0; i < saying.length; i++) {
        int number = i;
        saying[i] =
            new Thread(
                () -> {
                  problems.accept("problem " + number);
                  for (int line = 0; line < LINES; line++) {
                    Log.line(LONG);
                  }
                });
        saying[i].setDaemon(true);
        saying[i].start();
      }
      for (Thread one : saying) {
        one.join(PATIENCE_MILLIS);
        assertThat(one.isAlive()).as("it waits for the pipe").isFalse();
      }
      long leftOut = Log.leftOut() - leftOutBefore;
      assertThat(leftOut)
          .isBetween(
              saying.length * (long) LINES - LineWriter.MAX_WAITING_CHARS / LONG.length() - 1,
              saying.length * (long) LINES);
      pipe.open.countDown();
      String told = "deimos: " + leftOut + " lines were left out, since none was taken";
      long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
      while (!pipe.taken.contains(told)) {
        assertThat(System.nanoTime()).as(pipe.taken::toString).isLessThan(until);
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(pipe.taken).filteredOn(line -> line.startsWith("deimos: problem")).hasSize(3);
      assertThat(pipe.taken)
          .filteredOn(line -> line.equals("deimos: " + LONG))
          .hasSize(saying.length * LINES - Math.toIntExact(leftOut));
      Log.line("read again");
      assertThat(pipe.taken).as("written before it comes back").endsWith("deimos: read again");
    } finally {
      pipe.open.countDown();
      System.setErr(before);
    }
  }
}
