import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import {
  SEARCH_ATTRIBUTE_NAMES,
  SEARCH_ATTRIBUTES,
  type SearchAttributeName,
} from './pure/search-attributes.ts';
import { StartFailure } from './start-failure.ts';

/** Temporal's number of the type, and a sample value. */
const TYPES = {
  KEYWORD: { number: 2, value: "'x'" },
  INT: { number: 3, value: '0' },
  KEYWORD_LIST: { number: 7, value: "'x'" },
} as const;

/** gRPC codes: NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED. */
const [NOT_FOUND, ALREADY_EXISTS] = [5, 6] as const;
const NOT_ALLOWED = [7, 12, 16];
/** Within this time, all services of Temporal load a new namespace. */
const KNOWN_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 100;

type Server = Pick<Connection, 'workflowService' | 'operatorService'>;

export type Prepared = {
  namespace: 'created' | 'retention raised' | 'found';
  searchAttributes: string[];
};

/**
 * Creates namespace and search attributes (OPS-20). Never lowers retention. Returns the changes
 * when the server is ready. Idempotent, safe in parallel. Throws StartFailure without the rights.
 */
export async function prepareTemporal(
  server: Server,
  { namespace, retentionMs }: { namespace: string; retentionMs: number },
): Promise<Prepared> {
  try {
    const made = await ensureNamespace(server, namespace, retentionMs);
    const searchAttributes = await ensureSearchAttributes(server, namespace);
    return { namespace: made, searchAttributes };
  } catch (error) {
    if (!NOT_ALLOWED.includes(codeOf(error) ?? -1)) throw error;
    throw new StartFailure(
      `Temporal does not allow creating the namespace "${namespace}". Create it manually, with these search attributes: ` +
        `${SEARCH_ATTRIBUTE_NAMES.map((name) => `${name} (${SEARCH_ATTRIBUTES[name]})`).join(', ')}.`,
      { cause: error },
    );
  }
}

/** Throws StartFailure for a missing namespace or attribute. */
export async function requirePreparedTemporal(server: Server, namespace: string): Promise<void> {
  const missing = await missingAttributes(server, namespace).catch((error: unknown) => {
    if (codeOf(error) === NOT_FOUND) return null;
    // Clients without this right may run workflows.
    if (NOT_ALLOWED.includes(codeOf(error) ?? -1)) return [];
    throw error;
  });
  if (missing !== null && missing.length === 0) return;

  const lack =
    missing === null
      ? `has no namespace "${namespace}"`
      : `lacks the search attributes ${missing.join(', ')}`;

  throw new StartFailure(`Temporal ${lack}: run \`npm run temporal:prepare\` first.`);
}

async function ensureNamespace(
  server: Server,
  namespace: string,
  retentionMs: number,
): Promise<Prepared['namespace']> {
  const workflowExecutionRetentionTtl = { seconds: Math.round(retentionMs / 1000) as never };
  const existing = await orUndefined(
    NOT_FOUND,
    server.workflowService.describeNamespace({ namespace }),
  );

  if (existing === undefined) {
    await orUndefined(
      ALREADY_EXISTS,
      server.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: workflowExecutionRetentionTtl,
      }),
    );

    return 'created';
  }

  if (Number(existing.config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1000 >= retentionMs)
    return 'found';
  await server.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl },
  });

  return 'retention raised';
}

/** Waits until the server can filter by all of them. */
async function ensureSearchAttributes(server: Server, namespace: string): Promise<string[]> {
  const until = Date.now() + KNOWN_WITHIN_MS;
  const added = new Set<string>();

  for (;;) {
    const missing = await orUndefined(NOT_FOUND, missingAttributes(server, namespace));
    if (missing?.length === 0 && (await isUsable(server, namespace))) return [...added];
    if (missing !== undefined && missing.length > 0) {
      const searchAttributes = Object.fromEntries(
        missing.map((name) => [name, TYPES[SEARCH_ATTRIBUTES[name]].number]),
      );
      // Added concurrently, or the namespace is not loaded yet.
      await orUndefined(
        [ALREADY_EXISTS, NOT_FOUND],
        server.operatorService.addSearchAttributes({ namespace, searchAttributes }),
      );

      for (const name of missing) added.add(name);
    }

    if (Date.now() > until)
      throw new StartFailure(
        `Temporal cannot find the namespace "${namespace}" one minute after it was created.`,
      );

    await delay(LOOK_AGAIN_MS);
  }
}

async function missingAttributes(
  { operatorService }: Server,
  namespace: string,
): Promise<SearchAttributeName[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return SEARCH_ATTRIBUTE_NAMES.filter((name) => !(name in customAttributes));
}

/** Visibility loads a namespace last. */
async function isUsable({ workflowService }: Server, namespace: string): Promise<boolean> {
  const query = SEARCH_ATTRIBUTE_NAMES.map(
    (name) => `${name} = ${TYPES[SEARCH_ATTRIBUTES[name]].value}`,
  ).join(' and ');
  return workflowService.listWorkflowExecutions({ namespace, query, pageSize: 1 }).then(
    () => true,
    () => false,
  );
}

/** Returns undefined for these codes. */
async function orUndefined<T>(
  codes: number | readonly number[],
  request: Promise<T>,
): Promise<T | undefined> {
  return request.catch((error: unknown) => {
    if ([codes].flat().includes(codeOf(error) ?? -1)) return undefined;
    throw error;
  });
}

/** Returns undefined unless the error is from gRPC. */
export function codeOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
}
