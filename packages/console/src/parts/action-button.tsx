import { useState, type ReactNode } from 'react';
import type { Action } from '../data/action.ts';
import type { Data, Input, OperationId } from '../data/api.ts';
import type { Values } from '../pure/fields.ts';
import { needs, t } from '../texts/texts.ts';
import { Button, type Look } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, type Field } from './form.tsx';
import css from './form.module.css';
import parts from './parts.module.css';
import { ErrorState } from './states.tsx';
import { announce } from './toast.tsx';

type ActionButtonProps<Id extends OperationId> = {
  action: Action<Id>;
  label: string;
  input: (values: Values) => [...Input<Id>];
  /** Announced when the action succeeds. */
  done?: string | ((answer: Data<Id>) => string);
  look?: Look;
  small?: boolean;
  /** The reason why the action is impossible now. */
  reason?: string | null | undefined;
  confirm?: ReactNode;
  fields?: readonly Field[];
  defaults?: Values;
  zone?: string | undefined;
  onDone?: (answer: Data<Id>) => void;
};

/** Runs an action. If it has a question or a form, shows this first. */
export function ActionButton<Id extends OperationId>(props: ActionButtonProps<Id>) {
  const {
    action,
    label,
    input,
    done,
    fields = [],
    defaults = {},
    confirm,
    look = 'plain',
    small = false,
  } = props;

  const [isOpen, setOpen] = useState(false);
  const reason = needs(action.lacks) ?? props.reason;
  const isAsked = confirm !== undefined || fields.length > 0;

  async function run(values: Values): Promise<void> {
    const answer = await action.run(...input(values));
    setOpen(false);
    announce(typeof done === 'function' ? done(answer) : (done ?? t('action.done')));
    props.onDone?.(answer);
  }

  function press(): void {
    action.reset();
    if (isAsked) setOpen(true);
    else void run({}).catch(() => setOpen(true));
  }

  return (
    <>
      <Button
        look={look}
        small={small}
        reason={reason}
        isPending={action.isPending && !isOpen}
        onPress={press}
      >
        {label}
      </Button>
      {isOpen && (
        <Dialog title={label} isOpen onClose={() => setOpen(false)} isBox>
          {confirm !== undefined && <div>{confirm}</div>}
          {fields.length > 0 ? (
            <Form
              fields={fields}
              defaults={defaults}
              label={label}
              zone={props.zone}
              save={run}
              onCancel={() => setOpen(false)}
            />
          ) : (
            <div className={parts['stack']}>
              {action.error !== null && <ErrorState error={action.error} />}
              <div className={css['foot']}>
                <Button onPress={() => setOpen(false)}>{t('action.cancel')}</Button>
                <Button
                  look={look === 'danger' ? 'danger' : 'primary'}
                  isPending={action.isPending}
                  onPress={() => void run({}).catch(() => undefined)}
                >
                  {label}
                </Button>
              </div>
            </div>
          )}
        </Dialog>
      )}
    </>
  );
}
