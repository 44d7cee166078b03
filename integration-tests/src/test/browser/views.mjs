// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The page's views, with what is there once one shows something. */
export const VIEWS = {
  overview: { hash: "#/", shown: "tr.actor" },
  traces: { hash: "#/traces", shown: ".trace-group" },
  actors: { hash: "#/actors", shown: "tr.actor-row" },
  map: { hash: "#/map", shown: ".map-node" },
  check: { hash: "#/check", shown: ".findings, .check-view .empty" },
  trouble: { hash: "#/trouble", shown: ".trouble-row" },
  threads: { hash: "#/threads?all=true", shown: ".thread-row" },
  system: { hash: "#/system", shown: ".bars .minute" },
  cluster: { hash: "#/cluster", shown: ".members" },
  profile: { hash: "#/profile", shown: ".flame-box" },
  settings: { hash: "#/settings", shown: "tr.setting" },
};
