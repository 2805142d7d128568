import { z } from 'zod'

export const nativeCurrency = z
  .object({ name: z.string(), symbol: z.string(), decimals: z.int().nonnegative() })
  .meta({ description: 'The currency of gas.' })
