import { z } from 'zod'

/**
 * An array of at most `max` members, which are counted before they are parsed: parsing one costs more than counting it,
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
