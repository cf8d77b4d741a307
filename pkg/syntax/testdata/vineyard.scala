package org.example.vineyard

import scala.collection.mutable
import scala.concurrent.{ExecutionContext, Future}
import scala.util.{Failure, Success, Try}

/** What a vineyard bottles. */
package object units {
  type Litres = Double
  val Barrel: Litres = 225.0
}

object Limits {
  val MaxRows = 400
  private[vineyard] val minAge: Int = 3
  final val Names = List("Riesling", "Silvaner")
  val (low, high) = (8.5, 14.5)
  lazy val index: Map[String, Int] = Names.zipWithIndex.toMap
  var closed, paused = false
}

sealed trait Grape {
  type Colour
  def name: String
  def sugar(day: Int): Double = 0.1 * day
  val origin: String
}

case object Riesling extends Grape {
  type Colour = String
  val name = "Riesling"
  override val origin = "Rhine"
}

final case class Blend(parts: List[Grape], private val share: Map[Grape, Double] = Map.empty) extends Grape {
  type Colour = Int
  def name: String = parts.map(_.name).mkString(" & ")
  val origin = "many"
}

sealed abstract class Quality(val stars: Int)

object Quality {
  case object Table extends Quality(1)
  case object Reserve extends Quality(4)

  def apply(stars: Int): Quality = if (stars > 3) Reserve else Table
  implicit val ordering: Ordering[Quality] = Ordering.by(_.stars)
}

@deprecated("use Cellar", "2.0")
class Shed(rows: Int) {
  def size: Int = rows * 2
}

trait Store[A] {
  protected val items: mutable.Buffer[A] = mutable.Buffer.empty

  def put(item: A): Unit
  def put(item: A, count: Int): Unit = (1 to count).foreach(_ => put(item))
  def +=(item: A): this.type = {
    put(item)
    this
  }
}

class Cellar[A <: Grape](val rows: Int, name: String)(implicit ec: ExecutionContext) extends Store[A] with AutoCloseable {
  private var temperature = 11.5
  import Limits._

  def this(rows: Int) = this(rows, "cellar")(ExecutionContext.global)

  override def put(item: A): Unit = {
    require(rows < MaxRows, s"too many rows: $rows of ${MaxRows - 1}")
    items += item
  }

  def ripen(days: Int)(implicit cold: Boolean = false): Future[Double] = Future {
    val factor = if (cold) 0.5 else 1.0
    def sum(list: List[A], total: Double): Double = list match {
      case Nil => total
      case head :: tail if head.sugar(days) > 2 => sum(tail, total + 1)
      case _ :: tail => sum(tail, total)
    }
    sum(items.toList, 0) * factor
  }

  def oldest[B >: A](fallback: => B): B = items.headOption match {
    case Some(item) => item
    case None => fallback
  }

  @throws[IllegalStateException]
  def close(): Unit = {
    if (temperature <= 0 || closed) throw new IllegalStateException("frozen")
    temperature -= 1
  }

  class Barrel(val litres: Int) {
    var level: Int = litres
    def draw(n: Int): Int = { level -= n; level }
    object Tap {
      val size = 3
    }
  }

  private object Log {
    def write(text: String): Unit = println(text)
  }
}

object Cellar {
  type Shelf = Vector[Grape]
  val Default = 40

  def apply(name: String): Try[Cellar[Grape]] =
    if (name.isEmpty) Failure(new IllegalArgumentException("no name"))
    else Success(new Cellar[Grape](Default, name)(ExecutionContext.global))

  def unapply(cellar: Cellar[_]): Option[Int] = Some(cellar.rows)
}

enum Season(val months: Int):
  case Winter extends Season(3)
  case Spring, Summer extends Season(4)
  case Harvest(days: Int) extends Season(1)

  def next: Season = Season.fromOrdinal((ordinal + 1) % 3)

object syntax {
  implicit class GrapeOps(private val grape: Grape) extends AnyVal {
    def shout: String = grape.name.toUpperCase + "!"
  }

  extension (n: Int)
    def bottles: Int = n * 4 / 3
    def crates(size: Int): Int = n / size

  given defaultSeason: Season = Season.Winter
}

object Main extends App {
  val cellar = new Cellar[Grape](12)
  val report = for {
    sugar <- cellar.ripen(100)
    if sugar > 1
  } yield f"$sugar%.1f"
  private def run(args: Array[String]): Int = {
    var n = 0
    while (n < args.length) n += 1
    n
  }
}
