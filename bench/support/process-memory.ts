import { readFile } from 'node:fs/promises';
import type { Started } from '../../test/support/processes.ts';

/** Memory in MB (10^6 bytes). `file` is the program and its libraries, which processes share. */
export type Memory = { rss: number; anonymous: number; file: number };

function readStatus({ child }: Started): Promise<string> {
  return readFile(`/proc/${child.pid}/status`, 'utf8');
}

function megabytes(status: string, field: string): number {
  return Math.round((Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6);
}

export async function readMemory(process: Started): Promise<Memory> {
  const status = await readStatus(process);
  return {
    rss: megabytes(status, 'VmRSS'),
    anonymous: megabytes(status, 'RssAnon'),
    file: megabytes(status, 'RssFile'),
  };
}
