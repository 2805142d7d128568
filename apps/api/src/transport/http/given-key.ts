import type { IncomingMessage } from 'node:http'
import { isJwt, readBearer } from './user-token.ts'

/**
 * The text of a request's API key: `x-api-key`, or `Authorization`, bare or as Bearer, unless it is a JWT.
 */
export function givenKey({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-api-key']
  if (typeof header === 'string') return header
  if (headers.authorization === undefined) return undefined
  const text = readBearer(headers.authorization)
  return isJwt(text) ? undefined : text
}
