/** Formats a chain's time, unix seconds, for a person. */
export const formatTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
