// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** One actor: what it is, what it does now, its last messages, and whom it talks with. */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { fetchActor } from "../api";
import type { ActorSetting, Before, OneActor, Peer, Received } from "../lib/contract";
import { count, duration, innermost, NOTHING, plural, rate, timeOfDay, uptime } from "../lib/format";
import { actorHash, actorsHash, ancestors, traceHash } from "../lib/route";
import { tapOfActor } from "../lib/tap";
import { whereHash } from "../lib/where";
import { epochMillis } from "../lib/read";
import type { Store } from "../store";
import { InsideOf } from "./inside";
import { Logs } from "./logs";
import { ClassName, Empty, Panel, Swatch } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 2000;

export function ActorView({ store, path }: { store: Store; path: string }) {
  const { value, failure } = usePolled((signal) => fetchActor(path, signal), REFRESH_MILLIS, { subject: path });
  const absent = value !== null && "absent" in value ? value.absent : null;
  // One that has stopped is shown as it was.
  const known = useRef<OneActor | null>(null);
  if (value !== null && !("absent" in value)) {
    known.current = value;
  }
  const actor = known.current;

  return (
    <div class="actor-view">
      <div class="panel actor-head">
        <div class="trace-title">
          <a class="back" href={actorsHash()} aria-label="Back to the actors">
            ←
          </a>
          <h2>
            <Path path={path} />
          </h2>
        </div>
        {actor !== null && <Facts store={store} actor={actor} />}
      </div>
      {absent !== null && (
        <div class="panel">
          <Empty title={actor === null ? "This actor is not here" : "This actor has stopped"}>{absent}</Empty>
        </div>
      )}
      {actor === null && absent === null && (
        <div class="panel">
          <Empty title="Asking for the actor …">{failure ?? ""}</Empty>
        </div>
      )}
      {actor !== null && (
        <div class="actor-columns">
          <div class="column">
            <Messages actor={actor} />
            <Logs choice={{ actor: actor.path }} />
          </div>
          <div class="column">
            <Peers
              id="senders"
              title="Senders"
              peers={actor.senders}
              none="Nobody has, as far as the records go back."
            />
            <Peers
              id="receivers"
              title="Receivers"
              peers={actor.receivers}
              none="Nobody, as far as the records go back."
            />
            <InsideOf path={actor.path} />
            <Settings settings={actor.settings} />
          </div>
        </div>
      )}
    </div>
  );
}

function Path({ path }: { path: string }) {
  const all = ancestors(path);
  return (
    <span class="actor-path">
      {all.map((one, i) => (
        <span key={one.path}>
          {i > 0 && <span class="dim">/</span>}
          {i === 0 || i === all.length - 1 ? (
            <span class={i === 0 ? "dim" : ""}>{one.name}</span>
          ) : (
            <a href={actorHash(one.path)}>{one.name}</a>
          )}
        </span>
      ))}
    </span>
  );
}

function Facts({ store, actor }: { store: Store; actor: OneActor }) {
  const mailbox = actor.mailboxNow ?? actor.mailbox;
  const children = actor.childrenNow ?? actor.children;
  return (
    <dl class="actor-facts">
      <Fact name="class" wide>
        <Swatch colour={store.colours.of(actor.class)} />
        <a href={actorsHash({ className: actor.class })} title="All actors of this class">
          <ClassName name={actor.class} />
        </a>
      </Fact>
      {actor.group !== null && (
        <Fact name="group" wide>
          <a href={actorsHash({ group: actor.group })} title="All actors of this group">
            {actor.group}
          </a>
        </Fact>
      )}
      <Fact name="now" wide>
        {actor.now === "alive" ? "idle, or about to begin" : actor.now}
      </Fact>
      <Fact name="mailbox">{mailbox === null ? "not known" : count(mailbox)}</Fact>
      <Fact name="msg / s">{rate(actor.ratePerSecond)}</Fact>
      <Fact name="busy">{((actor.busyShare ?? 0) * 100).toFixed(1)} %</Fact>
      <Fact name="wait p99">{actor.waitP99Nanos === null ? NOTHING : duration(actor.waitP99Nanos)}</Fact>
      <Fact name="messages">{count(actor.messages)}</Fact>
      <Fact name="failed" mark={actor.failures > 0 ? "bad" : ""}>
        {count(actor.failures)}
      </Fact>
      <Fact name="restarts">{count(actor.restarts)}</Fact>
      <Fact name="age">{uptime(actor.nowMillis - actor.madeAtMillis)}</Fact>
      <Fact name="its messages">
        <a class="link" href={whereHash(`actor:${actor.path}`)} title="Those that wait, and what became of others">
          find
        </a>
        <span class="dim"> · </span>
        <a class="link" href={tapOfActor(actor.path)} title="The next ones, as they are processed">
          tap
        </a>
      </Fact>
      {actor.stashed !== null && <Fact name="stashed">{count(actor.stashed)}</Fact>}
      <Fact name="children">
        {children === null ? (
          "not known"
        ) : children === 0 ? (
          "none"
        ) : (
          <a class="link" href={actorsHash({ parent: actor.path })}>
            {count(children)}
          </a>
        )}
      </Fact>
      {actor.dispatcher !== null && (
        <Fact name="dispatcher" wide>
          {actor.dispatcher}
        </Fact>
      )}
      {actor.mailboxType !== null && (
        <Fact name="mailbox type" wide>
          <ClassName name={actor.mailboxType} />
        </Fact>
      )}
    </dl>
  );
}

