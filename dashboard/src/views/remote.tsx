// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The traffic of Deimos' transport, by peer; nothing where it does not run. */
import type { RemoteStream, State } from "../lib/contract";
import { count, duration, shortCount } from "../lib/format";
import { Panel } from "./parts";

const ROWS_SHOWN = 30;

export function Remote({ state }: { state: State }) {
  const peers = state.remote.filter((peer) => peer.messages > 0 || peer.dropped > 0);
  if (peers.length === 0) {
    return null;
  }
  const rows = [...peers].sort((a, b) => b.messages - a.messages);
  return (
    <Panel title="Remoting by peer" id="remote" class="remote" note="since start">
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Peer</th>
              <th scope="col">Stream</th>
              <th scope="col">Messages</th>
              <th scope="col" title="Messages written, or read, at once">
                Batch
              </th>
              <th scope="col" title="Bytes written, or read, at once">
                Bytes
              </th>
              <th scope="col" title="Time of a flush; measured while the transport's clocks are on">
                Flush
              </th>
              <th scope="col" title="Serialising, or deserialising, of a message; measured while the clocks are on">
                Codec
              </th>
              <th scope="col" title="Messages in the send queue, or bytes not yet decoded">
                Waiting
              </th>
              <th scope="col">Dropped</th>
              <th scope="col">Reconnects</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, ROWS_SHOWN).map((peer) => (
              <tr key={`${peer.system}/${peer.direction}/${peer.stream}/${peer.peer}`}>
                <th scope="row" title={peer.connected ? "connected" : "not connected"}>
                  {peer.direction === "out" ? "→ " : "← "}
                  {peer.peer}
                </th>
                <td>{peer.stream}</td>
                <td>{shortCount(peer.messages)}</td>
                <td>{ratio(peer.messages, peer.flushes)}</td>
                <td>{ratio(peer.bytes, peer.flushes)}</td>
                <td>{time(peer.flushNanos, peer.flushes)}</td>
                <td>{time(peer.codecNanos, peer.messages)}</td>
                <td>{shortCount(peer.queued)}</td>
                <td class={peer.dropped > 0 ? "bad" : "zero"}>{count(peer.dropped)}</td>
                <td class={peer.reconnects > 0 ? "odd" : "zero"}>{count(peer.reconnects)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function ratio(of: RemoteStream["messages"], by: RemoteStream["flushes"]): string {
  return by === 0 ? "–" : shortCount(Math.round((10 * of) / by) / 10);
}

function time(nanos: number, by: number): string {
  return nanos === 0 || by === 0 ? "–" : duration(nanos / by);
}
