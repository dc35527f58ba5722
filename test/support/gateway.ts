import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freeLowPort } from '../../tools/ports.ts';
import { eventually, root, startProcess } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Gateway = {
  url: string;
  pid: number;
  output: () => string;
  log(): Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts nginx with `ops/nginx.conf` and `ops/gateway.conf`. `apis` are numeric addresses, because
 * Debian's nginx (before 1.27.3) cannot resolve upstreams by DNS.
 */
export async function startGateway(
  nginxPath: string,
  apis: readonly [string, string],
): Promise<Gateway> {
  const folder = await temporaryFolder('gateway');
  const port = await freeLowPort();
  const replaced = async (
    file: string,
    pairs: readonly (readonly [there: string, here: string])[],
  ) =>
    pairs.reduce(
      (text, [there, here]) => {
        if (!text.includes(there)) throw new Error(`${file} has no ${there}`);
        return text.replace(there, here);
      },
      await readFile(join(root, 'ops', file), 'utf8'),
    );
  const conf = await replaced('gateway.conf', [
    // nginx's output is a socket, which nginx cannot open by its path.
    ['/dev/stdout', join(folder, 'requests.log')],
    ['/dev/stderr', 'stderr'],
    ['/var/cache/nginx/carte-media', join(folder, 'media')],
    ['/var/cache/nginx/carte', join(folder, 'menus')],
    ['listen 8080;', `listen 127.0.0.1:${port};`],
    ...apis.map(
      (url, at) =>
        [`api-${at + 1}:8080 max_fails=0 resolve`, `${new URL(url).host} max_fails=0`] as const,
    ),
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const text of temporary) await mkdir(join(folder, text));
  const main = await replaced('nginx.conf', [
    ['user nginx;', 'user root; daemon off;'],
    ['worker_processes auto;', 'worker_processes 1;'],
    ['/tmp/nginx.pid', join(folder, 'nginx.pid')],
    ['/dev/stderr', 'stderr'],
    [
      'include /etc/nginx/mime.types;',
      temporary.map((text) => `${text}_temp_path ${folder}/${text};`).join(' '),
    ],
    ['include /etc/nginx/conf.d/*.conf;', conf],
  ]);
  await writeFile(join(folder, 'nginx.conf'), main);
  const nginx = startProcess(
    'nginx',
    nginxPath,
    ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
    process.env,
  );
  const url = `http://127.0.0.1:${port}`;
  const gone = nginx.exited.then((code) => {
    throw new Error(`nginx ended with ${code}: ${nginx.output()}`);
  });
  gone.catch(() => undefined);
  await Promise.race([eventually('nginx listens', () => fetch(url).then(() => true)), gone]);
  return {
    url,
    pid: nginx.child.pid!,
    output: nginx.output,
    log: async () => (await readFile(join(folder, 'requests.log'), 'utf8')) + nginx.output(),
    async stop() {
      await nginx.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
