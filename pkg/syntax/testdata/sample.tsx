import React, { useState } from "react";

type Props = {
  title: string;
  onClose?: () => void;
};

interface State {
  open: boolean;
}

export const Panel: React.FC<Props> = ({ title, onClose }) => {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return (
    <section className="panel">
      <h2 onClick={toggle}>{title}</h2>
      {open && (
        <p>
          Some text with <b>bold</b> words.
        </p>
      )}
      <button onClick={onClose}>Close</button>
    </section>
  );
};

export class Legacy extends React.Component<Props, State> {
  state: State = { open: false };

  static defaultProps = {
    title: "none",
  };

  handle = (event: React.MouseEvent) => {
    this.setState({ open: true });
  };

  render() {
    return <div onClick={this.handle}>{this.props.title}</div>;
  }
}

export function useToggle(initial = false): [boolean, () => void] {
  const [on, set] = useState(initial);
  return [on, () => set(!on)];
}

export default React.memo(Panel);
