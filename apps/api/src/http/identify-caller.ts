import type { RequestHandler } from 'express'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import type { Services } from '../services.ts'
import { currentRequest, runInRequest } from './current-request.ts'
import { givenKey } from './given-key.ts'
import { isOpen } from './open-paths.ts'
import { replyError } from './reply-error.ts'

/** Finds out which API key came with a request; a text that is no key of ours says nothing. */
export function identifyCaller({ apiKeys }: Pick<Services, 'apiKeys'>): RequestHandler {
  return async (request, response, next) => {
    const text = givenKey(request)
    if (text === undefined || isOpen(request.path)) return next()
    const context = currentRequest()
    try {
      const apiKey = await apiKeys.find(text)
      runInRequest({ ...context, apiKey }, next)
    } catch (error) {
      replyError(request, response, toLanyardError(error), context)
    }
  }
}
