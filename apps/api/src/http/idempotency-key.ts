import type { RequestHandler } from 'express'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import { requireIdempotencyKey } from '../idempotency/key-format.ts'
import { currentRequest } from './current-request.ts'
import { replyError } from './reply-error.ts'

/** Refuses a malformed Idempotency-Key before anything is read. What only reads ignores the header. */
export const checkIdempotencyKey = (): RequestHandler => (request, response, next) => {
  const context = currentRequest()
  if (request.method !== 'POST' || context.idempotencyKey === undefined) return next()
  try {
    requireIdempotencyKey(context.idempotencyKey)
  } catch (error) {
    return replyError(request, response, toLanyardError(error), context)
  }
  next()
}
