@file:JvmName("CampsiteKt")

package org.example.campsite

import kotlin.math.max
import kotlinx.coroutines.delay
import org.example.weather.Forecast as Sky

const val MAX_PITCHES = 120
private val seasons = mapOf("spring" to 0.8, "summer" to 1.4)
var opened: Boolean = false
    private set
val (west, east) = listOf("W", "E")
internal lateinit var warden: Warden

typealias PitchId = Int
typealias Price<T> = (T, Int) -> Double

enum class Power(val amps: Int) {
    NONE(0),
    LOW(6) {
        override fun label() = "low"
    },

    @Deprecated("too hot")
    HIGH(16);

    open fun label(): String = name.lowercase()

    companion object {
        val DEFAULT = LOW
        fun of(amps: Int): Power = entries.first { it.amps >= amps }
    }
}

sealed interface Guest {
    val name: String
    fun pays(nights: Int): Boolean

    data class Camper(override val name: String, val dogs: Int = 0) : Guest {
        override fun pays(nights: Int) = nights > 0
    }

    object Nobody : Guest {
        override val name get() = "nobody"
        override fun pays(nights: Int) = false
    }
}

fun interface Checker {
    fun check(guest: Guest): Boolean
}

annotation class Audited(val by: String = "warden")

@JvmInline
value class Metres(val value: Double) {
    operator fun plus(other: Metres) = Metres(value + other.value)
    infix fun by(other: Metres): Double = value * other.value
}

@Audited(by = "town")
open class Pitch @JvmOverloads constructor(
    val id: PitchId,
    protected var power: Power = Power.NONE,
    length: Int = 10,
) : Comparable<Pitch> {
    private val bookings = mutableListOf<Booking>()
    val area: Double
        get() = side * side.toDouble()
    var side: Int = length
        set(value) {
            field = max(1, value)
        }
    val shady by lazy { id % 3 == 0 }

    init {
        require(length > 0) { "a pitch needs a length" }
    }

    constructor(id: PitchId, side: Int, note: String) : this(id, length = side) {
        notes.add(note)
    }

    constructor(text: String) : this(text.toInt())

    override fun compareTo(other: Pitch): Int = id - other.id

    fun book(booking: Booking): Boolean {
        val clash = bookings.any { it.overlaps(booking) }
        fun free(day: Int): Boolean {
            return day !in booking.from..booking.to
        }
        if (clash && !free(1)) {
            return false
        }
        bookings += booking
        return true
    }

    fun book(from: Int, to: Int) = book(Booking(from, to))

    suspend fun clean(minutes: Long = 20): Result<Unit> {
        repeat(3) { round ->
            delay(minutes * 60_000 / (round + 1))
        }
        return Result.success(Unit)
    }

    inner class Sign(val text: String) {
        fun show() = "${text.uppercase()}: $id"
    }

    companion object Factory {
        const val MIN_SIDE = 4
        private val notes = mutableSetOf<String>()

        @JvmStatic
        fun square(id: PitchId): Pitch {
            val side = MIN_SIDE * 2
            return Pitch(id, length = side)
        }
    }
}

data class Booking(val from: Int, val to: Int, val guest: Guest = Guest.Nobody) {
    fun overlaps(other: Booking) = from <= other.to && other.from <= to
    operator fun contains(day: Int) = day in from..to
}

object Registry {
    private val pitches = HashMap<PitchId, Pitch>()

    @Synchronized
    fun add(pitch: Pitch) {
        if (pitches.size >= MAX_PITCHES) throw IllegalStateException("full")
        pitches[pitch.id] = pitch
    }

    object Backup {
        var path = "/var/campsite"
    }
}

class Warden<T : Guest>(private val favourites: Set<T>) where T : Comparable<T> {
    fun favourite(): T? = favourites.minOrNull()
    inline fun <reified R> all(): List<R> = favourites.filterIsInstance<R>()
}

fun Pitch.isFree(day: Int): Boolean = day > 0 && shady
fun List<Pitch>.cheapest(): Pitch? = minByOrNull { it.area }
fun String?.orUnknown() = this ?: "unknown"
val Pitch.tax: Double get() = area * 0.05
val <T> List<T>.middle: T
    get() = this[size / 2]

tailrec fun steps(n: Int, seen: Int = 0): Int = if (n <= 0) seen else steps(n - 2, seen + 1)

fun price(pitch: Pitch, nights: Int): Double {
    val factor = when (pitch.side) {
        in 0..5 -> 1.0
        6, 7 -> 1.2
        else -> if (nights > 7) 1.3 else 1.5
    }
    var total = 0.0
    for (night in 1..nights) {
        total += factor * 12.5
    }
    return total
}

fun price(pitch: Pitch): Double = price(pitch, 1)

fun main(args: Array<String>) {
    val printer = object : Checker {
        override fun check(guest: Guest) = guest.pays(args.size)
    }
    println(printer.check(Guest.Nobody))
}
