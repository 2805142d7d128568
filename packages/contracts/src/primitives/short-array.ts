import { z } from 'zod'

/**
 * An array of at most `max` members, which are counted before they are looked at: each costs more than to be counted,
 * and nobody reads what is wrong with a thousand of them.
 */
export function shortArray<Member extends z.ZodType>(
  array: z.ZodArray<Member>,
  max: number,
  message: string,
) {
  return z.preprocess(
    (value: z.input<typeof array>, context) => {
      if (!Array.isArray(value) || value.length <= max) return value
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    },
    array.max(max, message),
  )
}
