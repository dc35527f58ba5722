import { isProblem } from '@carte/client/admin';
import { use, useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useZone } from '../data/restaurants.ts';
import { changedFields, formValues, toBody, valueAt, type Values } from '../pure/fields.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Conflict } from './conflict.tsx';
import { DialogForms } from './dialog.tsx';
import { FieldInput, type Field } from './field.tsx';
import css from './form.module.css';
import { ErrorState } from './states.tsx';

export type { Field } from './field.tsx';

/** Records that can be edited have a version. */
type Record_ = { version?: number };

type FormProps<Row extends Record_> = {
  fields: readonly Field[];
  /** The record to edit. Without it, all filled fields are sent. */
  record?: Row | undefined;
  defaults?: Values;
  save: (body: Values) => Promise<unknown>;
  /** Called after a version conflict. */
  reload?: (() => Promise<Row>) | undefined;
  label?: string;
  reason?: string | null;
  onCancel?: () => void;
  zone?: string | undefined;
};

const buildRules = ({ isRequired = false, check }: Field) => ({
  ...(isRequired ? { required: t('form.missing') } : {}),
  ...(check === undefined
    ? {}
    : { validate: (value: unknown, all: Values) => check(value, all) ?? true }),
});

/**
 * An edit sends only changed fields, so that concurrent edits of other fields stay. A newer
 * record replaces the fields unless they have unsaved changes.
 */
export function Form<Row extends Record_>({
  fields,
  record,
  defaults = {},
  save,
  reload,
  ...props
}: FormProps<Row>) {
  const current = useZone(props.zone);
  const [zone, setZone] = useState(current);
  const [base, setBase] = useState(record);
  const [theirs, setTheirs] = useState<Row | null>(null);
  /** The contents of the fields when last saved. */
  const [saved, setSaved] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const {
    register,
    handleSubmit,
    setError: mark,
    getValues,
    reset,
    formState,
  } = useForm<Values>({
    defaultValues: formValues(fields, base ?? defaults, zone),
  });

  const changed = () => changedFields(fields, getValues(), base, zone);

  useEffect(() => {
    if (record === undefined || record.version === base?.version) return;
    if (changed().length === 0 || JSON.stringify(getValues()) === saved) take(record);
    // The version identifies the record and everything derived from it.
  }, [record?.version, saved]);

  const { isDirty } = formState;
  useEffect(() => {
    // Typed times stay in the zone that their label named.
    if (current === zone || isDirty) return;
    setZone(current);
    reset(formValues(fields, base ?? defaults, current));
  }, [current]);

  const forms = use(DialogForms);
  useEffect(() => {
    const isTyped = () => isDirty;
    forms?.add(isTyped);
    return () => void forms?.delete(isTyped);
  }, [forms, isDirty]);

  async function send(version: number | undefined): Promise<void> {
    setError(null);
    const body =
      base === undefined
        ? toBody(fields, getValues(), zone, false)
        : toBody(changed(), getValues(), zone, true);

    const sent = JSON.stringify(getValues());

    try {
      await save({ ...body, ...(version === undefined ? {} : { version }) });
      setTheirs(null);
      setSaved(sent);
    } catch (failure) {
      if (isProblem(failure, 'version-conflict') && reload !== undefined)
        return setTheirs(await reload());
      showErrors(failure);
    }
  }

  function showErrors(failure: unknown): void {
    const errors = isProblem(failure, 'validation') ? (failure.problem.errors ?? []) : [];
    for (const wrong of errors) mark(wrong.field, { message: wrong.message });
    setError(failure);
  }

  function take(row: Row): void {
    setBase(row);
    reset(formValues(fields, row, zone));
    setTheirs(null);
    setError(null);
    setSaved(null);
  }

  return (
    <form
      className={css['form']}
      noValidate
      onSubmit={(event) => void handleSubmit(() => send(base?.version))(event)}
    >
      {fields.map((field, at) => (
        <FieldInput
          key={field.name}
          field={field}
          isFirst={forms !== null && at === 0}
          registered={register(field.name, buildRules(field))}
          error={valueAt(formState.errors, field.name) as never}
          zone={zone}
        />
      ))}
      {error !== null && <ErrorState error={error} />}
      {theirs !== null && (
        <Conflict
          fields={changed()}
          sides={[base, theirs, getValues()]}
          zone={zone}
          keepMine={() => void send(theirs.version)}
          takeTheirs={() => take(theirs)}
        />
      )}
      <div className={css['foot']}>
        {props.onCancel !== undefined && (
          <Button onPress={props.onCancel}>{t('action.cancel')}</Button>
        )}
        <Button
          submit
          look="primary"
          reason={props.reason ?? null}
          isPending={formState.isSubmitting}
        >
          {props.label ?? t('action.save')}
        </Button>
      </div>
    </form>
  );
}
