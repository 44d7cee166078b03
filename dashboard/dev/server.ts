// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Serves the built page and the fixture as the agent does: same paths, same shapes, on 127.0.0.1 only. */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { FixtureActors } from "./actors";
import { FixtureCheck } from "./check";
import { clusterOf } from "./cluster";
import { Fixture } from "./fixture";
import { FixtureMap } from "./map";
import { FixtureProfile } from "./profile";
import { FixtureSettings } from "./settings";
import { systemOf } from "./system";
import { FixtureThreads } from "./threads";
import { FixtureTraces } from "./traces";
import { FixtureTrouble } from "./trouble";
import { FixtureWhere } from "./where";

export class FixtureServer {
  readonly fixture: Fixture;
  readonly traces: FixtureTraces;
  readonly settings = new FixtureSettings();
  readonly actors = new FixtureActors();
  readonly trouble = new FixtureTrouble();
  readonly check = new FixtureCheck();
  readonly where = new FixtureWhere();
  readonly map = new FixtureMap();
  readonly threads = new FixtureThreads();
  readonly profile = new FixtureProfile();
  /** In place of the made-up one. */
  cluster: unknown = null;
  /** How often the page has asked for the figures. */
  statesAsked = 0;
  /** How often the page has asked for the map. */
  mapsAsked = 0;
  /** How many streams of changes it has opened. */
  streams = 0;
  /** Whether there is one to be had. */
  hasStream = true;
  /** How many times as fast as a clock its time goes from now on. */
  set speed(speed: number) {
    this.clock = { from: Date.now(), at: this.now(), speed };
  }
  private clock = { from: 0, at: 0, speed: 1 };
  private server: Server | null = null;

  constructor(
    private readonly pagePath: string,
    bornMillis = Date.now(),
  ) {
    this.fixture = new Fixture(bornMillis);
    this.traces = new FixtureTraces(bornMillis);
  }

