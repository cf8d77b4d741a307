package harbour

import kotlinx.coroutines.flow.Flow
import java.util.Date as JDate

const val MAX_DRAUGHT = 12
private val registry = mutableMapOf<String, Int>()
var counter: Int = 0
    private set

typealias Log = List<Entry>

/** One line. */
@Serializable
data class Entry(
    val ship: String,
    private var draught: Int = 1,
    plain: Boolean,
) : Base(), Comparable<Entry> {
    override fun compareTo(other: Entry): Int {
        return draught - other.draught
    }

    companion object {
        const val LIMIT = 3

        fun of(ship: String) = Entry(ship, 1, false)
    }
}

enum class State(val code: Int) {
    FREE(1),
    TAKEN(2) {
        override fun label() = "taken"
    };

    open fun label(): String = name.lowercase()
}

sealed interface Shape

interface Pilot : Shape {
    val name: String
    fun guide(ship: String): Int
    fun rest() {}
}

object Harbour : Pilot {
    override val name = "north"

    override fun guide(ship: String): Int = 1
}

abstract class Berth<T : Pilot>(private val pilot: T, number: Int) {
    val number: Int = number
    var state: State = State.FREE
        get() = field
        set(value) {
            field = value
        }
    val late by lazy { pilot.name }
    lateinit var log: MutableList<Entry>

    init {
        val local = 1
        println("berth $number ${pilot.name}")
    }

    constructor(pilot: T) : this(pilot, 0)

    @Throws(Error::class)
    suspend fun assign(ship: String, draught: Int = 1): Boolean {
        val half = { n: Int -> n / 2 }
        fun helper(n: Int) = half(n)
        if (draught > MAX_DRAUGHT) throw Error("too deep")
        return when {
            helper(draught) > 3 -> true
            else -> false
        }
    }

    fun assign(entry: Entry): Boolean = true

    internal inner class Slot {
        fun reset() {}
    }

    protected abstract fun hidden()
}

fun String.shout(): String = uppercase()

fun <T> List<T>.second(): T = this[1]

fun Entry?.orNone(): Entry = this ?: Entry.of("")

val String.half: Int
    get() = length / 2

infix fun Int.upTo(n: Int) = this..n

operator fun Entry.plus(other: Entry): Int = 1

fun main(args: Array<String>) {
    val text = """
        raw
    """.trimIndent()
    val (a, b) = Pair(1, 2)
    for (i in 1..3) println(i)
}
