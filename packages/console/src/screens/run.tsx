import { Link, useParams } from '@tanstack/react-router';
import { useAction } from '../data/action.ts';
import type { Data } from '../data/api.ts';
import { useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Table } from '../parts/data-table.tsx';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded } from '../parts/states.tsx';
import { useTemporalLink } from '../parts/temporal.tsx';
import { CodeStatus, Count, Person, When } from '../parts/values.tsx';
import { EXECUTIONS } from '../pure/temporal.ts';
import { code, t } from '../texts/texts.ts';
import { Plan } from './parts/plan.tsx';
import { toText } from '../pure/fields.ts';

type Run = Data<'getSyncRun'>;

/** One import, with its changes or its plan, and its obstacle. */
export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useRead('getSyncRun', [{ id: Number(id) }], { everyMs: 5_000 });

  return (
    <Page
      manual="import-held-back"
      title={t('run.of', { id })}
      lead={<Link to="/sync">{t('run.all')}</Link>}
    >
      <Loaded query={query}>
        {(run) => (
          <div className={css['stack']}>
            <Summary run={run} />
            {run.shrink !== null && run.status === 'FAILED' && <HeldBack run={run} />}
            {run.heldBack.length > 0 && <HeldBackRestaurants run={run} />}
            {run.plan !== null && <Plan plan={run.plan} />}
            {run.anomalies.length > 0 && <Anomalies run={run} />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ run }: { run: Run }) {
  const start = useAction('startSyncRun');
  const cancel = useAction('cancelSyncRun');
  const scope = run.job === 'MENU' ? (run.externalMenuErpId ?? '') : String(run.connectionId);
  const again = (mode: 'INCREMENTAL' | 'FULL' | 'PLAN') => ({
    job: run.job,
    scope,
    mode,
    ...(run.job === 'MENU' ? { connectionId: run.connectionId } : {}),
  });

  const { progress, items, prices } = run;
  const temporal = useTemporalLink(EXECUTIONS.run(run));

  return (
    <Block
      title={`${code('job', run.job)} ${run.externalMenuErpId ?? ''}`}
      actions={
        <>
          <ActionButton
            action={cancel}
            look="danger"
            label={t('run.cancel')}
            reason={run.status === 'RUNNING' ? null : t('run.ended')}
            confirm={t('run.cancelText')}
            fields={[{ name: 'reason', kind: 'text', label: t('form.reason'), isRequired: true }]}
            input={({ reason }) => [{ id: run.id }, { reason: toText(reason) }]}
          />
          <ActionButton
            action={start}
            label={t('run.again')}
            done={t('sync.startedNow')}
            input={() => [again(run.job === 'MENU' ? 'INCREMENTAL' : 'FULL')]}
          />
          {run.job === 'MENU' && (
            <ActionButton
              action={start}
              label={code('runMode', 'PLAN')}
              done={t('sync.startedNow')}
              input={() => [again('PLAN')]}
            />
          )}
        </>
      }
    >
      <Facts
        facts={[
          [t('sync.status'), <CodeStatus key="s" group="runStatus" value={run.status} />],
          [t('sync.reason'), run.reason === null ? null : code('runReason', run.reason)],
          [
            t('run.progress'),
            progress === null
              ? null
              : `${code('runStage', progress.stage)}, ${progress.batchesFetched} / ${progress.batches ?? '?'}`,
          ],
          [t('sync.mode'), `${code('runMode', run.mode)}, ${code('trigger', run.trigger)}`],
          [t('sync.started'), <When key="b" at={run.startedAt} />],
          [
            t('run.finished'),
            run.finishedAt === null ? null : <When key="f" at={run.finishedAt} />,
          ],
          [t('run.by'), <Person key="by" author={run.canceledBy ?? run.requestedBy} />],
          [
            t('run.items'),
            t('run.counts', {
              created: items.created,
              updated: items.updated,
              deleted: items.deleted,
            }),
          ],
          [t('run.prices'), <Count key="p" value={prices.upserted} />],
          [t('temporal.executions'), temporal],
          [
            t('run.detail'),
            run.detail === null ? null : (
              <span key="d" lang="en" translate="no">
                {run.detail}
              </span>
            ),
          ],
        ]}
      />
    </Block>
  );
}

/** Staff decide about an import that would remove too much. */
function HeldBack({ run }: { run: Run }) {
  const accept = useAction('acceptSyncRunShrink');
  const { before, vanished, percent, thresholdPercent } = run.shrink!;

  return (
    <Block
      title={t('run.heldBack')}
      actions={
        <ActionButton
          look="danger"
          action={accept}
          label={t('run.accept')}
          confirm={t('run.acceptText', { vanished, before })}
          fields={[{ name: 'reason', kind: 'text', label: t('form.reason'), isRequired: true }]}
          input={({ reason }) => [{ id: run.id }, { reason: toText(reason) }]}
        />
      }
    >
      <p>
        {t('run.shrink', {
          vanished,
          before,
          percent: Math.round(percent),
          threshold: thresholdPercent,
        })}
      </p>
    </Block>
  );
}

function HeldBackRestaurants({ run }: { run: Run }) {
  const accept = useAction('acceptSyncRunShrink');
  return (
    <Block title={t('run.restaurants')}>
      <Table
        label={t('run.restaurants')}
        rows={run.heldBack}
        rowId={({ what, organizationId }) => `${what} ${organizationId}`}
        columns={[
          { id: 'name', header: t('missing.restaurant'), cell: ({ name }) => name ?? '—' },
          { id: 'what', header: t('run.what'), cell: ({ what }) => code('heldBack', what) },
          {
            id: 'before',
            header: t('run.before'),
            isNumber: true,
            cell: ({ before }) => <Count value={before} />,
          },
          {
            id: 'vanished',
            header: t('run.vanished'),
            isNumber: true,
            cell: ({ vanished, percent }) => `${vanished} (${Math.round(percent)} %)`,
          },
          {
            id: 'actions',
            header: t('table.actions'),
            cell: ({ organizationId, name, vanished, before }) =>
              organizationId !== null && (
                <ActionButton
                  small
                  action={accept}
                  label={t('run.acceptRestaurant')}
                  confirm={`${name ?? ''}: ${t('run.acceptText', { vanished, before })}`}
                  fields={[
                    { name: 'reason', kind: 'text', label: t('form.reason'), isRequired: true },
                  ]}
                  input={({ reason }) => [
                    { id: run.id },
                    { reason: toText(reason), organizationIds: [organizationId] },
                  ]}
                />
              ),
          },
        ]}
        empty={{ text: t('run.nothing') }}
      />
    </Block>
  );
}

function Anomalies({ run }: { run: Run }) {
  return (
    <Block title={t('run.anomalies')}>
      <ul className={css['list']}>
        {run.anomalies.map(({ code: name, count, samples }) => (
          <li key={name}>
            <span className={css['grow']}>
              <code>{name}</code>{' '}
              <span className={css['muted']}>{samples.slice(0, 3).join(', ')}</span>
            </span>
            <Count value={count} />
          </li>
        ))}
      </ul>
    </Block>
  );
}
