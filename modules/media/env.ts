import { define, group, duration, optionalBaseUrl } from '../../platform/env/variables.ts';

/** Variables of media: URLs of images, and the removal of files. */
export const MEDIA_VARIABLES = group('Storage', {
  PUBLIC_MEDIA_URL: define(
    '',
    optionalBaseUrl,
    'Beginning of the URLs of images in the storefront API, such as https://cdn.example. The host behind it passes /media/ below this URL on to the API. If empty, URLs are relative to the host of the API. Workers record it when they start and rebuild every menu after a change',
  ),
  MEDIA_SWEEP_EVERY: define('1h', duration, 'Interval of removing media files that nothing needs'),
  MEDIA_ORPHAN_GRACE: define('24h', duration, 'Age up to which a media file is kept although nothing needs it'),
});
