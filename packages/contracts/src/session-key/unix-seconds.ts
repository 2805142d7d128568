import { z } from 'zod'

/** Unix seconds: an integer, or its decimal string. */
export const unixSeconds = z
  .union(
    [
      z.int().nonnegative(),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ],
    'Expected Unix seconds',
  )
  .meta({ type: 'integer', description: 'Unix seconds.', example: 1_800_000_000 })
