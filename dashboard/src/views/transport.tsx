// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** How the transport of Deimos batches, and what to make of it; nothing where it does not run. */
import { count, duration, NOTHING, shortCount } from "../lib/format";
import type { Distribution, TransportStream } from "../lib/contract";
import { bucketText, byFrequency, reasonText } from "../lib/transport";
import { Panel } from "./parts";

export function TransportPanel({ streams }: { streams: readonly TransportStream[] }) {
  if (streams.length === 0) {
    return null;
  }
  return (
    <Panel title="Remoting: batches" id="system-batches" class="area batches" note="since start">
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col" class="name">
                Peer
              </th>
              <th scope="col">Stream</th>
              <th scope="col">Batches</th>
              <th scope="col" title="Messages in a batch: the mean, and the 99th percentile at most">
                Messages
              </th>
              <th scope="col" title="How many batches have how many messages">
                Distribution
              </th>
              <th scope="col" title="Bytes of a batch: the mean, and the 99th percentile at most">
                Bytes
              </th>
              <th scope="col" title="Time of a flush, p50 and p99 at most; measured while deimos.remote.clocks is on">
                Flush
              </th>
              <th scope="col">Why batches end</th>
            </tr>
          </thead>
          {streams.map((one) => (
            <tbody key={`${one.system}/${one.stream}/${one.peer}`}>
              <tr>
                <th scope="row" class="name" title={one.peer}>
                  {one.peer}
                </th>
                <td>{one.stream}</td>
                <td title={count(one.batches)}>{shortCount(one.batches)}</td>
                <td>{spread(one.length, (n) => String(Math.round(n * 10) / 10))}</td>
                <td>
                  <Bars of={one.length} />
                </td>
                <td>{spread(one.bytes, shortCount)}</td>
                <td>{one.flushNanos.count === 0 ? NOTHING : times(one.flushNanos)}</td>
                <td class="reasons">
                  {byFrequency(one.reasons)
                    .map((each) => share(each, one.batches))
                    .join(", ")}
                </td>
              </tr>
              <tr>
                <td colSpan={8} class="advice">
                  {one.advice}
                </td>
              </tr>
            </tbody>
          ))}
        </table>
      </div>
    </Panel>
  );
}

function spread(of: Distribution, format: (n: number) => string): string {
  return of.mean === null || of.p99 === null ? NOTHING : `${format(of.mean)}, p99 ${format(of.p99)}`;
}

function times(of: Distribution): string {
  return `${duration(of.p50 ?? 0)}, p99 ${duration(of.p99 ?? 0)}`;
}

function share([reason, n]: readonly [string, number], all: number): string {
  const percent = Math.round((100 * n) / all);
  return `${reasonText(reason)} ${percent === 0 ? "<1" : percent} %`;
}

const BAR = 5;
const HEIGHT = 18;

function Bars({ of }: { of: Distribution }) {
  const most = Math.max(1, ...of.counts);
  return (
    <svg
      class="length-bars"
      width={of.counts.length * BAR}
      height={HEIGHT}
      role="img"
      aria-label={`Batches by number of messages: ${of.counts
        .map((n, i) => (n === 0 ? "" : `${bucketText(of.bounds, i)}: ${count(n)}`))
        .filter((each) => each !== "")
        .join("; ")}`}
    >
      {of.counts.map((n, i) => {
        const height = n === 0 ? 0 : Math.max(1, (HEIGHT * n) / most);
        return (
          <g key={i}>
            <rect class="minute" x={i * BAR} y={HEIGHT - height} width={BAR - 1} height={height} />
            <rect class="minute-hit" x={i * BAR} y={0} width={BAR} height={HEIGHT}>
              <title>
                {bucketText(of.bounds, i)} messages: {count(n)} batches
              </title>
            </rect>
          </g>
        );
      })}
    </svg>
  );
}
