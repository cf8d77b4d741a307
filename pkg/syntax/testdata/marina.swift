import Foundation

/// The longest boat that fits.
public let maxLength = 24.0
private var openBerths: Int = 40
let (inner, outer) = ("inner", "outer")
fileprivate let formatter: NumberFormatter = {
    let made = NumberFormatter()
    made.maximumFractionDigits = 1
    return made
}()

typealias BoatID = UUID
public typealias Handler<T> = (T) -> Void

enum Wind: Int, CaseIterable {
    case calm = 0, breeze
    case gale = 8
    indirect case gust(Wind, seconds: Int)

    static let limit = Wind.gale

    var isSafe: Bool {
        switch self {
        case .calm, .breeze: return true
        case .gale: return false
        case let .gust(inner, seconds) where seconds > 30:
            return inner.isSafe
        default: return false
        }
    }

    mutating func rise(by knots: Int = 5) {
        self = knots > 3 ? .gale : .breeze
    }
}

protocol Boat: AnyObject {
    associatedtype Crew
    static var registry: [BoatID] { get set }
    var name: String { get }
    func dock(at berth: Int) throws -> Bool
    init(name: String)
}

struct Berth: Codable, Hashable {
    let number: Int
    var length: Double = 12, width = 4.0
    private(set) var occupied = false
    static var count = 0
    weak var owner: Owner?

    var area: Double { length * width }

    var label: String {
        get { "B\(number)" }
        set { occupied = newValue.isEmpty }
    }

    @Clamped(min: 0, max: 100) var charge: Int = 50

    init(number: Int) {
        self.number = number
        Berth.count += 1
    }

    init?(text: String) {
        guard let number = Int(text), number > 0 else { return nil }
        self.init(number: number)
    }

    mutating func occupy() -> Bool {
        if occupied {
            return false
        }
        occupied = true
        return true
    }

    subscript(index: Int) -> Double {
        get { index == 0 ? length : width }
        set { length = newValue }
    }

    static func == (a: Berth, b: Berth) -> Bool {
        a.number == b.number
    }

    enum Side {
        case port, starboard
    }
}

@available(iOS 15, *)
@objc
public final class Owner: NSObject {
    public var boats: [any Boat] = []
    lazy var greeting = "Hello"
    let id = UUID()
    private let queue = DispatchQueue(label: "owner")
    var balance: Double = 0 {
        willSet { print(newValue) }
        didSet {
            if balance < 0 { notify(balance) }
        }
    }

    override init() {
        super.init()
    }

    convenience init(name: String, _ boats: any Boat...) {
        self.init()
        self.boats = boats
    }

    deinit {
        openBerths += 1
    }

    @discardableResult
    func notify(_ amount: Double, retries: Int = 3) -> Int {
        let text = "owing \(amount)"
        func attempt(_ n: Int) -> Bool {
            return n > 1 && !text.isEmpty
        }
        for n in 0..<retries where attempt(n) {
            return n
        }
        return -1
    }

    func notify(_ text: String) {
        queue.async { [weak self] in
            let copy = text
            self?.greeting = copy
        }
    }

    class Ledger {
        struct Line {
            var cents: Int
        }
        var lines: [Line] = []

        class func open() -> Ledger {
            Ledger()
        }
    }
}

extension Berth {
    static let smallest = 6.0

    func fits(_ length: Double) -> Bool {
        length <= self.length && length < maxLength
    }
}

extension Berth: CustomStringConvertible {
    var description: String { "berth \(number)" }
}

extension Array where Element == Berth {
    func longest() -> Berth? {
        self.max { $0.length < $1.length }
    }
}

actor Harbour {
    private var berths: [Int: Berth] = [:]

    func assign(_ id: BoatID, to number: Int) async throws -> Berth {
        try await Task.sleep(nanoseconds: 1_000)
        guard var berth = berths[number] else {
            throw HarbourError.noBerth(number)
        }
        _ = berth.occupy()
        berths[number] = berth
        return berth
    }

    nonisolated func capacity() -> Int { 40 }
}

enum HarbourError: Error {
    case noBerth(Int)
    case storm(Wind)
}

@propertyWrapper
struct Clamped {
    private var value: Int
    let min: Int, max: Int

    var wrappedValue: Int {
        get { value }
        set { value = Swift.min(Swift.max(newValue, min), max) }
    }
}

public func fee(for length: Double, nights: Int = 1) -> Double {
    let base = length * 2.5
    return base * Double(nights)
}

func fee(for berth: Berth) -> Double {
    fee(for: berth.length)
}

infix operator <+>: AdditionPrecedence

func <+> (a: Berth, b: Berth) -> Double {
    a.length + b.length
}

#if DEBUG
func trace(_ text: String) { print(text) }
#else
func trace(_ text: String) {}
#endif
