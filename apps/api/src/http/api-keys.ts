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

/**
 * Reads which API key came with a request.
 *
 * @returns a function that answers the key's name, or undefined where there is none that is known
 */
export function apiKeyReader({ API_KEYS }: Pick<Env, 'API_KEYS'>): (request: Request) => string | undefined {
  const known = API_KEYS.map(({ name, secret }) => ({ name, digest: digest(secret) }))
  return (request) => {
    const given = givenKey(request)
    if (given === undefined || known.length === 0) return undefined
    const givenDigest = digest(given)
    // All are compared, so that the time tells neither whether one fits nor which.
    const [fitting] = known.filter((key) => timingSafeEqual(key.digest, givenDigest))
    return fitting?.name
  }
}

/** Refuses every request without a valid API key, before anything reads it; without configured keys, none is needed. */
export function requireApiKey({ API_KEYS }: Pick<Env, 'API_KEYS'>): RequestHandler {
  return (request, response, next) => {
    const context = currentRequest()
    const isOpen = API_KEYS.length === 0 || open.some((path) => path.test(request.path))
    if (isOpen || context.apiKey !== undefined) return next()
    replyError(request, response, new LanyardError('UNAUTHORIZED'), context)
  }
}
