import type { Proofs } from './mutation.ts';

/** Connections and ERP calls: token lease, limiter, circuit, single retry. */
export const CONNECTIONS_AND_ERP: Proofs = {
  'test/http/erp-webhooks/webhook-secrets.test.ts': {
    'modules/connections/webhook-secrets.ts holdConnection drop .forUpdate':
      'two secrets are valid during a replacement and never three, also under parallel requests',
  },
  'test/integration/connections/erp-token-store.test.ts': {
    'modules/connections/erp-calls/erp-token-store.ts claim true held.lease_until <=':
      'two processes that need a token at the same time make one call',
    'modules/connections/erp-calls/erp-token-store.ts claim true held.generation =':
      'two processes that meet a 401 for the same token make one call',
    'modules/connections/erp-calls/erp-token-store.ts save drop .where leaseOwner':
      'a token that comes after the lease passed to another',
    'modules/connections/erp-calls/erp-token-store.ts obtainUnder endless AbortSignal.timeout':
      'a request that outlasts its lease is ended before the lease is',
    'modules/connections/erp-calls/erp-token-store.ts obtainUnder drop release()':
      'a failure is reported to all callers of the process and returns the lease',
    'modules/connections/erp-calls/erp-token-store.ts token drop flights.set()':
      'a failure is reported to all callers of the process and returns the lease',
    'modules/connections/erp-calls/erp-token-store.ts claim true held.refused_at <=':
      'is requested once by all processes together, and reported once',
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
    'kernel/edits.ts holdForEdit drop lockMode:': 'of two at once one does it',
  },
  'test/integration/erp/client.test.ts': {
    'erp/call.ts call false refusedBefore.generation':
      'pitfall 2: a second 401 is a missing right: rejected, reported, and without a new token',
    'erp/call.ts call drop rejected:': 'after a 401 the token is renewed once and the request repeated once',
  },
  'test/integration/erp/breaker.test.ts': {
    'erp/breaker.ts createBreaker false passage.state': 'opens at half of the last 20 requests',
    'erp/breaker.ts settleProbe false finding': 'an interrupted probe proves nothing',
    'modules/connections/erp-calls/erp-circuits.ts look true probe_until <=':
      'after the pause one request of one process tries',
    'modules/connections/erp-calls/erp-circuits.ts look false probe_until <=':
      'the probe of a process that died is given to another',
  },
  'test/integration/connections/owner-at-once.test.ts': {
    'modules/connections/franchise/operationally-active.ts ownerState drop query.forShare':
      'no connection is created for an owner that becomes inactive at that moment',
  },
  'test/integration/connections/franchise.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:': 'one of many concurrent edits of a version is stored',
  },
  'test/integration/secrets/running-processes.test.ts': {
    'kernel/running-process.ts beat drop .onConflict':
      'a running process renews its record, also a lost one; it expires after two minutes',
  },
  'test/integration/secrets/rotate.test.ts': {
    'modules/rotate-secrets.ts rotateRow true ${sql.ref(column)} =':
      'a credential that is replaced at that moment stays the newer one',
  },
  'test/workflows/connection-states.test.ts': {
    'modules/mirror/runs/run-fence.ts enterRun false skip':
      'is rejected by the fence of a run that was not canceled in time',
  },
};
