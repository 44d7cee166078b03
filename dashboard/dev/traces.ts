// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Made-up traces: number `i` begins at a fixed time and is the same whenever it is asked for. */
import { Random } from "./random";

const MILLIS_BETWEEN = 640;
const KEPT = 500;
const MS = 1e6;

export interface FixtureSpan {
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: string;
  scope: string;
  offsetNanos: number;
  durationNanos: number;
  waitNanos: number | null;
  status: string;
  statusMessage: string;
  attributes: Record<string, unknown>;
  events: { name: string; offsetNanos: number; attributes: Record<string, unknown> }[];
  links: { traceId: string; spanId: string }[];
}

export interface FixtureTrace {
  traceId: string;
  startMillis: number;
  durationNanos: number;
  spans: FixtureSpan[];
}

export class FixtureTraces {
  private readonly made = new Map<number, FixtureTrace>();
  /** A trace of this many spans, always kept, when above zero. */
  largeSpans = 0;
  /** Real traces beside the made-up ones, by their ids. */
  readonly real = new Map<string, unknown>();

  constructor(private readonly bornMillis: number) {}

  list(nowMillis: number, query: string, errorsOnly: boolean, limit: number): unknown {
    return { traces: this.matching(nowMillis, query, errorsOnly).slice(0, limit) };
  }

  /** As the agent adds them up, with bins a little coarser. */
  groups(nowMillis: number, query: string, errorsOnly: boolean): unknown {
    const lines = this.matching(nowMillis, query, errorsOnly);
    const trouble = (some: readonly Line[]) => some.filter((line) => line.errors + line.timeouts > 0).length;
    const names = [...new Set(lines.map((line) => line.name))];
    const groups = names.map((name) => {
      const some = lines.filter((line) => line.name === name).sort((a, b) => a.durationNanos - b.durationNanos);
      const at = (share: number) => some[Math.ceil(share * some.length) - 1]?.durationNanos ?? 0;
      return {
        name,
        recorded: {
          traces: 40 * some.length,
          trouble: trouble(some),
          measured: 39 * some.length,
          p50Nanos: at(0.5) / 2,
          p99Nanos: at(0.99),
        },
        traces: some.length,
        trouble: trouble(some),
        p50Nanos: at(0.5),
        p99Nanos: at(0.99),
        maxNanos: at(1),
        slowest: some.at(-1)?.traceId ?? "",
        lastMillis: Math.max(...some.map(beganMillis)),
      };
    });
    const powers = lines.map((line) => Math.floor(Math.log10(line.durationNanos)));
    const first = Math.min(...powers);
    const durations =
      lines.length === 0
        ? []
        : range(first, Math.max(...powers)).map((power) => {
            const some = lines.filter((_, i) => powers[i] === power);
            return { fromNanos: 10 ** power, toNanos: 10 ** (power + 1), traces: some.length, trouble: trouble(some) };
          });
    const minutes = lines.map((line) => Math.floor(beganMillis(line) / 10_000));
    const times =
      lines.length === 0
        ? []
        : range(Math.min(...minutes), Math.max(...minutes)).map((at) => {
            const some = lines.filter((_, i) => minutes[i] === at);
            return {
              fromMillis: at * 10_000,
              toMillis: (at + 1) * 10_000,
              traces: some.length,
              trouble: trouble(some),
            };
          });
    groups.sort((a, b) => b.traces - a.traces);
    const recorded = {
      sinceMillis: nowMillis - 3_600_000,
      traces: 40 * lines.length,
      trouble: trouble(lines),
      others: 0,
      takenShare: 1,
    };
    return {
      nowMillis,
      recorded,
      traces: lines.length,
      trouble: trouble(lines),
      groupsLeftOut: 0,
      groups,
      durations,
      times,
    };
  }

