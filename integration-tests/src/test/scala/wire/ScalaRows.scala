// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire

import org.apache.pekko.actor.{ Actor, ActorRef, Props }
import org.apache.pekko.actor.typed.{ ActorRef => TypedRef, Behavior }
import org.apache.pekko.actor.typed.scaladsl.{ ActorContext, Behaviors }
import org.apache.pekko.actor.typed.scaladsl.AskPattern.{ schedulerFromActorSystem, Askable }
import org.apache.pekko.actor.typed.scaladsl.adapter.{ ClassicActorRefOps, ClassicActorSystemOps }
import org.apache.pekko.pattern.{ ask, pipe }
import org.apache.pekko.util.Timeout
import wire.Messages.{ Begin, Done, Work }
import wire.Services.Question

/** Ways in which actors in Scala send to another node. */
object ScalaRows {
  private implicit val patience: Timeout = Timeout.create(Stage.PATIENCE)

  final case class Adapted(number: Int)

  def addTo(all: Rows): Unit = {
    all.like("tell", "scala-tell", classic(_, (front, there) => front.send(there, new Work(1))))
    all.add(
      "scala-forward",
      forward(_),
      """|process Begin at a/user/scala-forward
        |  process Work at a/user/scala-forward-relay
        |    process Work at b/user/echo
        |      process Done at a/user/scala-forward
        |""".stripMargin)
    all.like("ask", "scala-ask", classic(_, (front, there) => front.askAndPipe(there, new Work(1))))
    all.like("typed-tell", "scala-typed-tell", typed(_, tell))
    all.like("typed-forward", "scala-typed-forward", typed(_, typedForward))
    all.like("typed-adapter", "scala-typed-adapter", typed(_, adapter))
    all.like("typed-ask", "scala-typed-ask", typed(_, contextAsk))
    all.like("typed-ask", "scala-typed-ask-pattern", typed(_, askPattern))
  }

  private def forward(stage: Stage): Unit = {
    val there = stage.remote("/user/echo")
    val relay = stage.system.actorOf(Props(new Relay(there)), s"${stage.row}-relay")
    begin(stage, front => front.send(relay, new Work(1)))
  }

  private def classic(stage: Stage, step: (ScalaFront, ActorRef) => Unit): Unit = {
    val there = stage.remote("/user/echo")
    begin(stage, step(_, there))
  }

  private def begin(stage: Stage, step: ScalaFront => Unit): Unit = {
    stage.system.actorOf(Props(new ScalaFront(stage, step)), stage.row) ! new Begin
    stage.await(1)
  }

  private final class ScalaFront(stage: Stage, begin: ScalaFront => Unit) extends Actor {
    import context.dispatcher

    override def receive: Receive = {
      case _: Begin => begin(this)
      case _        => stage.signal()
    }

    def send(to: ActorRef, message: Any): Unit = to ! message

    def askAndPipe(whom: ActorRef, question: Any): Unit = (whom ? question).pipeTo(self)
  }

  private final class Relay(to: ActorRef) extends Actor {
    override def receive: Receive = {
      case message => to.forward(message)
    }
  }

  private type Step = (ActorContext[Any], TypedRef[Question]) => Unit

  private def tell(context: ActorContext[Any], there: TypedRef[Question]): Unit =
    there ! new Question(1, context.self)

  private def typedForward(context: ActorContext[Any], there: TypedRef[Question]): Unit = {
    val middle = context.spawn(
      Behaviors.receiveMessage[Question] { question =>
        there ! question
        Behaviors.same
      },
      "middle")
    middle ! new Question(1, context.self)
  }

  private def adapter(context: ActorContext[Any], there: TypedRef[Question]): Unit =
    there ! new Question(1, context.messageAdapter[Done](done => Adapted(done.number)))

  private def contextAsk(context: ActorContext[Any], there: TypedRef[Question]): Unit =
    context.ask[Question, Done](there, new Question(1, _))(answer => Adapted(answer.get.number))

  private def askPattern(context: ActorContext[Any], there: TypedRef[Question]): Unit = {
    import context.system
    context.pipeToSelf(there.ask[Done](new Question(1, _)))(answer => Adapted(answer.get.number))
  }

  private def typed(stage: Stage, step: Step): Unit = {
    val there: TypedRef[Question] = stage.remote("/user/typed").toTyped
    stage.system.spawn(behavior(stage, step, there), stage.row) ! new Begin
    stage.await(1)
  }

  private def behavior(stage: Stage, step: Step, there: TypedRef[Question]): Behavior[Any] =
    Behaviors.receive { (context, message) =>
      message match {
        case _: Begin => step(context, there)
        case _        => stage.signal()
      }
      Behaviors.same
    }
}
