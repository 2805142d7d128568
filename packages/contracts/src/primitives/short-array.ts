import { z } from 'zod'

/**
 * An array of at most `max` members. They are counted before they are parsed, because parsing costs more, and
 * nobody reads the errors of a thousand members.
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
