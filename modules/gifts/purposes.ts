/** What the digests are for by which clients are found by their phones. */
export const PHONE_DIGEST_PURPOSE = 'compensation.phone';
