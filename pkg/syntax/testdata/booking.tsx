import React, { useEffect, useMemo, useState, type ReactNode } from 'react';
import { formatDate } from './dates';

export const NIGHTLY_RATE = 8900;
export const ROOMS = ['single', 'double', 'suite'] as const;

export type Room = (typeof ROOMS)[number];

export enum Board {
  None = 'none',
  Breakfast = 'breakfast',
  Full = 'full',
}

export interface Guest {
  name: string;
  age?: number;
  greet(polite: boolean): string;
}

export interface BookingProps {
  guest: Guest;
  room: Room;
  nights?: number;
  children?: ReactNode;
  onConfirm: (total: number) => void;
}

type State = {
  board: Board;
  error: { code: number; text: string } | null;
};

const labels: Record<Board, string> = {
  [Board.None]: 'Room only',
  breakfast: 'Breakfast',
  full: 'Full board',
};

const styles = {
  card: { padding: 12, border: '1px solid #ccc' },
  total: { fontWeight: 'bold' },
};

export function price(room: Room, nights: number): number;
export function price(room: Room, nights: number, board: Board): number;
export function price(room: Room, nights: number, board: Board = Board.None): number {
  const factor = room === 'suite' ? 2.5 : room === 'double' ? 1.4 : 1;
  const extra = board === Board.None ? 0 : 1500;
  return Math.round((NIGHTLY_RATE * factor + extra) * nights);
}

export const Badge = ({ text, tone = 'info' }: { text: string; tone?: string }) => (
  <span className={`badge badge-${tone}`} title={text}>
    {text}
  </span>
);

export function useBooking(room: Room, nights: number) {
  const [board, setBoard] = useState<Board>(Board.None);
  const total = useMemo(() => price(room, nights, board), [room, nights, board]);
  function reset() {
    setBoard(Board.None);
  }
  useEffect(() => {
    document.title = `Booking: ${total}`;
    return () => reset();
  }, [total]);
  return { board, setBoard, total, reset };
}

export function Booking({ guest, room, nights = 1, children, onConfirm }: BookingProps) {
  const { board, setBoard, total } = useBooking(room, nights);
  const late = nights > 14 && !guest.age;
  return (
    <section style={styles.card} aria-label="Booking">
      <h2>
        {guest.greet(true)}, your <em>{room}</em> for {nights} nights
      </h2>
      {late ? <Badge text="Long stay" tone="warn" /> : null}
      <select value={board} onChange={(event) => setBoard(event.target.value as Board)}>
        {Object.entries(labels).map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      <>
        {children}
        <p style={styles.total}>Total: {total / 100} &euro;</p>
      </>
      <button type="button" disabled={late} onClick={() => onConfirm(total)}>
        Confirm
      </button>
    </section>
  );
}

Booking.displayName = 'Booking';

function logged(target: Function) {
  console.debug(target.name);
}

@logged
export class ErrorBoundary extends React.Component<{ children: ReactNode }, State> {
  static defaultProps = { children: null };
  state: State = { board: Board.None, error: null };
  private timer?: number;

  constructor(props: { children: ReactNode }) {
    super(props);
    this.close = this.close.bind(this);
  }

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error: { code: 500, text: error.message } };
  }

  async componentDidCatch(error: Error): Promise<void> {
    await fetch('/errors', { method: 'POST', body: error.message });
  }

  private close = () => {
    this.setState({ error: null });
  };

  render() {
    const { error } = this.state;
    if (error) {
      return <Badge text={error.text} tone={error.code >= 500 ? 'bad' : 'warn'} />;
    }
    return this.props.children;
  }
}

export const Lazy = React.memo(function Lazy({ guest }: { guest: Guest }) {
  return <p>{formatDate(new Date())}: {guest.name}</p>;
});

export namespace Fixtures {
  export const guest: Guest = { name: 'Ada', greet: (polite) => (polite ? 'Dear Ada' : 'Ada') };
  export const Page = () => <Booking guest={guest} room="single" onConfirm={() => undefined} />;
}

export default class App extends React.Component {
  render() {
    return (
      <ErrorBoundary>
        <Fixtures.Page />
      </ErrorBoundary>
    );
  }
}
