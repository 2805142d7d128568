import {
  type Call,
  defaultDeployment,
  encodeEnableModule,
  encodeRemoveGuard,
  encodeSetHandler,
  isCreateSigner,
  readMemberChange,
} from '@lanyard/accounts'
import { endSessionsCall } from '@lanyard/session-keys'
import { type Address, decodeFunctionData, erc20Abi, getAddress, type Hex, isAddressEqual, slice } from 'viem'
import type { CallNetwork, SmartBalance } from './call-network.ts'
import { type Currency, nativeOf } from './currency.ts'
import {
  describeSessionCall,
  describeSessionSetUp,
  type SessionCall,
  type SessionSetUp,
} from './describe-session-call.ts'
import { describeSmartBalanceCall, type SmartBalanceCall } from './describe-smart-balance-call.ts'
import { isSameCall, tryDecode } from './is-same-call.ts'
import { knownModule } from './known-module.ts'

/** The effect of one call, as far as its bytes determine it. */
export type CallDescription =
  | { readonly kind: 'transfer'; readonly to: Address; readonly amount: bigint; readonly currency: Currency }
  | {
      readonly kind: 'approve'
      readonly spender: Address
      readonly amount: bigint
      readonly currency: Currency
    }
  | { readonly kind: 'add-owner'; readonly owner: Address }
  | { readonly kind: 'remove-owner'; readonly owner: Address }
  | { readonly kind: 'create-signer' }
  | { readonly kind: 'enable-guardians' }
  | { readonly kind: 'end-sessions' }
  | { readonly kind: 'remove-module'; readonly module: Address }
  | { readonly kind: 'remove-guard' }
  | { readonly kind: 'reset-handler' }
  | SmartBalanceCall
  | SessionCall
  | SessionSetUp
  | { readonly kind: 'contract'; readonly to: Address; readonly value: bigint; readonly selector: Hex }

/** The inputs of a description. */
export interface CallContext {
  readonly account: Address
  /** The network's currencies with trusted symbol and decimals: those in the service's configuration. */
  readonly tokens: readonly Currency[]
  readonly smartBalance?: SmartBalance | undefined
  /** The network's SessionKeys contract. */
  readonly sessionKeys?: Address | undefined
  /** The Ownership module, if this wallet knows it. */
  readonly ownership?: Address | undefined
  /** Lower-case address → the person's name for it. A summary shows it beside the address. */
  readonly names?: ReadonlyMap<string, string> | undefined
}

/** The context of an account's calls. The network is undefined if the service no longer lists it. */
export function callContext(
  account: Address,
  network: CallNetwork | undefined,
  names?: ReadonlyMap<string, string>,
): CallContext {
  return {
    account,
    names,
    tokens: network?.currencies ?? [],
    smartBalance: network?.smartBalance,
    sessionKeys: network?.sessionKeys,
    ownership: network && knownModule(network),
  }
}

/**
 * Describes a call. Only tokens in the context are shown as amounts: any other contract can pretend to be a
 * token, so it is shown as a contract call.
 */
export function describeCall(call: Call, context: CallContext): CallDescription {
  const { account, tokens, smartBalance, sessionKeys } = context
  const to = getAddress(call.to)
  if (call.data === '0x') return { kind: 'transfer', to, amount: call.value, currency: nativeOf(tokens) }
  const token = tokens.find((candidate) => candidate.token && isAddressEqual(candidate.token, to))
  const known =
    call.value !== 0n
      ? undefined
      : token
        ? describeTokenCall(call.data, token)
        : smartBalance && isAddressEqual(to, smartBalance.address)
          ? describeSmartBalanceCall(call.data, smartBalance.unit)
          : isAddressEqual(to, account)
            ? describeAccountCall(call, context)
            : sessionKeys && isAddressEqual(to, sessionKeys)
              ? describeSessionCall(call.data)
              : isAddressEqual(to, defaultDeployment.signerFactory) && isCreateSigner(call.data)
                ? ({ kind: 'create-signer' } as const)
                : isSameCall(call, endSessionsCall)
                  ? ({ kind: 'end-sessions' } as const)
                  : undefined
  return known ?? { kind: 'contract', to, value: call.value, selector: selectorOf(call.data) }
}

function describeTokenCall(data: Hex, currency: Currency): CallDescription | undefined {
  const call = tryDecode(() => decodeFunctionData({ abi: erc20Abi, data }))
  if (call?.functionName === 'transfer')
    return { kind: 'transfer', to: call.args[0], amount: call.args[1], currency }
  if (call?.functionName === 'approve')
    return { kind: 'approve', spender: call.args[0], amount: call.args[1], currency }
  return undefined
}

function describeAccountCall(
  call: Call,
  { account, sessionKeys, ownership }: CallContext,
): CallDescription | undefined {
  if (ownership && isSameCall(call, encodeEnableModule({ module: ownership, account })))
    return { kind: 'enable-guardians' }
  if (isSameCall(call, encodeRemoveGuard({ account }))) return { kind: 'remove-guard' }
  if (isSameCall(call, encodeSetHandler({ account, handler: defaultDeployment.module })))
    return { kind: 'reset-handler' }
  const setUp = sessionKeys && describeSessionSetUp(call, account, sessionKeys)
  return setUp ?? describeOwnerCall(call.data)
}

function describeOwnerCall(data: Hex): CallDescription | undefined {
  const change = readMemberChange(data)
  if (change?.kind === 'disable-module') return { kind: 'remove-module', module: change.module }
  return change && 'owner' in change ? { kind: change.kind, owner: change.owner } : undefined
}

function selectorOf(data: Hex): Hex {
  return data.length >= 10 ? slice(data, 0, 4) : data
}
