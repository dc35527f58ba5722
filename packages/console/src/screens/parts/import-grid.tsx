import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { useRead } from '../../data/read.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Table, type Column } from '../../parts/data-table.tsx';
import type { Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { Age, CodeStatus, Status, When } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';
import { toText } from '../../pure/fields.ts';

type Connection = Data<'getSyncStatus'>['connections'][number];
type Row = Connection['imports'][number] & { connection: Connection };

export function ImportGrid() {
  const status = useRead('getSyncStatus', [], { everyMs: 10_000 });
  return (
    <Block title={t('sync.imports')} needs="getSyncStatus">
      <Loaded query={status} rows={6}>
        {({ connections, running }) => (
          <div className={css['stack']}>
            {running.length > 0 && (
              <Status tone="info">{t('sync.runningNow', { count: running.length })}</Status>
            )}
            <Table
              label={t('sync.imports')}
              rows={connections.flatMap((connection) =>
                connection.imports.map((row): Row => ({ ...row, connection })),
              )}
              columns={columns()}
              rowId={({ connection, job, externalMenuId }) =>
                `${connection.id} ${job} ${externalMenuId ?? ''}`
              }
              empty={{ text: t('sync.noImports') }}
            />
          </div>
        )}
      </Loaded>
    </Block>
  );
}

const columns = (): readonly Column<Row>[] => [
  {
    id: 'job',
    header: t('sync.job'),
    cell: ({ job, externalMenuErpId }) => `${code('job', job)} ${externalMenuErpId ?? ''}`,
  },
  {
    id: 'connection',
    header: t('sync.connection'),
    cell: ({ connection }) => (
      <div className={css['row']}>
        <span>{connection.name}</span>
        {connection.circuit !== 'CLOSED' && (
          <CodeStatus group="circuit" value={connection.circuit} tone="bad" />
        )}
      </div>
    ),
  },
  { id: 'age', header: t('sync.age'), cell: ({ ageSeconds }) => <Age seconds={ageSeconds} /> },
  { id: 'state', header: t('sync.state'), cell: (row) => <State row={row} /> },
  { id: 'actions', header: t('table.actions'), cell: (row) => <Actions row={row} /> },
];

function State({ row: { isRunning, isStale, pause, lastRun } }: { row: Row }) {
  if (pause !== null)
    return (
      <span>
        <Status tone="warn">{t('sync.paused')}</Status> {pause.reason}{' '}
        {pause.until !== null && <When at={pause.until} />}
      </span>
    );

  if (isRunning) return <Status tone="info">{t('now.running')}</Status>;
  if (isStale) return <Status tone="bad">{t('sync.late')}</Status>;

  return lastRun === null ? (
    <Status>{t('sync.never')}</Status>
  ) : (
    <CodeStatus group="runStatus" value={lastRun.status} />
  );
}

const pauseFields = (): readonly Field[] => [
  { name: 'reason', kind: 'text', label: t('form.reason'), isRequired: true },
  { name: 'until', kind: 'moment', label: t('sync.until'), hint: t('sync.untilHint') },
];

function Actions({
  row: { job, externalMenuId, externalMenuErpId, connection, pause },
}: {
  row: Row;
}) {
  const start = useAction('startSyncRun');
  const setPause = useAction('pauseImport');
  const end = useAction('endImportPause');
  const scope = job === 'MENU' ? (externalMenuErpId ?? '') : String(connection.id);
  const modes = job === 'MENU' ? (['INCREMENTAL', 'FULL', 'PLAN'] as const) : (['FULL'] as const);

  return (
    <div className={css['row']}>
      {modes.map((mode) => (
        <ActionButton
          key={mode}
          small
          action={start}
          label={code('runMode', mode)}
          done={t('sync.startedNow')}
          input={() => [
            { job, scope, mode, ...(job === 'MENU' ? { connectionId: connection.id } : {}) },
          ]}
        />
      ))}
      {pause === null ? (
        <ActionButton
          small
          action={setPause}
          label={t('sync.pause')}
          fields={pauseFields()}
          input={({ reason, until }) => [
            {
              connectionId: connection.id,
              job,
              reason: toText(reason),
              ...(externalMenuId === null ? {} : { externalMenuId }),
              ...(until === undefined ? {} : { until: toText(until) }),
            },
          ]}
        />
      ) : (
        <ActionButton
          small
          action={end}
          label={t('sync.resume')}
          input={() => [{ id: pause.id }]}
        />
      )}
    </div>
  );
}
