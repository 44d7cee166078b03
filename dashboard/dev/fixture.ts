// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A made-up shop for working on the page and for its browser test: counters that grow as time goes by, the same way on
 * every run. Events that the tests need (lost spans, missing hooks) is set on `knobs`.
 */
import { Random } from "./random";

export const BOUNDS = [
  1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1,
  2.5, 5, 10,
];

const STEP_SECONDS = 0.25;
const PREHISTORY_SECONDS = 95 * 60;
const PREHISTORY_STEP_SECONDS = 15;

interface Messages {
  readonly name: string;
  readonly perSecond: number;
  /** Median seconds and spread of the processing and of the wait. */
  readonly work: readonly [number, number];
  readonly wait: readonly [number, number];
  readonly failShare?: number;
}

interface Actors {
  readonly name: string;
  readonly live: number;
  readonly wave: number;
  readonly errorType?: string;
  readonly messages: readonly Messages[];
}

const ACTORS: readonly Actors[] = [
  {
    name: "shop.cart.ShoppingCart",
    live: 1840,
    wave: 0.25,
    messages: [
      { name: "shop.cart.ShoppingCart$AddItem", perSecond: 610, work: [42e-6, 0.7], wait: [9e-6, 1] },
      { name: "shop.cart.ShoppingCart$RemoveItem", perSecond: 88, work: [31e-6, 0.6], wait: [9e-6, 1] },
      { name: "shop.cart.ShoppingCart$Get", perSecond: 340, work: [12e-6, 0.5], wait: [8e-6, 0.9] },
      { name: "shop.cart.ShoppingCart$Checkout", perSecond: 41, work: [160e-6, 0.8], wait: [11e-6, 1.1] },
      { name: "shop.payment.PaymentGateway$Charged", perSecond: 39, work: [70e-6, 0.5], wait: [10e-6, 1] },
    ],
  },
  {
    name: "shop.inventory.Inventory",
    live: 24,
    wave: 0.2,
    messages: [
      { name: "shop.inventory.Inventory$Reserve", perSecond: 420, work: [95e-6, 0.9], wait: [55e-6, 1.3] },
      { name: "shop.inventory.Inventory$Release", perSecond: 61, work: [60e-6, 0.7], wait: [48e-6, 1.3] },
      { name: "shop.inventory.Inventory$Tick", perSecond: 24, work: [8e-6, 0.4], wait: [5e-6, 0.7] },
    ],
  },
  {
    name: "shop.payment.PaymentGateway",
    live: 8,
    wave: 0.35,
    errorType: "shop.payment.CardDeclinedException",
    messages: [
      {
        name: "shop.payment.PaymentGateway$Charge",
        perSecond: 41,
        work: [38e-3, 0.7],
        wait: [21e-3, 1.4],
        failShare: 0.021,
      },
      {
        name: "shop.payment.PaymentGateway$Refund",
        perSecond: 2.2,
        work: [29e-3, 0.6],
        wait: [17e-3, 1.3],
        failShare: 0.004,
      },
    ],
  },
  {
    name: "shop.order.OrderBook",
    live: 1,
    wave: 0.3,
    errorType: "java.util.concurrent.TimeoutException",
    messages: [
      { name: "shop.order.OrderBook$Place", perSecond: 38, work: [410e-6, 0.8], wait: [30e-6, 1.2], failShare: 0.0008 },
      { name: "shop.order.OrderBook$Status", perSecond: 130, work: [18e-6, 0.5], wait: [28e-6, 1.2] },
    ],
  },
  {
    name: "shop.web.SessionRegistry",
    live: 1,
    wave: 0.15,
    messages: [
      { name: "shop.web.SessionRegistry$Touch", perSecond: 760, work: [2.6e-6, 0.5], wait: [15e-6, 1.1] },
      { name: "shop.web.SessionRegistry$Expire$", perSecond: 3, work: [220e-6, 0.6], wait: [12e-6, 1] },
    ],
  },
  {
    name: "shop.notify.Mailer",
    live: 4,
    wave: 0.4,
    errorType: "java.net.SocketTimeoutException",
    messages: [
      { name: "shop.order.OrderPlaced", perSecond: 38, work: [5.2e-3, 1], wait: [3.1e-3, 1.6], failShare: 0.006 },
    ],
  },
  {
    name: "shop.pricing.PriceCalculator",
    live: 6,
    wave: 0.2,
    messages: [{ name: "shop.pricing.PriceCalculator$Quote", perSecond: 290, work: [78e-6, 0.6], wait: [14e-6, 1] }],
  },
  {
    name: "shop.audit.AuditTrail",
    live: 1,
    wave: 0.1,
    messages: [
      { name: "shop.audit.Entry", perSecond: 125, work: [21e-6, 0.7], wait: [19e-6, 1] },
      { name: "shop.audit.Flush$", perSecond: 1, work: [2.4e-3, 0.5], wait: [11e-6, 0.8] },
    ],
  },
  {
    name: "shop.report.NightlyReport",
    live: 1,
    wave: 0,
    messages: [{ name: "shop.report.Run$", perSecond: 0, work: [1, 1], wait: [1, 1] }],
  },
];

