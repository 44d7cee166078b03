// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.json.Json;
import io.deimos.agent.nodes.ClockOffset;
import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.nodes.Nodes.Said;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.routes.Schema;
import io.deimos.recorder.counts.ClusterLook;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the answer of {@code /api/v1/cluster}. An unknown value is null. */
final class ClusterJson {
  private static final String PROCESS_ID = "Its process on this page.";

  private static final Schema PROCESS =
      Schema.named("ClusterProcess", "A process, and what is known of its clock.")
          .with(
              "id",
              Schema.text("As the list of processes has it; null for a page of one.").orNull())
          .with("service", Schema.text("Its own name."))
          .with("pid", Schema.whole("Its process id."))
          .with("state", Schema.text("serves, page, joined or gone."))
          .with(
              "addresses",
              Schema.list(Schema.text(""), "The addresses of its actor systems in a cluster."))
          .with("hasSaid", Schema.flag("Whether it has said anything of clusters and settings."))
          .with("leftOut", Schema.whole("The number of things for which there was no room."))
          .with(
              "clockOffsetNanos",
              Schema.whole("By how much its clock is ahead of the page's.").orNull())
          .with("clockErrorNanos", Schema.whole("That is right within this.").orNull());

  private static final Schema MEMBER =
      Schema.named("Member", "A member of a cluster, as all say it that are on this page.")
          .with("address", Schema.text("Its address."))
          .with("process", Schema.text(PROCESS_ID).orNull())
          .with(
              "status",
              Schema.text(
                  "joining, weaklyup, up, preparingforshutdown, leaving, exiting, down …,"
                      + " as it says itself or, where it cannot, as most of the others say."))
          .with("dataCenter", Schema.text("Its data center."))
          .with("roles", Schema.list(Schema.text(""), "Its roles."))
          .with("version", Schema.text("The application's, as its configuration has it."))
          .with("order", Schema.whole("The oldest has the lowest.").orNull())
          .with("leader", Schema.flag("Whether it leads its data center."))
          .with("leads", Schema.list(Schema.text(""), "Roles whose members it leads."))
          .with(
              "unreachableFrom",
              Schema.list(
                  Schema.text(""),
                  "The members that cannot reach it, on this page or not; none if it is"
                      + " well."))
          .with(
              "seenAs",
              Schema.list(
                  Schema.object("")
                      .with("by", Schema.text("A member."))
                      .with("status", Schema.text("Its status; absent if it does not know it.")),
                  "The nodes that see it in another status; after a split each side has its own."));

  private static final Schema CLUSTER =
      Schema.named("OneCluster", "A cluster.")
          .with("system", Schema.text("The name of its actor systems."))
          .with("members", Schema.list(MEMBER, "By address."))
          .with(
              "singletons",
              Schema.list(
                  Schema.object("")
                      .with("name", Schema.text("Its manager's name."))
                      .with(
                          "addresses",
                          Schema.list(
                              Schema.text(""),
                              "Where it runs: none, one, or several if something is wrong.")),
                  "Singletons."))
          .with(
              "sharding",
              Schema.list(
                  Schema.object("")
                      .with("type", Schema.text("The type of the entities."))
                      .with(
                          "regions",
                          Schema.list(
                              Schema.object("")
                                  .with("address", Schema.text("The node."))
                                  .with("shards", Schema.whole("Shards on it."))
                                  .with("entities", Schema.whole("Entities on it."))
                                  .with("largest", Schema.whole("Entities in its largest shard."))
                                  .with(
                                      "buffered",
                                      Schema.whole("Messages that wait for a shard or an entity.")),
                              "Each node's."))
                      .with(
                          "heaviest",
                          Schema.list(
                              Schema.object("")
                                  .with("shard", Schema.text("Its id."))
                                  .with("address", Schema.text("The node."))
                                  .with("messages", Schema.whole("Since that node's start.")),
                              "The ten shards with the most messages.")),
                  "Types of entities."));

