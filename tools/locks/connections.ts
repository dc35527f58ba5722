import type { Mutation } from './mutation.ts';

const TOKENS = 'test/integration/connections/erp-token-store.test.ts';
const CONNECTIONS = 'test/integration/connections/connections.test.ts';
const CLIENT = 'test/integration/erp/client.test.ts';
const BREAKER = 'test/unit/erp/breaker.test.ts';

/** Connections and the way to the ERP: token lease, limiter, circuit, the one repetition. */
export const CONNECTIONS_AND_ERP: readonly Mutation[] = [
  {
    id: 'connections/token-lease',
    protects: 'two processes never ask for a token at the same time',
    file: 'app/connections/erp-token-store.ts',
    from: 'where (held.lease_until is null or held.lease_until <= now())',
    to: 'where (true)',
    test: { file: TOKENS, title: 'two processes that need a token at the same time make one call' },
  },
  {
    id: 'connections/token-still-wanted',
    protects: 'who gets the lease after a 401 does not renew the new token',
    file: 'app/connections/erp-token-store.ts',
    from: 'and (held.token_encrypted is null or held.generation = $4',
    to: 'and (true or held.token_encrypted is null or held.generation = $4',
    test: { file: TOKENS, title: 'two processes that meet a 401 for the same token make one call' },
  },
  {
    id: 'connections/token-fence',
    protects: 'a late token does not replace a newer one',
    file: 'app/connections/erp-token-store.ts',
    from: 'where connection_id = $1 and lease_owner = $2 returning generation',
    to: 'where connection_id = $1 and $2::text is not null returning generation',
    test: { file: TOKENS, title: 'a token that comes after the lease passed to another' },
  },
  {
    id: 'connections/token-request-ends',
    protects: 'a request ends before its lease',
    file: 'app/connections/erp-token-store.ts',
    from: 'AbortSignal.timeout(timings.leaseMs * 0.8)',
    to: 'AbortSignal.timeout(timings.leaseMs * 80)',
    test: { file: TOKENS, title: 'a request that outlasts its lease is ended before the lease is' },
  },
  {
    id: 'connections/token-lease-given-back',
    protects: 'a refused request leaves no lease behind',
    file: 'app/connections/erp-token-store.ts',
    from: 'await release(connectionId, lease);',
    to: '',
    test: { file: TOKENS, title: 'a refusal is told to all callers of the process and gives the lease back' },
  },
  {
    id: 'connections/token-flight',
    protects: 'callers of one process share one request and its refusal',
    file: 'app/connections/erp-token-store.ts',
    from: 'flights.set(connectionId, flight);',
    to: '',
    test: { file: TOKENS, title: 'a refusal is told to all callers of the process and gives the lease back' },
  },
  {
    id: 'connections/limiter',
    protects: 'all processes together stay within the rate of the ERP',
    file: 'app/connections/erp-limiter.ts',
    from: 'if (wait === null) return;',
    to: 'if (wait === null || wait > 0) return;',
    test: {
      file: 'test/integration/connections/erp-limiter.test.ts',
      title: 'two processes together stay within the rate',
    },
  },
  {
    id: 'connections/limiter-line',
    protects: 'a caller that gives up takes nobody with it',
    file: 'app/connections/erp-limiter.ts',
    from: 'turn = mine.catch(() => undefined);',
    to: 'turn = mine;',
    test: {
      file: 'test/integration/connections/erp-limiter.test.ts',
      title: 'one that waits can be interrupted at once and takes nobody else with it',
    },
  },
  {
    id: 'connections/disable-once',
    protects: 'a connection is disabled once, with one event',
    file: 'app/connections/connection-view.ts',
    from: `\${options.hold === true ? 'for update' : ''}`,
    to: `\${options.hold === true ? '' : ''}`,
    test: { file: CONNECTIONS, title: 'of two at once one does it' },
  },
  {
    id: 'erp/one-repetition',
    protects: 'a missing right does not loop over new tokens',
    file: 'erp/call.ts',
    from: `if (!isErpFailure(error) || error.kind !== 'UNAUTHORIZED') throw error;`,
    to: `if (!isErpFailure(error) || error.kind !== 'UNAUTHORIZED') throw error; else return call(connectionId, endpoint, body, callOptions);`,
    test: { file: CLIENT, title: 'a second 401 is the answer: it may be a missing right' },
  },
  {
    id: 'erp/renewed-after-401',
    protects: 'a rejected token is not used again',
    file: 'erp/call.ts',
    from: 'rejected: held.generation',
    to: '',
    test: { file: CLIENT, title: 'after a 401 the token is renewed once and the request repeated once' },
  },
  {
    id: 'erp/breaker',
    protects: 'an ERP that fails is left alone for a while',
    file: 'erp/breaker.ts',
    from: 'return failure?.retryable ?? ',
    to: 'return false && ',
    test: { file: BREAKER, title: 'opens at half of the last 20 requests and says when to come back' },
  },
  {
    id: 'erp/breaker-probe',
    protects: 'an interrupted probe does not close the circuit',
    file: 'erp/breaker.ts',
    from: 'if (policy.state === CircuitState.HalfOpen) return { interrupted: error };',
    to: '',
    test: { file: BREAKER, title: 'an interrupted probe proves nothing' },
  },
  {
    id: 'connections/owner-held',
    protects: 'no connection of an owner that becomes inactive at that moment',
    file: 'app/franchise/operationally-active.ts',
    from: `\${options.hold === true ? 'for share' : ''}`,
    to: '',
    test: {
      file: 'test/integration/connections/owner-at-once.test.ts',
      title: 'no connection is created for an owner that becomes inactive at that moment',
    },
  },
];
