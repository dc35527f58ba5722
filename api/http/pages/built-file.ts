import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { IMMUTABLE, keptAnswer, REVALIDATED, type KeptAnswer } from '../hot/kept-answer.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Reads a file of Vite's output. `assets/` (digest in the name) are cached permanently. */
export function builtFile(
  output: URL,
  file: string,
  bytes: Buffer = readFileSync(new URL(file, output)),
): KeptAnswer {
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  return keptAnswer(type, bytes, file.startsWith('assets/') ? IMMUTABLE : REVALIDATED);
}