  private static final Schema LINK =
      Schema.named("NodeLink", "The messages from one node to another.")
          .with("from", Schema.text("The sender's address.").orNull())
          .with("fromProcess", Schema.text("Its process.").orNull())
          .with("to", Schema.text("The receiver's address."))
          .with("toProcess", Schema.text("Its process, if it is on this page.").orNull())
          .with(
              "messagesPerSecond",
              Schema.number(
                      "Messages that are serialized for it, over the last eight to sixteen"
                          + " seconds.")
                  .orNull())
          .with("bytesPerSecond", Schema.number("Their bytes.").orNull())
          .with("queued", Schema.whole("Messages that wait to be sent."))
          .with(
              "dropped",
              Schema.whole("Messages that the transport has lost on this side.").orNull())
          .with("batchMean", Schema.number("Messages in a batch of the transport.").orNull())
          .with(
              "flushP99Nanos",
              Schema.number("Until a batch is written; only while deimos.remote.clocks is on.")
                  .orNull())
          .with("heartbeatP99Nanos", Schema.number("Between two of its heartbeats.").orNull())
          .with("phi", Schema.number("How far the failure detector suspects it.").orNull())
          .with(
              "traced", Schema.whole("Messages on this way in the last 200 traces that are kept."))
          .with(
              "tracedLeastNanos",
              Schema.number(
                      "The least time from the start of the span in which one was sent, with"
                          + " what the sender did before, to its arrival, by corrected clocks.")
                  .orNull())
          .with("tracedP50Nanos", Schema.number("Half took no longer.").orNull());

  private static final Schema DIFFERENCE =
      Schema.named("Difference", "A difference between processes.")
          .with("what", Schema.text("Deimos, Pekko, JDK, or a setting's key."))
          .with("setting", Schema.flag("Whether it is a setting."))
          .with(
              "values",
              Schema.list(
                  Schema.object("")
                      .with("value", Schema.text("Null for a setting's default.").orNull())
                      .with("processes", Schema.list(Schema.text("").orNull(), "Where it is so.")),
                  "Each value."));

  static final Schema ANSWER =
      Schema.named("Cluster", "The clusters that the processes of this page are in.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("processes", Schema.list(PROCESS, "The one that serves first."))
          .with(
              "clusters",
              Schema.list(
                  CLUSTER,
                  "By name; views are of one cluster if they have a member in common. None"
                      + " without Pekko's cluster."))
          .with("links", Schema.list(LINK, "The busiest first."))
          .with("linksLeftOut", Schema.whole("Links beyond the limit."))
          .with("differences", Schema.list(DIFFERENCE, "Versions, then settings."));

  private ClusterJson() {}

  static void writeTo(Json json, Clusters all, Transits transits, int limit) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("processes").objects(all.all(), ClusterJson::process);
    json.name("clusters").objects(all.clusters(), (to, one) -> cluster(to, one, all));
    List<Clusters.Link> links = all.links();
    json.name("links")
        .objects(
            links.subList(0, Math.min(limit, links.size())),
            (to, link) -> link(to, link, all, transits));
    json.name("linksLeftOut").value(Math.max(0, links.size() - limit));
    json.name("differences").objects(all.differences(), ClusterJson::difference).endObject();
  }

  private static void process(Json json, Said said) throws IOException {
    ProcessStatus card = said.node().card();
    ClusterCard cluster = said.cluster();
    json.name("id").orNull(card.id());
    json.name("service").value(card.process().service());
    json.name("pid").value(card.process().pid());
    json.name("state").value(said.node().state().name().toLowerCase(Locale.ROOT));
    json.name("addresses")
        .values(
            cluster == null ? List.of() : cluster.views().stream().map(ClusterLook::self).toList());
    json.name("hasSaid").value(cluster != null);
    json.name("leftOut").value(cluster == null ? 0 : cluster.leftOut());
    clock(json, said.node().clock());
  }

