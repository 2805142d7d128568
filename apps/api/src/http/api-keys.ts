import { createHash, timingSafeEqual } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import type { Request, RequestHandler } from 'express'
import type { Env } from '../env.ts'
import { currentRequest } from './current-request.ts'
import { replyError } from './reply-error.ts'
import { isJwt } from './user-token.ts'

/** What a stranger may ask: whether the service is there, and how to talk to it. */
const open = [/^\/$/, /^\/health$/, /^\/openapi\.json$/, /^\/docs(\/|$)/]

/** The key of a request: `x-api-key`, or `Authorization`, bare or as Bearer. */
function givenKey(request: Request): string | undefined {
  const header = request.get('x-api-key')
  if (header !== undefined) return header
  const authorization = request
    .get('authorization')
    ?.replace(/^Bearer\s+/i, '')
    .trim()
  return authorization === undefined || isJwt(authorization) ? undefined : authorization
}

const digest = (secret: string) => createHash('sha256').update(secret).digest()

/** Refuses every request without a valid API key, before anything reads it; without configured keys, none is needed. */
export function requireApiKey({ API_KEYS }: Pick<Env, 'API_KEYS'>): RequestHandler {
  const digests = API_KEYS.map(({ secret }) => digest(secret))
  return (request, response, next) => {
    if (digests.length === 0 || open.some((path) => path.test(request.path))) return next()
    const given = digest(givenKey(request) ?? '')
    // All are compared, so that the time tells neither whether one fits nor which.
    const fits = digests.filter((known) => timingSafeEqual(known, given)).length > 0
    if (fits) return next()
    replyError(request, response, new LanyardError('UNAUTHORIZED'), currentRequest())
  }
}
