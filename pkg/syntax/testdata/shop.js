'use strict';

const { createHash, randomUUID: uuid } = require('crypto');
const [minimum, , maximum] = [1, 5, 99];
const path = require('path');

/** What a basket may hold. */
const MAX_LINES = 50;
let openBaskets = 0;
var legacyCode;

const STATUS = Object.freeze({
  OPEN: 'open',
  PAID: 'paid',
  SHIPPED: 'shipped',
});

const SHIPPING = {
  standard: { days: 5, price: 390 },
  express: { days: 1, price: 1290, carriers: ['dhl', 'ups'] },
  'same-day': { days: 0, price: 2490 },
};

const vat = { de: 0.19, at: 0.2, ch: 0.081 };

class Money {
  static zero = new Money(0);
  #cents;
  currency = 'EUR';

  constructor(cents, currency) {
    this.#cents = Math.round(cents);
    if (currency) {
      this.currency = currency;
    }
  }

  get euros() {
    return this.#cents / 100;
  }

  set euros(value) {
    this.#cents = value * 100;
  }

  static of(text) {
    const [whole, part = '0'] = text.split('.');
    return new Money(Number(whole) * 100 + Number(part));
  }

  plus(other) {
    return new Money(this.#cents + other.#cents, this.currency);
  }

  #check() {
    return this.#cents >= 0;
  }

  toJSON() {
    return { cents: this.#cents, ok: this.#check() };
  }

  [Symbol.toPrimitive](hint) {
    return hint === 'number' ? this.#cents : `${this.euros} ${this.currency}`;
  }

  static {
    Money.ready = true;
  }
}

class Basket extends EventTarget {
  lines = [];
  onChange = (event) => {
    this.dirty = event.type !== 'load';
  };

  async load(id, { retries = 3, signal } = {}) {
    for (let n = 0; n < retries; n++) {
      try {
        const response = await fetch(`/baskets/${id}`, { signal });
        return await response.json();
      } catch (error) {
        if (n + 1 === retries) throw error;
      }
    }
    return null;
  }

  *articles() {
    for (const line of this.lines) {
      yield line.article;
    }
  }

  async *pages(size = 20) {
    for (let at = 0; at < this.lines.length; at += size) {
      yield this.lines.slice(at, at + size);
    }
  }

  add(article, count = 1) {
    if (count < minimum || count > maximum || this.lines.length >= MAX_LINES) {
      throw new RangeError('cannot add ' + count);
    }
    const same = this.lines.find((line) => line.article === article);
    if (same) {
      same.count += count;
    } else {
      this.lines.push({ article, count });
    }
    return this;
  }
}

function checkout(basket, method = 'standard') {
  const shipping = SHIPPING[method] ?? SHIPPING.standard;
  function subtotal() {
    return basket.lines.reduce((sum, line) => sum + line.article.price * line.count, 0);
  }
  const total = subtotal() > 10000 ? subtotal() : subtotal() + shipping.price;
  switch (basket.status) {
    case STATUS.OPEN:
      basket.status = STATUS.PAID;
      break;
    case STATUS.PAID:
    case STATUS.SHIPPED:
      return undefined;
    default:
      throw new Error(`unknown status ${basket.status}`);
  }
  return { total, eta: shipping.days };
}

async function notify(order) {
  await Promise.all([mail(order), push(order)]);
}

function* numbers(from = 1) {
  while (true) yield from++;
}

const mail = async (order) => {
  const text = /paid|shipped/i.test(order.status) ? 'Thank you' : 'Hurry';
  return { to: order.mail, text };
};

const push = function pushNote(order) {
  return order.devices?.length ?? 0;
};

const handlers = {
  created(order) {
    openBaskets++;
    return order;
  },
  async paid(order) {
    await notify(order);
  },
  cancelled: (order) => ({ ...order, status: 'cancelled' }),
  refunded: function (order) {
    return -order.total;
  },
  checkout,
  limits: { lines: MAX_LINES, nested: { deep: true } },
};

Basket.prototype.clear = function () {
  this.lines.length = 0;
};

Basket.fromJSON = (text) => Object.assign(new Basket(), JSON.parse(text));

function Coupon(code) {
  this.code = code;
}

Coupon.prototype.rate = 0.1;
Coupon.prototype.apply = function (money) {
  const discount = money * this.rate;
  return money - discount;
};

if (process.env.LEGACY) {
  legacyCode = 'A1';
  exports.legacy = function () {
    return legacyCode;
  };
}

exports.hash = (text) => createHash('sha256').update(text).digest('hex');

module.exports = {
  Basket,
  Money,
  checkout,
  newId() {
    return uuid();
  },
  locate: (file) => path.join(__dirname, file),
};
