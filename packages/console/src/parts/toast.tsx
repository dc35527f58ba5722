import { useSyncExternalStore } from 'react';
import css from './parts.module.css';

const SHOWN_MS = 5_000;

let messages: readonly { id: number; text: string }[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: typeof messages): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Announces a finished action for five seconds, also to screen readers. */
export function announce(text: string): void {
  const id = (last += 1);
  set([...messages, { id, text }]);
  setTimeout(() => set(messages.filter((message) => message.id !== id)), SHOWN_MS);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <div role="status" className={css['toasts']}>
      {shown.map(({ id, text }) => (
        <div key={id} className={css['toast']}>
          {text}
        </div>
      ))}
    </div>
  );
}
