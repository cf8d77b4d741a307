import { Injectable, Input } from "@angular/core";
import type { Parcel } from "./parcel";

export const LIMIT = 20, RETRIES = 3;
let counter = 0;
export const { host, port: listenPort = 80 } = settings();
const [head, ...rest] = list;

export type Size = "S" | "M" | "L";

type Shape = {
  kind: "box";
  area(): number;
  nested: { depth: number };
};

export interface Store<K, V> extends Iterable<V> {
  readonly size: number;
  get(key: K): V | undefined;
  set?(key: K, value: V): void;
  [index: string]: unknown;
}

export enum Colour {
  Red,
  Green = "green",
  "dark-blue" = 7,
}

declare const enum Flags { None = 0 }

@Injectable({ providedIn: "root" })
export class Locker extends Base implements Store<string, Parcel> {
  @Input() label = "locker";
  static readonly instances: Locker[] = [];
  #secret?: string;
  private open = false;
  onClick = (event: Event) => {
    const inside = 1;
    return inside;
  };

  constructor(
    private readonly api: Api,
    public name?: string,
    plain = 1,
  ) {
    super();
    function helper() {}
  }

  get size(): number {
    return this.open ? 1 : 0;
  }

  set size(n: number) {
    this.open = n > 0;
  }

  find(key: string): Parcel;
  find(key: number): Parcel;
  find(key: any): Parcel {
    return this.api.find(key);
  }

  @HostListener("click", ["$event"])
  async onOpen(event: Event): Promise<void> {
    await this.api.open({ event, retry: RETRIES });
  }

  *[Symbol.iterator]() {
    yield 1;
  }

  #hide() {}
}

export abstract class Shelf {
  abstract rows(): number;
  protected abstract width: number;
}

export const routes = {
  list(page: number) {
    return query("parcel", { page, size: LIMIT });
  },
  drop: (id: string) => remove("parcel", id),
  deep: {
    inner: { value: 1 },
    "quoted-key": 2,
  },
} as const;

export const frozen = Object.freeze({ mode: "strict" });

const configured = configure({ hidden: 1 });

export async function label(code: string, fragile: boolean): Promise<string> {
  const note = fragile ? "fragile" : "";
  const inner = { member: 1 };
  return [code, note].join(" ");
}

function overload(a: string): void;
function overload(a: number): void;
function overload(a: any) {}

export function* ids() {
  yield counter++;
}

export namespace Tools.Text {
  export const width = 80;
  export function wrap(s: string) {
    return s;
  }
}

declare module "legacy" {
  export function old(): void;
}

declare global {
  interface Window {
    lockers: Locker[];
  }
}

export const compose = (f: Fn) => (x: number) => f(x);

export const Wrapped = class Named {
  method() {}
};

export default class extends Base {
  run() {}
}
