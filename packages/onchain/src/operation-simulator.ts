import type { Address } from 'viem'

/**
 * `OperationSimulator.ENTRY_POINT_CODE`: override the code at this address with EntryPoint's own, so that
 * accounts and paymasters can call any of its functions during simulation.
 */
export const entryPointCodeAddress: Address = '0x6dE2fe80e348adf9A969774e4068626b28c90929'
