import {
  BucketAlreadyExists,
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  HeadBucketCommand,
  NotFound,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Settings } from './media-store-s3.ts';
import { StartFailure } from './start-failure.ts';

/**
 * Creates a missing bucket (OPS-31). Idempotent, safe in parallel. Throws StartFailure without an
 * answer or access.
 */
export async function prepareMediaBucket({
  endpoint,
  region,
  bucket,
  accessKey,
  secretKey,
}: S3Settings): Promise<'created' | 'found'> {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    forcePathStyle: true,
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: 2_000,
      requestTimeout: 10_000,
      throwOnRequestTimeout: true,
    },
  });

  try {
    if (await isThere(client, bucket)) return 'found';
    return await create(client, bucket);
  } catch (error) {
    throw new StartFailure(
      `The storage at ${endpoint} does not give the bucket "${bucket}" (${(error as Error).name}); check the settings MEDIA_S3_….`,
      { cause: error },
    );
  } finally {
    client.destroy();
  }
}

async function create(client: S3Client, bucket: string): Promise<'created' | 'found'> {
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return 'created';
  } catch (error) {
    // Created concurrently. Buckets of other owners are not visible.
    const isMade = error instanceof BucketAlreadyExists || error instanceof BucketAlreadyOwnedByYou;
    if (isMade && (await isThere(client, bucket))) return 'found';
    throw error;
  }
}

async function isThere(client: S3Client, bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}
