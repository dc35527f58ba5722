import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onPath } from '../../tools/cached-program.ts';
import { startGuarded, type GuardedProcess } from '../../tools/guarded-process.ts';
import { freePort } from '../../tools/ports.ts';

/** Starts nginx serving `menu.json.gz` by gzip_static. Undefined if nginx is not installed. */
export async function startNginx(
  folder: string,
  identity: Buffer,
  gzip: Buffer,
): Promise<{ url: string; program: string; process: GuardedProcess } | undefined> {
  const program = onPath('nginx', `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`);
  if (program === undefined) return undefined;
  const site = join(folder, 'site');
  await mkdir(site, { recursive: true, mode: 0o755 });
  await writeFile(join(site, 'menu.json'), identity, { mode: 0o644 });
  await writeFile(join(site, 'menu.json.gz'), gzip, { mode: 0o644 });
  const port = await freePort();
  const file = join(folder, 'nginx-static.conf');
  // nginx's compiled-in paths may not exist without an installation.
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((text) => `${text}_temp_path ${join(folder, text)};`)
    .join(' ');
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; user ${process.getuid?.() === 0 ? 'root' : 'nobody'};
     events { worker_connections 256; }
     http { ${temporary} access_log off; default_type application/json; keepalive_requests 1000000000; sendfile on; tcp_nopush on;
       server { listen 127.0.0.1:${port}; root ${site}; gzip_static on; } }\n`,
  );

  const process_ = await startGuarded({
    command: program,
    args: ['-c', file, '-e', join(folder, 'nginx.log')],
    output: () => undefined,
  });

  return { url: `http://127.0.0.1:${port}/menu.json`, program, process: process_ };
}
