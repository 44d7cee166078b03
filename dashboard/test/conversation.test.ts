// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Span } from "../src/lib/contract";
import { type Conversation, conversation, type Message } from "../src/lib/conversation";
import { mermaid, said, times } from "../src/lib/mermaid";
import { parseHash, traceHash } from "../src/lib/route";
import { buildTree, readTrace } from "../src/lib/tree";
import { span, trace } from "./states";

/** A trace of the sample, see scripts/traces.mjs. */
function sample(name: string): Conversation {
  return conversation(buildTree(readTrace(JSON.parse(readFileSync(`test/traces/${name}.json`, "utf8")))));
}

function told(spanId: string, parent: string | null, actor: string, message: string, more: Partial<Span> = {}): Span {
  const { attributes = {}, ...rest } = more;
  return span(spanId, parent, {
    name: `process ${message}`,
    kind: "CONSUMER",
    waitNanos: 1000,
    durationNanos: 3000,
    attributes: {
      "messaging.system": "pekko",
      "messaging.operation.type": "process",
      "pekko.actor.path": `pekko://shop/user/${actor}`,
      "pekko.actor.class": `shop.${actor.replace(/\W?\d*$/, "")}`,
      "pekko.message.class": `shop.${message}`,
      ...attributes,
    },
    ...rest,
  });
}

function messages({ steps }: Conversation): readonly Message[] {
  return steps.flatMap((step) => (step.kind === "gap" || step.kind === "more" ? [] : [step]));
}

/** `Cart ask Payment: Charge`, with what is special. */
function lines(of: Conversation): readonly string[] {
  const label = (lane: number) => of.lanes[lane]?.label ?? "?";
  return of.steps.map((step) =>
    step.kind === "gap" || step.kind === "more"
      ? step.kind
      : `${label(step.from)} ${step.kind} ${label(step.to)}: ${step.label}${step.failed === null ? "" : " !"}${step.times > 1 ? ` × ${step.times}` : ""}`,
  );
}

test("conversation_timerOfTheSample_isTwoMessagesWithAGapBetween", () => {
  assert.deepEqual(lines(sample("timer")), [
    "outside tell WarehouseFeed: Tick",
    "gap",
    "WarehouseFeed tell Inventory: StockMoved",
  ]);
});

test("conversation_checkoutOverTwoNodes_hasRequestsAsksAndTheirAnswers", () => {
  const checkout = sample("checkout");
  const all = lines(checkout);
  for (const line of [
    "Shopper ask HTTP: POST /carts/*/checkout",
    "HTTP ask ShoppingCart: Checkout",
    "ShoppingCart ask PaymentGateway: Charge",
    "PaymentGateway tell PaymentActor: Charge",
    // The gateway forwards: who was at work when the answer came has given it.
    "PaymentActor answer ShoppingCart: Charge",
    "ShoppingCart tell ShoppingCart: PaymentAnswered",
    "ShoppingCart tell Statistics: Announced",
    "ShoppingCart answer HTTP: Checkout",
    "HTTP answer Shopper: POST /carts/*/checkout",
  ]) {
    assert.ok(all.includes(line), `${line} in\n${all.join("\n")}`);
  }
  assert.equal(new Set(checkout.lanes.filter(({ kind }) => kind === "actor").map(({ node }) => node)).size, 2);
  const starts = messages(checkout).map(({ atNanos }) => atNanos);
  assert.deepEqual(
    starts,
    [...starts].sort((a, b) => a - b),
    "from top to bottom in the order of time",
  );
  assert.ok(!checkout.isFolded);
});

test("conversation_askWithoutAnswer_failsAndItsLateAnswerIsADeadLetter", () => {
  const timeout = sample("timeout");
  const all = lines(timeout);
  assert.ok(all.includes("PaymentGateway answer ShoppingCart: Charge !"));
  assert.equal(all.at(-1), "PaymentActor dead dead letters: Approved !");
  const answer = messages(timeout).find((step) => step.kind === "answer" && step.failed?.startsWith("Ask timed out"));
  assert.ok((answer?.workNanos ?? 0) > 1e9);
});

test("conversation_actorThatThrows_isMarkedWhereItFailed", () => {
  const all = lines(sample("failure"));
  assert.ok(all.includes("PaymentGateway tell PaymentActor: Charge !"));
  assert.ok(all.includes("HTTP answer Shopper: POST /carts/*/checkout !"));
});

