// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Small pieces that several views are made of. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { className as split } from "../lib/format";
import { pieces } from "../lib/marked";
import { sparkPath } from "../lib/series";
import { SPARK_POINTS } from "../lib/history";

/** A class name with its package held back. */
export function ClassName(props: { name: string; short?: boolean }) {
  const { packagePrefix, simple } = split(props.name);
  return (
    <span class="class-name" title={props.name}>
      {props.short !== true && <span class="package">{packagePrefix}</span>}
      <span class="simple">{simple}</span>
    </span>
  );
}

export function Swatch(props: { colour: string }) {
  return <span class="swatch" style={{ "--c": props.colour } as Record<string, string>} />;
}

/** Text with the documentation's marks. The page serves no documentation, so a link names its file. */
export function Marked(props: { text: string }) {
  return (
    <>
      {pieces(props.text).map(({ text, code, page }, i) =>
        code ? <code key={i}>{text}</code> : page === "" ? text : `${text} (docs/${page})`,
      )}
    </>
  );
}

/** Text typed here becomes part of the view's address. */
export function Filter(props: {
  id: string;
  placeholder: string;
  label: string;
  query: string;
  go: (change: { query: string }) => void;
}) {
  // The address has no blank at the end, but the next word may follow it.
  const [typed, setTyped] = useState(props.query);
  return (
    <input
      id={props.id}
      type="search"
      placeholder={props.placeholder}
      aria-label={props.label}
      value={typed.trim() === props.query ? typed : props.query}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        props.go({ query: event.currentTarget.value });
      }}
    />
  );
}

const SPARK_WIDTH = 76;
const SPARK_HEIGHT = 18;

export function Sparkline(props: { values: readonly (number | null)[]; label: string }) {
  const path = sparkPath(props.values, SPARK_POINTS, SPARK_WIDTH, SPARK_HEIGHT);
  return (
    <svg
      class="spark"
      width={SPARK_WIDTH}
      height={SPARK_HEIGHT}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      role="img"
      aria-label={props.label}
    >
      <path class="spark-base" d={`M0 ${SPARK_HEIGHT - 0.5}H${SPARK_WIDTH}`} />
      {path !== "" && <path class="spark-line" d={path} />}
    </svg>
  );
}

export function Panel(props: {
  title: string;
  id: string;
  note?: ComponentChildren;
  tools?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <section class={`panel ${props.class ?? ""}`} aria-labelledby={props.id}>
      <div class="panel-head">
        <h2 id={props.id}>{props.title}</h2>
        {props.note !== undefined && <span class="panel-note">{props.note}</span>}
        {props.tools !== undefined && <div class="panel-tools">{props.tools}</div>}
      </div>
      {props.children}
    </section>
  );
}

export function Empty(props: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children !== undefined && <p>{props.children}</p>}
    </div>
  );
}
