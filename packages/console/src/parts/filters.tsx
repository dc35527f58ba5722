import { useEffect, useState } from 'react';
import { useUrl } from '../data/url.ts';
import { isFiltered, toParams, type FilterKind } from '../pure/filters.ts';
import { readAll, readOne, type Search } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import css from './form.module.css';

export type Option = readonly [value: string, label: string];

export type Filter = {
  name: string;
  kind: FilterKind;
  label: string;
  options?: readonly Option[];
  /** The value that applies and is shown while the URL has none. */
  preset?: string;
};

/** For `toParams`. */
export const indexKinds = (filters: readonly Filter[]) =>
  Object.fromEntries(filters.map(({ name, kind }) => [name, kind]));

/** Filters are in the URL, so they survive "back" and can be shared. */
export function Filters({ filters }: { filters: readonly Filter[] }) {
  const [search, change] = useUrl();
  const set = (name: string, value: string | readonly string[] | undefined) =>
    change({ [name]: value === '' ? undefined : value, page: undefined }, { replace: true });

  return (
    <form role="search" className={css['filters']} onSubmit={(event) => event.preventDefault()}>
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={readShown(filter, search)}
          set={(value) => set(filter.name, value)}
        />
      ))}
      {isFiltered(indexKinds(filters), search) && (
        <Button
          look="quiet"
          onPress={() =>
            change({
              ...Object.fromEntries(filters.map(({ name }) => [name, undefined])),
              page: undefined,
            })
          }
        >
          {t('filter.clear')}
        </Button>
      )}
    </form>
  );
}

function readShown({ name, kind, preset = '' }: Filter, search: Search): string {
  if (kind === 'choices') return readAll(search, name)[0] ?? '';
  // The browser shows an invalid day as an empty field.
  if (kind === 'day')
    return (toParams({ [name]: kind }, search)[name] as string | undefined) ?? preset;
  return readOne(search, name) ?? preset;
}

const FLAG: () => readonly Option[] = () => [
  ['true', t('filter.yes')],
  ['false', t('filter.no')],
];

type FieldProps = { filter: Filter; value: string; set: (value: string) => void };

function FilterField({ filter: { name, kind, label, options }, value, set }: FieldProps) {
  if (kind === 'text' || kind === 'number')
    return <SearchField name={name} label={label} value={value} set={set} />;
  if (kind === 'day')
    return (
      <label className={css['field']}>
        <span className={css['label']}>{label}</span>
        <input
          className={css['input']}
          type="date"
          name={name}
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      </label>
    );

  return (
    <label className={css['field']}>
      <span className={css['label']}>{label}</span>
      <select
        className={css['input']}
        name={name}
        value={value}
        onChange={({ target }) => set(target.value)}
      >
        <option value="">{t('filter.all')}</option>
        {(options ?? FLAG()).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

const TYPING_MS = 300;

/** Changes the URL when the person pauses. */
function SearchField({
  name,
  label,
  value,
  set,
}: Omit<FieldProps, 'filter'> & { name: string; label: string }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped((before) => (before.trim() === value ? before : value)), [value]);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => set(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  });

  return (
    <label className={`${css['field']} ${css['search']}`}>
      <span className={css['label']}>{label}</span>
      <input
        className={css['input']}
        type="search"
        name={name}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </label>
  );
}
