import type { Request } from 'express'
import { isJwt } from './user-token.ts'

/** The text of a request's API key: `x-api-key`, or `Authorization`, bare or as Bearer, when it is no JWT. */
export function givenKey(request: Request): string | undefined {
  const header = request.get('x-api-key')
  if (header !== undefined) return header
  const authorization = request
    .get('authorization')
    ?.replace(/^Bearer\s+/i, '')
    .trim()
  return authorization === undefined || isJwt(authorization) ? undefined : authorization
}
