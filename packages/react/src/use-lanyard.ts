import type { LanyardClient } from '@lanyard/client'
import { useMemo } from 'react'
import {
  getTypesForEIP712Domain,
  type Hex,
  serializeTypedData,
  type TypedData,
  type TypedDataDefinition,
  type TypedDataDomain,
} from 'viem'
import type { Account } from './account-store.ts'
import type { SentCalls } from './actions/deliver.ts'
import type { Call, SendOptions } from './actions/send-calls.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { loadActions } from './load-actions.ts'
import type { SignedOperation } from './operation-store.ts'
import { usePendingOperations } from './pending-operations.tsx'
import { LanyardReactError } from './react-error.ts'
import { useAccount } from './use-account.ts'
import { useAction } from './use-action.ts'

/** The actions of this hook. */
export type Action = 'createAccount' | 'signIn' | 'sendCalls' | 'signMessage' | 'signTypedData'

export interface Lanyard {
  readonly status: 'signed-out' | 'signed-in'
  /** Undefined if nobody is signed in. The account survives a reload; the service's token does not. */
  readonly account: Account | undefined
  /** This component's action in progress. */
  readonly busy: Action | undefined
  /** Why this component's last action failed. A closed prompt is not an error. */
  readonly error: LanyardReactError | undefined
  /** Operations signed in this browser that are not known to have ended. They survive a reload. */
  readonly pendingOperations: readonly SignedOperation[]
  /** Creates a passkey and an account that it owns. Undefined if the person closed the prompt. */
  readonly createAccount: (username: string) => Promise<Account | undefined>
  /**
   * Signs in with the passkey that the person picks, or with a passkey of `username`. Undefined if the person
   * closed the prompt.
   */
  readonly signIn: (options?: { readonly username?: string }) => Promise<Account | undefined>
  /** Signs out in every tab of the app. Signed operations continue. */
  readonly signOut: () => void
  /**
   * Sends calls as one operation and waits for inclusion. Undefined if the person closed the prompt; nothing
   * was signed then.
   */
  readonly sendCalls: (calls: readonly Call[], options?: SendOptions) => Promise<SentCalls | undefined>
  /**
   * Creates the account's signature over a text, or over bytes (`raw`). Undefined if the person closed the
   * prompt.
   */
  readonly signMessage: (
    message: string | { readonly raw: Hex },
    options?: SignOptions,
  ) => Promise<Hex | undefined>
  /** Creates the account's signature over EIP-712 typed data. Undefined if the person closed the prompt. */
  readonly signTypedData: <
    const types extends TypedData | Record<string, unknown>,
    primaryType extends keyof types | 'EIP712Domain',
  >(
    typedData: TypedDataDefinition<types, primaryType>,
    options?: SignOptions,
  ) => Promise<Hex | undefined>
  /** A client for every endpoint of the service, with the app's key and the person's token. */
  readonly client: LanyardClient
}

export interface SignOptions {
  /** Chain id: a signature is valid on one network only. Default: the provider's. */
  readonly network?: number
}

/**
 * The signed-in account and its actions. Promises reject only with a `LanyardReactError`, which `error` also
 * holds, so an event handler does not have to catch it. An open prompt closes when the component unmounts.
 *
 * @example
 * const { account, createAccount, sendCalls, error } = useLanyard()
 */
export function useLanyard(): Lanyard {
  const context = useLanyardContext()
  const account = useAccount()
  const pendingOperations = usePendingOperations()
  const { busy, error, run } = useAction<Action>(context.service)

  const actions = useMemo(() => {
    const { network: usual } = context
    return {
      createAccount: (username: string) =>
        run('createAccount', async (signal) =>
          (await loadActions()).createAccount(context, username, signal),
        ),
      signIn: ({ username }: { readonly username?: string } = {}) =>
        run('signIn', async (signal) => (await loadActions()).signIn(context, username, signal)),
      signOut: () => {
        context.accounts.signOut()
        // What is the account's goes with it; networks and brand stay.
        for (const what of ['balance', 'activity', 'owners', 'guardians'])
          context.queryClient.removeQueries({ queryKey: ['lanyard', context.service, what] })
      },
      sendCalls: (calls: readonly Call[], options: SendOptions = {}) =>
        run('sendCalls', async (signal) => (await loadActions()).sendCalls(context, calls, options, signal)),
      signMessage: (message: string | { readonly raw: Hex }, { network = usual }: SignOptions = {}) =>
        run('signMessage', async (signal) => {
          const what = typeof message === 'string' ? { message } : { rawMessage: message.raw }
          return (await loadActions()).signAccountMessage(context, what, network, signal)
        }),
      signTypedData: (typedData: unknown, { network = usual }: SignOptions = {}) =>
        run('signTypedData', async (signal) =>
          (await loadActions()).signAccountMessage(
            context,
            { typedData: toJson(typedData) },
            network,
            signal,
          ),
        ),
      client: context.client,
    }
  }, [context, run])

  return {
    status: account ? 'signed-in' : 'signed-out',
    account,
    busy,
    error,
    pendingOperations,
    ...actions,
  }
}

interface Domain {
  readonly domain?: TypedDataDomain | undefined
}

/**
 * Typed data as JSON: integers become decimal strings. viem omits a domain whose type is not among the types.
 */
function toJson(typedData: unknown) {
  try {
    // `signTypedData` checks the types.
    const { types, ...rest } = typedData as Parameters<typeof serializeTypedData>[0] & Domain
    const domain = { EIP712Domain: getTypesForEIP712Domain({ domain: rest.domain }) }
    return JSON.parse(serializeTypedData({ ...rest, types: { ...domain, ...types } } as never))
  } catch (cause) {
    throw new LanyardReactError('INVALID_REQUEST', { cause })
  }
}