function Fact(props: { name: string; wide?: boolean; mark?: string; children: ComponentChildren }) {
  return (
    <div class={props.wide === true ? "wide" : ""}>
      <dt>{props.name}</dt>
      <dd class={props.mark ?? ""}>{props.children}</dd>
    </div>
  );
}

/** The rules for it, with their sources. */
function Settings({ settings }: { settings: readonly ActorSetting[] }) {
  if (settings.length === 0) {
    return null;
  }
  return (
    <Panel title="Rules for it" id="actor-settings" class="actor-settings">
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col" class="name">
                Value
              </th>
              <th scope="col" class="name">
                From
              </th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ key, value, source }) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td class="name">{value}</td>
                <td class="name dim">{source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** How far back the records of all actors go. */
function reach(actor: OneActor): string {
  const { messages, sinceMillis } = actor.log;
  return sinceMillis === null
    ? "no message is recorded"
    : `among the last ${plural(messages, "message")} of all actors, ${uptime(actor.nowMillis - sinceMillis)} back`;
}

/** Messages that an actor has processed, each with a way to its trace. */
export function ReceivedTable({ messages }: { messages: readonly (Before & Partial<Received>)[] }) {
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col" class="name">
              From
            </th>
            <th scope="col">At</th>
            <th scope="col">Waited</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {messages.map((one) => (
            <tr key={one.traceId + one.spanId} class={one.failed ? "failed" : ""}>
              <th scope="row">
                <a href={traceHash(one.traceId, one.spanId)} title="Its trace">
                  {innermost(one.class)}
                </a>
                {one.failed && <span class="mark bad">failed</span>}
              </th>
              <td class="name">
                <Sender of={one} />
              </td>
              <td>{timeOfDay(epochMillis(one.startEpochNanos), true)}</td>
              <td>{one.waitNanos === null ? NOTHING : duration(one.waitNanos)}</td>
              <td>{duration(one.processingNanos)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Messages({ actor }: { actor: OneActor }) {
  return (
    <Panel title="Last messages" id="last-messages" class="last-messages" note={reach(actor)}>
      {actor.received.length === 0 ? (
        <Empty title="No message of it is remembered">
          It had none of late, or none that was recorded. Traces that are not sampled are not.
        </Empty>
      ) : (
        <ReceivedTable messages={actor.received} />
      )}
    </Panel>
  );
}

function Sender({ of: one }: { of: Before & Partial<Received> }) {
  if (one.senderPath === null) {
    return <span class="dim">{(one.sender ?? 0) !== 0 ? "an actor that has stopped" : NO_ACTOR}</span>;
  }
  return (
    <a href={actorHash(one.senderPath)} title={one.senderPath}>
      {ancestors(one.senderPath).at(-1)?.name}
    </a>
  );
}

const NO_ACTOR = "no actor";

/** Those that have stopped are one row, where the first of them stood. */
function folded(peers: readonly Peer[]): readonly (Peer & { readonly actors: number })[] {
  const hasStopped = (peer: Peer) => peer.path === null && peer.id !== 0;
  const stopped = peers.filter(hasStopped);
  return peers.flatMap((peer) =>
    !hasStopped(peer)
      ? [{ ...peer, actors: 1 }]
      : peer !== stopped[0]
        ? []
        : [
            {
              ...peer,
              actors: stopped.length,
              messages: stopped.reduce((n, one) => n + one.messages, 0),
              failures: stopped.reduce((n, one) => n + one.failures, 0),
            },
          ],
  );
}

function Peers(props: { id: string; title: string; peers: readonly Peer[]; none: string }) {
  return (
    <Panel title={props.title} id={props.id} class="peers">
      {props.peers.length === 0 ? (
        <Empty title={props.none} />
      ) : (
        <table>
          <tbody>
            {folded(props.peers).map((peer) => (
              <tr key={peer.id}>
                <th scope="row" title={peer.path ?? ""}>
                  {peer.path === null ? (
                    <span class="dim">
                      {peer.id === 0
                        ? `${NO_ACTOR}: an ask, a timer, a stream, another node`
                        : peer.actors === 1
                          ? "an actor that has stopped"
                          : `${count(peer.actors)} actors that have stopped`}
                    </span>
                  ) : (
                    <a href={actorHash(peer.path)}>{peer.path.replace("pekko://", "")}</a>
                  )}
                </th>
                <td class={peer.failures > 0 ? "bad" : "zero"}>
                  {peer.failures > 0 ? `${count(peer.failures)} failed` : ""}
                </td>
                <td>{count(peer.messages)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
