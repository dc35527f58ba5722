/** Days of a time zone may be longer or shorter. */
export const DAY_MS = 86_400_000;
