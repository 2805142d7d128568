import { z } from 'zod'
import { bytesOfBase64Url } from './encodings.ts'
import { verificationFailed } from './verification-failed.ts'

/** The members that decide whether verification continues; the library checks the rest. */
const clientData = z.looseObject({
  challenge: z.string().regex(/^[\w-]{1,1364}$/),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.never().optional(),
})

/**
 * The challenge that a response answers, from its clientDataJSON (WebAuthn L3 §5.8.1).
 *
 * The wallet must not be embedded: a ceremony inside a frame of another origin is refused. WebAuthn L3 §7.1
 * step 11 and §7.2 step 15 leave this to the relying party.
 *
 * @throws VERIFICATION_FAILED
 */
export function readChallenge(clientDataJSON: string): string {
  const parsed = clientData.safeParse(parseJson(clientDataJSON))
  if (parsed.success) return parsed.data.challenge
  const wrong = parsed.error.issues[0]?.path[0]
  throw verificationFailed(
    wrong === 'crossOrigin' || wrong === 'topOrigin'
      ? 'it ran in a frame of another origin.'
      : 'clientDataJSON has no base64url challenge.',
  )
}

function parseJson(base64url: string): unknown {
  try {
    // WebAuthn L3 §7.1 step 5: UTF-8 decode, which drops a byte order mark.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOfBase64Url(base64url)))
  } catch (error) {
    throw verificationFailed('clientDataJSON is not UTF-8 JSON.', error)
  }
}
