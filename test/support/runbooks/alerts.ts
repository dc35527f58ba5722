import {
  pausePolls,
  pollingWorkflow,
  resumePolls,
} from '../../../modules/mirror/messages/polling.ts';
import { GIFT_ALERTS } from './gifts.ts';
import { HTTP_ALERTS } from './http.ts';
import { IMPORT_ALERTS } from './imports.ts';
import { ORDER_ALERTS } from './orders.ts';
import { PROCESS_ALERTS, UPKEEP_ALERTS } from './processes.ts';
import type { Provocations } from './provocations.ts';
import { PUBLICATION_ALERTS } from './publication.ts';
import { SECURITY_ALERTS } from './security.ts';
import { addRow } from '../rows.ts';

const { CarteErpCircuitOpen, CarteErpErrors, ...QUIET_IMPORT_ALERTS } = IMPORT_ALERTS;

/** Ordered: with a working ERP, without the ERP, with stopped processes. */
export const ALERTS: Provocations = {
  ...QUIET_IMPORT_ALERTS,
  ...ORDER_ALERTS,
  ...GIFT_ALERTS,
  ...PUBLICATION_ALERTS,
  CarteErpCircuitOpen: CarteErpCircuitOpen!,
  ...UPKEEP_ALERTS,
  ...SECURITY_ALERTS,
  ...HTTP_ALERTS,
  CarteErpErrors: CarteErpErrors!,
  ...PROCESS_ALERTS,
};

export const PROCEDURES: Provocations = {
  'Key rotation': {
    provoke: async () => ({
      row: [
        { key_ids: (ids: unknown) => JSON.stringify(ids).includes('test@row') },
        { stored: 'connection', key: 'test@row', count: 1 },
      ],
    }),
  },
  'Polls of a connection': {
    provoke: async ({ client, connectionId }) => {
      const loop = client.workflow.getHandle(pollingWorkflow.id({ connectionId }));
      const pause = { job: 'ORDERS', by: 'Anna', reason: 'maintenance' } as const;
      await loop.executeUpdate(pausePolls, { args: [pause] });
      return {
        row: { connection_id: connectionId, job: 'ORDERS', reason: 'maintenance' },
        ids: { connection: connectionId },
        undo: () => loop.executeUpdate(resumePolls, { args: [{ job: 'ORDERS', by: 'Anna' }] }),
      };
    },
  },
  'Single sign-on does not work': {
    made: 'the link of a user to an account at a provider',
    provoke: async ({ db, staffId }) => {
      const [issuer, subject] = ['https://provider.test', 'canary'];
      await addRow(db, 'access_identity', { userId: staffId, issuer, subject });
      return { row: { issuer, subject, id: staffId } };
    },
  },
};
