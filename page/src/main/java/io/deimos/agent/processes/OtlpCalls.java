// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcCall;
import io.deimos.agent.grpc.GrpcCode;
import io.deimos.agent.grpc.GrpcHead;
import io.deimos.agent.grpc.GrpcRefusal;
import io.deimos.agent.grpc.GrpcReply;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import io.deimos.agent.http.Body;
import io.deimos.agent.http.Pieces;
import io.deimos.agent.http.Request;
import io.deimos.agent.log.Printable;
import io.deimos.agent.otlp.OtlpSignal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes OTLP over gRPC: what {@link OtlpHandler} takes over HTTP, by the same rules, with the codes
 * that the protocol has for it. Messages take turns with requests over HTTP.
 */
public final class OtlpCalls implements GrpcService {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final OtlpHandler otlp;
  private final OtlpCounts counts;
  private final Function<Request, @Nullable Refused> mayAsk;
  private final AnswerMemory memory;
  private final GrpcTurns turns;

  /** Why somebody may not ask. */
  public record Refused(int status, String said) {}

  /**
   * @param mayAsk null for who may
   * @param memory what messages take as they come
   */
  public OtlpCalls(
      OtlpHandler otlp,
      OtlpCounts counts,
      Function<Request, @Nullable Refused> mayAsk,
      AnswerMemory memory,
      GrpcTurns turns) {
    this.otlp = otlp;
    this.counts = counts;
    this.mayAsk = mayAsk;
    this.memory = memory;
    this.turns = turns;
  }

  @Override
  public GrpcCall begin(GrpcHead head) throws GrpcRefusal {
    Map<String, List<String>> headers = new HashMap<>(head.headers());
    headers.put("host", List.of(head.authority()));
    Refused refused = mayAsk.apply(new Request("POST", head.path(), null, headers, Body.NONE));
    if (refused != null) {
      throw GrpcRefusal.of(
          refused.status == 401 ? GrpcCode.UNAUTHENTICATED : GrpcCode.PERMISSION_DENIED,
          refused.said);
    }
    OtlpSignal signal = OtlpSignal.ofCall(head.path());
    if (signal == null) {
      throw GrpcRefusal.of(
          GrpcCode.UNIMPLEMENTED, "nothing here: " + Printable.shortLine(head.path()));
    }
    return new Message(signal);
  }

  @Override
  public int mostBytes() {
    return OtlpHandler.MAX_BODY_BYTES;
  }

  @Override
  public void refused(String why) {
    counts.refused("gRPC", why);
  }

  /** Stays in its pieces until its turn, and so counts until then, or until nobody waits for it. */
  private final class Message implements GrpcCall {
    private final OtlpSignal signal;
    private final Pieces pieces = new Pieces(memory);
    private volatile boolean ended;

    Message(OtlpSignal signal) {
      this.signal = signal;
    }

    @Override
    public void take(ByteBuffer some) throws GrpcRefusal {
      try {
        pieces.write(some.array(), some.arrayOffset() + some.position(), some.remaining());
      } catch (AnswerMemory.ExceededException e) {
        throw busy();
      }
    }

    @Override
    public void whole(boolean packed, GrpcReply reply) throws GrpcRefusal {
      turns.take(to -> answer(packed, to), reply, () -> reply.refuse(busy()));
    }

    /** On the thread for turns; what it returns is done on the loop's. */
    private Runnable answer(boolean packed, GrpcReply to) {
      if (ended) {
        return () -> {}; // broken off
      }
      try {
        byte[] answer = otlp.take(signal, false, packed, new Body(pieces));
        return () -> to.answer(answer);
      } catch (Request.Malformed e) {
        return () -> to.refuse(refusal(e));
      }
    }

    @Override
    public void end() {
      ended = true;
      pieces.release();
    }
  }

  private static GrpcRefusal busy() {
    return GrpcRefusal.busy(Request.Malformed.noRoom().said(), RETRY);
  }

  private static GrpcRefusal refusal(Request.Malformed e) {
    return switch (e.status()) {
      case Request.Malformed.BUSY -> busy();
      case 413 -> GrpcRefusal.of(GrpcCode.RESOURCE_EXHAUSTED, e.said());
      default -> GrpcRefusal.of(GrpcCode.INVALID_ARGUMENT, e.said());
    };
  }
}
