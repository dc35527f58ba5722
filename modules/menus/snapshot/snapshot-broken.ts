import { isDatabaseOutage } from '../../../platform/database-outage.ts';

/** Only a change of facts helps. Recognized by `name`. */
export class SnapshotBroken extends Error {
  constructor(organizationId: number, cause: unknown) {
    super(`The menu of organization ${organizationId} cannot be built: ${messageOf(cause)}`, {
      cause,
    });
    this.name = 'SnapshotBroken';
  }
}

/** Works across realms. */
export function isSnapshotBroken(error: unknown): error is SnapshotBroken {
  return error instanceof Error && error.name === 'SnapshotBroken';
}

/** Returns true for failures of database and network. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return typeof (error as { code?: unknown }).code === 'string' || isDatabaseOutage(error);
}

const messageOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
