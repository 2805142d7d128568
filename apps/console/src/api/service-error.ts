import { TRPCClientError } from '@trpc/client'

/** An error as a person reads it. */
export interface ShownError {
  readonly code: string | undefined
  readonly title: string
  readonly requestId: string | undefined
}

/** Reads any error of this page: an answer of the service, a lost connection, or a closed passkey prompt. */
export function readError(error: unknown): ShownError {
  if (error instanceof TRPCClientError) {
    if (error.cause?.name === 'NotAllowedError') return readError(error.cause)
    const data: unknown = error.data
    if (typeof data !== 'object' || data === null)
      return {
        code: undefined,
        title: 'The console does not answer. Check your connection, or whether its process runs.',
        requestId: undefined,
      }
    const code = Reflect.get(data, 'code')
    const requestId = Reflect.get(data, 'requestId')
    return {
      code: typeof code === 'string' ? code : undefined,
      title: error.message,
      requestId: typeof requestId === 'string' ? requestId : undefined,
    }
  }
  if (error instanceof Error && error.name === 'NotAllowedError')
    return { code: undefined, title: 'The passkey prompt was closed or timed out.', requestId: undefined }
  const title = error instanceof Error ? error.message : 'Something unexpected happened on this page.'
  return { code: undefined, title, requestId: undefined }
}