interface Bins {
  count: number;
  sumNanos: number;
  readonly buckets: number[];
}

class Cell {
  processed = 0;
  failed = 0;
  readonly processing: Bins = newBins();
  readonly wait: Bins = newBins();
  private readonly workShares: readonly number[];
  private readonly waitShares: readonly number[];

  constructor(readonly messages: Messages) {
    this.workShares = shares(messages.work);
    this.waitShares = shares(messages.wait);
  }

  add(expected: number, random: Random): void {
    const n = rounded(expected, random);
    this.processed += n;
    const failed = rounded(n * (this.messages.failShare ?? 0), random);
    this.failed += failed;
    spread(this.processing, n, this.workShares, random);
    spread(this.wait, n, this.waitShares, random);
  }
}

/** The knobs with which a test or a developer sees the page in another light. */
export interface Knobs {
  spansDropped: number;
  missingHooks: string[];
  stuckNow: number;
  hooksPending: boolean;
  problems: string[];
  /** Added to the time the JVM was started: another value is another JVM. */
  restarts: number;
  /** Classes beside the shop's own. */
  extraClasses: number;
  /** Classes beyond those with a row. */
  classesLeftOut: number;
  folded: { actorClasses: number; messagePairs: number };
  service: string;
  export: string;
  profiling: boolean;
}

export class Fixture {
  readonly knobs: Knobs = {
    spansDropped: 0,
    missingHooks: [],
    stuckNow: 0,
    hooksPending: false,
    problems: [],
    restarts: 0,
    extraClasses: 0,
    classesLeftOut: 0,
    folded: { actorClasses: 0, messagePairs: 0 },
    service: "shop",
    export: "store",
    profiling: false,
  };
  private readonly random = new Random(9797);
  private readonly cells = ACTORS.map((actors) => actors.messages.map((m) => new Cell(m)));
  private readonly restarted = ACTORS.map(() => 0);
  private readonly askDuration = newBins();
  private readonly askShares = shares([46e-3, 0.9]);
  private asks = 0;
  private timeouts = 0;
  private deadLetters = 0;
  private unhandled = 0;
  private messages = 0;
  private elapsed = 0;

  constructor(private readonly bornMillis: number) {
    while (this.elapsed < PREHISTORY_SECONDS) {
      this.step(PREHISTORY_STEP_SECONDS);
    }
  }

  state(nowMillis: number): unknown {
    const until = PREHISTORY_SECONDS + (nowMillis - this.bornMillis) / 1000;
    while (this.elapsed + STEP_SECONDS <= until) {
      this.step(STEP_SECONDS);
    }
    const { knobs } = this;
    const actors = ACTORS.map((actors, i) => this.actor(actors, i));
    for (let i = 0; i < knobs.extraClasses; i++) {
      actors.push(this.extra(i));
    }
    const spans = Math.round(this.messages * 1.06);
    return {
      profiling: this.knobs.profiling,
      service: this.knobs.service,
      systems: ["shop"],
      version: "0.1.0",
      pekkoVersion: "1.7.0",
      jdk: "17.0.15",
      startedAtMillis: this.bornMillis - PREHISTORY_SECONDS * 1000 + knobs.restarts,
      nowMillis,
      recorder: {
        messages: this.messages,
        spansRecorded: spans,
        spansExported: spans - 180,
        spansDropped: knobs.spansDropped,
        tracesKept: 500,
        tracesCut: 3,
        folded: knobs.folded,
        export: this.knobs.export,
        store: {
          admittedShare: 0.25,
          spansKept: 4_000,
          spansNotKept: 1_234,
          errorsNotKept: 5,
          spansTruncated: 0,
          tracesLetGo: 310,
          spansLetGo: 930,
          tracesThinned: 2,
          troubleWholeNanos: 750_000_000_000,
          spansThinned: 40,
          tracesEvicted: 7,
          troubleEvicted: 1,
          tracesPerSecond: 50,
          roomForSpans: 20_000,
          spansEvicted: 89,
        },
        tail: {
          spansHeld: 0,
          spansKept: { failure: 21, share: 4 },
          spansLetGo: { normal: 2_345, full: 0 },
        },
      },
      hooks: {
        state: knobs.hooksPending ? "pending" : knobs.missingHooks.length > 0 ? "missing" : "ok",
        ok: 14 - knobs.missingHooks.length,
        total: 14,
        missing: knobs.missingHooks,
      },
      problems: knobs.problems,
      totals: {
        actorsLive: actors.reduce((n, actor) => n + actor.live, 0),
        deadLetters: this.deadLetters,
        unhandled: this.unhandled,
        dropped: 0,
        stuckNow: knobs.stuckNow,
        ...(knobs.classesLeftOut > 0 ? { classes: actors.length + knobs.classesLeftOut } : {}),
      },
      bounds: BOUNDS,
      actors,
      failures: ACTORS.flatMap((actors, i) =>
        actors.errorType === undefined
          ? []
          : [
              {
                actorClass: actors.name,
                errorType: actors.errorType,
                count: (this.cells[i] ?? []).reduce((n, cell) => n + cell.failed, 0),
              },
            ],
      ).filter((failure) => failure.count > 0),
      asks: [
        {
          class: "shop.cart.ShoppingCart$Checkout",
          count: this.asks,
          timeouts: this.timeouts,
          duration: copy(this.askDuration),
        },
      ],
      remote: ["out", "in"].map((direction) => ({
        system: "shop",
        peer: "pekko://shop@10.0.0.7:25520",
        direction,
        stream: "ordinary",
        connected: true,
        messages: 180 * this.asks,
        bytes: 14_000 * this.asks,
        flushes: 12 * this.asks,
        flushNanos: direction === "out" ? 400_000 * this.asks : 0,
        codecNanos: 90_000 * this.asks,
        queued: 0,
        dropped: 0,
        reconnects: 1,
      })),
    };
  }

