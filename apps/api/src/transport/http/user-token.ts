/** RFC 7519: three base64url parts, the first of which is a JSON object. A user's token is never an API key. */
export const isJwt = (text: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(text)

/** The value of `Authorization`, with or without its scheme. */
export const readBearer = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim()

/** The user's token of a request, not verified: `Authorization: Bearer <JWT>`. */
export function readUserToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const text = readBearer(authorization)
  return isJwt(text) ? text : undefined
}
