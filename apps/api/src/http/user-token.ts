import type { Request } from 'express'

/** RFC 7519: three base64url parts, the first of which is a JSON object. A user's token is never an API key. */
export const isJwt = (text: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(text)

/** The user's token of a request, not verified: `Authorization: Bearer <JWT>`. */
export function readUserToken(request: Request): string | undefined {
  const authorization = request
    .get('authorization')
    ?.replace(/^Bearer\s+/i, '')
    .trim()
  return authorization !== undefined && isJwt(authorization) ? authorization : undefined
}
