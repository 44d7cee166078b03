// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.pekko.actor.ActorRef;
import scenarios.Messages.Done;
import scenarios.Messages.Event;

/** Actors on both sides of a Kafka broker, whose address is the scenario's argument. */
final class Messaging {
  private static final String TOPIC = "orders";

  private Messaging() {}

  static void addTo(Scenes all) {
    all.add("kafka", Messaging::kafka);
  }

  /**
   * One actor writes a record and is told that it was taken; another gets what a consumer reads.
   */
  private static void kafka(Stage stage) throws Exception {
    ActorRef sink = stage.front("sink", f -> {});
    try (KafkaProducer<String, String> producer =
            new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stage.argument()),
                new StringSerializer(),
                new StringSerializer());
        KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(
                Map.of(
                    ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                    stage.argument(),
                    ConsumerConfig.GROUP_ID_CONFIG,
                    "sinks",
                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                    "earliest"),
                new StringDeserializer(),
                new StringDeserializer())) {
      stage.begin(
          1,
          f -> {
            ActorRef self = f.getSelf();
            var unused =
                producer.send(
                    new ProducerRecord<>(TOPIC, "one"),
                    (taken, failure) -> self.tell(new Event("taken"), self));
          });
      consumer.subscribe(List.of(TOPIC));
      handOn(consumer, sink);
      stage.await(1);
    }
  }

  private static void handOn(KafkaConsumer<String, String> consumer, ActorRef sink)
      throws TimeoutException {
    long deadline = System.nanoTime() + Stage.PATIENCE.toNanos();
    int read = 0;
    while (read == 0) {
      for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
        sink.tell(new Done(record.value().length()), ActorRef.noSender());
        read++;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("no record came");
      }
    }
  }
}
