/** A time of a chain, unix seconds, as a person reads it. */
export const formatTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
