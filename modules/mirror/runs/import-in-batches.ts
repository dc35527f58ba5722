import type { OddRow } from '../../../erp/schemas/check.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { createAnomalies } from '../rules/anomalies.ts';
import { addOddRows, partlyReadOrganizations, unreadOrganizations } from '../rules/odd-rows.ts';
import type { Job } from '../rules/jobs.ts';
import { askOrganizations, type Ask } from './ask-organizations.ts';
import { fencedImport, type MirrorDeps, type JobOutcome } from './fenced-import.ts';
import { forgetRefusedOrganizations } from './refused-organizations.ts';
import { addAnomalies } from './run-facts.ts';
import type { Turn } from './run-fence.ts';

/**
 * `isLastTry`: no retry follows soon, so a 5xx for one of several organizations counts as a
 * rejection.
 */
export type ImportOptions = { signal?: AbortSignal; isLastTry?: boolean };

/** `named`: organizations with a row, lower case. */
export type BatchAnswer<Row> = {
  rows: readonly Row[];
  named: readonly string[];
  bytes: number;
  odd: readonly OddRow[];
};

/**
 * Organizations without readable rows keep their data. Without `isComplete`, nothing of the
 * organization is removed (MIR-72).
 */
export type Answers<Organization, Row> = {
  organizations: readonly (Organization & { isComplete: boolean })[];
  rows: readonly Row[];
};

export type Batches<Organization, Row, Result> = {
  organizations: readonly Organization[];
  perCall: number;
  ask: Ask<BatchAnswer<Row>>;
  save: (tx: Tx, answers: Answers<Organization, Row>, runId: number) => Promise<Result>;
};

/**
 * Like {@link fencedImport}, with several calls. Rejected organizations do not stop others
 * (MIR-67). Unreadable rows are skipped and counted (MIR-65).
 */
export async function importInBatches<
  Organization extends { id: number; erpId: string },
  Row extends { organizationId: string },
  Result,
>(
  deps: Pick<MirrorDeps, 'db'>,
  run: { runId: number; connectionId: number; job: Job; turn?: Turn; isLastTry?: boolean },
  { organizations, perCall, ask, save }: Batches<Organization, Row, Result>,
): Promise<JobOutcome<Result> | { outcome: 'NO_ORGANIZATIONS' }> {
  if (organizations.length === 0) return { outcome: 'NO_ORGANIZATIONS' };
  const { isLastTry = false } = run;

  return fencedImport(
    deps,
    {
      ...run,
      organizations: organizations.length,
      calls: Math.ceil(organizations.length / perCall),
    },
    async () => {
      const data = await askOrganizations(deps, run, { organizations, perCall, isLastTry }, ask);
      return { data, bytes: data.answers.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    (tx, answered) => saveAnswers(tx, run, answered, save),
  );
}

/** Saves responses and ends the rejection of their organizations. */
export async function saveAnswers<
  Organization extends { id: number; erpId: string },
  Row extends { organizationId: string },
  Result,
>(
  tx: Tx,
  run: { runId: number; connectionId: number; job: Job },
  {
    answers,
    organizations,
  }: { answers: readonly BatchAnswer<Row>[]; organizations: readonly Organization[] },
  save: Batches<Organization, Row, Result>['save'],
): Promise<Result> {
  await forgetRefusedOrganizations(
    tx,
    run,
    organizations.map(({ id }) => id),
  );

  const odd = answers.flatMap((answer) => answer.odd);
  const isUnread = unreadOrganizations(odd, new Set(answers.flatMap(({ named }) => named)));
  const partlyRead = partlyReadOrganizations(odd);
  const anomalies = createAnomalies();
  addOddRows(anomalies, odd);
  await addAnomalies(tx, run.runId, anomalies.list());
  const read = {
    organizations: organizations
      .filter(({ erpId }) => !isUnread(erpId))
      .map((organization) => ({
        ...organization,
        isComplete: !partlyRead.has(organization.erpId),
      })),
    rows: answers
      .flatMap(({ rows }) => rows)
      .filter((row) => !isUnread(row.organizationId.toLowerCase())),
  };

  return save(tx, read, run.runId);
}
