import type { Proofs } from './mutation.ts';

export const CONNECTIONS_AND_ERP: Proofs = {
  'test/http/erp-webhooks/webhook-secrets.test.ts': {
    'modules/connections/webhook-secrets.ts holdConnection drop .forUpdate':
      'two secrets, never three, are valid during a replacement, even in parallel requests',
  },
  'test/integration/connections/erp-token-store.test.ts': {
    'modules/connections/erp-calls/erp-token-store.ts claim true held.lease_until <=':
      'two processes that need a token at the same time make one call',
    'modules/connections/erp-calls/erp-token-store.ts claim true held.generation =':
      'two processes that receive a 401 for the same token make one call',
    'modules/connections/erp-calls/erp-token-store.ts save drop .where leaseOwner':
      'protects a newer token from one that arrives after the lease has moved',
    'modules/connections/erp-calls/erp-token-store.ts obtainUnder endless AbortSignal.timeout':
      'outlasts no request: the request is aborted before the lease expires',
    'modules/connections/erp-calls/erp-token-store.ts obtainUnder drop release()':
      'ends with a failure that all callers of the process receive',
    'modules/connections/erp-calls/erp-token-store.ts token drop flights.set()':
      'ends with a failure that all callers of the process receive',
    'modules/connections/erp-calls/erp-token-store.ts claim true held.refused_at <=':
      'causes one request of all processes together, and one notification',
  },
  'test/integration/connections/erp-limiter.test.ts': {
    'modules/connections/erp-calls/erp-limiter.ts waitForPoint true isTaken':
      'two processes together stay within the rate',
    'modules/connections/erp-calls/erp-limiter.ts takePoint true rate.points <':
      'two processes together stay within the rate',
    'modules/connections/erp-calls/erp-limiter.ts takePoint drop on conflict':
      'two processes together stay within the rate',
    'modules/connections/erp-calls/erp-limiter.ts line drop mine.catch':
      'a waiting call can be aborted immediately without affecting others',
  },
  'test/integration/connections/connections.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:': 'takes effect once in two concurrent requests',
  },
  'test/integration/erp/client.test.ts': {
    'erp/call.ts call false refusedBefore.generation':
      'pitfall 2: report a second 401 as a missing right, without a new token',
    'erp/call.ts call drop rejected:': 'renew once after a 401, and the request is repeated once',
  },
  'test/integration/erp/breaker.test.ts': {
    'erp/breaker.ts createBreaker false passage.state': 'opens at half of the last 20 requests',
    'erp/breaker.ts settleProbe false finding': 'opens again if a probe is interrupted',
    'modules/connections/erp-calls/erp-circuits.ts look true probe_until <=':
      'sends one probe of one process after the pause, and the others wait for its result',
    'modules/connections/erp-calls/erp-circuits.ts look false probe_until <=':
      'repeats the probe of a dead process after the time in which it must have ended',
  },
  'test/integration/connections/owner-at-once.test.ts': {
    'modules/connections/franchise/operationally-active.ts ownerState drop query.forShare':
      'no connection is created for an owner that is deactivated at that moment',
  },
  'test/integration/connections/franchise.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:':
      'one of many concurrent edits of a version is stored, and the others are conflicts',
  },
  'test/integration/secrets/running-processes.test.ts': {
    'kernel/running-process.ts beat drop .onConflict':
      'a running process renews its record, also a lost one, which expires after two minutes',
  },
  'test/integration/secrets/rotate.test.ts': {
    'modules/rotate-secrets.ts rotateRow true ${sql.ref(column)} =':
      'a credential replaced during the rotation stays the newer one',
  },
  'test/workflows/connection-states.test.ts': {
    'modules/mirror/runs/run-fence.ts enterRun false skip':
      'the fence discards the rows of a run that was not canceled in time',
  },
};
