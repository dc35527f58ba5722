import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A sink for what a server of the start writes: `logs/<name>.log` of the data folder, begun anew with every start. */
export async function logFile(dataDir: string, name: string): Promise<(line: string) => void> {
  const folder = join(dataDir, 'logs');
  await mkdir(folder, { recursive: true });
  const stream = createWriteStream(join(folder, `${name}.log`), { flags: 'w' });
  return (line) => void stream.write(`${line}\n`);
}
