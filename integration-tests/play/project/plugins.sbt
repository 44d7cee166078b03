// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
addSbtPlugin("org.playframework" % "sbt-plugin" % "3.0.9")
