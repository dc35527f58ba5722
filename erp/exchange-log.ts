import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Log } from '../platform/log.ts';
import type { ExchangeLog } from './ports.ts';

const DAY_MS = 24 * 3_600_000;

type Options = {
  file: string;
  log: Log;
  maxBytes?: number;
  kept?: number;
  /** Age at which a new file is started. */
  turnMs?: number;
  /** Age at which a file is deleted, counted from its last write. */
  keptMs?: number;
  lookEveryMs?: number;
};

/**
 * Writes one JSON line per exchange, readable only by the owner. A file larger than `maxBytes` or
 * older than a day becomes `file.1`; `kept` old files remain for at most a week (decision 10).
 * Entries must be masked, and a failed write never fails the call.
 */
export function createExchangeLog(options: Options): ExchangeLog {
  const { file, log, maxBytes = 100 * 1024 * 1024, kept = 5 } = options;
  const { turnMs = DAY_MS, keptMs = 7 * DAY_MS, lookEveryMs = 3_600_000 } = options;
  let last: Promise<void> = Promise.resolve();

  async function append(line: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    const size = await readSize(file);
    const isOld = size > 0 && Date.now() - (await stat(file)).birthtimeMs > turnMs;
    if (isOld || (size > 0 && size + Buffer.byteLength(line) > maxBytes)) await rotate(file, kept);
    await appendFile(file, line, { mode: 0o600 });
  }

  async function deleteOld(): Promise<void> {
    for (let number = 0; number <= kept; number += 1) {
      const name = number === 0 ? file : `${file}.${number}`;
      if ((await readSize(name)) >= 0 && Date.now() - (await stat(name)).mtimeMs > keptMs)
        await rm(name);
    }
  }

  /** No file may be moved during a write. */
  function queue(work: () => Promise<void>): Promise<void> {
    last = last
      .then(work)
      .catch((error: unknown) =>
        log.warn({ err: error, file }, 'the exchange log cannot be written'),
      );

    return last;
  }

  void queue(deleteOld);
  const looking = setInterval(() => void queue(deleteOld), lookEveryMs).unref();

  return {
    write: (entry) => {
      const line = `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`;
      return queue(() => append(line));
    },
    close: () => {
      clearInterval(looking);
      return last;
    },
  };
}

async function rotate(file: string, fileCount: number): Promise<void> {
  for (let number = fileCount - 1; number >= 0; number -= 1) {
    const from = number === 0 ? file : `${file}.${number}`;
    if ((await readSize(from)) >= 0) await rename(from, `${file}.${number + 1}`);
  }
}

/** Returns -1 without a file. */
async function readSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return -1;
    throw error;
  }
}
