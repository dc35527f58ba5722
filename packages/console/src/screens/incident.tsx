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
import { CodeStatus, Money, Status, When } from '../parts/values.tsx';
import { EXECUTIONS } from '../pure/temporal.ts';
import { code, t } from '../texts/texts.ts';
import { toText } from '../pure/fields.ts';

type Incident = Data<'getBindingIncident'>;

/** One incident: the lost dish, and possible replacements with reasons. */
export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useRead('getBindingIncident', [{ id: Number(id) }]);

  return (
    <Page
      title={query.data?.product.name ?? t('incident.title')}
      lead={<Link to="/incidents">{t('incident.all')}</Link>}
    >
      <Loaded query={query}>
        {(incident) => (
          <div className={css['stack']}>
            <Lost incident={incident} />
            <Candidates incident={incident} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Lost({ incident }: { incident: Incident }) {
  const dismiss = useAction('dismissBindingIncident');
  const snooze = useAction('snoozeBindingIncident');
  const { id, version, status, lastKnown } = incident;
  const temporal = useTemporalLink(EXECUTIONS.incident(incident));
  const reason = status === 'CLOSED' ? t('incident.closed') : null;

  return (
    <Block
      title={code('incidentType', incident.type)}
      actions={
        <>
          <ActionButton
            action={snooze}
            label={t('incident.snooze')}
            reason={reason}
            fields={[{ name: 'until', kind: 'moment', label: t('sync.until'), isRequired: true }]}
            input={({ until }) => [{ id }, { version, until: toText(until) }]}
          />
          <ActionButton
            look="danger"
            action={dismiss}
            label={t('incident.dismiss')}
            reason={reason}
            fields={[{ name: 'note', kind: 'long', label: t('incident.note'), isRequired: true }]}
            input={({ note }) => [{ id }, { version, note: toText(note) }]}
          />
        </>
      }
    >
      <Facts
        facts={[
          [t('incidents.status'), <CodeStatus key="s" group="incidentStatus" value={status} />],
          [
            t('notifications.severity'),
            <CodeStatus key="v" group="severity" value={incident.severity} />,
          ],
          [
            t('incident.product'),
            <Link key="p" to={`/products/${incident.product.id}`}>
              {incident.product.name}
            </Link>,
          ],
          [t('incident.variant'), incident.variant.optionName],
          [t('incidents.lastKnown'), lastKnown.name],
          [t('incident.newName'), incident.newName],
          [t('incident.sku'), lastKnown.sku],
          [t('incident.price'), <Money key="m" amount={lastKnown.price} />],
          [t('incidents.detected'), <When key="d" at={incident.detectedAt} />],
          [
            t('incident.snoozedUntil'),
            incident.snoozedUntil === null ? null : <When key="u" at={incident.snoozedUntil} />,
          ],
          [t('incident.note'), incident.note],
          [t('temporal.executions'), temporal],
        ]}
      />
      <p>
        <Link to="/missing" search={{ product: String(incident.product.id) } as never}>
          {t('incident.where')}
        </Link>
      </p>
    </Block>
  );
}

function Candidates({ incident }: { incident: Incident }) {
  const query = useRead('listRebindCandidates', [{ id: incident.variant.id }]);
  const rebind = useAction('rebindVariant');

  return (
    <Block title={t('incident.candidates')} needs="listRebindCandidates">
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label={t('incident.candidates')}
            rows={items}
            rowId={({ erpItemSizeId }) => String(erpItemSizeId)}
            empty={{ text: t('incident.noCandidates') }}
            columns={[
              {
                id: 'name',
                header: t('incident.dish'),
                cell: ({ name, sku }) => `${name} ${sku ?? ''}`,
              },
              {
                id: 'confidence',
                header: t('incident.confidence'),
                isNumber: true,
                cell: ({ confidence }) => `${Math.round(confidence * 100)} %`,
              },
              {
                id: 'reasons',
                header: t('incident.reasons'),
                cell: ({ reasons }) => (
                  <div className={css['row']}>
                    {reasons.map(({ code: name, holds }) => (
                      <Status key={name} tone={holds ? 'good' : 'plain'}>
                        {code('rebindReason', name)}
                      </Status>
                    ))}
                  </div>
                ),
              },
              {
                id: 'action',
                header: t('table.actions'),
                cell: ({ erpItemSizeId, name }) => (
                  <ActionButton
                    small
                    look="primary"
                    action={rebind}
                    label={t('incident.rebind')}
                    confirm={t('incident.rebindText', { name })}
                    input={() => [{ id: incident.variant.id }, { erpItemSizeId }]}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Block>
  );
}
