import type { Address } from 'viem'

/**
 * `OperationSimulator.ENTRY_POINT_CODE`: override the code here with EntryPoint's own, and accounts and
 * paymasters may call any of its functions while they are simulated.
 */
export const entryPointCodeAddress: Address = '0x6dE2fe80e348adf9A969774e4068626b28c90929'
