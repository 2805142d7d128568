import {
  delegatedDeployment,
  delegationInitCode,
  operationTypedData,
  readDelegation,
  toDelegatedAccount,
  toOwner,
  type UserOperation,
  verifyAuthorization,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OperationRow, StoredAuthorization } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Address, getAddress, isAddressEqual } from 'viem'
import type { Kind, SentBy } from '../accounts/kind.ts'
import {
  type CurrentDelegation,
  type DelegatedWallet,
  readDelegationState,
  readStoredDelegation,
  requireDelegable,
} from './delegated-wallet.ts'

/** What an owner uses instead of what an endpoint does, by the endpoint's tag. */
const substitutes: Readonly<Record<string, string>> = {
  'Smart balance':
    'Send tokens on the network where they are, by /smart-account/transaction/build. A balance over several networks needs an account of the kind safe.',
  'Session keys':
    'Sign each operation with the EOA: one operation may make up to 64 calls. Limited keys need an account of the kind safe.',
  Owners:
    'The key of the EOA is the only owner, and its wallet keeps the backup. Further owners, guardians and recovery need an account of the kind safe.',
  'Passkey accounts': 'The EOA signs. A passkey needs an account of its own.',
}

/**
 * Whether an operation's authorisation is spent while its EOA is not delegated. Once it is delegated, in whatever way, the
 * operation needs no authorisation.
 */
function isDelegationSpent(
  network: Network,
  { account, eip7702_auth: authorization }: OperationRow,
): Promise<boolean> {
  const address = account as Address // the column holds 0x and 40 digits
  return network.call(async (client) => {
    const [code, nonce] = await Promise.all([
      client.getCode({ address }),
      authorization ? client.getTransactionCount({ address }) : 0,
    ])
    if (!authorization) return false
    return (
      nonce > authorization.nonce &&
      readDelegation(code, { delegate: authorization.address }).kind !== 'delegated'
    )
  })
}

const refuse = (reason: string, message: string) =>
  new LanyardError('INVALID_AUTHORIZATION', { message, details: { reason } })

/**
 * The authorisation to send an operation with, verified. It is needed only while the account does not delegate to this
 * service's contract: later ones are ignored, since they would have no effect.
 *
 * @param row - the operation that is signed now
 * @throws INVALID_AUTHORIZATION with a `reason`, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function requireAuthorization(
  network: Network,
  wallet: DelegatedWallet,
  { state, deploys }: Pick<OperationRow, 'state' | 'deploys'>,
  authorization: StoredAuthorization | undefined,
): Promise<StoredAuthorization | undefined> {
  if (state !== 'built' || !deploys) return undefined
  const current = await readDelegationState(network, wallet)
  if (!authorization) {
    if (current.state.kind === 'delegated') return undefined
    throw refuse(
      'MISSING',
      'The account does not delegate to the contract of this service yet. Send the signed `authorization` of the build, too.',
    )
  }
  const verified = await verifyAuthorization(
    authorization,
    { eoa: wallet.address, chainId: network.chainId },
    wallet.deployment,
  )
  if (!verified.ok) throw refuse(verified.code, verified.message)
  if (authorization.nonce === current.nonce) return authorization
  if (current.state.kind === 'delegated') return undefined
  throw refuse(
    'OTHER_NONCE',
    `The authorisation has the nonce ${authorization.nonce}, and the account's is ${current.nonce}: it has sent a transaction since, or before. Build again and sign both.`,
  )
}

const invalidMember = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { message: `${path}: ${message}`, issues: [{ path, message }] })

/**
 * Refuses an operation that does not delegate its EOA to this service's contract. The EOA needs no registration, since its
 * address names its key: the operation's signature shows that the owner of the key has sent it.
 *
 * @throws INVALID_INPUT
 */
function requireOwnDelegation({ initCode, authorization }: SentBy): void {
  if (authorization && initCode === '0x') {
    const message = 'Expected 0x7702 beside eip7702Auth, so that the signature holds for this delegate only'
    throw invalidMember('factory', message)
  }
  if (authorization && !isAddressEqual(authorization.address, delegatedDeployment.delegate)) {
    const message = `Expected an authorisation for ${delegatedDeployment.delegate}`
    throw invalidMember('eip7702Auth.address', message)
  }
  if (initCode !== '0x' && initCode !== delegationInitCode) {
    const message = 'An EOA is not deployed: expected 0x7702, or no factory once the EOA is delegated'
    throw invalidMember('factory', message)
  }
}

/** Wallets expect the domain's type beside the others (`eth_signTypedData_v4`). */
const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** What the EOA signs: the operation as typed data, and an authorisation if the operation needs one. */
function toDelegatedTerms(
  { chainId }: Network,
  { deployment }: DelegatedWallet,
  { nonce }: CurrentDelegation,
  operation: UserOperation,
) {
  const { types, primaryType, message } = operationTypedData(operation, { chainId })
  return {
    typedData: {
      domain: {
        name: 'ERC4337' as const,
        version: '1' as const,
        chainId,
        verifyingContract: deployment.entryPoint,
      },
      types: { EIP712Domain: domainType, PackedUserOperation: [...types.PackedUserOperation] },
      primaryType,
      message: Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)])),
    },
    ...(operation.initCode !== '0x' && {
      authorization: { chainId, address: deployment.delegate, nonce },
    }),
  }
}

/** An EOA's address, its owner and its key are one. */
const toWallet = (
  given: string,
  deployment: DelegatedWallet['deployment'] = delegatedDeployment,
): DelegatedWallet => {
  const address = getAddress(given)
  return { address, owner: toOwner({ address }), deployment }
}

export const delegatedKind: Kind<DelegatedWallet> = {
  substitutes,
  read: ({ address, deployment }) => toWallet(address, readStoredDelegation(deployment)),
  ofEoa: (eoa) => toWallet(eoa),
  entryPoint: delegatedDeployment.entryPoint,
  ofSender(operation) {
    requireOwnDelegation(operation)
    return toWallet(operation.sender)
  },
  isDeployedOtherwise: isDelegationSpent,
  rulesOf: (wallet) => ({
    kind: 'eip7702',
    account: toDelegatedAccount(wallet.address, wallet.deployment),
    isDeployed: (code) => readDelegation(code, wallet.deployment).kind === 'delegated',
    toStored: () => ({ address: wallet.address, eoaAddress: null, deployment: wallet.deployment }),
    async requireUsable(network, replaces) {
      const current = await requireDelegable(network, wallet, replaces)
      return (operation) => toDelegatedTerms(network, wallet, current, operation)
    },
    requireAuthorization: (networks, row, given) =>
      requireAuthorization(networks.get(row.network), wallet, row, given),
  }),
}
