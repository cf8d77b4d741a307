import { EventEmitter } from 'node:events';
import type { Logger } from './log';
import * as store from './store';

export const LOAN_DAYS = 28;
export let openDesks = 2;
export const FEES = { late: 25, lost: { base: 1500, deposit: 200 }, 'damaged-cover': 300 } as const;
const { primary, secondary: fallback = 'reserve', tertiary: { depot }, ...otherStores } = store.config;

export type Isbn = string & { readonly brand: unique symbol };
export type Outcome<T> = { ok: true; value: T } | { ok: false; reason: string };
export type Visitor = {
  book(b: Book): void;
  readonly member?: (m: Member) => boolean;
};

export interface Book {
  readonly isbn: Isbn;
  title: string;
  authors: string[];
  shelf?: { room: number; row: string };
  describe(verbose?: boolean): string;
  new (title: string): Book;
  [key: string]: unknown;
}

export interface Book {
  edition: number;
}

export enum Status {
  Available,
  OnLoan = 'on-loan',
  Lost = 1 << 2,
}

export declare enum Legacy {
  Card = 1,
}

const enum Floor {
  Ground = 0,
  First,
}

declare module 'express' {
  interface Request {
    member?: Member;
  }
}

declare global {
  interface Window {
    library: Library;
  }
}

declare function barcode(text: string): number;
declare const VERSION: string;

export namespace Catalogue {
  export const size = 40;
  export interface Entry {
    book: Book;
    copies: number;
  }
  export function find(isbn: Isbn): Entry | undefined {
    const entry = index.get(isbn);
    return entry;
  }
  const index = new Map<Isbn, Entry>();
  export namespace Search {
    export type Query = Partial<Entry>;
    export class Engine {
      run(query: Query): Entry[] {
        return [];
      }
    }
  }
}

function sealed(limit: number) {
  return function (target: unknown, name?: string) {
    Object.seal(target);
  };
}

@sealed(3)
export abstract class Account {
  protected abstract readonly kind: string;
  private static next = 1;
  declare legacy: boolean;

  constructor(
    public readonly id: number,
    protected name: string,
    private log?: Logger,
  ) {}

  abstract balance(at: Date): number;

  @sealed(1)
  protected static create(name: string): number {
    const id = Account.next++;
    return id;
  }
}

@sealed(2)
@Reflect.metadata('role', 'member')
export class Member extends Account implements Iterable<Book> {
  kind = 'member';
  #loans: Book[] = [];
  public onReturn?: (b: Book) => void;
  private readonly limits = new Map<string, number>([['child', 3]]);
  handler = async (event: Event): Promise<void> => {
    await store.save(event);
  };

  @sealed(0)
  accessor colour = 'blue';

  balance(at: Date): number {
    return this.#loans.length * FEES.late + (at > new Date() ? 1 : 0);
  }

  lend(book: Book): Outcome<Date>;
  lend(book: Book, days: number): Outcome<Date>;
  lend(book: Book, days = LOAN_DAYS): Outcome<Date> {
    if (this.#loans.length >= (this.limits.get(this.kind) ?? 6)) {
      return { ok: false, reason: 'too many loans' };
    }
    this.#loans.push(book);
    return { ok: true, value: new Date(Date.now() + days * 86_400_000) };
  }

  get count(): number {
    return this.#loans.length;
  }

  set count(n: number) {
    this.#loans.length = n;
  }

  private async remind(days: number): Promise<boolean> {
    for await (const book of this.overdue(days)) {
      this.log?.warn(book.title);
    }
    return days > 0;
  }

  private async *overdue(days: number): AsyncGenerator<Book> {
    yield* this.#loans;
  }

  *[Symbol.iterator](): Iterator<Book> {
    yield* this.#loans;
  }
}

export function fine(days: number): number;
export function fine(days: number, lost: boolean): number;
export function fine(days: number, lost = false): number {
  const base = lost ? FEES.lost.base : 0;
  function capped(cents: number) {
    return Math.min(cents, 5000);
  }
  return capped(base + days * FEES.late);
}

export const isMember = (value: unknown): value is Member => value instanceof Member;

export const loadBook = async <T extends Book>(isbn: Isbn, fetcher: (isbn: Isbn) => Promise<T>): Promise<T> => {
  const book = await fetcher(isbn);
  return book;
};

export const desk: { open: boolean; queue: Member[] } = {
  open: true,
  queue: [],
};

export const routes = {
  'GET /books': (id: string) => store.find(id),
  async close() {
    openDesks -= 1;
  },
  limits: { daily: 400 },
} satisfies Record<string, unknown>;

export class Library extends EventEmitter {
  static readonly shared = new Library();
  private constructor() {
    super();
  }
  close(): void {
    this.emit('close', primary ?? fallback);
  }
}

export default function open(name: string): Library {
  return Library.shared;
}

export { barcode as scan };