  /** Listens, on a free port when 0 is asked for, and gives the port. */
  async start(port: number): Promise<number> {
    const server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server !== null) {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    }
  }

  private now(): number {
    const { from, at, speed } = this.clock;
    return at + (Date.now() - from) * speed;
  }

  private presets(now: number): unknown[] {
    return this.settings.running(now).filter((change) => (change as { preset: string | null }).preset !== null);
  }

  /** All that it tells at one time, as the agent does. */
  private dump(now: number): unknown {
    const all = new URLSearchParams({ limit: "500" });
    const trouble = this.trouble.list(all, now) as { groups: { id: string }[] };
    const traces = this.traces.list(now, "", false, 500) as { traces: { traceId: string }[] };
    return {
      deimosDump: 1,
      madeAtMillis: now,
      answers: {
        "/api/state": this.fixture.state(now),
        "/api/history": past(now),
        "/api/settings": this.settings.all(undefined),
        "/api/v1/actors": this.actors.list(all, now).body,
        "/api/v1/system": systemOf(now),
        "/api/v1/cluster": clusterOf(now),
        "/api/v1/threads": this.threads.table(all),
        "/api/v1/threads/41": this.threads.stack("41").body,
        "/api/v1/trouble": trouble,
        "/api/traces": traces,
        "/api/v1/traces/groups": this.traces.groups(now, "", false),
        ...Object.fromEntries(
          trouble.groups.map(({ id }) => [`/api/v1/trouble/${id}`, this.trouble.one(id, now).body]),
        ),
        ...Object.fromEntries(
          traces.traces.map(({ traceId }) => [`/api/traces/${traceId}`, this.traces.find(traceId, now)]),
        ),
      },
    };
  }

  /** Asks itself, as often as it is to in its own time, and sends what comes. */
  private async updates(asked: readonly string[], request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    this.streams++;
    let open = true;
    const timers: NodeJS.Timeout[] = [];
    asked.forEach((wanted, ask) => {
      const comma = wanted.indexOf(",");
      const tell = async () => {
        const answer = await fetch(`http://${request.headers.host ?? ""}${wanted.slice(comma + 1)}`, {
          headers: { "x-deimos-token": tokenOf(request) ?? "" },
        });
        const value: unknown = await answer.json();
        if (open) {
          response.write(`event: value\ndata: ${JSON.stringify({ ask, status: answer.status, value })}\n\n`);
        }
      };
      const next = async () => {
        await tell();
        if (open) {
          timers[ask] = setTimeout(run, Number(wanted.slice(0, comma)) / this.clock.speed);
        }
      };
      const run = () => void next().catch(() => response.destroy());
      run();
    });
    await new Promise<void>((closed) => response.once("close", closed));
    open = false;
    timers.forEach((timer) => clearTimeout(timer));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const now = this.now();
    const trace = /^\/api\/traces\/([^/]+)$/.exec(url.pathname);
    if (url.pathname === "/") {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(await readFile(this.pagePath));
    } else if (url.pathname === "/api/v1/updates" && !this.hasStream) {
      json(response, 503, { error: "16 streams are open" });
    } else if (url.pathname === "/api/v1/updates") {
      await this.updates(url.searchParams.getAll("ask"), request, response);
    } else if (url.pathname === "/api/state") {
      this.statesAsked++;
      json(response, 200, { ...(this.fixture.state(now) as object), presets: this.presets(now) });
    } else if (url.pathname === "/api/settings" && request.method === "POST") {
      const { searchParams } = url;
      const refused = this.settings.request(tokenOf(request), searchParams);
      json(
        response,
        refused?.status ?? 200,
        refused === null ? this.settings.all(tokenOf(request)) : { error: refused.error },
      );
    } else if (url.pathname === "/api/settings") {
      json(response, 200, this.settings.all(tokenOf(request)));
    } else if (url.pathname === "/api/traces") {
      const query = url.searchParams.get("q") ?? "";
      const errors = url.searchParams.get("errors") === "true";
      json(response, 200, this.traces.list(now, query, errors, Number(url.searchParams.get("limit") ?? 100)));
    } else if (url.pathname === "/api/v1/traces/compare") {
      const query = url.searchParams.get("q") ?? "";
      json(response, 200, this.traces.compare(now, query, url.searchParams.get("errors") === "true"));
    } else if (url.pathname === "/api/v1/traces/groups") {
      const query = url.searchParams.get("q") ?? "";
      json(response, 200, this.traces.groups(now, query, url.searchParams.get("errors") === "true"));
    } else if (url.pathname === "/api/v1/actors") {
      const { status, body } = this.actors.list(url.searchParams, now);
      json(response, status, body);
    } else if (url.pathname.startsWith("/api/v1/actors/")) {
      const { status, body } = this.actors.one(decodeURIComponent(url.pathname.slice("/api/v1/actors/".length)), now);
      json(response, status, body);
    } else if (url.pathname === "/api/v1/map") {
      this.mapsAsked++;
      json(response, 200, this.map.read(url.searchParams));
    } else if (url.pathname === "/api/v1/check") {
      const { status, body } = this.check.read(now);
      json(response, status, body);
    } else if (url.pathname === "/api/v1/trouble") {
      json(response, 200, this.trouble.list(url.searchParams, now));
    } else if (url.pathname.startsWith("/api/v1/trouble/")) {
      const { status, body } = this.trouble.one(url.pathname.slice("/api/v1/trouble/".length), now);
      json(response, status, body);
    } else if (url.pathname === "/api/v1/where") {
      const { status, body } = this.where.find(url.searchParams.get("q") ?? "", now);
      json(response, status, body);
    } else if (url.pathname === "/api/v1/tap" || url.pathname.startsWith("/api/v1/tap/")) {
      const { status, body } = this.where.tap(url.pathname, url.searchParams, now);
      json(response, status, body);
    } else if (url.pathname === "/api/v1/system") {
      json(response, 200, systemOf(now));
    } else if (url.pathname === "/api/v1/cluster") {
      json(response, 200, this.cluster ?? clusterOf(now));
    } else if (url.pathname === "/api/v1/dump") {
      response.writeHead(200, { "content-type": "application/gzip" });
      response.end(gzipSync(JSON.stringify(this.dump(now))));
    } else if (url.pathname === "/api/v1/profile") {
      const { status, body } = this.profile.answer(url.searchParams);
      if (typeof body === "string") {
        response.writeHead(status, { "content-type": "text/plain" }).end(body);
      } else {
        json(response, status, body);
      }
    } else if (url.pathname === "/api/v1/threads") {
      json(response, 200, this.threads.table(url.searchParams));
    } else if (url.pathname.startsWith("/api/v1/threads/")) {
      const { status, body } = this.threads.stack(url.pathname.slice("/api/v1/threads/".length));
      json(response, status, body);
    } else if (url.pathname === "/api/history") {
      json(response, 200, past(now));
    } else if (trace !== null) {
      const found = this.traces.find(trace[1] ?? "", now);
      json(
        response,
        found === null ? 404 : 200,
        found ?? { error: "This trace was never taken.", reason: "not_taken" },
      );
    } else {
      json(response, 404, { error: `nothing at ${url.pathname}` });
    }
  }
}

/** The last ten minutes, as an agent has kept them. */
function past(now: number) {
  const seconds = Array.from({ length: 300 }, (_, i) => now / 1000 - 600 + 2 * i);
  const wave = (low: number, high: number) => seconds.map((s) => low + ((high - low) * (1 + Math.sin(s / 40))) / 2);
  return {
    everyMillis: 2000,
    seconds,
    rate: wave(2400, 2900),
    processingP50: wave(40e3, 60e3),
    processingP99: wave(20e6, 60e6),
    waitP50: wave(10e3, 20e3),
    waitP99: wave(1e6, 30e6),
  };
}

function tokenOf(request: IncomingMessage): string | undefined {
  const token = request.headers["x-deimos-token"];
  return typeof token === "string" ? token : undefined;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