test("conversation_eachSpan_isInOneStep", () => {
  for (const name of ["timer", "checkout", "timeout", "failure"]) {
    const spans = JSON.parse(readFileSync(`test/traces/${name}.json`, "utf8")).spans as Span[];
    const asked = spans.filter(
      (one) =>
        one.kind === "SERVER" || spans.some((up) => up.spanId === one.parentSpanId && up.name.startsWith("ask ")),
    );
    const drawn = messages(sample(name)).filter(({ kind }) => kind !== "answer" && kind !== "dead");
    assert.equal(drawn.length, spans.length - asked.length, `${name}: an ask and its request are one step`);
  }
});

/** One actor asks 12 pieces of four workers each, again and again: 300 spans. */
function scatter(): readonly Span[] {
  const spans = [told("root", null, "Planner", "Plan", { offsetNanos: 0 })];
  for (let i = 0; i < 149; i++) {
    const at = 10_000 * (i + 1);
    const worker = `Worker-${i % 40}`;
    spans.push(
      span(`ask${i}`, "root", {
        name: "ask Piece",
        kind: "CLIENT",
        offsetNanos: at,
        durationNanos: 8000,
        attributes: {
          "messaging.system": "pekko",
          "messaging.operation.type": "send",
          "pekko.actor.path": `pekko://shop/user/${worker}`,
          "pekko.message.class": "shop.Piece",
        },
        ...(i === 77 ? { status: "ERROR", statusMessage: "no answer" } : {}),
      }),
      told(`work${i}`, `ask${i}`, worker, "Piece", { offsetNanos: at, durationNanos: 3000 + i }),
    );
  }
  return [...spans, told("done", "root", "Planner", "Done", { offsetNanos: 2_000_000 })];
}

test("conversation_300Spans_areOneStepForMessagesThatAreAlike", () => {
  const tree = buildTree(trace(...scatter()));
  const talk = conversation(tree);
  assert.ok(talk.isFolded);
  assert.deepEqual(
    talk.lanes.map(({ label, detail }) => `${label} ${detail}`),
    ["outside ", "Planner Planner", "Worker 40 actors"],
  );
  const all = lines(talk);
  assert.ok(all.includes("Planner ask Worker: Piece × 148"), all.join("\n"));
  assert.ok(all.includes("Worker answer Planner: Piece × 148"));
  assert.ok(all.includes("Planner ask Worker: Piece"), "the one that failed stands for itself");
  assert.ok(all.includes("Worker answer Planner: Piece !"));
  assert.ok(talk.steps.length < 10);
  const many = messages(talk).find((step) => step.times === 148);
  assert.equal(many?.spanId, "ask148", "of several the one that took longest");
  assert.match(times(many as Message), /^× 148, waits ≤ 1\.00 µs, takes ≤ 2\.15 µs$/);
});

test("conversation_oneByOne_countsThoseBeyondItsBound", () => {
  const talk = conversation(buildTree(trace(...scatter(), ...scatter().map(again))), false);
  const drawn = messages(talk).filter(({ kind }) => kind !== "answer").length;
  const more = talk.steps.at(-1);
  assert.ok(more?.kind === "more");
  assert.equal(drawn + more.messages, 2 * 151, "each message is drawn or counted");
  assert.ok(more.failed >= 1);
});

function again(one: Span): Span {
  return { ...one, spanId: `${one.spanId}+`, parentSpanId: one.parentSpanId === null ? null : `${one.parentSpanId}+` };
}

test("conversation_pingPong_isItsRunWithItsNumber", () => {
  const spans: Span[] = [];
  for (let i = 0; i < 200; i++) {
    const parent = i === 0 ? null : `s${i - 1}`;
    spans.push(
      told(`s${i}`, parent, i % 2 === 0 ? "Ping" : "Pong", i % 2 === 0 ? "Ball" : "Back", { offsetNanos: i * 5000 }),
    );
  }
  const all = lines(conversation(buildTree(trace(...spans))));
  const runs = ["Ping tell Pong: Back × 99", "Pong tell Ping: Ball × 99"];
  assert.deepEqual(all, ["outside tell Ping: Ball", ...runs, "Ping tell Pong: Back"]);
});

test("conversation_moreActorsThanLanes_putsTheRestInOne", () => {
  const spans = [told("root", null, "Hub", "Go")];
  for (let i = 0; i < 40; i++) {
    const name = `Spoke${String.fromCharCode(65 + (i % 26))}${i < 26 ? "" : "x"}`;
    spans.push(told(`s${i}`, "root", name, `Say${i}`, { offsetNanos: 1000 + i }));
  }
  const { lanes } = conversation(buildTree(trace(...spans)));
  assert.equal(lanes.length, 16);
  assert.ok(lanes.some(({ kind, label }) => kind === "others" && label === "27 others"));
});

