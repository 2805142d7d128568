import type { SessionKeyEnableData, SessionKeySigner } from '@lanyard/client'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { callService } from './actions/call-service.ts'
import type { SentCalls } from './actions/deliver.ts'
import type { SendOptions } from './actions/send-calls.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { loadActions, loadGrants } from './load-actions.ts'
import { LanyardReactError } from './react-error.ts'
import { useAction } from './use-action.ts'

/** What a session key may do. The chain rejects everything else (docs/session-keys.md). */
export type Permission = SessionKeyEnableData['body']['permissions'][number]

export interface UseAuthorizeParameters {
  /**
   * SessionKeys' address, the same on every network. Read it once from `GET /networks` of a service that you
   * trust, and store it in the app. The contract becomes a module of the account, so the service must not be
   * able to substitute another one.
   */
  readonly sessionKeys: Address
}

/** Seconds by which a chain's clock may be behind this one: a new key works in the block of its grant. */
const clockMargin = 60

export interface AuthorizeRequest extends SendOptions {
  /** The session key. `createSessionKey()` of `@lanyard/client` creates one that cannot leave the browser. */
  readonly sessionKey: Pick<SessionKeySigner, 'sessionKey' | 'key'>
  readonly permissions: readonly Permission[]
  /** Unix seconds. */
  readonly validUntil: number
  /** Unix seconds. Default: a minute ago, which means now on a chain whose clock is behind this one. */
  readonly validAfter?: number
  /**
   * Shows the person what they are about to allow, in plain words. Returning false stops before the passkey
   * prompt.
   */
  readonly review?: (description: readonly string[]) => boolean | Promise<boolean>
}

export interface RevokeRequest extends SendOptions {
  readonly sessionKey: Pick<SessionKeySigner, 'key'>
}

export interface Authorize {
  readonly busy: 'authorize' | 'revoke' | undefined
  readonly error: LanyardReactError | undefined
  /**
   * Lets a key act for the account within limits that the chain enforces. Undefined if the person declined.
   */
  readonly authorize: (request: AuthorizeRequest) => Promise<SentCalls | undefined>
  /** Revokes a key. Undefined if the person closed the prompt. */
  readonly revoke: (request: RevokeRequest) => Promise<SentCalls | undefined>
}

/**
 * Lets the app's keys act for the account within limits: one passkey prompt now instead of one for each
 * operation.
 */
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
            validAfter: validAfter ?? Math.floor(Date.now() / 1_000) - clockMargin,
            validUntil,
          }
          const plan = await callService(client.sessionKey.enable(request, { signal }))
          const { readGrant } = await loadGrants()
          const { calls, description } = readGrant({ plan, request, account, sessionKeys })
          if (review && !(await review(description))) return undefined
          return (await loadActions()).sendCalls(context, calls, options, signal)
        }),
      revoke: ({ sessionKey: { key }, ...options }: RevokeRequest) =>
        run('revoke', async (signal) => {
          const { encodeRevoke } = await loadGrants()
          const calls = encodeRevoke({ account: requireAccount(), sessionKeys, key })
          return (await loadActions()).sendCalls(context, calls, options, signal)
        }),
    }
  }, [context, run, sessionKeys])

  return { busy, error, ...actions }
}
