// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios

import java.util.concurrent.TimeUnit
import org.apache.pekko.actor.{ Actor, ActorRef, Props, Stash, Status, Timers }
import org.apache.pekko.pattern.{ ask, pipe }
import org.apache.pekko.util.Timeout
import scala.concurrent.{ Await, ExecutionContext, Future, Promise }
import scala.concurrent.duration.{ DurationInt, FiniteDuration }
import scala.util.{ Failure, Success }

/** Ways in which classic actors send that are written in Scala: operators, closures and traits. */
object ScalaSending {
  private val Soon: FiniteDuration = 20.millis
  private implicit val patience: Timeout = Timeout(10.seconds)

  final case class Ping()
  final case class Pong()
  final case class Work(number: Int)
  final case class Done(number: Int)
  final case class Boom(text: String)
  case object Begin
  case object Tick
  case object Open

  def addTo(all: Scenes): Unit = {
    all.like("classic-tell", "scala-tell", tell(_))
    all.add(
      "scala-forward",
      forward(_),
      """|process Begin at /user/front
        |  process Ping at /user/relay from /user/front
        |    process Ping at /user/back from /user/front
        |      process Pong at /user/front from /user/back
        |""".stripMargin)
    all.add(
      "scala-become",
      become(_),
      """|process Begin at /user/front
        |  process Open at /user/switching from /user/front
        |  process Ping at /user/switching from /user/front
        |    process Pong at /user/front from /user/switching
        |""".stripMargin)
    all.add(
      "scala-stash",
      stash(_),
      """|process Begin at /user/front
        |  process Open at /user/shop from /user/front
        |  process Work at /user/shop from /user/front
        |    process Work at /user/shop from /user/front, stashed
        |      process Done at /user/front from /user/shop
        |""".stripMargin)
    all.add(
      "scala-ask",
      answered(_),
      """|process Begin at /user/front
        |  ask Ping at /user/back from /user/front
        |    process Ping at /user/back from /temp
        |  process Pong at /user/front from /user/front
        |""".stripMargin)
    all.like("classic-ask-outside", "scala-ask-outside", outside(_))
    all.like("classic-ask-failure", "scala-ask-failure", failed(_))
    all.like("classic-ask-timeout", "scala-ask-timeout", timedOut(_))
    all.add(
      "scala-future",
      future(_),
      """|process Begin at /user/front
        |  process Done at /user/front from /user/front
        |""".stripMargin)
    all.like("scala-future", "scala-future-failed", futureFailed(_))
    all.like("scala-future", "scala-promise", promise(_))
    all.like("scala-future", "scala-pipe", pipeToSelf(_))
    all.add(
      "scala-schedule-message",
      scheduleMessage(_),
      """|process Begin at /user/front
        |  process Tick at /user/front from /user/front
        |""".stripMargin)
    all.like("scala-schedule-message", "scala-schedule-block", scheduleBlock(_))
    all.like("timer-single", "scala-timer", timer(_))
    ScalaTyped.addTo(all)
  }

  private def tell(stage: Stage): Unit = {
    val back = stage.actor(Props(new Back), "back")
    begin(stage, front => front.send(back, Ping()))
  }

  private def forward(stage: Stage): Unit = {
    val back = stage.actor(Props(new Back), "back")
    val relay = stage.actor(Props(new Relay(back)), "relay")
    begin(stage, front => front.send(relay, Ping()))
  }

  /** The second message meets the behaviour that the first one switched to. */
  private def become(stage: Stage): Unit = {
    val switching = stage.actor(Props(new Switching), "switching")
    begin(
      stage,
      front => {
        front.send(switching, Open)
        front.send(switching, Ping())
      })
  }

  private def stash(stage: Stage): Unit = {
    val shop = stage.actor(Props(new Shop), "shop")
    begin(
      stage,
      front => {
        front.send(shop, Work(1))
        front.send(shop, Open)
      })
  }

  private def answered(stage: Stage): Unit = {
    val back = stage.actor(Props(new Back), "back")
    begin(stage, front => front.pipeAnswer(back ? Ping()))
  }

  private def outside(stage: Stage): Unit = {
    val back = stage.actor(Props(new Back), "back")
    Await.result(back ? Ping(), patience.duration)
  }

