import {
  type DelegationState,
  delegatedDeployment,
  delegationInitCode,
  readDelegation,
  type SignedUserOperation,
  verifyAuthorization,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { PublicClient } from 'viem'
import { usesEntryPoint08 } from '../entry-point/entry-point.ts'

/** What an operation of a delegated EOA needs to be included, as the chain is now. */
export interface Delegation {
  /** Whether its transaction has to carry its authorisation. */
  readonly isNeeded: boolean
  /** Why it cannot be included now. */
  readonly refusal?: LanyardError
  /** Whether it can never be included as it is: its authorisation is spent. */
  readonly isSpent?: boolean
  /** Whether its authorisation is of a later nonce: a node has made that nonce up, or a reorg has removed the earlier ones. */
  readonly isAhead?: boolean
}

/** Senders in lower case. */
export type Delegations = ReadonlyMap<string, Delegation>

/** The EOA's code and nonce. */
interface State {
  readonly delegation: DelegationState
  readonly nonce: number
}

/**
 * Reads whether the senders of operations are delegated, and whether their authorisations still apply. It costs
 * requests only for operations of delegated EOAs, which leave as one JSON-RPC batch with those of the same turn of the
 * event loop.
 *
 * The code of a delegated sender is known: it is this service's delegate, or the operation is refused.
 */
export async function readDelegations(
  network: Network,
  operations: readonly SignedUserOperation[],
): Promise<Delegations> {
  const delegated = operations.filter(usesEntryPoint08)
  if (delegated.length === 0) return new Map()
  return new Map(
    await Promise.all(
      delegated.map(
        async (operation) => [operation.sender.toLowerCase(), await readOne(network, operation)] as const,
      ),
    ),
  )
}

async function readOne(network: Network, operation: SignedUserOperation): Promise<Delegation> {
  const found = judge(await network.call((client) => readState(client, operation)), operation)
  if (!found.isSpent) return found
  // Code and nonce were read one after the other. Nothing is given up unless one block shows both.
  return await network.call(async (client) => {
    const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
    return judge(await readState(client, operation, blockNumber), operation)
  })
}

async function readState(
  client: PublicClient,
  { sender: address, authorization }: SignedUserOperation,
  blockNumber?: bigint,
): Promise<State> {
  const at = blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber }
  const [code, nonce] = await Promise.all([
    client.getCode({ address, ...at }),
    authorization ? client.getTransactionCount({ address, ...at }) : 0,
  ])
  return { delegation: readDelegation(code), nonce }
}

function judge({ delegation, nonce }: State, { sender, authorization }: SignedUserOperation): Delegation {
  if (delegation.kind === 'delegated') return { isNeeded: false }
  const { delegate } = delegatedDeployment
  const refuse = (message: string, details: object = {}) => ({
    isNeeded: authorization !== undefined,
    refusal: new LanyardError('OPERATION_REFUSED', { message, details: { delegate, ...details } }),
  })
  if (delegation.kind === 'contract') {
    return refuse(`${sender} is a contract. Only an EOA can be delegated (EIP-7702).`)
  }
  const is = delegation.kind === 'undelegated' ? 'is not delegated' : `is delegated to ${delegation.delegate}`
  if (!authorization) {
    return refuse(
      `${sender} ${is}, and the operation has no authorisation that delegates it to ${delegate}. Build it again and sign the authorisation.`,
    )
  }
  const signed = authorization.nonce
  if (signed === nonce) return { isNeeded: true }
  const nonces = { accountNonce: nonce, authorizationNonce: signed }
  if (signed > nonce) {
    const ahead = `The authorisation has the nonce ${signed}, and ${sender} has ${nonce}. Sign one with the nonce of now.`
    return { ...refuse(ahead, nonces), isAhead: true }
  }
  const message = `The authorisation can no longer be used: it has the nonce ${signed}, and ${sender} has used it and has ${nonce} now, but ${is}. Sign another authorisation.`
  return { ...refuse(message, nonces), isSpent: true }
}

/**
 * Refuses an authorisation that does not delegate the sender, and one without the `initCode` that EntryPoint v0.8
 * requires beside it: an operation whose sender's delegate is not in its hash would be valid for any other one too.
 *
 * @throws OPERATION_REFUSED, INVALID_SIGNATURE
 */
export async function assertOwnAuthorization(
  { chainId }: Pick<Network, 'chainId'>,
  operation: SignedUserOperation,
): Promise<void> {
  const { sender, initCode, authorization } = operation
  if (!authorization) return
  if (!usesEntryPoint08(operation) || initCode !== delegationInitCode) {
    throw new LanyardError('OPERATION_REFUSED', {
      message: 'Only an operation for EntryPoint v0.8 with the factory 0x7702 can have an authorisation.',
    })
  }
  const verified = await verifyAuthorization(authorization, { eoa: sender, chainId })
  if (verified.ok) return
  const { code, message } = verified
  throw new LanyardError(code === 'NOT_SIGNED_BY_ACCOUNT' ? 'INVALID_SIGNATURE' : 'OPERATION_REFUSED', {
    message,
  })
}
