// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

// An application on Play, as FrameworksTest runs it in development: in sbt's own JVM.
enablePlugins(PlayService)
disablePlugins(PlayLayoutPlugin)

scalaVersion := "2.13.18"

libraryDependencies += "org.playframework" %% "play-java" % play.core.PlayVersion.current

// Nothing here needs them, and not every mirror of Maven Central has them.
libraryDependencies ~= (_.filterNot(library => Set("play-test", "play-docs").contains(library.name)))
