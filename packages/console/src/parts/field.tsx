import { useId, useRef, useState, type ReactNode } from 'react';
import type { FieldError, UseFormRegisterReturn } from 'react-hook-form';
import type { FieldKind, FieldShape, Values } from '../pure/fields.ts';
import { zoneName } from '../pure/format.ts';
import { useRestaurants } from '../data/restaurants.ts';
import { currentLanguage, t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import type { Option } from './filters.tsx';
import css from './form.module.css';

export type Field = FieldShape & {
  label: string;
  options?: readonly Option[];
  hint?: string;
  isRequired?: boolean;
  min?: number;
  max?: number;
  step?: number;
  /** Returns the error of a value, or null. */
  check?: (value: unknown, all: Values) => string | null;
};

const TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  moment: 'datetime-local',
  localTime: 'datetime-local',
  day: 'date',
  time: 'time',
  password: 'password',
};

type InputProps = {
  field: Field;
  registered: UseFormRegisterReturn;
  error: FieldError | undefined;
  zone: string;
  /** The first field gets the focus when the dialog opens. */
  isFirst: boolean;
};

/** Kinds whose label includes the time zone. */
const ZONED: readonly FieldKind[] = ['moment', 'localTime'];

export function FieldInput({ field, registered, error, zone, isFirst }: InputProps) {
  const id = useId();
  const described = error !== undefined || field.hint !== undefined ? `${id}-text` : undefined;
  const attributes = {
    'aria-invalid': error !== undefined,
    'aria-describedby': described,
    autoFocus: isFirst,
    ...registered,
  };

  const note = error === undefined ? field.hint : error.message;
  const text = note !== undefined && (
    <span id={`${id}-text`} className={error === undefined ? css['hint'] : css['wrong']}>
      {note}
    </span>
  );

  if (field.kind === 'flag')
    return (
      <div className={css['field']}>
        <label className={css['flag']}>
          <input type="checkbox" {...attributes} /> {field.label}
        </label>
        {text}
      </div>
    );

  if (field.kind === 'choices' || field.kind === 'restaurants')
    return <Choices field={field} registered={registered} text={text} />;

  return (
    <label className={css['field']}>
      <span className={css['label']}>
        {field.label}
        {field.isRequired === true && ` (${t('form.required')})`}
        {ZONED.includes(field.kind) && (
          <>
            , <span translate="no">{zoneName(zone, currentLanguage())}</span>
          </>
        )}
      </span>
      <Control field={field} attributes={attributes} />
      {text}
    </label>
  );
}

function Control({ field, attributes }: { field: Field; attributes: object }) {
  const { kind, options = [], isRequired = false, min, max, step } = field;
  const props = { className: css['input'], required: isRequired, ...attributes };
  if (kind === 'long' || kind === 'lines') return <textarea rows={4} {...props} />;
  if (kind === 'choice')
    return (
      <select {...props}>
        <option value="">{t('form.none')}</option>
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );

  return (
    <input
      type={TYPES[kind] ?? 'text'}
      {...(kind === 'number' ? { min, max, step: step ?? 'any' } : {})}
      autoComplete="off"
      {...props}
    />
  );
}

type ChoicesProps = { field: Field; registered: UseFormRegisterReturn; text: ReactNode };

/** From this number of options, they can be searched and selected together. */
const MANY = 9;

function Choices({ field, registered, text }: ChoicesProps) {
  const restaurants = useRestaurants(field.kind === 'restaurants');
  const [query, setQuery] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const options: readonly Option[] =
    field.kind === 'restaurants'
      ? restaurants.map(({ id, name }) => [String(id), name])
      : (field.options ?? []);

  const isHidden = (label: string) => !label.toLowerCase().includes(query.trim().toLowerCase());
  /** Clicks the boxes, so that the form receives each change. */
  const setAll = (isOn: boolean) => {
    const found =
      box.current?.querySelectorAll<HTMLInputElement>('label:not([hidden]) > input') ?? [];
    for (const input of found) if (input.checked !== isOn) input.click();
  };

  return (
    <fieldset className={css['set']}>
      <legend className={css['label']}>{field.label}</legend>
      {options.length >= MANY && (
        <div className={css['pick']}>
          <input
            className={css['input']}
            type="search"
            aria-label={t('form.findOption')}
            placeholder={t('form.findOption')}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <Button small onPress={() => setAll(true)}>
            {t('form.allShown')}
          </Button>
          <Button small onPress={() => setAll(false)}>
            {t('form.noneShown')}
          </Button>
        </div>
      )}
      <div className={css['options']} ref={box}>
        {options.map(([value, label]) => (
          <label key={value} className={css['flag']} hidden={isHidden(label)}>
            <input type="checkbox" value={value} {...registered} /> {label}
          </label>
        ))}
      </div>
      {text}
    </fieldset>
  );
}
