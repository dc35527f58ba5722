import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPlaces, type Place } from './places.ts';

const SOURCES = '{activities,api,erp,kernel,modules,platform,workers,workflows}/**/*.ts';

/** Reads the places of each source. */
export async function readPlaces(root: string): Promise<Place[][]> {
  const all: Place[][] = [];
  for await (const file of glob(SOURCES, { cwd: root }))
    all.push(findPlaces(file, await readFile(join(root, file), 'utf8')));
  return all;
}

/**
 * Returns locks without a proof that are not in `noLocks`, and entries of `noLocks` that are not
 * locks or have a proof.
 */
export function unlistedLocks(
  sources: readonly (readonly Place[])[],
  listed: ReadonlySet<string>,
  noLocks: ReadonlySet<string>,
): { unlisted: string[]; needless: string[] } {
  const locks: { id: string; isProved: boolean }[] = [];

  for (const places of sources) {
    const proofs = places.filter(({ id }) => listed.has(id));
    for (const lock of places.filter(({ isLock }) => isLock === true))
      locks.push({ id: lock.id, isProved: proofs.some((proof) => coversLock(proof, lock)) });
  }

  const unproved = new Set(locks.filter(({ isProved }) => !isProved).map(({ id }) => id));

  return {
    unlisted: [...unproved.difference(noLocks)].toSorted(),
    needless: [...noLocks.difference(unproved)].toSorted(),
  };
}

/** Returns true if the proof removes the lock, a part of it, or a larger part. */
function coversLock(proof: Place, lock: Place): boolean {
  const isPart = proof.start >= lock.start && proof.end <= lock.end;
  return (
    isPart || (proof.operator === 'drop' && proof.start <= lock.start && proof.end >= lock.end)
  );
}
