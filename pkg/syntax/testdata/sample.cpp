#include <map>
#include <string>

namespace port {

class Ship;

namespace detail {
constexpr int kDepth = 12;
int helper(int n) { return n; }
}  // namespace detail

template <typename T, int N = 4>
class Queue : public Base<T>, private Lock {
 public:
  using value_type = T;
  typedef T* pointer;
  static const int kMax = N;

  Queue();
  explicit Queue(int size) : size_(size), data_(new T[size]) {}
  Queue(const Queue&) = delete;
  virtual ~Queue();

  void push(const T& item);
  T& at(int i) { return data_[i]; }
  const T* begin() const noexcept { return data_; }
  bool operator==(const Queue& other) const;
  T& operator[](int i) { return data_[i]; }
  explicit operator bool() const { return size_ > 0; }
  template <class U>
  void each(U f) {
    for (int i = 0; i < size_; ++i) f(data_[i]);
  }

 protected:
  enum class State { Open, Shut = 4 };
  struct Slot {
    int index = 0;
    void reset();
  };

 private:
  int size_ = 0;
  T* data_ = nullptr;
  std::map<std::string, int> names_;
};

template <typename T, int N>
void Queue<T, N>::push(const T& item) {
  data_[size_++] = item;
}

template <typename T, int N>
Queue<T, N>::~Queue() {
  delete[] data_;
}

template <typename T, int N>
bool Queue<T, N>::operator==(const Queue& other) const {
  return size_ == other.size_;
}

struct Point {
  double x, y;
  Point operator+(const Point& o) const { return {x + o.x, y + o.y}; }
  friend bool operator<(const Point& a, const Point& b);
};

using Names = std::map<std::string, Point>;

template <typename T>
concept Number = requires(T a) { a + a; };

inline namespace v2 {
int version();
}

}  // namespace port

namespace port::io {
struct File {
  void close();
  static int count;
};
}  // namespace port::io

void port::io::File::close() {
  auto done = [this](int code) { return code; };
  int local = done(1);
}

int port::io::File::count = 0;

bool port::operator<(const Point& a, const Point& b) { return a.x < b.x; }

extern "C" {
void c_entry(int n);
}

extern "C" int c_single(void);

[[nodiscard]] static auto answer() -> int { return 42; }

const char* const kNames[] = {"a", "b"};
std::string text = R"(raw ")";

int main() { return port::detail::helper(1); }
