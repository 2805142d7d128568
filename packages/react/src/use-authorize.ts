import type { SessionKeyEnableData, SessionKeySigner } from '@lanyard/client'
import { encodeRevoke } from '@lanyard/session-keys'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { callService } from './actions/call-service.ts'
import type { SentCalls } from './actions/deliver.ts'
import { type SendOptions, sendCalls } from './actions/send-calls.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { LanyardReactError } from './react-error.ts'
import { useAction } from './use-action.ts'

/** What a session key may do; what nothing here allows is refused on chain (docs/session-keys.md). */
export type Permission = SessionKeyEnableData['body']['permissions'][number]

export interface UseAuthorizeParameters {
  /**
   * SessionKeys' address, the same on every network. Take it once from `GET /networks` of a service that you trust, and
   * keep it in the app: the contract becomes a module of the account, so the service must not be able to name another.
   */
  readonly sessionKeys: Address
}

export interface AuthorizeRequest extends SendOptions {
  /** The key that may act: `createSessionKey()` of `@lanyard/client` makes one that cannot leave the browser. */
  readonly sessionKey: Pick<SessionKeySigner, 'sessionKey' | 'key'>
  readonly permissions: readonly Permission[]
  /** Unix seconds. */
  readonly validUntil: number
  /** Unix seconds. Default: now. */
  readonly validAfter?: number
  /** Shows the person what they are about to allow, in plain words. False ends it before the passkey is asked. */
  readonly review?: (description: readonly string[]) => boolean | Promise<boolean>
}

export interface RevokeRequest extends SendOptions {
  readonly sessionKey: Pick<SessionKeySigner, 'key'>
}

export interface Authorize {
  readonly busy: 'authorize' | 'revoke' | undefined
  readonly error: LanyardReactError | undefined
  /** Lets a key act for the account within limits that the chain enforces. Undefined: the person declined. */
  readonly authorize: (request: AuthorizeRequest) => Promise<SentCalls | undefined>
  /** Ends what a key may do. Undefined: the person closed the prompt. */
  readonly revoke: (request: RevokeRequest) => Promise<SentCalls | undefined>
}

/** Lets keys of the app act for the account within limits: one passkey prompt now instead of one for each operation. */
export function useAuthorize({ sessionKeys }: UseAuthorizeParameters): Authorize {
  const context = useLanyardContext()
  const { busy, error, run } = useAction<'authorize' | 'revoke'>(context.service)

  const actions = useMemo(() => {
    const { accounts, client } = context
    const requireAccount = () => {
      const account = accounts.get()
      if (!account) throw new LanyardReactError('SIGNED_OUT')
      return account.address
    }
    return {
      authorize: ({
        sessionKey,
        permissions,
        validUntil,
        validAfter,
        review,
        ...options
      }: AuthorizeRequest) =>
        run('authorize', async (signal) => {
          const account = requireAccount()
          const request = {
            network: String(options.network ?? context.network),
            walletAddress: account,
            sessionKey: sessionKey.sessionKey,
            permissions: [...permissions],
            validAfter: validAfter ?? Math.floor(Date.now() / 1_000),
            validUntil,
          }
          const plan = await callService(client.sessionKey.enable(request, { signal }))
          // Apps that never authorize a key do not load what checks a grant.
          const { readGrant } = await import('./actions/read-grant.ts')
          const { calls, description } = readGrant({ plan, request, account, sessionKeys })
          if (review && !(await review(description))) return undefined
          return sendCalls(context, calls, options, signal)
        }),
      revoke: ({ sessionKey: { key }, ...options }: RevokeRequest) =>
        run('revoke', async (signal) => {
          const calls = encodeRevoke({ account: requireAccount(), sessionKeys, key })
          return sendCalls(context, calls, options, signal)
        }),
    }
  }, [context, run, sessionKeys])

  return { busy, error, ...actions }
}
