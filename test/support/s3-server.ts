import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toolFolder } from '../../packages/dev/programs/tool-folders.ts';

/** The part of the server that we use; it ships no types. */
type S3rver = { run(): Promise<{ port: number }>; close(): Promise<void> };

/** Credentials with all rights on the S3 server of tests. */
export const S3_ACCESS = 'S3RVER';

/**
 * A server of S3-compatible storage with these buckets, whose files lie in `directory`. The caller
 * closes it.
 */
export async function startS3(
  directory: string,
  buckets: readonly string[],
): Promise<{ url: string; close(): Promise<void> }> {
  const modules = await toolFolder('s3rver', () => undefined);
  const { default: Server } = (await import(pathToFileURL(join(modules, '@20minutes/s3rver/lib/s3rver.js')).href)) as {
    default: new (options: object) => S3rver;
  };
  const server = new Server({
    port: 0,
    address: '127.0.0.1',
    directory,
    silent: true,
    // It signs the address of a bucket without its last slash, unlike the SDK.
    allowMismatchedSignatures: true,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  });
  const { port } = await server.run();
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
