import { isDatabaseOutage } from '../../../platform/database-outage.ts';

/**
 * A build that fails whenever these facts are built: trying again helps when something has changed.
 * Recognise it by `name`.
 */
export class SnapshotBroken extends Error {
  constructor(organizationId: number, cause: unknown) {
    super(`The menu of organization ${organizationId} cannot be built: ${messageOf(cause)}`, { cause });
    this.name = 'SnapshotBroken';
  }
}

/** True when `error` is a SnapshotBroken of any realm. */
export function isSnapshotBroken(error: unknown): error is SnapshotBroken {
  return error instanceof Error && error.name === 'SnapshotBroken';
}

/**
 * Returns true if another attempt may help: failures of the database or the network may be
 * temporary.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return typeof (error as { code?: unknown }).code === 'string' || isDatabaseOutage(error);
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