  /** The two fields of a clock. */
  static void clock(Json json, @Nullable ClockOffset clock) throws IOException {
    json.name("clockOffsetNanos").value(clock == null ? null : clock.nanos());
    json.name("clockErrorNanos").value(clock == null ? null : clock.errorNanos());
  }

  private static void cluster(Json json, Clusters.One one, Clusters all) throws IOException {
    json.name("system").value(one.system);
    json.name("members").objects(one.members.values(), (to, member) -> member(to, member, all));
    json.name("singletons")
        .objects(
            one.singletons.entrySet(),
            (to, singleton) -> {
              to.name("name").value(singleton.getKey());
              to.name("addresses").values(singleton.getValue());
            });
    json.name("sharding")
        .objects(
            one.regions.entrySet(),
            (to, type) ->
                sharding(
                    to, type.getKey(), type.getValue(), Clusters.heaviest(one, type.getKey())));
  }

  private static void member(Json json, Clusters.Member member, Clusters all) throws IOException {
    json.name("address").value(member.address);
    json.name("process").orNull(all.processAt(member.address));
    json.name("status").value(member.status);
    json.name("dataCenter").value(member.dataCenter);
    json.name("roles").values(member.roles);
    json.name("version").value(member.version);
    json.name("order").value(member.order == Integer.MAX_VALUE ? null : (long) member.order);
    json.name("leader").value(member.isLeader);
    json.name("leads").values(member.leads);
    json.name("unreachableFrom").values(member.unreachableFrom);
    json.name("seenAs")
        .objects(
            member.seenAs.entrySet(),
            (to, other) -> {
              to.name("by").value(other.getKey());
              to.name("status").value(other.getValue());
            });
  }

  private static void sharding(
      Json json, String type, List<Clusters.Region> regions, List<Clusters.Heavy> heaviest)
      throws IOException {
    json.name("type").value(type);
    json.name("regions")
        .objects(
            regions,
            (to, region) -> {
              to.name("address").value(region.address());
              to.name("shards").value(region.shards().shards());
              to.name("entities").value(region.shards().entities());
              to.name("largest").value(region.shards().largest());
              to.name("buffered").value(region.shards().buffered());
            });
    json.name("heaviest")
        .objects(
            heaviest,
            (to, heavy) -> {
              to.name("shard").value(heavy.shard().shard());
              to.name("address").value(heavy.address());
              to.name("messages").value(heavy.shard().messages());
            });
  }

  private static void link(Json json, Clusters.Link link, Clusters all, Transits transits)
      throws IOException {
    ClusterCard.Line line = link.line();
    String to = all.processAt(line.peer());
    json.name("from").orNull(link.from());
    json.name("fromProcess").orNull(link.process());
    json.name("to").value(line.peer());
    json.name("toProcess").orNull(to);
    ClusterCard.Rate sent = line.sent();
    json.name("messagesPerSecond").value(sent == null ? null : sent.messages());
    json.name("bytesPerSecond").value(sent == null ? null : sent.bytes());
    json.name("queued").value(line.queued());
    json.name("dropped").value(line.dropped());
    json.name("batchMean").value(line.batchMean());
    json.name("flushP99Nanos").value(line.flushP99Nanos());
    json.name("heartbeatP99Nanos").value(line.heartbeatP99Nanos());
    json.name("phi").value(line.phi());
    json.name("traced").value(transits.count(link.process(), to));
    json.name("tracedLeastNanos").value(transits.least(link.process(), to));
    json.name("tracedP50Nanos").value(transits.median(link.process(), to));
  }

  private static void difference(Json json, Clusters.Difference difference) throws IOException {
    json.name("what").value(difference.what());
    json.name("setting").value(difference.isSetting());
    json.name("values").objects(difference.processes().entrySet(), ClusterJson::same);
  }

  private static void same(Json json, Map.Entry<String, List<String>> value) throws IOException {
    json.name("value").orNull(value.getKey());
    json.name("processes").beginArray();
    for (String process : value.getValue()) {
      json.orNull(process);
    }
    json.endArray();
  }
}
