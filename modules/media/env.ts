import { define, group, duration } from '../../platform/env/variables.ts';

/** Variables of removal of media files. */
export const MEDIA_VARIABLES = group('Storage', {
  MEDIA_SWEEP_EVERY: define('1h', duration, 'Interval of removing media files that nothing needs'),
  MEDIA_ORPHAN_GRACE: define('24h', duration, 'Age up to which a media file is kept although nothing needs it'),
});
