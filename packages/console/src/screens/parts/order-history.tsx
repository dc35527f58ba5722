import { useState } from 'react';
import { useRead } from '../../data/read.ts';
import { Button } from '../../parts/button.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { CodeStatus, Status, When } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

/** Attempts to send the order to the ERP, with answers. */
export function Attempts({ id, zone }: { id: string; zone: string | undefined }) {
  const query = useRead('listOrderAttempts', [{ id }]);
  return (
    <Block title={t('order.attempts')} needs="listOrderAttempts">
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState text={t('order.noAttempts')} />
          ) : (
            <ul className={css['list']}>
              {items.map(({ id: attempt, begunAt, outcome, httpStatus, answer }) => (
                <li key={attempt}>
                  <CodeStatus group="attemptOutcome" value={outcome ?? 'WAITING'} />
                  <span className={css['grow']}>
                    {httpStatus} <span className={css['muted']}>{answer.slice(0, 200)}</span>
                  </span>
                  <When at={begunAt} zone={zone} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Block>
  );
}

/** Replays the rules that accepted the order, with their input. */
export function Decision({ id, zone }: { id: string; zone: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Block title={t('order.decision')} needs="getOrderDecision">
      {isOpen ? (
        <Replay id={id} zone={zone} />
      ) : (
        <div>
          <Button onPress={() => setOpen(true)}>{t('order.replay')}</Button>
        </div>
      )}
    </Block>
  );
}

function Replay({ id, zone }: { id: string; zone: string | undefined }) {
  const query = useRead('getOrderDecision', [{ id }]);
  return (
    <Loaded query={query}>
      {({ rules, sameToday, decidedAt }) => (
        <div className={css['stack']}>
          <p>
            <When at={decidedAt} zone={zone} />{' '}
            <Status tone={sameToday ? 'good' : 'warn'}>
              {t(sameToday ? 'order.sameToday' : 'order.otherToday')}
            </Status>
          </p>
          <ul className={css['list']}>
            {rules.map(({ code: name, findings, input }) => (
              <li key={name}>
                <Status tone={findings.length === 0 ? 'good' : 'warn'}>
                  {t('order.findings', { count: findings.length })}
                </Status>
                <details className={css['grow']}>
                  <summary>{code('rule', name)}</summary>
                  <pre className={css['pre']} tabIndex={0}>
                    <code>{JSON.stringify({ input, findings }, null, 2)}</code>
                  </pre>
                </details>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Loaded>
  );
}
