import type { Hex } from 'viem'

/** Bytes of a row with its indexes, besides call data. The rest of the operation is at most as long again. */
const rowBytes = 2_560

/** Bytes that a build takes in the database: its call data is stored as hex. */
export const bytesOfBuild = (data: readonly Hex[]): number =>
  data.reduce((sum, { length }) => sum + length, rowBytes)
