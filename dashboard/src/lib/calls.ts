// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The words of a span that is no actor's: a request over HTTP, or a call of a database. */
import type { Span } from "./contract";

export interface Call {
  readonly kind: "http" | "db";
  /** Short enough for a mark: `HTTP 503`, `PostgreSQL`. */
  readonly mark: string;
  /** The target: a path, or a statement. */
  readonly what: string;
  readonly failed: boolean;
}

const DATABASES: Readonly<Record<string, string>> = {
  postgresql: "PostgreSQL",
  mysql: "MySQL",
  mariadb: "MariaDB",
  h2: "H2",
  h2database: "H2",
  oracle: "Oracle",
  "oracle.db": "Oracle",
  mssql: "SQL Server",
  "microsoft.sql_server": "SQL Server",
  sqlite: "SQLite",
  mongodb: "MongoDB",
  cassandra: "Cassandra",
  redis: "Redis",
  elasticsearch: "Elasticsearch",
};

/** By the names of OpenTelemetry's conventions, those of today and those before. */
export function callOf(span: Span): Call | null {
  const said = (...names: readonly string[]) => {
    for (const name of names) {
      const value = span.attributes[name];
      if (typeof value === "string" && value !== "") {
        return value;
      }
      if (typeof value === "number") {
        return String(value);
      }
    }
    return "";
  };
  const database = said("db.system.name", "db.system");
  if (database !== "") {
    const what = said("db.query.text", "db.statement", "db.query.summary", "db.collection.name", "db.sql.table");
    return { kind: "db", mark: DATABASES[database] ?? database, what, failed: span.status === "ERROR" };
  }
  if (said("http.request.method", "http.method") === "") {
    return null;
  }
  const status = said("http.response.status_code", "http.status_code");
  const host = span.kind === "CLIENT" ? said("server.address", "net.peer.name") : "";
  const path = said("url.path", "http.target", "url.full", "http.url", "http.route");
  return {
    kind: "http",
    mark: status === "" ? "HTTP" : `HTTP ${status}`,
    what: path.startsWith("http") ? path : host + path,
    failed: span.status === "ERROR" || Number(status) >= 500,
  };
}
