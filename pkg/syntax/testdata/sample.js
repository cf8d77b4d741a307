"use strict";

const fs = require("fs");
const { join, resolve: full } = require("path");

var VERSION = "1.0", BUILD = 7;
let count = 0;

class Queue {
  static max = 10;
  #items = [];
  compare = (a, b) => a - b;

  constructor(name) {
    this.name = name;
  }

  static of(...items) {
    const q = new Queue();
    items.forEach((i) => q.push(i));
    return q;
  }

  push(item) {
    this.#items.push(item);
  }

  get length() {
    return this.#items.length;
  }

  async *drain() {
    while (this.length) yield this.#items.shift();
  }

  "quoted name"() {}
}

function start(options = {}) {
  const local = 1;
  function nested() {
    return local;
  }
  return nested;
}

async function load(path) {
  return fs.promises.readFile(path);
}

function* numbers() {
  yield 1;
}

const double = (x) => x * 2;
const triple = function (x) {
  return x * 3;
};

const handlers = {
  open(event) {
    return event;
  },
  close: function () {},
  toggle: () => {},
  double,
  nested: {
    deep: 1,
    list: [{ hidden: 2 }],
  },
  async later() {},
};

Queue.prototype.peek = function () {
  return this.first;
};

Queue.from = (list) => Queue.of(...list);

exports.run = function run() {};

module.exports.stop = () => {};

module.exports = {
  Queue,
  start,
  options: { verbose: false },
};

describe("queue", () => {
  const inside = 1;
  function helper() {}
  it("pushes", () => {
    expect(inside).toBe(1);
  });
});

export const View = ({ title }) => (
  <main className="view">
    <h1>{title}</h1>
    <Button onClick={() => start()} />
  </main>
);

export default function App() {
  return <View title="x" />;
}
