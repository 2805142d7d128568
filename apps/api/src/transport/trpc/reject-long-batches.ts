import { LanyardError } from '@lanyard/contracts'
import type { RequestHandler } from 'express'
import { chargeAddress } from '../http/admit.ts'
import { currentRequest } from '../http/http-request-context.ts'
import { calledNames, maxBatchSize } from '../http/limits.ts'

/** Rejects a path with too many calls before any work is done for them: a comma costs its sender one byte. */
export const rejectLongBatches: RequestHandler = (request, _response, next) => {
  if (calledNames(request.path).length <= maxBatchSize) return next()
  chargeAddress(currentRequest())
  const message = `At most ${maxBatchSize} calls in one request`
  throw new LanyardError('INVALID_INPUT', { issues: [{ path: '', message }] })
}
