import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import css from './frame.module.css';
import parts from '../parts/parts.module.css';

export type Hit = { id: string; label: ReactNode; kind?: string; choose: () => void };

type PaletteProps = {
  label: string;
  hits: readonly Hit[];
  query: string;
  change: (query: string) => void;
  hint: string;
  /** Enter waits for the hits. */
  isPending?: boolean;
};

/** Finds entries with the keyboard: arrows move, Enter opens. */
export function Palette({ label, hits, query, change, hint, isPending = false }: PaletteProps) {
  const id = useId();
  const [at, setAt] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const active = Math.min(at, Math.max(0, hits.length - 1));

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(hits.length - 1, active + step)));
    }
    if (event.key === 'Enter' && isPending) setEntered(true);
    else if (event.key === 'Enter') hits[active]?.choose();
  }

  useEffect(() => {
    if (!isEntered || isPending) return;
    setEntered(false);
    hits[active]?.choose();
  }, [isEntered, isPending, hits, active]);

  return (
    <>
      <input
        className={css['field']}
        role="combobox"
        aria-label={label}
        aria-expanded={hits.length > 0}
        aria-controls={id}
        aria-activedescendant={hits.length === 0 ? undefined : `${id}-${active}`}
        autoFocus
        placeholder={label}
        value={query}
        onChange={({ target }) => {
          change(target.value);
          setAt(0);
          setEntered(false);
        }}
        onKeyDown={press}
      />
      <ul
        id={id}
        role="listbox"
        aria-label={label}
        className={css['found']}
        hidden={hits.length === 0}
      >
        {hits.map((hit, index) => (
          <li
            key={hit.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={hit.choose}
            onMouseEnter={() => setAt(index)}
          >
            <span>{hit.label}</span>
            {hit.kind !== undefined && <span className={css['kind']}>{hit.kind}</span>}
          </li>
        ))}
      </ul>
      {hits.length === 0 && <p className={parts['muted']}>{hint}</p>}
    </>
  );
}
