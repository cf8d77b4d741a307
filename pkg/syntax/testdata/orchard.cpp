// Trees, harvests and the price of fruit.
#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define ORCHARD_ROWS 40
#define CHECK(x) do { if (!(x)) throw std::logic_error(#x); } while (0)

namespace orchard {

using Kilo = double;
typedef std::map<std::string, Kilo> Yield;
template <typename T>
using Rows = std::vector<std::vector<T>>;

constexpr int kMaxAge = 80;
inline const std::string kDefaultSort{"Boskoop"};
static int planted = 0, felled;
extern Yield lastYear;

enum class Season : unsigned char { Winter, Spring = 3, Summer, Autumn };
enum Pest { APHID = 1, MOTH = 1 << 1 };

template <typename T>
concept Fruit = requires(T t) {
  { t.weight() } -> std::convertible_to<Kilo>;
};

class Tree;

struct Point {
  double x = 0;
  double y = 0;
  bool operator==(const Point &other) const = default;
  Point operator+(const Point &other) const { return {x + other.x, y + other.y}; }
};

class Tree {
 public:
  explicit Tree(Point at, int age = 1);
  Tree(const Tree &) = delete;
  Tree &operator=(const Tree &) = delete;
  virtual ~Tree();

  virtual Kilo harvest(Season season) = 0;
  [[nodiscard]] int age() const noexcept { return age_; }
  const std::string &sort() const;
  static Tree *oldest(const std::vector<Tree *> &trees);
  explicit operator bool() const { return age_ < kMaxAge; }
  bool operator<(const Tree &other) const;
  int &operator[](int branch);
  void operator()(Pest pest);

 protected:
  Point at_;
  std::string sort_ = kDefaultSort;

 private:
  friend class Grower;
  struct Branch {
    double length;
    std::vector<int> buds;
    int count() const { return static_cast<int>(buds.size()); }
  };
  std::vector<Branch> branches_;
  int age_{1};
  mutable Pest *pests_[4];
  static int count_;
};

int Tree::count_ = 0;

Tree::Tree(Point at, int age) : at_(at), age_(age) {
  CHECK(age >= 0);
  ++count_;
}

Tree::~Tree() { --count_; }

const std::string &Tree::sort() const { return sort_; }

bool Tree::operator<(const Tree &other) const { return age_ < other.age_; }

Tree *Tree::oldest(const std::vector<Tree *> &trees) {
  Tree *best = nullptr;
  for (auto *tree : trees) {
    if (!best || *best < *tree) best = tree;
  }
  return best;
}

class Apple final : public Tree {
 public:
  using Tree::Tree;
  enum Colour { Red, Green };

  Kilo harvest(Season season) override {
    constexpr Kilo full = 120.5;
    switch (season) {
      case Season::Autumn:
        return full * std::min(age(), 20) / 20;
      case Season::Summer:
        return 4;
      default:
        return 0;
    }
  }
  Colour colour = Red;
};

template <typename T, int N = 4>
class Crate {
 public:
  void put(T fruit);
  template <typename U>
  Crate<U, N> map(U (*f)(const T &)) const;
  Kilo weight() const;

 private:
  T fruits_[N];
  int used_ = 0;
};

template <typename T, int N>
void Crate<T, N>::put(T fruit) {
  if (used_ == N) throw std::out_of_range("crate");
  fruits_[used_++] = std::move(fruit);
}

template <typename T, int N>
Kilo Crate<T, N>::weight() const {
  Kilo sum = 0;
  for (int i = 0; i < used_; i++) sum += fruits_[i].weight();
  return sum;
}

template <>
class Crate<bool, 1> {
 public:
  bool empty;
};

template <Fruit F>
auto heaviest(const std::vector<F> &fruits) -> F {
  return *std::max_element(fruits.begin(), fruits.end(), [](const F &a, const F &b) {
    auto difference = a.weight() - b.weight();
    return difference < 0;
  });
}

namespace market {
namespace detail {
Kilo rounded(Kilo k) { return static_cast<int>(k * 10) / 10.0; }
}  // namespace detail

double price(Kilo kilo) { return kilo * 1.9; }
double price(Kilo kilo, bool organic) { return price(kilo) * (organic ? 1.5 : 1.0); }
double price(const Tree &tree, Season season = Season::Autumn);
}  // namespace market

namespace {
int hidden = 7;
void prune(Tree &tree) { tree(MOTH); }
}  // namespace

#ifdef ORCHARD_SENSORS
bool frost() { return sensor_read() < 0; }
#else
bool frost() { return false; }
#endif

}  // namespace orchard

namespace orchard::weather {
struct Report {
  double rain;
  union {
    int wind;
    float gust;
  };
};
Report today();
}  // namespace orchard::weather

void orchard::Tree::operator()(Pest pest) {
  pests_[0] = nullptr;
  planted += pest == APHID ? 1 : 0;
}

extern "C" {
int orchard_version(void) { return 3; }
typedef struct orchard_handle orchard_handle;
}

std::ostream &operator<<(std::ostream &out, const orchard::Point &p) { return out << p.x << ',' << p.y; }

int main() {
  auto tree = std::make_unique<orchard::Apple>(orchard::Point{1, 2});
  return tree->harvest(orchard::Season::Autumn) > 0 ? 0 : 1;
}
