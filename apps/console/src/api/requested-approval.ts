import { TRPCClientError } from '@trpc/client'

/** An act was not done: it waits for a second person. */
export class RequestedApproval extends Error {
  override readonly name = 'RequestedApproval'
  readonly id: string
  readonly expiresAt: string
  /** What the act makes: it is shown now, once, and works from the approval on. */
  readonly secret: string | null

  constructor({ id, expiresAt, secret }: Pick<RequestedApproval, 'id' | 'expiresAt' | 'secret'>) {
    super('This waits for a second person.')
    this.id = id
    this.expiresAt = expiresAt
    this.secret = secret
  }
}

/** The request that an act has become; undefined for any other end of it. */
export function requestedBy(error: unknown): RequestedApproval | undefined {
  const cause = error instanceof TRPCClientError ? error.cause : error
  return cause instanceof RequestedApproval ? cause : undefined
}
