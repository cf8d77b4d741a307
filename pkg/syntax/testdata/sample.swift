import Foundation

let maxDraught = 12
var counter: Int = 0
private let registry: [String: Int] = ["north": 1]

typealias Log = [Entry]

/// One line.
struct Entry: Codable, Equatable {
    let ship: String
    var draught: Int = 1, late = false
    static let none = Entry(ship: "", draught: 0)

    init(ship: String, draught: Int) {
        self.ship = ship
        self.draught = draught
    }

    var half: Int {
        get { return draught / 2 }
        set { draught = newValue * 2 }
    }

    mutating func move(by n: Int) {
        let local = n + 1
        draught += local
    }

    subscript(index: Int) -> Int {
        return draught + index
    }
}

enum State: String {
    case free = "free"
    case taken, closed
    case moved(to: String)

    var label: String {
        switch self {
        case .free: return "Free"
        default: return rawValue
        }
    }
}

protocol Pilot: AnyObject {
    var name: String { get }
    func guide(_ ship: String) -> Int
}

@available(iOS 15, *)
public final class Berth<T: Pilot>: Base, Pilot {
    @Published private(set) var state: State = .free
    weak var pilot: T?
    lazy var log: Log = []

    override init() {
        super.init()
    }

    deinit {
        counter -= 1
    }

    @discardableResult
    func assign(_ ship: String, draught: Int = 1) async throws -> Bool {
        func helper(_ n: Int) -> Int { return n + 1 }
        guard draught <= maxDraught else { throw Failure.deep }
        let doubled = [1, 2].map { n in n * 2 }
        return helper(doubled[0]) > 0
    }

    func assign(_ entry: Entry) -> Bool { true }

    func guide(_ ship: String) -> Int {
        return "\(ship) is here".count
    }

    class Slot {
        func reset() {}
    }
}

extension Berth {
    static var limit: Int { 3 }

    func close() {
        state = .closed
    }
}

extension String {
    func shout() -> String { uppercased() }
}

func half(_ n: Int) -> Int {
    let inner = n / 2
    return inner
}
