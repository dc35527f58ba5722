import {
  define,
  group,
  oneOf,
  optional,
  optionalUrl,
  text,
  type ValuesOf,
  type Demand,
} from './variables.ts';

export const MEDIA_STORE_VARIABLES = group('Storage', {
  MEDIA_DIR: define(
    '',
    optional,
    'Folder of media files. The default is `media` in CARTE_DATA_DIR',
  ),
  MEDIA_STORE: define(
    'disk',
    oneOf('disk', 's3'),
    'Storage of media files. Several API hosts need s3',
  ),
  MEDIA_S3_ENDPOINT: define('', optionalUrl, 'URL of the S3-compatible storage'),
  MEDIA_S3_REGION: define('us-east-1', text, 'Region of the storage'),
  MEDIA_S3_BUCKET: define('carte-media', text, 'Bucket of media files'),
  MEDIA_S3_ACCESS_KEY: define('', optional, 'Access key of the storage', { secret: true }),
  MEDIA_S3_SECRET_KEY: define('', optional, 'Secret key of the storage', { secret: true }),
});

export type MediaStoreEnv = ValuesOf<typeof MEDIA_STORE_VARIABLES>;

export const MEDIA_STORE_DEMANDS: readonly Demand[] = [
  {
    when: ({ MEDIA_STORE: store }) => store === 's3',
    needs: ['MEDIA_S3_ENDPOINT', 'MEDIA_S3_ACCESS_KEY', 'MEDIA_S3_SECRET_KEY'],
    because: 'MEDIA_STORE is s3',
  },
];
