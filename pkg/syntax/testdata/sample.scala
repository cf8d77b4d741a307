package harbour

import scala.collection.mutable.{Map => MMap, ListBuffer}

/** One line. */
final case class Entry(ship: String, draught: Int = 1) extends Base with Ordered[Entry] {
  val late: Boolean = draught > Harbour.MaxDraught
  private var notes, tags = List.empty[String]
  lazy val half = draught / 2

  def compare(that: Entry): Int = draught - that.draught

  @deprecated("use assign", "1.0")
  def add(note: String)(implicit clock: Clock): Entry = {
    val local = note.trim
    def helper(n: Int) = n + 1
    notes = local :: notes
    this
  }

  type Self = Entry
}

object Entry {
  val None = Entry("", 0)
  def of(ship: String) = Entry(ship)
}

sealed trait State {
  def label: String
  type Code
  val number: Int = 1
}

case object Free extends State {
  def label = "free"
}

trait Pilot[T] {
  def guide(ship: String): T
  def rest(): Unit = ()
}

object Harbour extends Pilot[Int] {
  val MaxDraught = 12
  var counter = 0
  val (first, second) = (1, 2)

  class Berth(val number: Int, pilot: Pilot[Int]) {
    def assign(ship: String): Boolean = ship match {
      case "" => false
      case s if s.length > 3 => true
      case _ => true
    }

    private class Slot {
      def reset(): Unit = {}
    }
  }

  def guide(ship: String): Int = {
    val text = s"ship $ship of ${counter + 1}"
    text.length
  }

  implicit class Shout(s: String) {
    def shout: String = s.toUpperCase
  }
}

class Plain

abstract class Shape(protected val name: String) {
  def area: Double
  override def toString: String = name
}
