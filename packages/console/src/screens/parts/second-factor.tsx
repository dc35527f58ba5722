import { useState } from 'react';
import { useProfile } from '../../data/access.tsx';
import { useAction } from '../../data/action.ts';
import { Form } from '../../parts/form.tsx';
import { Block, Facts } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Status } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';

type Step = { secret?: string; codes?: readonly string[] };

export function SecondFactor() {
  const { secondFactor } = useProfile();
  const begin = useAction('beginSecondFactor');
  const confirm = useAction('confirmSecondFactor');
  const remove = useAction('removeSecondFactor');
  const [{ secret, codes }, setStep] = useState<Step>({});
  const password = {
    name: 'currentPassword',
    kind: 'password',
    label: t('account.currentPassword'),
    isRequired: true,
  } as const;

  const oneTime = {
    name: 'code',
    kind: 'text',
    label: t('signIn.code'),
    isRequired: true,
  } as const;

  if (codes !== undefined)
    return (
      <Block title={t('account.secondFactor')}>
        <p>{t('account.recoveryCodes')}</p>
        <pre className={css['pre']} tabIndex={0}>
          {codes.join('\n')}
        </pre>
      </Block>
    );

  return (
    <Block title={t('account.secondFactor')}>
      <Facts
        facts={[
          [
            t('account.state'),
            <Status key="s" tone={secondFactor.isOn ? 'good' : 'warn'}>
              {t(secondFactor.isOn ? 'account.factorOn' : 'account.factorOff')}
            </Status>,
          ],
          [
            t('account.codesLeft'),
            secondFactor.isOn ? String(secondFactor.recoveryCodesLeft) : null,
          ],
        ]}
      />
      {secondFactor.isDemanded && !secondFactor.isOn && (
        <p className={css['error']}>{t('account.factorDemanded')}</p>
      )}
      {secondFactor.isOn ? (
        <Form
          key="remove"
          fields={[password, oneTime]}
          label={t('account.factorRemove')}
          save={(body) => remove.run(body as never)}
        />
      ) : secret === undefined ? (
        <Form
          key="begin"
          fields={[password]}
          label={t('account.factorBegin')}
          save={async (body) => setStep({ secret: (await begin.run(body as never)).secret })}
        />
      ) : (
        <>
          <p>{t('account.factorSecret')}</p>
          <pre className={css['pre']} tabIndex={0}>
            {secret}
          </pre>
          <Form
            key="confirm"
            fields={[oneTime]}
            label={t('account.factorConfirm')}
            save={async (body) =>
              setStep({ codes: (await confirm.run(body as never)).recoveryCodes })
            }
          />
        </>
      )}
    </Block>
  );
}
