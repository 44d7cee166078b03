// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { Poll } from "../src/lib/poll";

/** Time that stands still until it is told to go on, and requests that are answered by hand. */
class Bench {
  now = 0;
  readonly values: string[] = [];
  readonly failures: string[] = [];
  readonly asked: { answer: (value: string) => void; refuse: (error: Error) => void; signal: AbortSignal }[] = [];
  private timers: { at: number; action: () => void }[] = [];

  readonly poll = new Poll<string>({
    request: (signal) =>
      new Promise((answer, refuse) => {
        this.asked.push({ answer, refuse, signal });
        signal.addEventListener("abort", () => refuse(new Error("aborted")));
      }),
    onValue: (value) => this.values.push(value),
    onFailure: (reason) => this.failures.push(reason),
    intervalMillis: 1000,
    timeoutMillis: 5000,
    timers: {
      now: () => this.now,
      set: (action, millis) => {
        const timer = { at: this.now + millis, action };
        this.timers.push(timer);
        return timer;
      },
      clear: (timer) => {
        this.timers = this.timers.filter((other) => other !== timer);
      },
    },
  });

  async pass(millis: number): Promise<void> {
    this.now += millis;
    const due = this.timers.filter((timer) => timer.at <= this.now);
    this.timers = this.timers.filter((timer) => timer.at > this.now);
    due.forEach((timer) => timer.action());
    await settled();
  }

  async answer(value: string): Promise<void> {
    this.asked.at(-1)?.answer(value);
    await settled();
  }

  async refuse(message: string): Promise<void> {
    this.asked.at(-1)?.refuse(new Error(message));
    await settled();
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("start_answered_asksAgainAfterTheInterval", async () => {
  const bench = new Bench();
  bench.poll.start();
  await bench.pass(300);
  await bench.answer("one");
  assert.deepEqual(bench.values, ["one"]);
  await bench.pass(699);
  assert.equal(bench.asked.length, 1);
  await bench.pass(1);
  assert.equal(bench.asked.length, 2);
});

test("start_twice_asksOnce", () => {
  const bench = new Bench();
  bench.poll.start();
  bench.poll.start();
  assert.equal(bench.asked.length, 1);
});

test("start_slowAnswer_neverAsksTwiceAtOnce", async () => {
  const bench = new Bench();
  bench.poll.start();
  await bench.pass(4000);
  assert.equal(bench.asked.length, 1);
  await bench.answer("late");
  await bench.pass(0);
  assert.equal(bench.asked.length, 2);
});

test("start_refused_tellsAndGoesOn", async () => {
  const bench = new Bench();
  bench.poll.start();
  await bench.refuse("no connection");
  assert.deepEqual(bench.failures, ["no connection"]);
  await bench.pass(1000);
  await bench.answer("back");
  assert.deepEqual(bench.values, ["back"]);
});

test("start_noAnswer_isAFailureAfterTheTimeout", async () => {
  const bench = new Bench();
  bench.poll.start();
  await bench.pass(5000);
  assert.deepEqual(bench.failures, ["no answer within 5 s"]);
  await bench.pass(0);
  assert.equal(bench.asked.length, 2);
});

test("stop_answerOnItsWay_isNotTold", async () => {
  const bench = new Bench();
  bench.poll.start();
  bench.poll.stop();
  assert.equal(bench.asked[0]?.signal.aborted, true);
  await bench.pass(10_000);
  assert.deepEqual([bench.values, bench.failures, bench.asked.length], [[], [], 1]);
});

test("refresh_subjectChanged_dropsTheOldAnswer", async () => {
  const bench = new Bench();
  bench.poll.start();
  bench.poll.refresh();
  bench.asked[0]?.answer("old");
  await bench.answer("new");
  assert.deepEqual(bench.values, ["new"]);
  await bench.pass(1000);
  assert.equal(bench.asked.length, 3);
});

test("refresh_whileStopped_asksOnce", async () => {
  const bench = new Bench();
  bench.poll.refresh();
  await bench.answer("one");
  await bench.pass(10_000);
  assert.deepEqual(bench.values, ["one"]);
  assert.equal(bench.asked.length, 1);
});