  private def failed(stage: Stage): Unit = {
    val back = stage.actor(Props(new Back), "back")
    begin(
      stage,
      front => {
        import front.context.dispatcher
        (back ? Boom("no")).onComplete {
          case Failure(_: IllegalStateException) => stage.signal()
          case other                             => throw new AssertionError(other.toString)
        }
      })
  }

  private def timedOut(stage: Stage): Unit = {
    val silent = stage.actor(Props(new Silent), "silent")
    begin(
      stage,
      front => {
        import front.context.dispatcher
        silent.ask(Ping())(60.millis).failed.foreach(_ => stage.signal())
      })
    stage.awaitTimers()
  }

  /** A comprehension: each step is a callback of its own. */
  private def future(stage: Stage): Unit =
    begin(
      stage,
      front => {
        import front.context.dispatcher
        val steps = for {
          one <- Future(1)
          two <- Future(one + 1)
          if two == 2
        } yield Done(two)
        steps.foreach(front.sendToSelf)
      })

  private def futureFailed(stage: Stage): Unit =
    begin(
      stage,
      front => {
        import front.context.dispatcher
        Future[Done](throw new IllegalStateException("no"))
          .recover { case _: IllegalStateException => Done(0) }
          .zip(Future.successful(1))
          .transform {
            case Success((done, _)) => Success(done)
            case Failure(why)       => Failure(why)
          }
          .foreach(front.sendToSelf)
      })

  /** As a driver does that has threads of its own, which know of no trace. */
  private def promise(stage: Stage): Unit = {
    val answer = Promise[Int]()
    val asked = Promise[Unit]()
    val driver = new Thread(() => {
      Await.ready(asked.future, patience.duration)
      answer.success(1)
    })
    driver.start()
    begin(
      stage,
      front => {
        import front.context.dispatcher
        answer.future.map(Done(_)).foreach(front.sendToSelf)
        asked.success(())
      })
    driver.join(TimeUnit.SECONDS.toMillis(10))
  }

  private def pipeToSelf(stage: Stage): Unit =
    begin(
      stage,
      front => {
        import front.context.dispatcher
        front.pipeAnswer(Future(Done(1)))
      })

  private def scheduleMessage(stage: Stage): Unit =
    begin(
      stage,
      front => {
        import front.context.dispatcher
        front.context.system.scheduler.scheduleOnce(Soon, front.self, Tick)(dispatcher, front.self)
      })

  private def scheduleBlock(stage: Stage): Unit =
    begin(
      stage,
      front => {
        import front.context.dispatcher
        front.context.system.scheduler.scheduleOnce(Soon) {
          front.sendToSelf(Tick)
        }
      })

  private def timer(stage: Stage): Unit = {
    stage.actor(Props(new Clockwork(stage)), "clockwork") ! Begin
    stage.await(1)
  }

  private def begin(stage: Stage, step: Front => Unit): Unit = {
    stage.actor(Props(new Front(stage, step)), "front") ! Begin
    stage.await(1)
  }

  private final class Front(stage: Stage, begin: Front => Unit) extends Actor {
    override def receive: Receive = {
      case Begin => begin(this)
      case _     => stage.signal()
    }

    def send(to: ActorRef, message: Any): Unit = to ! message

    def sendToSelf(message: Any): Unit = self ! message

    def pipeAnswer(answer: Future[Any]): Unit = {
      implicit val executor: ExecutionContext = context.dispatcher
      answer.pipeTo(self)
    }
  }

  private final class Back extends Actor {
    override def receive: Receive = {
      case Ping()     => sender() ! Pong()
      case Boom(text) => sender() ! Status.Failure(new IllegalStateException(text))
    }
  }

  private final class Relay(to: ActorRef) extends Actor {
    override def receive: Receive = {
      case message => to.forward(message)
    }
  }

  private final class Silent extends Actor {
    override def receive: Receive = Actor.ignoringBehavior
  }

  private final class Switching extends Actor {
    override def receive: Receive = {
      case Open => context.become(switched)
    }

    private def switched: Receive = {
      case Ping() => sender() ! Pong()
    }
  }

  private final class Shop extends Actor with Stash {
    override def receive: Receive = {
      case Open =>
        context.become(open)
        unstashAll()
      case _ => this.stash()
    }

    private def open: Receive = {
      case Work(number) => sender() ! Done(number)
    }
  }

  private final class Clockwork(stage: Stage) extends Actor with Timers {
    override def receive: Receive = {
      case Begin => timers.startSingleTimer("tick", Tick, Soon)
      case Tick  => stage.signal()
    }
  }
}
