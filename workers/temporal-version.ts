import type { Client } from '@temporalio/client';
import { polledVersions } from '../kernel/running-process.ts';
import { openOwnDatabase } from '../modules/own-database.ts';
import { readEnv } from '../modules/env.ts';
import { runOnce } from '../platform/run-once.ts';
import { StartFailure } from '../platform/start-failure.ts';
import { connectTemporal } from '../platform/temporal.ts';
import { TEMPORAL_SERVER, temporalServer } from '../platform/temporal-server.ts';
import { DEPLOYMENTS, pinnedTo, readDeployment, setCurrent, versionText } from './versions.ts';
import { workflowsBuildId } from './workflow-bundle.ts';

const NEEDED = ['NODE_ENV', 'DATABASE_URL', ...TEMPORAL_SERVER] as const;
/** The argument that gives all tasks to workers of a release without versions. */
const UNVERSIONED = 'unversioned';

/**
 * `npm run carte -- temporal:version`: lists the versions of each queue, one JSON object per line.
 * If a build id or `unversioned` is given, first makes this version current (rule OPS-182).
 */
async function main(): Promise<void> {
  const env = readEnv(process.env, NEEDED);
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: 1,
    applicationName: 'carte-temporal-version',
  });

  try {
    const connected = await connectTemporal({
      ...temporalServer(env),
      identity: `temporal-version#${process.pid}`,
    });

    try {
      const polled = await polledVersions(db);
      const [choice] = process.argv.slice(2);
      if (choice !== undefined) await choose(connected.client, choice, polled);
      process.stdout.write(`${JSON.stringify({ thisRelease: await workflowsBuildId() })}\n`);
      for (const name of DEPLOYMENTS) await list(connected.client, name, polled);
    } finally {
      await connected.close();
    }
  } finally {
    await db.close();
  }
}

/**
 * Makes a version current for the queues that its workers poll. Throws StartFailure if no worker
 * of the version runs.
 */
async function choose(
  temporal: Client,
  choice: string,
  polled: ReadonlySet<string | null>,
): Promise<void> {
  const buildId = choice === UNVERSIONED ? null : choice;
  const deploymentNames = DEPLOYMENTS.filter((deploymentName) =>
    polled.has(buildId === null ? null : versionText({ deploymentName, buildId })),
  );
  if (deploymentNames.length === 0)
    throw new StartFailure(
      buildId === null
        ? 'Nothing was changed: no worker of a release without versions runs. Start its workers first.'
        : `Nothing was changed: no worker of ${buildId} runs. Start its workers first, or name a version of this list: ` +
            `${[...polled].filter((version) => version !== null).join(', ')}.`,
    );

  for (const deploymentName of deploymentNames) await setCurrent(temporal, deploymentName, buildId);
}

/** Prints the versions, newest first. */
async function list(
  temporal: Client,
  deploymentName: string,
  polled: ReadonlySet<string | null>,
): Promise<void> {
  const { current = null, versions = [] } = (await readDeployment(temporal, deploymentName)) ?? {};
  if (current === null)
    process.stdout.write(`${JSON.stringify({ queue: deploymentName, version: UNVERSIONED })}\n`);

  for (const { buildId, createdAt } of versions.toSorted(
    (one, other) => other.createdAt - one.createdAt,
  )) {
    const version = { deploymentName, buildId };
    const line = {
      queue: deploymentName,
      version: buildId,
      isCurrent: buildId === current,
      hasWorkers: polled.has(versionText(version)),
      pinnedExecutions: (await temporal.workflow.count(pinnedTo(version))).count,
      since: new Date(createdAt).toISOString(),
    };

    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}

await runOnce(main);