  /** As the agent compares them, by actors' classes alone. */
  compare(nowMillis: number, query: string, errorsOnly: boolean): unknown {
    const matching = this.matching(nowMillis, query, errorsOnly);
    const count = (name: string) => matching.filter((line) => line.name === name).length;
    const name = [...new Set(matching.map((line) => line.name))].sort((a, b) => count(b) - count(a))[0] ?? "";
    const ids = new Set(matching.map((line) => line.traceId));
    const named = this.matching(nowMillis, "", false).filter((line) => line.name === name);
    const sides = [named.filter((line) => ids.has(line.traceId)), named.filter((line) => !ids.has(line.traceId))];
    const [selected = [], rest = []] = sides;
    const having = (some: readonly Line[], value: string) => some.filter((line) => line.actorClasses.includes(value));
    const differences = [...new Set(named.flatMap((line) => line.actorClasses))].flatMap((value) => {
      const [these, others] = [having(selected, value), having(rest, value)];
      const shares = [these.length / selected.length, others.length / rest.length] as const;
      const certain = 0.7 * (shares[0] - shares[1]);
      const example = (certain > 0 ? these : others)[0]?.traceId ?? "";
      return Math.abs(certain) < 0.05
        ? []
        : [
            {
              field: "pekko.actor.class",
              value,
              also: [{ field: "pekko.system", value: "shop" }],
              alsoLeftOut: 0,
              selected: these.length,
              selectedShare: shares[0],
              rest: others.length,
              restShare: shares[1],
              certain,
              example,
            },
          ];
    });
    return {
      name,
      selected: selected.length,
      rest: rest.length,
      otherNames: matching.length - selected.length,
      reduced: 0,
      fieldsCut: [],
      notLookedAt: [],
      differencesLeftOut: 0,
      differences: differences.sort((a, b) => Math.abs(b.certain) - Math.abs(a.certain)),
    };
  }

  private matching(nowMillis: number, query: string, errorsOnly: boolean): readonly Line[] {
    const tokens = query.match(/([a-z]+:)?"[^"]*"|\S+/gi) ?? [];
    const words = tokens
      .filter((token) => !/^(duration|began)[<>]|^root:/.test(token))
      .join(" ")
      .toLowerCase();
    return this.kept(nowMillis)
      .map((trace) => summary(trace, nowMillis))
      .filter((line) => !errorsOnly || line.errors > 0)
      .filter((line) => tokens.every((token) => holds(token, line)))
      .filter(
        (line) =>
          line.name.toLowerCase().includes(words) ||
          line.traceId.startsWith(words) ||
          line.actorClasses.some((name) => name.toLowerCase().includes(words)),
      );
  }

  find(traceId: string, nowMillis: number): unknown {
    const real = this.real.get(traceId);
    if (real !== undefined) {
      return real;
    }
    const trace = this.kept(nowMillis).find((candidate) => candidate.traceId === traceId);
    if (trace === undefined) {
      return null;
    }
    return {
      traceId,
      name: trace.spans[0]?.name ?? "",
      complete: ended(trace, nowMillis).length === trace.spans.length,
      reduced: false,
      running: ended(trace, nowMillis).length !== trace.spans.length,
      startEpochNanos: nanosText(trace.startMillis),
      durationNanos: trace.durationNanos,
      spans: ended(trace, nowMillis),
    };
  }

  private kept(nowMillis: number): readonly FixtureTrace[] {
    const newest = Math.floor((nowMillis - this.bornMillis) / MILLIS_BETWEEN) + KEPT;
    const traces: FixtureTrace[] = [];
    if (this.largeSpans > 0) {
      traces.push(this.get(-1));
    }
    for (let i = newest; i > newest - KEPT; i--) {
      const trace = this.get(i);
      if (ended(trace, nowMillis).length > 0) {
        traces.push(trace);
      }
    }
    this.made.delete(newest - KEPT - 10);
    return traces;
  }

  private get(i: number): FixtureTrace {
    let trace = this.made.get(i);
    if (trace === undefined) {
      const start = this.bornMillis + (i - KEPT) * MILLIS_BETWEEN;
      trace = i < 0 ? large(this.bornMillis - 60_000, this.largeSpans) : make(i, start);
      this.made.set(i, trace);
    }
    return trace;
  }
}

type Line = ReturnType<typeof summary>;

const UNITS: Readonly<Record<string, number>> = { us: 1e3, ms: 1e6, s: 1e9 };

