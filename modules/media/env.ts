import {
  constant,
  define,
  group,
  duration,
  optionalBaseUrl,
} from '../../platform/env/variables.ts';

export const MEDIA_VARIABLES = group('Storage', {
  PUBLIC_MEDIA_URL: define(
    '',
    optionalBaseUrl,
    'Base of image URLs in the storefront API, such as https://cdn.example, which passes /media/ on to the API. If empty, URLs are relative. Workers rebuild every menu after a change',
  ),
  MEDIA_SWEEP_EVERY: constant('1h', duration, 'Interval of removing unused media files'),
  MEDIA_ORPHAN_GRACE: constant('24h', duration, 'Age up to which an unused media file is kept'),
});
