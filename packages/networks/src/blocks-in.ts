import type { NetworkConfig } from './config.ts'

/** Number of blocks in a time, by the network's configured block time. */
export const blocksIn = ({ blockTime }: Pick<NetworkConfig, 'blockTime'>, milliseconds: number): bigint =>
  BigInt(Math.ceil(milliseconds / blockTime))