/** Whether a term holds for a trace; words are looked at elsewhere. */
function holds(token: string, line: Line): boolean {
  const duration = /^duration([<>])([\d.]+)(us|ms|s)$/.exec(token);
  if (duration !== null) {
    const nanos = Number(duration[2]) * (UNITS[duration[3] ?? ""] ?? 1);
    return duration[1] === ">" ? line.durationNanos >= nanos : line.durationNanos <= nanos;
  }
  const began = /^began([<>])(.+)$/.exec(token);
  if (began !== null) {
    const millis = Date.parse(began[2] ?? "");
    return began[1] === ">" ? beganMillis(line) >= millis : beganMillis(line) < millis;
  }
  const root = /^root:"(.*)"$/.exec(token);
  return root === null || line.name === root[1];
}

function beganMillis(line: Line): number {
  return Number(BigInt(line.startEpochNanos) / 1_000_000n);
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function make(i: number, startMillis: number): FixtureTrace {
  const random = new Random(i * 7919 + 13);
  const writer = new Writer(random);
  const kind = random.next();
  if (i % 9 === 4) {
    writer.checkout(i % 2 === 0 ? "declined" : "timeout");
  } else if (i % 23 === 7) {
    writer.checkout("orphan");
  } else if (kind < 0.3) {
    writer.checkout("paid");
  } else if (kind < 0.62) {
    writer.addItem();
  } else if (kind < 0.85) {
    writer.getCart();
  } else {
    writer.tick();
  }
  const traceId = new Random(i + 424242).hex(32);
  return { traceId, startMillis, durationNanos: writer.endNanos(), spans: writer.spans };
}

function large(startMillis: number, spans: number): FixtureTrace {
  const random = new Random(5000);
  const writer = new Writer(random);
  const root = writer.actor(null, "shop.catalogue.Importer", "shop.catalogue.ImportAll", 0, 0.4 * MS, 900 * MS);
  let line = root;
  for (let i = 1; i < spans; i++) {
    const deep = i % 50 !== 0 && random.chance(0.55);
    const parent = deep ? line : root;
    const at =
      parent.offsetNanos + (parent.waitNanos ?? 0) + random.next() * 4 * MS + (deep ? 0 : (i / spans) * 880 * MS);
    const name = ["Row", "Price", "Image"][i % 3] ?? "Row";
    line = writer.actor(
      parent,
      `shop.catalogue.${name}Worker`,
      `shop.catalogue.${name}`,
      at,
      random.logNormal(0.3 * MS, 1),
      random.logNormal(0.8 * MS, 1),
    );
  }
  return { traceId: "5000".repeat(8), startMillis, durationNanos: writer.endNanos(), spans: writer.spans };
}

class Writer {
  readonly spans: FixtureSpan[] = [];

  constructor(private readonly random: Random) {}

  endNanos(): number {
    return this.spans.reduce((n, span) => Math.max(n, span.offsetNanos + span.durationNanos), 0);
  }

  checkout(way: "paid" | "declined" | "timeout" | "orphan"): void {
    const r = this.random;
    const http = this.http("POST", "/carts/:id/checkout", 0);
    const ask = this.ask(http, "shop.cart.ShoppingCart$Checkout", r.logNormal(0.35 * MS, 0.4));
    const cart = this.actor(
      ask,
      "shop.cart.ShoppingCart",
      "shop.cart.ShoppingCart$Checkout",
      ask.offsetNanos + 0.02 * MS,
      r.logNormal(0.08 * MS, 0.8),
      r.logNormal(0.4 * MS, 0.5),
    );
    this.actor(
      cart,
      "shop.pricing.PriceCalculator",
      "shop.pricing.PriceCalculator$Quote",
      end(cart) - 0.2 * MS,
      r.logNormal(0.05 * MS, 0.9),
      r.logNormal(0.9 * MS, 0.5),
    );
    for (let item = 0; item < 3; item++) {
      const reserve = this.actor(
        cart,
        "shop.inventory.Inventory",
        "shop.inventory.Inventory$Reserve",
        end(cart) - 0.1 * MS + item * 0.03 * MS,
        r.logNormal(0.3 * MS, 1),
        r.logNormal(1.4 * MS, 0.5),
      );
      this.jdbc(
        reserve,
        "UPDATE shop.stock",
        reserve.offsetNanos + (reserve.waitNanos ?? 0) + 0.1 * MS,
        reserve.durationNanos - (reserve.waitNanos ?? 0) - 0.2 * MS,
      );
    }
    const slow = way === "timeout" ? 3200 * MS : 0;
    const charge = this.actor(
      cart,
      "shop.payment.PaymentGateway",
      "shop.payment.PaymentGateway$Charge",
      end(cart),
      r.logNormal(18 * MS, 0.9) + slow,
      r.logNormal(36 * MS, 0.4),
    );
    const began = charge.offsetNanos + (charge.waitNanos ?? 0);
    const call = this.span(
      charge,
      "POST",
      "CLIENT",
      "io.opentelemetry.java-http-client",
      began + 0.6 * MS,
      (end(charge) - began) * 0.88,
    );
    call.attributes = {
      "http.request.method": "POST",
      "url.full": "https://cards.example/v1/charges",
      "http.response.status_code": way === "declined" ? 402 : 200,
      "server.address": "cards.example",
    };
    if (way === "declined") {
      fail(
        charge,
        "shop.payment.CardDeclinedException",
        "card ending in 4242 was declined: insufficient funds",
        end(charge) - 0.1 * MS,
      );
      call.status = "ERROR";
    }
    if (way === "orphan") {
      const lost = this.random.hex(16);
      const audit = this.actor(
        null,
        "shop.audit.AuditTrail",
        "shop.audit.Entry",
        end(cart) + 2 * MS,
        0.1 * MS,
        0.2 * MS,
      );
      audit.parentSpanId = lost;
    }
    let answered = end(charge);
    if (way === "paid" || way === "orphan") {
      const charged = this.actor(
        charge,
        "shop.cart.ShoppingCart",
        "shop.payment.PaymentGateway$Charged",
        end(charge) - 0.2 * MS,
        r.logNormal(0.1 * MS, 0.8),
        r.logNormal(0.5 * MS, 0.4),
      );
      const placed = this.actor(
        charged,
        "shop.order.OrderBook",
        "shop.order.OrderBook$Place",
        end(charged) - 0.2 * MS,
        r.logNormal(0.2 * MS, 1),
        r.logNormal(2.4 * MS, 0.5),
      );
      this.jdbc(
        placed,
        "INSERT shop.orders",
        placed.offsetNanos + (placed.waitNanos ?? 0) + 0.1 * MS,
        (placed.durationNanos - (placed.waitNanos ?? 0)) * 0.8,
      );
      this.actor(
        placed,
        "shop.notify.Mailer",
        "shop.order.OrderPlaced",
        end(placed) - 0.05 * MS,
        r.logNormal(2 * MS, 1.1),
        r.logNormal(6 * MS, 0.7),
      );
      this.actor(
        placed,
        "shop.audit.AuditTrail",
        "shop.audit.Entry",
        end(placed) - 0.04 * MS,
        r.logNormal(0.1 * MS, 1),
        r.logNormal(0.05 * MS, 0.5),
      );
      answered = end(placed);
    }
    if (way === "timeout") {
      answered = ask.offsetNanos + 3000 * MS;
      ask.status = "ERROR";
      ask.statusMessage = "no answer within 3000 ms";
      ask.attributes["error.type"] = "timeout";
      charge.links.push({ traceId: new Random(1).hex(32), spanId: new Random(2).hex(16) });
    }
    ask.durationNanos = answered - ask.offsetNanos + 0.05 * MS;
    http.durationNanos = end(ask) + 0.4 * MS;
    http.attributes["http.response.status_code"] = way === "timeout" ? 504 : way === "declined" ? 402 : 200;
    if (way === "timeout") {
      http.status = "ERROR";
    }
  }

  addItem(): void {
    const r = this.random;
    const http = this.http("POST", "/carts/:id/items", 0);
    const ask = this.ask(http, "shop.cart.ShoppingCart$AddItem", r.logNormal(0.3 * MS, 0.4));
    const cart = this.actor(
      ask,
      "shop.cart.ShoppingCart",
      "shop.cart.ShoppingCart$AddItem",
      ask.offsetNanos + 0.02 * MS,
      r.logNormal(0.06 * MS, 0.9),
      r.logNormal(0.3 * MS, 0.6),
    );
    this.actor(
      cart,
      "shop.inventory.Inventory",
      "shop.inventory.Inventory$Reserve",
      end(cart) - 0.1 * MS,
      r.logNormal(0.2 * MS, 1),
      r.logNormal(0.5 * MS, 0.6),
    );
    this.actor(
      http,
      "shop.web.SessionRegistry",
      "shop.web.SessionRegistry$Touch",
      0.1 * MS,
      r.logNormal(0.05 * MS, 1),
      r.logNormal(0.01 * MS, 0.5),
    );
    ask.durationNanos = end(cart) - ask.offsetNanos + 0.06 * MS;
    http.durationNanos = end(ask) + 0.25 * MS;
  }

  getCart(): void {
    const r = this.random;
    const http = this.http("GET", "/carts/:id", 0);
    const ask = this.ask(http, "shop.cart.ShoppingCart$Get", r.logNormal(0.2 * MS, 0.4));
    const cart = this.actor(
      ask,
      "shop.cart.ShoppingCart",
      "shop.cart.ShoppingCart$Get",
      ask.offsetNanos + 0.02 * MS,
      r.logNormal(0.05 * MS, 0.9),
      r.logNormal(0.05 * MS, 0.6),
    );
    ask.durationNanos = end(cart) - ask.offsetNanos + 0.05 * MS;
    http.durationNanos = end(ask) + 0.2 * MS;
  }

  tick(): void {
    const r = this.random;
    const tick = this.actor(
      null,
      "shop.inventory.Inventory",
      "shop.inventory.Inventory$Tick",
      0,
      r.logNormal(0.02 * MS, 0.8),
      r.logNormal(0.03 * MS, 0.6),
    );
    this.actor(
      tick,
      "shop.audit.AuditTrail",
      "shop.audit.Entry",
      end(tick) - 0.01 * MS,
      r.logNormal(0.05 * MS, 1),
      r.logNormal(0.03 * MS, 0.5),
    );
  }

  actor(
    parent: FixtureSpan | null,
    actorClass: string,
    message: string,
    at: number,
    wait: number,
    work: number,
  ): FixtureSpan {
    const simple = message.slice(Math.max(message.lastIndexOf("$"), message.lastIndexOf(".")) + 1);
    const span = this.span(parent, `process ${simple || "Message"}`, "CONSUMER", "io.deimos.pekko", at, wait + work);
    const short = actorClass.slice(actorClass.lastIndexOf(".") + 1);
    const path = `/user/${short.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()}`;
    span.waitNanos = Math.round(wait);
    span.attributes = {
      "messaging.system": "pekko",
      "messaging.operation.type": "process",
      "messaging.destination.template": path,
      "pekko.system": "shop",
      "pekko.actor.path": `pekko://shop${path}/${Math.floor(this.random.next() * 9000 + 1000)}`,
      "pekko.actor.class": actorClass,
      "pekko.message.class": message,
      "pekko.sender.path": "pekko://shop/temp/ask-$Kz",
      "pekko.mailbox.wait": Number((wait / 1e9).toFixed(9)),
    };
    span.events = [
      { name: "waiting", offsetNanos: span.offsetNanos, attributes: {} },
      { name: "message", offsetNanos: span.offsetNanos + span.waitNanos, attributes: {} },
    ];
    return span;
  }

  private http(method: string, route: string, at: number): FixtureSpan {
    const span = this.span(null, `${method} ${route}`, "SERVER", "io.opentelemetry.pekko-http-1.0", at, 0);
    const cart = Math.floor(this.random.next() * 9000 + 1000);
    span.attributes = {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": 200,
      "url.path": route.replace(":id", String(cart)),
      "server.port": 8080,
      "user_agent.original": "shop-load/1.0",
    };
    return span;
  }

  private ask(parent: FixtureSpan, message: string, at: number): FixtureSpan {
    const span = this.span(
      parent,
      `ask ${message.slice(message.lastIndexOf("$") + 1)}`,
      "CLIENT",
      "io.deimos.pekko",
      at,
      0,
    );
    span.attributes = { "messaging.system": "pekko", "pekko.message.class": message, "pekko.ask.timeout": 3 };
    return span;
  }

  private jdbc(parent: FixtureSpan, name: string, at: number, length: number): void {
    const span = this.span(parent, name, "CLIENT", "io.opentelemetry.jdbc", at, Math.max(length, 0.05 * MS));
    span.attributes = {
      "db.system.name": "postgresql",
      "db.query.text": "update stock set reserved = reserved + ? where sku = ? and available >= ?",
      "db.namespace": "shop",
    };
  }

  private span(
    parent: FixtureSpan | null,
    name: string,
    kind: string,
    scope: string,
    at: number,
    length: number,
  ): FixtureSpan {
    const span: FixtureSpan = {
      spanId: this.random.hex(16),
      parentSpanId: parent?.spanId ?? null,
      name,
      kind,
      scope,
      offsetNanos: Math.round(at),
      durationNanos: Math.round(length),
      waitNanos: null,
      status: "UNSET",
      statusMessage: "",
      attributes: {},
      events: [],
      links: [],
    };
    this.spans.push(span);
    return span;
  }
}

function fail(span: FixtureSpan, type: string, message: string, at: number): void {
  span.status = "ERROR";
  span.statusMessage = message;
  span.attributes["error.type"] = type;
  const frames = [
    "shop.payment.PaymentGateway.charge(PaymentGateway.java:88)",
    "shop.payment.PaymentGateway.lambda$createReceive$0(PaymentGateway.java:41)",
    "org.apache.pekko.japi.pf.UnitCaseStatement.apply(CaseStatements.scala:33)",
    "org.apache.pekko.actor.Actor.aroundReceive(Actor.scala:547)",
    "org.apache.pekko.actor.AbstractActor.aroundReceive(AbstractActor.scala:229)",
    "org.apache.pekko.actor.ActorCell.receiveMessage(ActorCell.scala:590)",
    "org.apache.pekko.actor.ActorCell.invoke(ActorCell.scala:557)",
    "org.apache.pekko.dispatch.Mailbox.processMailbox(Mailbox.scala:280)",
  ];
  span.events.push({
    name: "exception",
    offsetNanos: Math.round(at),
    attributes: {
      "exception.type": type,
      "exception.message": message,
      "exception.stacktrace": `${type}: ${message}\n${frames.map((frame) => `\tat ${frame}`).join("\n")}`,
    },
  });
}

function summary(trace: FixtureTrace, nowMillis: number) {
  const spans = ended(trace, nowMillis);
  const classes = new Set(
    spans.flatMap((span) => {
      const name = span.attributes["pekko.actor.class"];
      return typeof name === "string" ? [name] : [];
    }),
  );
  return {
    traceId: trace.traceId,
    name: trace.spans[0]?.name ?? "",
    startEpochNanos: nanosText(trace.startMillis),
    durationNanos: spans.reduce((n, span) => Math.max(n, end(span)), 0),
    spans: spans.length,
    errors: spans.filter((span) => span.status === "ERROR").length,
    timeouts: spans.filter((span) => span.statusMessage.startsWith("no answer")).length,
    incidents: 0,
    complete: spans.length === trace.spans.length,
    reduced: false,
    running: spans.length !== trace.spans.length,
    actorClasses: [...classes],
  };
}

/** A span is exported when it ends. */
function ended(trace: FixtureTrace, nowMillis: number): FixtureSpan[] {
  const passed = (nowMillis - trace.startMillis) * 1e6;
  return trace.spans.filter((span) => end(span) <= passed);
}

function end(span: FixtureSpan): number {
  return span.offsetNanos + span.durationNanos;
}

function nanosText(millis: number): string {
  return (BigInt(Math.round(millis)) * 1_000_000n).toString();
}
