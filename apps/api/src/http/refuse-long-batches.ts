import { LanyardError } from '@lanyard/contracts'
import type { RequestHandler } from 'express'
import { calledNames } from './called-names.ts'
import { currentRequest } from './current-request.ts'
import { maxBatchSize } from './limits.ts'
import { replyError } from './reply-error.ts'

/** Refuses a path with too many calls before anything is done for any of them: a comma costs its sender one byte. */
export const refuseLongBatches = (): RequestHandler => (request, response, next) => {
  if (calledNames(request.path).length <= maxBatchSize) return next()
  const message = `At most ${maxBatchSize} calls in one request`
  const error = new LanyardError('INVALID_INPUT', { issues: [{ path: '', message }] })
  replyError(request, response, error, currentRequest())
}
