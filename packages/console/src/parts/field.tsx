import { useId, type ReactNode } from 'react';
import type { FieldError, UseFormRegisterReturn } from 'react-hook-form';
import type { FieldShape, Values } from '../pure/fields.ts';
import { useRestaurants } from '../data/restaurants.ts';
import { t } from '../texts/texts.ts';
import type { Option } from './filters.tsx';
import css from './form.module.css';

/** A field of a form with its label. */
export type Field = FieldShape & {
  label: string;
  options?: readonly Option[];
  hint?: string;
  isRequired?: boolean;
  min?: number;
  max?: number;
  step?: number;
  /** The fault of its value together with those of the other fields, or null. */
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
  /** The first field of a dialog has the focus when the dialog opens. */
  isFirst: boolean;
};

/** The control of a field with its hint and what is wrong with its value. */
export function FieldInput({ field, registered, error, isFirst }: InputProps) {
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

function Choices({ field, registered, text }: ChoicesProps) {
  const restaurants = useRestaurants(field.kind === 'restaurants');
  const options: readonly Option[] =
    field.kind === 'restaurants' ? restaurants.map(({ id, name }) => [String(id), name]) : (field.options ?? []);
  return (
    <fieldset className={css['set']}>
      <legend className={css['label']}>{field.label}</legend>
      <div className={css['options']}>
        {options.map(([value, label]) => (
          <label key={value} className={css['flag']}>
            <input type="checkbox" value={value} {...registered} /> {label}
          </label>
        ))}
      </div>
      {text}
    </fieldset>
  );
}
