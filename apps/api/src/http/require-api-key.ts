import { LanyardError } from '@lanyard/contracts'
import type { RequestHandler } from 'express'
import type { Services } from '../services.ts'
import { currentRequest } from './current-request.ts'
import { isOfOrigin } from './is-of-origin.ts'
import { isOpen } from './open-paths.ts'
import { replyError } from './reply-error.ts'

/**
 * Refuses every request without a valid API key, and those with a publishable one from a page that it is not for,
 * before anything reads them. Where no keys are needed, none is.
 */
export function requireApiKey({ apiKeys }: Pick<Services, 'apiKeys'>): RequestHandler {
  return async (request, response, next) => {
    if (isOpen(request.path)) return next()
    const context = currentRequest()
    const { apiKey } = context
    if (apiKey === undefined && (await apiKeys.needed())) {
      return replyError(request, response, new LanyardError('UNAUTHORIZED'), context)
    }
    if (apiKey?.kind === 'publishable' && !isOfOrigin(request, apiKey)) {
      const message = 'This publishable key is for the pages of other origins.'
      return replyError(request, response, new LanyardError('FORBIDDEN', { message }), context)
    }
    next()
  }
}
