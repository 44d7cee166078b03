// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

// The application in frameworks, as FrameworksTest runs it: in sbt's own JVM and in a forked one.
scalaVersion := "2.13.18"

libraryDependencies ++= Seq("pekko-actor-typed", "pekko-slf4j").map("org.apache.pekko" %% _ % sys.props("pekko.version"))
libraryDependencies += "ch.qos.logback" % "logback-classic" % "1.5.20"

// What docs/how-to/build-tools.md says, and the settings of the test.
run / javaOptions ++= sys.props.get("agent").map(jar => s"-javaagent:$jar").toSeq
run / javaOptions ++= sys.props.toSeq.collect {
  case (key, value) if key.startsWith("otel.") || key.startsWith("deimos.") => s"-D$key=$value"
}
run / outputStrategy := Some(StdoutOutput)