test("conversation_databaseQueueAndJournal_areLanesOfTheirOwn", () => {
  const talk = conversation(
    buildTree(
      trace(
        told("root", null, "Cart", "Buy"),
        span("db", "root", {
          kind: "CLIENT",
          name: "INSERT orders",
          offsetNanos: 1,
          attributes: {
            "db.system.name": "postgresql",
            "db.query.text": "INSERT\n INTO orders",
            "db.namespace": "shop",
          },
        }),
        span("out", "root", {
          kind: "CLIENT",
          name: "GET",
          offsetNanos: 2,
          attributes: { "http.request.method": "GET", "server.address": "bank.example", "url.path": "/pay" },
        }),
        span("sent", "root", {
          kind: "PRODUCER",
          name: "orders publish",
          offsetNanos: 3,
          attributes: { "messaging.system": "kafka", "messaging.destination.name": "orders" },
        }),
        span("read", "sent", {
          kind: "CONSUMER",
          name: "orders process",
          scope: "io.opentelemetry.kafka",
          offsetNanos: 4,
          attributes: { "messaging.system": "kafka", "messaging.destination.name": "orders" },
        }),
        span("kept", "root", {
          kind: "INTERNAL",
          name: "persist Cart",
          offsetNanos: 5,
          attributes: { "pekko.actor.path": "pekko://shop/user/Cart", "pekko.actor.class": "shop.Cart" },
        }),
        span("own", "root", { kind: "INTERNAL", name: "compute", offsetNanos: 6 }),
      ),
    ),
  );
  assert.deepEqual(lines(talk), [
    "outside tell Cart: Buy",
    "Cart call PostgreSQL: INSERT INTO orders",
    "Cart call bank.example: GET bank.example/pay",
    "Cart call orders: orders publish",
    "orders call kafka: orders process",
    "Cart call journal: persist Cart",
    "Cart work Cart: compute",
  ]);
});

test("conversation_ringAndMissingParents_areDrawnAllTheSame", () => {
  const talk = conversation(
    buildTree(trace(told("a", "b", "Cart", "One"), told("b", "a", "Cart", "Two"), told("c", "gone", "Cart", "Three"))),
  );
  assert.equal(messages(talk).length, 3);
  assert.deepEqual(conversation(buildTree(trace())), { lanes: [], steps: [], isFolded: false });
});

test("said_step_hasWhoWhomWhatAndHowLong", () => {
  const { steps, lanes } = sample("timeout");
  const node = () => "shop 1";
  const failed = steps.find((step) => step.kind === "answer");
  assert.match(
    said(failed as Message, lanes, node),
    /^1\.02 s: PaymentGateway payments shop 1 answers ShoppingCart cart-\S+ shop 1: Charge, after 1\.02 s, failed: Ask timed out/,
  );
  assert.equal(said({ kind: "gap", nanos: 5e6 }, lanes, node), "5.00 ms without a message");
  assert.equal(said({ kind: "more", messages: 7, failed: 2 }, lanes, node), "7 more messages, 2 of them failed");
});

/** Whatever an actor or a class is called, none of it is read as a part of the diagram. */
test("mermaid_anyName_isEscaped", () => {
  const evil = 'a#b;c%%d{e}"f<g>&h\n$$i`:wrap: end';
  const text = mermaid(
    conversation(buildTree(trace(told("root", null, "Cart", evil, { status: "ERROR", statusMessage: evil })))),
    () => evil,
  );
  const [first, ...rest] = text.trimEnd().split("\n");
  assert.equal(first, "sequenceDiagram");
  assert.equal(rest.length, 3);
  for (const line of rest) {
    const words = line.replace(/^ {2}(participant p\d+ as |p\d+(-->>|->>|--x|-x)p\d+: )/, "").replaceAll("<br/>", "");
    assert.match(words.replace(/#\d+;/g, ""), /^[\p{L}\p{N} _.,/()[\]'*@=?!+≤×…–-]+$/u, line);
  }
});

test("traceHash_asAConversation_isReadBack", () => {
  const id = "ab".repeat(16);
  const spanId = "cd".repeat(8);
  assert.deepEqual(parseHash(traceHash(id, spanId, true)), { view: "trace", traceId: id, spanId, talks: true });
  assert.deepEqual(parseHash(traceHash(id, null, true)), { view: "trace", traceId: id, spanId: null, talks: true });
  assert.deepEqual(parseHash(traceHash(id, spanId)), { view: "trace", traceId: id, spanId });
});
