import { readEnv } from '../modules/env.ts';
import { S3_SETTINGS, s3Settings } from '../platform/open-media-store.ts';
import { describeStartFailure } from '../platform/start-failure.ts';

/** `npm run storage:prepare`: creates a missing bucket of media files. */
async function main(): Promise<void> {
  const env = readEnv(process.env, ['NODE_ENV', 'MEDIA_STORE', ...S3_SETTINGS]);
  if (env.MEDIA_STORE === 'disk')
    return void process.stdout.write('Media files are stored on the disk.\n');
  const { prepareMediaBucket } = await import('../platform/prepare-media-bucket.ts');
  process.stdout.write(
    `Bucket "${env.MEDIA_S3_BUCKET}": ${await prepareMediaBucket(s3Settings(env))}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exitCode = 1;
});
