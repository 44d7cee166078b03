// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Everything a span says. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchProfile } from "../api";
import type { Span } from "../lib/contract";
import { duration, innermost, scopeName, timeOfDay } from "../lib/format";
import { profileHash, type ProfileTime } from "../lib/profile";
import { actorHash, traceHash } from "../lib/route";
import { type Node, ownerOf } from "../lib/tree";
import type { Store } from "../store";
import { Swatch } from "./parts";

const LONGEST_TEXT = 600;
/** The profile has a sample each ten milliseconds. */
const SAMPLED_NANOS = 10e6;

export function Detail(props: {
  store: Store;
  node: Node;
  startEpochMillis: number;
  onClose: () => void;
  onSelect: (spanId: string) => void;
}) {
  const { node, store } = props;
  const { span } = node;
  const owner = ownerOf(span);
  const wait = span.waitNanos;
  const exceptions = span.events.filter((event) => event.name === "exception");
  const { parent } = node;
  const path = owner.actor ? span.attributes["pekko.actor.path"] : undefined;
  return (
    <aside class="panel detail" aria-label={`Span ${span.name}`} key={node.index}>
      <div class="detail-head">
        <Swatch colour={store.paletteOf(owner).of(owner.name)} />
        <div>
          <h3>{span.name || "unnamed"}</h3>
          <p class="detail-owner">{owner.actor ? owner.name : scopeName(owner.name)}</p>
          {typeof path === "string" && (
            <p class="detail-actor">
              <a class="link" href={actorHash(path)}>
                {path.replace("pekko://", "")}
              </a>
              {span.durationNanos - (wait ?? 0) >= SAMPLED_NANOS && <ProfileOf store={store} span={span} />}
            </p>
          )}
        </div>
        <button type="button" class="icon-button" onClick={props.onClose} aria-label="Close">
          ×
        </button>
      </div>
      {span.status === "ERROR" && (
        <p class="detail-error">
          <strong>Error</strong>{" "}
          {span.statusMessage || (exceptions.length > 0 ? "see the exception below" : "no message")}
        </p>
      )}
      {wait !== null && span.durationNanos > 0 && (
        <Split waitNanos={wait} durationNanos={span.durationNanos} colour={store.paletteOf(owner).of(owner.name)} />
      )}
      <dl class="pairs">
        <Pair name="began">
          {timeOfDay(props.startEpochMillis + span.offsetNanos / 1e6, true)}{" "}
          <span class="dim">+{duration(span.offsetNanos)}</span>
        </Pair>
        <Pair name="took">{duration(span.durationNanos)}</Pair>
        <Pair name="kind">{span.kind.toLowerCase() || "unknown"}</Pair>
        <Pair name="status">{span.status.toLowerCase()}</Pair>
        <Pair name="scope">{span.scope}</Pair>
        {store.nodeOf(span) !== "" && <Pair name="process">{store.nodeOf(span)}</Pair>}
        <Pair name="span id">
          <code>{span.spanId}</code>
        </Pair>
        <Pair name="parent">
          {parent !== null ? (
            <button type="button" class="text-button" onClick={() => props.onSelect(parent.span.spanId)}>
              {parent.span.name || "unnamed"}
            </button>
          ) : span.parentSpanId === null ? (
            "none, the trace begins here"
          ) : node.orphan ? (
            <>
              <code>{span.parentSpanId}</code> <span class="orphan">not in store</span>
            </>
          ) : (
            <>
              <code>{span.parentSpanId}</code> <span class="orphan">would close a ring</span>
            </>
          )}
        </Pair>
      </dl>
      <Table title="Attributes" attributes={span.attributes} empty="This span has no attributes." />
      {span.events.length > 0 && (
        <section>
          <h4>Events</h4>
          <ol class="events">
            {span.events.map((event, i) => (
              <Event key={i} event={event} spanOffsetNanos={span.offsetNanos} />
            ))}
          </ol>
        </section>
      )}
      {span.links.length > 0 && (
        <section>
          <h4>Links</h4>
          <ul class="links">
            {span.links.map((link, i) => (
              <li key={i}>
                <a href={traceHash(link.traceId, link.spanId || null)}>
                  <code>{link.traceId}</code>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

/** Leads to the profile of a span that has samples or waits, or else to a profile of what is like it. */
function ProfileOf({ store, span }: { store: Store; span: Span }) {
  const [sampled, setSampled] = useState<ProfileTime | null>(null);
  const profiling = store.state?.profiling === true;
  const choice = { span: span.spanId, seconds: 600 };
  useEffect(() => {
    // A request would start a profile where none is.
    if (!profiling || store.dump !== null) {
      return;
    }
    const controller = new AbortController();
    const look = async (time: ProfileTime) => {
      const profile = await fetchProfile({ ...choice, time }, controller.signal);
      return !("absent" in profile) && (profile.tree.total[0] ?? 0) > 0 ? time : null;
    };
    look("cpu")
      .then(async (found) => setSampled(found ?? (await look("wait"))))
      .catch(() => {}); // without an answer a new profile is offered
    return () => controller.abort();
  }, [profiling, span.spanId]);
  if (sampled !== null) {
    return (
      <>
        {" · "}
        <a class="link" href={profileHash({ ...choice, time: sampled })} title="In which lines of code it was">
          its profile
        </a>
      </>
    );
  }
  const message = span.attributes["pekko.message.class"];
  const actor = span.attributes["pekko.actor.class"];
  if (store.dump !== null || typeof message !== "string" || typeof actor !== "string") {
    return null;
  }
  return (
    <>
      {" · "}
      <a
        class="link"
        href={profileHash({ messageClass: message, actorClass: actor })}
        title="No profile has a sample of this message. One that is made from now on shows the next of its class."
      >
        profile the next {innermost(message)}
      </a>
    </>
  );
}

function Split(props: { waitNanos: number; durationNanos: number; colour: string }) {
  const wait = Math.min(props.waitNanos, props.durationNanos);
  const share = (wait / props.durationNanos) * 100;
  return (
    <div class="split" style={{ "--c": props.colour } as Record<string, string>}>
      <div class="split-bar" aria-hidden="true">
        <span class="bar-wait" style={{ width: `${share.toFixed(2)}%` }} />
        <span class="bar-work" />
      </div>
      <div class="split-text">
        <span>
          {duration(wait)} <span class="dim">in the mailbox</span>
        </span>
        <span>
          {duration(props.durationNanos - wait)} <span class="dim">processing</span>
        </span>
      </div>
    </div>
  );
}

function Event({ event, spanOffsetNanos }: { event: Span["events"][number]; spanOffsetNanos: number }) {
  const exception = event.name === "exception";
  const trace = event.attributes["exception.stacktrace"];
  const rest = Object.entries(event.attributes).filter(([key]) => key !== "exception.stacktrace");
  return (
    <li class={exception ? "exception" : ""}>
      <div class="event-head">
        <b>{event.name || "unnamed"}</b>
        <span class="dim">+{duration(event.offsetNanos - spanOffsetNanos)} in the span</span>
      </div>
      {rest.length > 0 && (
        <dl class="pairs">
          {rest.map(([key, value]) => (
            <Pair key={key} name={key}>
              <Value value={value} />
            </Pair>
          ))}
        </dl>
      )}
      {typeof trace === "string" && <pre tabIndex={0}>{trace}</pre>}
    </li>
  );
}

function Table(props: { title: string; attributes: Span["attributes"]; empty: string }) {
  const entries = Object.entries(props.attributes).sort(([a], [b]) => a.localeCompare(b));
  return (
    <section>
      <h4>{props.title}</h4>
      {entries.length === 0 ? (
        <p class="dim">{props.empty}</p>
      ) : (
        <dl class="pairs attributes">
          {entries.map(([key, value]) => (
            <Pair key={key} name={key}>
              <Value value={value} />
            </Pair>
          ))}
        </dl>
      )}
    </section>
  );
}

function Pair(props: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= LONGEST_TEXT || whole) {
    return <>{text}</>;
  }
  return (
    <>
      {text.slice(0, LONGEST_TEXT)} …{" "}
      <button type="button" class="text-button" onClick={() => setWhole(true)}>
        all {text.length} characters
      </button>
    </>
  );
}
