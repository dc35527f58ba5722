import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Log } from '../platform/log.ts';
import type { ExchangeLog } from './ports.ts';

/**
 * Writes every request and answer as one JSON line to `file`, readable by its owner only. A file that would grow
 * beyond `maxBytes` becomes `file.1`, older ones move up, and `kept` of them stay. Entries come in masked.
 * A write that fails is reported in the general log and never fails the call it describes.
 */
export function createExchangeLog(options: { file: string; log: Log; maxBytes?: number; kept?: number }): ExchangeLog {
  const { file, log, maxBytes = 100 * 1024 * 1024, kept = 5 } = options;
  let last: Promise<void> = Promise.resolve();

  async function append(line: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    const size = await sizeOf(file);
    if (size > 0 && size + Buffer.byteLength(line) > maxBytes) await rotate(file, kept);
    await appendFile(file, line, { mode: 0o600 });
  }

  return {
    write(entry) {
      const line = `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`;
      last = last
        .then(() => append(line))
        .catch((error: unknown) => log.warn({ err: error, file }, 'the exchange log cannot be written'));
      return last;
    },
    close: () => last,
  };
}

async function rotate(file: string, kept: number): Promise<void> {
  for (let number = kept - 1; number >= 0; number -= 1) {
    const from = number === 0 ? file : `${file}.${number}`;
    if ((await sizeOf(from)) >= 0) await rename(from, `${file}.${number + 1}`);
  }
}

/** Size in bytes, -1 when there is no such file. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return -1;
    throw error;
  }
}
