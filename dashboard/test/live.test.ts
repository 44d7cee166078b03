// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { Live } from "../src/lib/live";
import { Poll } from "../src/lib/poll";

const STATE = "/api/state";

/** One opened stream, whose events are given by hand. */
class Stream {
  private readonly events: (string | null)[] = [];
  private wake: () => void = () => {};
  private broken: Error | null = null;

  constructor(
    readonly requests: readonly string[],
    readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => this.wake());
  }

  async *read(): AsyncGenerator<string> {
    for (;;) {
      if (this.signal.aborted) {
        throw new Error("aborted");
      }
      if (this.broken !== null) {
        throw this.broken;
      }
      const next = this.events.shift();
      if (next === null) {
        return;
      }
      if (next === undefined) {
        await new Promise<void>((wake) => (this.wake = wake));
      } else {
        yield next;
      }
    }
  }

  async sends(event: unknown): Promise<void> {
    this.events.push(JSON.stringify(event));
    this.wake();
    await settled();
  }

  async ends(): Promise<void> {
    this.events.push(null);
    this.wake();
    await settled();
  }

  async breaks(): Promise<void> {
    this.broken = new Error("gone");
    this.wake();
    await settled();
  }
}

/** A page with one poll a second; time stands still until it is told to go on. */
class Bench {
  now = 0;
  readonly streams: Stream[] = [];
  readonly values: unknown[] = [];
  /** The requests in the ordinary way. */
  readonly plain: string[] = [];
  private timers: { at: number; action: () => void }[] = [];
  private readonly times = {
    now: () => this.now,
    set: (action: () => void, millis: number) => {
      const timer = { at: this.now + millis, action };
      this.timers.push(timer);
      return timer;
    },
    clear: (timer: unknown) => {
      this.timers = this.timers.filter((other) => other !== timer);
    },
  };
  private readonly live = new Live({
    open: (requests, signal) => {
      const stream = new Stream(requests, signal);
      this.streams.push(stream);
      return stream.read();
    },
    timers: this.times,
  });

  poll(path: string): Poll<unknown> {
    return new Poll<unknown>({
      request: async (signal) => {
        const answer = await this.live.ask(path, signal);
        if (answer !== null) {
          return answer.value;
        }
        this.plain.push(path);
        return "plain";
      },
      onValue: (value) => this.values.push(value),
      onFailure: () => {},
      intervalMillis: 1000,
      timeoutMillis: 5000,
      timers: this.times,
    });
  }

  async pass(millis: number): Promise<void> {
    const end = this.now + millis;
    for (;;) {
      await settled();
      const due = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) {
        break;
      }
      this.timers = this.timers.filter((timer) => timer !== due);
      this.now = Math.max(this.now, due.at);
      due.action();
    }
    this.now = end;
    await settled();
  }

  get stream(): Stream {
    const last = this.streams.at(-1);
    assert.ok(last !== undefined, "no stream was opened");
    return last;
  }

  /** A poll whose second request has opened a stream. */
  async begun(): Promise<Poll<unknown>> {
    const poll = this.poll(STATE);
    poll.start();
    await this.pass(1100);
    return poll;
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("the first answer comes in the ordinary way, the next ones from the stream", async () => {
  const bench = new Bench();
  await bench.begun();
  assert.deepEqual(bench.values, ["plain"]);
  assert.deepEqual(bench.stream.requests, [`1000,${STATE}`]);
  await bench.stream.sends({ ask: 0, status: 200, value: { count: 1, rows: [{ id: "a" }] } });
  await bench.pass(1000);
  await bench.stream.sends({ ask: 0, status: 200, value: { count: 2, rows: [{ id: "a" }, { id: "b" }] } });
  await bench.pass(1000);
  await bench.stream.sends({ ask: 0, status: 200, value: { count: 2, rows: [{ id: "a" }, { id: "b" }] } });
  assert.deepEqual(bench.values, [
    "plain",
    { count: 1, rows: [{ id: "a" }] },
    { count: 2, rows: [{ id: "a" }, { id: "b" }] },
    { count: 2, rows: [{ id: "a" }, { id: "b" }] },
  ]);
  assert.deepEqual(bench.plain, [STATE]);
});

test("a second request makes one stream of both", async () => {
  const bench = new Bench();
  await bench.begun();
  await bench.stream.sends({ ask: 0, status: 200, value: 1 });
  const other = bench.poll("/api/v1/nodes");
  other.start();
  await bench.pass(1100);
  assert.equal(bench.streams.length, 2);
  assert.equal(bench.streams[0]?.signal.aborted, true);
  assert.deepEqual(bench.stream.requests, [`1000,${STATE}`, "1000,/api/v1/nodes"]);
  await bench.stream.sends({ ask: 1, status: 200, value: "nodes" });
  assert.deepEqual(bench.values.at(-1), "nodes");
});

test("what nobody asks any more is left out, and the stream ends with the last request", async () => {
  const bench = new Bench();
  const poll = await bench.begun();
  await bench.stream.sends({ ask: 0, status: 200, value: 1 });
  poll.stop();
  for (let second = 0; second < 5; second++) {
    await bench.pass(1000);
    await bench.stream.sends({ ask: 0, status: 200, value: 1 });
  }
  assert.equal(bench.streams.length, 1);
  assert.equal(bench.stream.signal.aborted, true);
});

test("where there is no stream, all is asked in the ordinary way, and a stream is tried again later", async () => {
  const bench = new Bench();
  await bench.begun();
  await bench.stream.breaks();
  await bench.pass(5000);
  assert.equal(bench.streams.length, 1);
  assert.ok(bench.plain.length >= 5, String(bench.plain.length));
  await bench.pass(31_000);
  assert.equal(bench.streams.length, 2);
});

test("a stream whose time is over is followed by another", async () => {
  const bench = new Bench();
  await bench.begun();
  await bench.stream.sends({ ask: 0, status: 200, value: 1 });
  await bench.stream.ends();
  await bench.pass(1500);
  assert.equal(bench.streams.length, 2);
  await bench.stream.sends({ ask: 0, status: 200, value: 2 });
  assert.equal(bench.values.at(-1), 2);
  assert.deepEqual(bench.plain, [STATE]);
});

test("a request that has changed is asked in the ordinary way", async () => {
  const bench = new Bench();
  const poll = await bench.begun();
  await bench.stream.sends({ ask: 0, status: 200, value: 1 });
  poll.refresh();
  await bench.pass(0);
  assert.deepEqual(bench.plain, [STATE, STATE]);
});