  private actor(actors: Actors, i: number) {
    const cells = this.cells[i] ?? [];
    const failed = cells.reduce((n, cell) => n + cell.failed, 0);
    const breath = actors.live < 100 ? 0 : Math.round(60 * Math.sin(this.elapsed / 23));
    return {
      class: actors.name,
      system: "shop",
      live: actors.live + breath,
      started: actors.live * 4,
      stopped: actors.live * 3 - breath,
      restarted: this.restarted[i] ?? 0,
      failed,
      messages: cells.map((cell) => ({
        class: cell.messages.name,
        processed: cell.processed,
        failed: cell.failed,
        processing: copy(cell.processing),
        wait: copy(cell.wait),
      })),
    };
  }

  private extra(i: number) {
    const processed = Math.floor(this.elapsed * (1 + (i % 97) / 10));
    const at = 3 + (i % 9);
    const buckets = BOUNDS.concat(0).map((_, b) => (b === at ? processed : 0));
    const bins = { count: processed, sumNanos: processed * 1e5, buckets };
    return {
      class: `shop.generated.package${i % 40}.Worker${i}`,
      system: "shop",
      live: 1 + (i % 7),
      started: 7,
      stopped: 0,
      restarted: 0,
      failed: 0,
      messages: [{ class: `shop.generated.Job${i}`, processed, failed: 0, processing: bins, wait: bins }],
    };
  }

  private step(seconds: number): void {
    this.elapsed += seconds;
    const t = this.elapsed;
    // A busy spell now and then, so that the charts have something to tell.
    const spell = Math.sin(t / 37) > 0.93 ? 1.55 : 1;
    ACTORS.forEach((actors, i) => {
      const cells = this.cells[i] ?? [];
      const wave = 1 + actors.wave * Math.sin(t / (11 + 3 * i) + i) + 0.06 * (this.random.next() - 0.5);
      for (const cell of cells) {
        const before = cell.failed;
        cell.add(cell.messages.perSecond * seconds * wave * spell, this.random);
        this.restarted[i] = (this.restarted[i] ?? 0) + (cell.failed - before);
      }
    });
    this.messages = this.cells.flat().reduce((n, cell) => n + cell.processed, 0);
    const asked = rounded(41 * seconds * spell, this.random);
    this.asks += asked;
    const late = rounded(asked * 0.004, this.random);
    this.timeouts += late;
    spread(this.askDuration, asked, this.askShares, this.random);
    this.deadLetters += rounded(0.05 * seconds, this.random);
    this.unhandled += rounded(0.004 * seconds, this.random);
  }
}

function newBins(): Bins {
  return { count: 0, sumNanos: 0, buckets: new Array<number>(BOUNDS.length + 1).fill(0) };
}

function copy(bins: Bins): Bins {
  return { count: bins.count, sumNanos: Math.round(bins.sumNanos), buckets: [...bins.buckets] };
}

function rounded(expected: number, random: Random): number {
  return Math.floor(expected + random.next());
}

/** How a log-normal's mass lies over the buckets. */
function shares([median, sigma]: readonly [number, number]): readonly number[] {
  const cumulative = BOUNDS.map((bound) => normal(Math.log(bound / median) / sigma));
  return [...cumulative, 1].map((value, i) => value - (cumulative[i - 1] ?? 0));
}

function spread(bins: Bins, n: number, of: readonly number[], random: Random): void {
  let left = n;
  let mass = 1;
  of.forEach((share, i) => {
    const here = mass <= 0 ? left : Math.min(left, rounded((left * share) / mass, random));
    bins.buckets[i] = (bins.buckets[i] ?? 0) + here;
    bins.sumNanos += here * (BOUNDS[i] ?? 10) * 0.7e9;
    left -= here;
    mass -= share;
  });
  bins.count += n;
}

/** The standard normal distribution, near enough (Abramowitz and Stegun 7.1.26). */
function normal(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const half = (1 - poly * Math.exp(-z * z)) / 2;
  return x >= 0 ? 0.5 + half : 0.5 - half;
}
