import { z } from 'zod'

export const signModes = ['ECDSA', 'SESSION_KEY'] as const
export type SignMode = (typeof signModes)[number]

/** Names that older clients send, and the canonical form in responses. */
const canonical: Readonly<Record<string, SignMode>> = {
  ECDSA: 'ECDSA',
  '1': 'ECDSA',
  SESSION_KEY: 'SESSION_KEY',
  SessionKey: 'SESSION_KEY',
  SimpleSessionKey: 'SESSION_KEY',
  '4': 'SESSION_KEY',
  '5': 'SESSION_KEY',
}

/** Who signs: the owner (`ECDSA`, the default) or a session key (`SESSION_KEY`). */
export const signMode = z
  .union([z.string(), z.int()], 'Expected a string')
  .transform((value, context) => {
    const mode = Object.hasOwn(canonical, String(value)) ? canonical[String(value)] : undefined
    if (mode) return mode
    context.addIssue(`Expected one of ${Object.keys(canonical).join(', ')}`)
    return z.NEVER
  })
  .meta({ type: 'string', example: 'ECDSA', description: '`ECDSA` (default) or `SESSION_KEY`.' })
