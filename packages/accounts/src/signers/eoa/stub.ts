import type { Hex } from 'viem'

/**
 * r, s and v for which `ecrecover` returns some address, so that it costs as much as a real signature. If r
 * is not an x coordinate, `ecrecover` returns nothing, which some accounts reject.
 */
export const eoaStub: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`
