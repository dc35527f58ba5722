import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data, Input } from '../../data/api.ts';
import { saveFile } from '../../data/save-file.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import type { Option } from '../../parts/filters.tsx';
import { Form, type Field } from '../../parts/form.tsx';
import form from '../../parts/form.module.css';
import css from '../../parts/parts.module.css';
import { ErrorState } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { toText } from '../../pure/fields.ts';
import { code, needs, t } from '../../texts/texts.ts';

type Body = Input<'bulkPromocodes'>[0];
type Result = Data<'bulkPromocodes'>;
type Plan = { body: Body; result: Result; isDone: boolean };

const MOST_LISTED = 50;

const buildFields = (discounts: readonly Option[]): readonly Field[] => [
  {
    name: 'discountId',
    kind: 'choice',
    isNumeric: true,
    label: t('promocodes.discount'),
    isRequired: true,
    options: discounts,
  },
  {
    name: 'count',
    kind: 'number',
    label: t('promocodes.count'),
    min: 1,
    max: 10_000,
    step: 1,
    check: (value, { codes }) =>
      (toText(value).trim() === '') === (toText(codes).trim() === '')
        ? t('promocodes.either')
        : null,
  },
  { name: 'prefix', kind: 'text', label: t('promocodes.prefix') },
  { name: 'length', kind: 'number', label: t('promocodes.length'), min: 6, max: 20, step: 1 },
  { name: 'codes', kind: 'lines', label: t('promocodes.own'), hint: t('promocodes.ownHint') },
  { name: 'isActive', kind: 'flag', label: t('rewards.isActive') },
];

/** Creates random or listed promo codes: dry run, then results by row. */
export function PromocodeBulk({ discounts }: { discounts: readonly Option[] }) {
  const bulk = useAction('bulkPromocodes');
  const [isOpen, setOpen] = useState(false);
  const [plan, setPlan] = useState<Plan | null>(null);
  const close = () => {
    setOpen(false);
    setPlan(null);
  };

  const apply = async () => {
    const result = await bulk.run(plan!.body);
    setPlan({ body: plan!.body, result, isDone: true });
    announce(t('promocodes.created', { count: result.created.length }));
  };

  return (
    <>
      <Button reason={needs(bulk.lacks)} onPress={() => setOpen(true)}>
        {t('promocodes.many')}
      </Button>
      <Dialog title={t('promocodes.many')} isOpen={isOpen} onClose={close}>
        {plan === null ? (
          <Form
            fields={buildFields(discounts)}
            defaults={{ count: 100, isActive: true }}
            label={t('copy.plan')}
            save={async ({ codes, ...values }) => {
              const own = codes as string[];
              const body = { ...values, ...(own.length === 0 ? {} : { codes: own }) } as Body;
              setPlan({ body, result: await bulk.run({ ...body, dryRun: true }), isDone: false });
            }}
            onCancel={close}
          />
        ) : (
          <Results plan={plan}>
            {bulk.error !== null && <ErrorState error={bulk.error} />}
            <div className={form['foot']}>
              <Button onPress={plan.isDone ? close : () => setPlan(null)}>
                {t(plan.isDone ? 'action.close' : 'action.back')}
              </Button>
              {plan.isDone ? (
                <Button
                  look="primary"
                  reason={plan.result.created.length === 0 ? t('bulk.nothing') : null}
                  onPress={() =>
                    saveFile(
                      'promocodes.csv',
                      'text/csv',
                      ['code', ...plan.result.created.map(({ code: value }) => value), ''].join(
                        '\r\n',
                      ),
                    )
                  }
                >
                  {t('action.download')}
                </Button>
              ) : (
                <Button
                  look="primary"
                  isPending={bulk.isPending}
                  reason={plan.result.created.length === 0 ? t('bulk.nothing') : null}
                  onPress={() => void apply().catch(() => undefined)}
                >
                  {t('promocodes.createCount', { count: plan.result.created.length })}
                </Button>
              )}
            </div>
          </Results>
        )}
      </Dialog>
    </>
  );
}

function Results({
  plan: { body, result, isDone },
  children,
}: {
  plan: Plan;
  children: React.ReactNode;
}) {
  const { created, failed } = result;
  // The codes of a dry run are not used.
  const isShown = created.length > 0 && (isDone || body.codes !== undefined);

  return (
    <div className={css['stack']}>
      <p>
        {t(isDone ? 'promocodes.result' : 'promocodes.plan', {
          created: created.length,
          failed: failed.length,
        })}
      </p>
      {isShown && (
        <pre className={css['pre']} tabIndex={0}>
          <code>
            {created
              .slice(0, MOST_LISTED)
              .map(({ code: value }) => value)
              .join('\n')}
            {created.length > MOST_LISTED ? '\n…' : ''}
          </code>
        </pre>
      )}
      {failed.length > 0 && (
        <ul className={css['list']}>
          {failed.slice(0, MOST_LISTED).map(({ row, code: value, reason }) => (
            <li key={row}>
              <code className={css['grow']}>
                {row}: {value}
              </code>
              <span>{code('promocodeReason', reason)}</span>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}
