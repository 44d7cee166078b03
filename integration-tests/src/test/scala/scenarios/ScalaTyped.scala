// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios

import org.apache.pekko.actor.typed.{ ActorRef, ActorSystem, Behavior }
import org.apache.pekko.actor.typed.scaladsl.{ ActorContext, Behaviors, TimerScheduler }
import org.apache.pekko.actor.typed.scaladsl.AskPattern.{ schedulerFromActorSystem, Askable }
import org.apache.pekko.actor.typed.scaladsl.adapter.ClassicActorSystemOps
import org.apache.pekko.util.Timeout
import scala.concurrent.{ Await, Future }
import scala.concurrent.duration.DurationInt
import scala.util.{ Failure, Success }

/** The same for typed actors, with the functional style and the Scala DSL. */
object ScalaTyped {
  private implicit val patience: Timeout = Timeout(10.seconds)

  sealed trait Command
  case object Start extends Command
  final case class Adapted(number: Int) extends Command
  final case class Failed(why: Throwable) extends Command
  case object Ticked extends Command

  sealed trait Request
  final case class Question(number: Int, replyTo: ActorRef[Answer]) extends Request
  case object Open extends Request
  final case class Answer(number: Int)

  def addTo(all: Scenes): Unit = {
    all.like("typed-tell", "scala-typed-tell", begin(_, tell))
    all.like("typed-ask", "scala-typed-ask", begin(_, askServer))
    all.like("typed-ask-outside", "scala-typed-ask-outside", askOutside(_))
    all.like("typed-adapter", "scala-typed-adapter", begin(_, adapter))
    all.like("typed-pipe", "scala-typed-pipe", begin(_, pipe))
    all.add(
      "scala-typed-timer",
      begin(_, timer),
      """|process Start at /user/client
        |  process Ticked at /user/client
        |""".stripMargin)
    all.add(
      "scala-typed-stash",
      stash(_),
      """|process Start at /user/client
        |  process Open at /user/gate
        |  process Question at /user/gate
        |    process Question at /user/gate, stashed
        |      process Answer at /user/client/answers
        |""".stripMargin)
  }

  private type Step = (Here, ActorRef[Request]) => Unit

  /** The tools of a step. */
  private final case class Here(
      stage: Stage,
      context: ActorContext[Command],
      timers: TimerScheduler[Command])

  private def tell(here: Here, server: ActorRef[Request]): Unit =
    server ! Question(1, here.context.spawn(answers(here.stage), "answers"))

  private def askServer(here: Here, server: ActorRef[Request]): Unit =
    here.context.ask(server, (replyTo: ActorRef[Answer]) => Question(1, replyTo)) {
      case Success(answer) => Adapted(answer.number)
      case Failure(why)    => Failed(why)
    }

  private def adapter(here: Here, server: ActorRef[Request]): Unit =
    server ! Question(1, here.context.messageAdapter(answer => Adapted(answer.number)))

  private def pipe(here: Here, server: ActorRef[Request]): Unit =
    here.context.pipeToSelf(Future(1)(here.context.executionContext)) {
      case Success(number) => Adapted(number)
      case Failure(why)    => Failed(why)
    }

  private def timer(here: Here, server: ActorRef[Request]): Unit =
    here.timers.startSingleTimer(Ticked, 20.millis)

  private def askOutside(stage: Stage): Unit = {
    implicit val system: ActorSystem[Nothing] = stage.system().toTyped
    val server: ActorRef[Request] = stage.typed(this.server, "server")
    Await.result(server.ask[Answer](Question(1, _)), patience.duration)
  }

  private def stash(stage: Stage): Unit = {
    val gate: ActorRef[Request] = stage.typed(this.gate, "gate")
    val client = stage.typed(
      Behaviors.receive[Command] { (context, _) =>
        gate ! Question(1, context.spawn(answers(stage), "answers"))
        gate ! Open
        Behaviors.same
      },
      "client")
    client ! Start
    stage.await(1)
  }

  private def begin(stage: Stage, step: Step): Unit = {
    val server: ActorRef[Request] = stage.typed(this.server, "server")
    val client = stage.typed(
      Behaviors.setup[Command] { context =>
        Behaviors.withTimers { timers =>
          Behaviors.receiveMessage {
            case Start =>
              step(Here(stage, context, timers), server)
              Behaviors.same
            case _ =>
              stage.signal()
              Behaviors.same
          }
        }
      },
      "client")
    client ! Start
    stage.await(1)
  }

  private def server: Behavior[Request] = Behaviors.receiveMessagePartial { case Question(number, replyTo) =>
    replyTo ! Answer(number)
    Behaviors.same
  }

  private def gate: Behavior[Request] = Behaviors.withStash(10) { waiting =>
    Behaviors.receiveMessage {
      case Open => waiting.unstashAll(server)
      case other =>
        waiting.stash(other)
        Behaviors.same
    }
  }

  private def answers(stage: Stage): Behavior[Answer] = Behaviors.receiveMessage { _ =>
    stage.signal()
    Behaviors.same
  }
}
