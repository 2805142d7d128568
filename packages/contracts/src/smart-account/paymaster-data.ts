import { z } from 'zod'
import { hex } from '../primitives/hex.ts'

/**
 * Who pays: `0x…` is the v0.7 paymasterAndData (paymaster ‖ verification gas u128 ‖ postOp gas u128 ‖ data),
 * used verbatim; `sponsored` asks for the service's own paymaster.
 */
export const paymasterData = z
  .union([z.literal('sponsored'), hex], 'Expected hex data or "sponsored"')
  .refine((value) => value === 'sponsored' || value === '0x' || value.length >= 2 + 2 * 52, {
    message: 'paymasterAndData has at least 52 bytes: paymaster, verification gas limit, postOp gas limit',
  })
  .meta({ type: 'string', example: '0x' })
