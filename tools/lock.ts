import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` while no other process has this lock file. Takes over the lock of an ended process,
 * which can race, so use it only to avoid duplicate work.
 */
export async function withLock<T>(
  file: string,
  { onWait, work }: { onWait: (pid: number) => void; work: () => Promise<T> },
): Promise<T> {
  for (let announced = false; !(await take(file));) {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    if (pid > 0 && isAlive(pid)) {
      if (!announced) onWait(pid);
      announced = true;
      await delay(200);
    } else {
      await rm(file, { force: true });
    }
  }

  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  // The file gets its name after its content, so that no process reads a lock without a process id.
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, String(process.pid));

  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** Includes processes of other users. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Returns the `code` of a system error. Does not use `instanceof`, because jest's realm has another
 * `Error`.
 */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
